import { describe, expect, test } from "vitest";
import { withFreshHandles } from "../../../src/host/premiere/host-fault.ts";
import { activeSequence } from "../../../src/host/premiere/open-sequence.ts";
import { readSnapshot } from "../../../src/host/premiere/read-snapshot.ts";
import { readTimeline } from "../../../src/host/premiere/read-timeline.ts";
import { callLines, traced } from "../../../src/host/premiere/traced-premiere.ts";
import { SYSTEM_CLOCK } from "../../../src/service/system-clock.ts";
import type { Faults } from "../../fakes/premiere/faults.ts";
import { otherwise } from "../../fakes/premiere/otherwise.ts";
import { SAMPLE_SEQUENCE_ID, TICKS_PER_FRAME, wholeSeconds } from "../../fakes/premiere/sample-project.ts";
import type { ClipState, DisplayFormat, SequenceState, TrackItemState } from "../../fakes/premiere/state.ts";
import { openSample } from "./open-premiere.ts";

/** A disk without files: nothing here asks it. */
const NO_FILES = { size: async () => null };

/** As many clips as are asked for, of the first of some, each with its number. */
const cutIn = ([item]: readonly TrackItemState[], count: number): TrackItemState[] =>
  Array.from({ length: item === undefined ? 0 : count }, (_, index) => {
    const ticks = TICKS_PER_FRAME["25"];
    const [start, end] = [BigInt(index) * ticks, BigInt(index + 1) * ticks];
    return { ...(item as TrackItemState), id: `part-${index}`, name: `part ${index}`, start, end, inPoint: start };
  });

describe("readSnapshot", () => {
  test.each(["commit", "await"] as const)(
    "reads a sequence whole when handles expire at each %s",
    async (staleness) => {
      const premiere = openSample({ display: "25", inFrame: 100, outFrame: 900 }, { faults: { staleness } });
      const snapshot = await readSnapshot(premiere.module, await activeSequence(premiere.module));
      expect(snapshot).toMatchObject({ name: "Harbour_v7", inPoint: 100n * 10_160_640_000n, isDropFrame: false });
      expect(snapshot.audioTracks.map((track) => [track.name, track.clips.length])).toEqual([
        ["Audio 1", 1],
        ["Audio 2", 1],
      ]);
      expect(snapshot.videoTracks[0]?.clips[0]).toMatchObject({ name: "harbour.mp4", mediaPath: "/media/harbour.mp4" });
      expect(snapshot.markers).toEqual([
        expect.objectContaining({ name: "Check grade", comments: "too warm", colour: "blue", hasGuid: true }),
      ]);
      expect(premiere.machine.violations).toEqual([]);
    },
  );

  test("takes an identity that several markers share for none, and leaves the others theirs", async () => {
    const premiere = openSample();
    premiere.user.editSequence(SAMPLE_SEQUENCE_ID, "Mark", (one) => ({
      ...one,
      markers: one.markers.flatMap((marker) => [
        { ...marker, guid: "alone", name: "first" },
        { ...marker, guid: "shared", name: "second" },
        { ...marker, guid: "shared", name: "third" },
      ]),
    }));
    const { markers } = await readSnapshot(premiere.module, await activeSequence(premiere.module));
    expect(markers.map(({ hasGuid }) => hasGuid)).toEqual([true, false, false]);
    expect(new Set(markers.map(({ id }) => id)).size).toBe(3);
  });

  test("asks for no more than a hundred clips between two looks at the track, and reads them all in order", async () => {
    const premiere = openSample();
    premiere.user.editSequence(SAMPLE_SEQUENCE_ID, "Cut", ({ audioTracks: [track], ...sequence }) => ({
      ...sequence,
      videoTracks: [],
      audioTracks: (track === undefined ? [] : [track]).map((one) => ({ ...one, items: cutIn(one.items, 201) })),
    }));
    const seen = traced(premiere.module);
    const { audioTracks } = await readSnapshot(seen, await activeSequence(seen));
    expect(audioTracks.map(({ clips }) => clips.map(({ name }) => name))).toEqual([
      Array.from({ length: 201 }, (_, index) => `part ${index}`),
    ]);
    // Once for the track itself, and once for each hundred of its clips and for the last one.
    expect(callLines(seen)).toContainEqual(expect.stringMatching(/^Sequence\.getAudioTrack 4\//));
  });

  test("PANEL-01: an in point that is not set reads as none", async () => {
    const premiere = openSample();
    const snapshot = await readSnapshot(premiere.module, await activeSequence(premiere.module));
    expect([snapshot.inPoint, snapshot.outPoint]).toEqual([null, null]);
  });

  const displays: [DisplayFormat, boolean][] = [
    ["23.976", false],
    ["25", false],
    ["29.97 DF", true],
    ["29.97 NDF", false],
    ["59.94 DF", true],
    ["59.94 NDF", false],
  ];
  test.each(displays)("PANEL-01: knows whether %s drops labels", async (display, isDropFrame) => {
    for (const displayCodes of ["ExtendScript", "constants"] as const) {
      const premiere = openSample({ display }, { faults: { displayCodes } });
      const snapshot = await readSnapshot(premiere.module, await activeSequence(premiere.module));
      expect(snapshot).toMatchObject({ isDropFrame, isCountingKnown: true, ticksPerFrame: TICKS_PER_FRAME[display] });
    }
  });

  test("assumes non-drop, and says so, for a time display that no source knows", async () => {
    const premiere = openSample({ display: "29.97 DF" }, { faults: { displayCodes: "unknown" } });
    const snapshot = await readSnapshot(premiere.module, await activeSequence(premiere.module));
    expect(snapshot).toMatchObject({ isDropFrame: false, isCountingKnown: false });
  });

  test("PANEL-02: says that no project is open", async () => {
    const premiere = openSample({}, { project: null });
    await expect(activeSequence(premiere.module)).rejects.toMatchObject({ code: "no_sequence", name: "HostError" });
  });

  test("PANEL-02: says that no sequence is open", async () => {
    const premiere = openSample();
    premiere.user.activateSequence(null);
    await expect(activeSequence(premiere.module)).rejects.toThrow("No sequence is open");
  });

  test("gives markers of an older Premiere a position for an identity", async () => {
    const premiere = openSample({}, { faults: { version: "26.2" } });
    const snapshot = await readSnapshot(premiere.module, await activeSequence(premiere.module));
    expect(snapshot.markers[0]).toMatchObject({ id: `${40n * 10_160_640_000n}/0`, hasGuid: false });
  });
});

describe("what a cut may hold", () => {
  /** The sample with a nested sequence, a graphic, an adjustment layer and a fade on its video track. */
  function mixedCut(faults: Partial<Faults> = {}) {
    const premiere = openSample({}, { faults });
    premiere.machine.edit("project-sample", "Mix", (draft) => {
      const items = new Map(draft.items);
      const media = items.get("item-media") as ClipState;
      const sequence = draft.sequences.get(SAMPLE_SEQUENCE_ID) as SequenceState;
      const inner: SequenceState = { ...sequence, id: "inner", name: "Inner" };
      items.set("item-inner", { ...media, id: "item-inner", name: "Inner", mediaPath: "", sequenceId: "inner" });
      items.set("item-title", {
        ...media,
        id: "item-title",
        name: "Title",
        mediaPath: "/media/title.aegraphic",
        isGraphic: true,
      });
      const clip = (place: number, itemId: string, more: Partial<TrackItemState> = {}): TrackItemState => ({
        id: `ti-${place}`,
        name: items.get(itemId)?.name ?? "",
        start: wholeSeconds(place),
        end: wholeSeconds(place + 1),
        inPoint: 0n,
        isDisabled: false,
        speed: 1,
        isReversed: false,
        itemId,
        ...more,
      });
      const mixed = [
        clip(0, "item-media"),
        clip(1, "item-inner"),
        clip(2, "item-title"),
        clip(3, "item-media", { isAdjustment: true }),
      ];
      const track = { id: 1, name: "Video 1", isMuted: false, items: mixed, transitions: [0n, wholeSeconds(2)] };
      const sequences = new Map(draft.sequences)
        .set(SAMPLE_SEQUENCE_ID, { ...sequence, videoTracks: [track] })
        .set("inner", inner);
      return { ...draft, items, sequences };
    });
    return premiere;
  }

  test.each(["commit", "await"] as const)(
    "is read, each field for itself, when handles expire at each %s",
    async (staleness) => {
      const premiere = mixedCut({ staleness });
      const snapshot = await withFreshHandles(async () =>
        readSnapshot(premiere.module, await activeSequence(premiere.module)),
      );
      expect(snapshot.videoTracks[0]?.clips.map(({ name, speed, refused }) => [name, speed, refused])).toEqual([
        ["harbour.mp4", 1, []],
        ["Inner", 1, ["speed", "direction", "offline"]],
        ["Title", 1, ["speed", "direction", "offline"]],
        ["harbour.mp4", 1, []],
      ]);
    },
  );

  test("becomes a timeline: the nest is followed, and the disk says whether a graphic's file is there", async () => {
    const premiere = mixedCut();
    const read = async (size: (path: string) => Promise<number | null>) => {
      const timeline = await readTimeline(premiere.module, await activeSequence(premiere.module), { size });
      return timeline.tracks[0]?.clips.map(({ source }) => (source.kind === "media" ? source.location : source.kind));
    };
    const there = ["/media/harbour.mp4", "nested", "/media/title.aegraphic", "/media/harbour.mp4"];
    expect(await read(async () => 1)).toEqual(there);
    // A disk that may not be looked at says nothing against it.
    expect(await read(() => Promise.reject(new Error("denied")))).toEqual(there);
    expect(await read(async () => null)).toEqual([there[0], "nested", null, there[3]]);
  });

  test("a nest is followed on whichever track it lies", async () => {
    const premiere = mixedCut();
    premiere.user.editSequence(SAMPLE_SEQUENCE_ID, "Above", (sequence) => ({
      ...sequence,
      videoTracks: [...sequence.videoTracks.map((track) => ({ ...track, id: 99, items: [] })), ...sequence.videoTracks],
    }));
    const { tracks } = await readTimeline(premiere.module, await activeSequence(premiere.module), NO_FILES);
    const [nest] = tracks[1]?.clips.filter(({ source }) => source.kind === "nested") ?? [];
    const inner = nest?.source.kind === "nested" ? nest.source.timeline : undefined;
    expect(inner?.tracks.flatMap(({ clips }) => clips.map(({ name }) => name))).toContain("harbour.mp4");
  });

  test("paths of Windows are read without their prefix", async () => {
    const mediaPath = "C:\\Films\\harbour.mp4";
    const premiere = openSample({ mediaPath }, { faults: { platform: "Windows", mediaPaths: "long" } });
    const snapshot = await readSnapshot(premiere.module, await activeSequence(premiere.module));
    expect(snapshot.videoTracks[0]?.clips[0]?.mediaPath).toBe(mediaPath);
  });

  test("no tracks at all", async () => {
    const premiere = openSample();
    premiere.user.editSequence(SAMPLE_SEQUENCE_ID, "Clear", (one) => ({ ...one, videoTracks: [], audioTracks: [] }));
    const snapshot = await readSnapshot(premiere.module, await activeSequence(premiere.module));
    expect([snapshot.videoTracks, snapshot.audioTracks, snapshot.end]).toEqual([[], [], 0n]);
  });
});

describe("readTimeline", () => {
  test("PANEL-33: counts positions from 0, and keeps the zero point for labels alone", async () => {
    const premiere = openSample({ display: "25", zeroPointTicks: wholeSeconds(3600) });
    const timeline = await readTimeline(premiere.module, await activeSequence(premiere.module), NO_FILES);
    expect(timeline).toMatchObject({ startFrame: 90_000, rate: { numerator: 25, denominator: 1 } });
    expect(timeline.tracks.map((track) => [track.kind, track.name, track.clips[0]?.start])).toEqual([
      ["video", "Video 1", 0],
      ["audio", "Audio 1", 0],
      ["audio", "Audio 2", 0.4],
    ]);
    expect(timeline.markers[0]).toMatchObject({ start: 1.6, end: 1.6, comment: "too warm", colour: "blue" });
  });

  test("names the media of a clip, and none for a clip that is offline", async () => {
    const online = openSample();
    const offline = openSample({ isOffline: true });
    const first = async (premiere: typeof online) =>
      (await readTimeline(premiere.module, await activeSequence(premiere.module), NO_FILES)).tracks[0]?.clips[0]
        ?.source;
    expect(await first(online)).toMatchObject({ kind: "media", location: "/media/harbour.mp4" });
    expect(await first(offline)).toMatchObject({ kind: "media", location: null });
  });
});

describe("where Premiere does not tell of any clip", () => {
  const reading = async (members: Faults["members"]) => {
    const premiere = openSample({}, { faults: { members } });
    const module = traced(otherwise(premiere.module, premiere.machine));
    return readSnapshot(module, await activeSequence(module));
  };

  test.each([
    ["VideoClipTrackItem.getStartTime", /VideoClipTrackItem\.getStartTime/],
    ["VideoClipTrackItem.getInPoint", /VideoClipTrackItem\.getInPoint/],
    ["AudioClipTrackItem.getEndTime", /AudioClipTrackItem\.getEndTime/],
  ] as const)("%s, nothing looks removed or new: the member is named", async (member, named) => {
    await expect(reading({ [member]: "refuses" })).rejects.toThrow(named);
  });

  test.each(["VideoClipTrackItem.getStartTime", "VideoClipTrackItem.getInPoint"])(
    "%s, but of others, those are read",
    async (member) => {
      let asked = 0;
      const premiere = openSample();
      premiere.user.editSequence(SAMPLE_SEQUENCE_ID, "Cut", (sequence) => ({
        ...sequence,
        videoTracks: sequence.videoTracks.map((track) => ({ ...track, items: cutIn(track.items, 3) })),
      }));
      // Asked for twice at each call: when it is looked up, and when it is called.
      const members = Object.defineProperty({}, member, { get: () => (++asked <= 2 ? "refuses" : undefined) });
      Object.assign(premiere.faults, { members });
      const module = otherwise(premiere.module, premiere.machine);
      const { videoTracks } = await readSnapshot(module, await activeSequence(module));
      const names = videoTracks.flatMap(({ clips }) => clips.map(({ name, refused }) => [name, ...refused]));
      const isLeftOut = member.endsWith("getStartTime");
      expect(names).toEqual([...(isLeftOut ? [] : [["part 0", "in point"]]), ["part 1"], ["part 2"]]);
    },
  );

  test("of the first track, but of another, that one is read", async () => {
    let asked = 0;
    const premiere = openSample();
    const member = "AudioClipTrackItem.getStartTime";
    const members = Object.defineProperty({}, member, { get: () => (++asked <= 2 ? "refuses" : undefined) });
    Object.assign(premiere.faults, { members });
    const module = otherwise(premiere.module, premiere.machine);
    const { audioTracks } = await readSnapshot(module, await activeSequence(module));
    expect(audioTracks.map(({ clips }) => clips.length)).toEqual([0, 1]);
  });

  test("which tracks there are, that is no sequence without tracks", async () => {
    await expect(reading({ "Sequence.getAudioTrack": "nothing" })).rejects.toThrow(
      "Sequence.getAudioTrack gave no track",
    );
  });

  test("what a timeline can be read without is done without", async () => {
    const names = ["Sequence.getFrameSize", "AudioClipTrackItem.getInPoint", "VideoTrack.name", "Marker.getColorIndex"];
    const snapshot = await reading(Object.fromEntries(names.map((name) => [name, "refuses"])));
    expect(snapshot.audioTracks[0]?.clips[0]).toMatchObject({ inPoint: 0n, refused: ["in point"] });
    expect(snapshot.markers[0]).not.toHaveProperty("colour");
    const stopped = await reading({ "VideoClipTrackItem.getSpeed": "nothing" });
    expect(stopped.videoTracks[0]?.clips[0]).toMatchObject({ speed: 1, refused: ["speed"] });
  });

  test.each(["ClipProjectItem.cast", "ClipProjectItem.getMediaFilePath"])(
    "%s, which never answers, says nothing about media; a refusal says that there are none",
    async (member) => {
      const premiere = openSample();
      const module = traced(otherwise(premiere.module, premiere.machine), {
        // Longer than any answer that comes, on a busy computer too.
        limit: { clock: SYSTEM_CLOCK, milliseconds: 400 },
      });
      const reference = await activeSequence(module);
      const first = async (how: "never" | "refuses") => {
        Object.assign(premiere.faults, { members: { [member]: how } });
        return (await readSnapshot(module, reference)).videoTracks[0]?.clips[0];
      };
      expect(await first("never")).toMatchObject({ mediaPath: null, isUntold: true });
      expect(await first("refuses")).toMatchObject({ mediaPath: null });
      expect(await first("refuses")).not.toHaveProperty("isUntold");
    },
  );

  test("identities that several markers share are none, and one that is no text is none", async () => {
    for (const how of ["another shape", "refuses", "missing", "nothing"] as const) {
      expect((await reading({ "Marker.guid": how })).markers).toEqual([expect.objectContaining({ hasGuid: false })]);
    }
  });
});
