import { describe, expect, test } from "vitest";
import {
  type AddMarker,
  type EditPlan,
  type EditStep,
  type KeptText,
  NARRATION_TRACK_NAME,
  type PlaceAudio,
} from "../../../src/host/edit-plan.ts";
import { applyPlan } from "../../../src/host/premiere/apply-plan.ts";
import { type Pace, SAFE_PACE } from "../../../src/host/premiere/pace.ts";
import { InstantClock } from "../../fakes/instant-clock.ts";
import type { Faults } from "../../fakes/premiere/faults.ts";
import { MemoryWorld } from "../../fakes/premiere/memory-world.ts";
import type { PremiereDouble } from "../../fakes/premiere/premiere.ts";
import { SAMPLE_SEQUENCE_ID, type SampleOptions, TICKS_PER_FRAME } from "../../fakes/premiere/sample-project.ts";
import type { SequenceState } from "../../fakes/premiere/state.ts";
import { SeededRandom } from "../../fakes/seeded-random.ts";
import { openSample } from "./open-premiere.ts";

const WAV = "/aside/narration-job1.wav";

/** A pace at which sixty markers take three transactions. */
const SLOW: Pace = { ...SAFE_PACE, markersPerTransaction: 25 };

function open(faults: Partial<Faults> = {}, sample: SampleOptions = {}, pace = SAFE_PACE) {
  const world = new MemoryWorld();
  world.addSound(WAV, 60);
  const clock = new InstantClock();
  const premiere = openSample(sample, { world, faults, now: () => clock.now() });
  const controller = new AbortController();
  const apply = (steps: readonly EditStep[], label = "Place markers", note?: KeptText) => {
    const wanted = { ...plan(steps, label), ...(note === undefined ? {} : { note }) };
    const { signal } = controller;
    return applyPlan({ premiere: premiere.module, clock, files: world, pace }, wanted, { signal });
  };
  return { world, clock, premiere, controller, apply };
}

function plan(steps: readonly EditStep[], label: string): EditPlan {
  return { sequenceId: SAMPLE_SEQUENCE_ID, groups: [{ label, steps }] };
}

function sequenceOf(premiere: PremiereDouble): SequenceState {
  return premiere.machine.sequence("project-sample", SAMPLE_SEQUENCE_ID);
}

function addMarkers(count: number, fields: Partial<AddMarker> = {}): AddMarker[] {
  return Array.from({ length: count }, (_, i) => ({
    kind: "add-marker",
    cueId: `cue-${i}`,
    start: i * 0.4,
    duration: 0.2,
    name: `AD ${i + 1}`,
    comment: `Description ${i + 1}\nAD·c${i}`,
    colour: "green",
    ...fields,
  }));
}

const placing: PlaceAudio = {
  kind: "place-audio",
  path: WAV,
  clipName: "narration-job1.wav",
  start: 4,
  durationSeconds: 60,
};

describe("markers", () => {
  test.each(["commit", "await"] as const)(
    "PANEL-28 PANEL-29: places markers, reads them back and names each, when handles expire at each %s",
    async (staleness) => {
      const { premiere, apply } = open({ staleness });
      const report = await apply(addMarkers(3, { colour: "yellow" }));
      expect(report).toMatchObject({ outcome: "done", differences: [] });
      const placed = sequenceOf(premiere).markers.filter((marker) => marker.name.startsWith("AD"));
      expect(placed).toMatchObject([
        { name: "AD 1", comments: "Description 1\nAD·c0", start: 0n, duration: 50_803_200_000n, colour: "YELLOW" },
        { name: "AD 2", start: 10n * TICKS_PER_FRAME["25"] },
        { name: "AD 3", start: 20n * TICKS_PER_FRAME["25"] },
      ]);
      expect(report.markerIds).toEqual({
        "cue-0": placed[0]?.guid,
        "cue-1": placed[1]?.guid,
        "cue-2": placed[2]?.guid,
      });
      expect(premiere.machine.violations).toEqual([]);
    },
  );

  test("PANEL-28: five hundred are one step of the undo history, with its label and the text kept with them", async () => {
    const { premiere, apply } = open({}, { frames: 6000 });
    const before = sequenceOf(premiere);
    const report = await apply(addMarkers(500), "Place 500 markers", { name: "record", text: "cues" });
    expect(report).toMatchObject({ outcome: "done", undoSteps: 1 });
    expect(premiere.machine.undoStack.map((entry) => entry.label)).toEqual(["Place 500 markers"]);
    expect(sequenceOf(premiere).properties.get("aside.record")).toBe("cues");
    const after = sequenceOf(premiere);
    premiere.user.undo();
    expect(sequenceOf(premiere)).toEqual(before);
    premiere.user.redo();
    expect(sequenceOf(premiere)).toEqual(after);
  });

  test("colours of choice are a step of their own", async () => {
    const { premiere, apply } = open();
    const note = { name: "record", text: "cues" };
    expect(await apply(addMarkers(2, { colour: "cyan" }), "Place", note)).toMatchObject({ undoSteps: 2 });
    premiere.user.undo();
    expect(sequenceOf(premiere).properties.get("aside.record")).toBe("cues");
    premiere.user.undo();
    expect(sequenceOf(premiere).properties.size).toBe(0);
  });

  test("keeps the text in a step of its own where handles do not outlive another question", async () => {
    const { premiere, apply } = open({ staleness: "await" });
    const report = await apply(addMarkers(2), "Place", { name: "record", text: "cues" });
    expect(report).toMatchObject({ outcome: "done", undoSteps: 2 });
    expect(sequenceOf(premiere).properties.get("aside.record")).toBe("cues");
    expect(premiere.machine.violations).toEqual([]);
  });

  test("more go in batches, at least 400 ms apart, each labelled as a part; the text is kept with the last", async () => {
    const { premiere, clock, apply } = open({}, {}, SLOW);
    const report = await apply(addMarkers(60), "Place markers", { name: "record", text: "cues" });
    expect(report.undoSteps).toBe(3);
    expect(
      premiere.machine.undoStack.map(({ after }) => after.sequences.get(SAMPLE_SEQUENCE_ID)?.properties.size),
    ).toEqual([0, 0, 1]);
    expect(premiere.machine.undoStack.map((entry) => entry.label)).toEqual([
      "Place markers (1 of 3)",
      "Place markers (2 of 3)",
      "Place markers (3 of 3)",
    ]);
    expect(clock.sleeps).toEqual([400, 400]);
  });

  test("PANEL-39: changes and removes only the markers named", async () => {
    const { premiere, apply } = open();
    const first = await apply(addMarkers(3));
    const [one = "", two = "", three = ""] = ["cue-0", "cue-1", "cue-2"].map((id) => first.markerIds[id]);
    const report = await apply([
      { kind: "remove-marker", cueId: "cue-0", markerId: one },
      { kind: "change-marker", cueId: "cue-1", markerId: two, start: 2, duration: 1, name: "AD 2b", colour: "red" },
      { kind: "change-marker", cueId: "cue-2", markerId: three, comment: "Other words\nAD·c2" },
    ]);
    expect(report).toMatchObject({ outcome: "done", markerIds: { "cue-1": two, "cue-2": three } });
    expect(sequenceOf(premiere).markers).toMatchObject([
      { guid: three, comments: "Other words\nAD·c2", name: "AD 3" },
      { name: "Check grade", comments: "too warm", colour: "BLUE" },
      {
        guid: two,
        name: "AD 2b",
        start: 50n * TICKS_PER_FRAME["25"],
        duration: 25n * TICKS_PER_FRAME["25"],
        colour: "RED",
      },
    ]);
  });

  test.each(["23.976", "25", "29.97 DF", "59.94 DF"] as const)(
    "PANEL-34: begin and end on frames at %s, new ones and changed ones, whatever times a plan has",
    async (display) => {
      const frame = TICKS_PER_FRAME[display];
      const seconds = Number(frame) / 254_016_000_000;
      const random = new SeededRandom(7);
      const time = (most: number) => random.next() * most;
      const { premiere, apply } = open({}, { display });
      const wanted = addMarkers(20).map((step) => ({ ...step, start: time(30), duration: time(4) }));
      const { markerIds, outcome } = await apply(wanted);
      const ours = () =>
        new Map(
          sequenceOf(premiere)
            .markers.filter(({ name }) => name.startsWith("AD"))
            .map((marker) => [marker.name, marker]),
        );
      const expectOnFrames = (near: (name: string) => { start: number; end: number } | undefined) => {
        expect(ours().size).toBe(20);
        for (const [name, { start, duration }] of ours()) {
          expect([start % frame, duration % frame]).toEqual([0n, 0n]);
          const range = near(name);
          if (range === undefined) continue;
          const from = Number(start) / 254_016_000_000;
          expect(Math.abs(from - range.start)).toBeLessThanOrEqual(seconds / 2 + 1e-6);
          expect(Math.abs(from + Number(duration) / 254_016_000_000 - range.end)).toBeLessThanOrEqual(
            seconds / 2 + 1e-6,
          );
        }
      };
      expect(outcome).toBe("done");
      const rangeOf = (name: string) => {
        const step = wanted.find((one) => one.name === name);
        return step && { start: step.start, end: step.start + step.duration };
      };
      expectOnFrames(rangeOf);
      const was = ours();
      const changes = wanted.map(({ cueId }, index) => {
        const fields = [{ duration: time(4) }, { start: time(30), duration: time(4) }, { start: time(30) }][index % 3];
        return { kind: "change-marker" as const, cueId, markerId: markerIds[cueId] ?? "", ...fields };
      });
      expect(await apply(changes)).toMatchObject({ outcome: "done" });
      expectOnFrames((name) => {
        const index = wanted.findIndex((one) => one.name === name);
        const { start, duration } = { start: undefined, duration: undefined, ...changes[index] };
        return start === undefined || duration === undefined ? undefined : { start, end: start + duration };
      });
      for (const [index, { name }] of wanted.entries()) {
        const [before, now] = [was.get(name), ours().get(name)];
        if (index % 3 === 0) expect(now?.start).toBe(before?.start);
        if (index % 3 === 2) expect(now?.duration).toBe(before?.duration);
      }
    },
  );

  test("finds its markers on a Premiere that gives them no identity", async () => {
    const { premiere, apply } = open({ version: "26.2" });
    const first = await apply(addMarkers(2, { colour: "cyan", start: 1 }));
    expect(first.outcome).toBe("done");
    const report = await apply([{ kind: "remove-marker", cueId: "cue-0", markerId: first.markerIds["cue-0"] ?? "" }]);
    expect(report.outcome).toBe("done");
    expect(sequenceOf(premiere).markers.map((marker) => marker.name)).toEqual(["AD 2", "Check grade"]);
  });

  test.each(["23.976", "25", "29.97 DF", "59.94 DF"] as const)(
    "PANEL-34: is exact to the frame at %s, ten hours in",
    async (display) => {
      const { premiere, apply } = open({}, { display });
      const frame = Math.round((36_000 * 254_016_000_000) / Number(TICKS_PER_FRAME[display])) + 7;
      const seconds = (frame * Number(TICKS_PER_FRAME[display])) / 254_016_000_000;
      const report = await apply(addMarkers(1, { start: seconds, duration: 0 }));
      expect(report.outcome).toBe("done");
      expect(sequenceOf(premiere).markers.at(-1)).toMatchObject({ start: BigInt(frame) * TICKS_PER_FRAME[display] });
    },
  );
});

describe("narration", () => {
  test.each(["commit", "await"] as const)(
    "PANEL-30: lays the sound on a new, named track at its place, when handles expire at each %s",
    async (staleness) => {
      const { premiere, apply } = open({ staleness });
      const before = sequenceOf(premiere);
      expect(await apply([placing], "Place narration")).toMatchObject({ outcome: "done", differences: [] });
      const after = sequenceOf(premiere);
      expect(after.audioTracks.slice(0, 2)).toEqual(before.audioTracks);
      expect(after.videoTracks).toEqual(before.videoTracks);
      expect(after.markers).toEqual(before.markers);
      expect(after.audioTracks.slice(2)).toMatchObject([
        { name: "Audio description", items: [{ name: "narration-job1.wav", start: 100n * TICKS_PER_FRAME["25"] }] },
      ]);
      expect(premiere.machine.violations).toEqual([]);
    },
  );

  test("keeps the file in a bin of its own and imports it once", async () => {
    const { premiere, apply } = open();
    await apply([placing]);
    await apply([{ kind: "remove-audio", clipNames: ["narration-job1.wav"] }, placing]);
    const items = [...premiere.machine.project("project-sample").items.values()];
    const bin = items.find((item) => item.name === "Aside");
    expect(items.filter((item) => item.parentId === bin?.id).map((item) => item.name)).toEqual(["narration-job1.wav"]);
    expect(sequenceOf(premiere).audioTracks.map((track) => track.items.length)).toEqual([1, 1, 1]);
  });

  test("PANEL-30: on the track that is there a new result takes the place of the old one in one step", async () => {
    const { world, premiere, apply } = open();
    await apply([placing]);
    const before = sequenceOf(premiere);
    const steps = premiere.machine.undoStack.length;
    // Shorter than the old one, so that what would be left of it has to be removed.
    world.addSound("/aside/narration-job2.wav", 40);
    const next = { path: "/aside/narration-job2.wav", clipName: "narration-job2.wav", durationSeconds: 40 };
    const removal: EditStep = { kind: "remove-audio", clipNames: [placing.clipName] };
    const report = await apply([removal, { ...placing, ...next }], "Place narration", { name: "record", text: "two" });
    expect(report).toMatchObject({ outcome: "done", differences: [], undoSteps: 1 });
    const labels = premiere.machine.undoStack.slice(steps).map(({ label }) => label);
    expect(labels).toEqual(["Import", "Place narration"]);
    const after = sequenceOf(premiere);
    expect(after.audioTracks[2]?.items.map(({ name }) => name)).toEqual(["narration-job2.wav"]);
    expect(after.properties.get("aside.record")).toBe("two");
    premiere.user.undo();
    expect(sequenceOf(premiere)).toEqual(before);
    premiere.user.redo();
    expect(sequenceOf(premiere)).toEqual(after);
  });

  test("a new track takes a second step, which names it and keeps the text", async () => {
    const { premiere, apply } = open();
    const before = sequenceOf(premiere);
    await apply([placing], "Place narration", { name: "record", text: "one" });
    expect(premiere.machine.undoStack.map(({ label }) => label)).toEqual([
      "Add bin Aside",
      "Import",
      "Place narration",
      "Place narration: name the track",
    ]);
    premiere.user.undo();
    expect(sequenceOf(premiere).audioTracks[2]).toMatchObject({
      name: "Audio 3",
      items: [{ start: 1_016_064_000_000n }],
    });
    expect(sequenceOf(premiere).properties.size).toBe(0);
    premiere.user.undo();
    expect(sequenceOf(premiere)).toEqual(before);
    premiere.user.redo();
    premiere.user.redo();
    expect(sequenceOf(premiere).audioTracks).toHaveLength(3);
    expect(sequenceOf(premiere).audioTracks[2]?.items).toHaveLength(1);
  });

  test("inserts where overwriting adds no track", async () => {
    const { premiere, apply } = open({ overwrite: "nothing" });
    const before = sequenceOf(premiere);
    expect(await apply([placing])).toMatchObject({ outcome: "done" });
    expect(sequenceOf(premiere).audioTracks.slice(0, 2)).toEqual(before.audioTracks);
  });

  test("says what to do when Premiere adds no track at all", async () => {
    const { premiere, apply } = open({ overwrite: "nothing", insert: "nothing" });
    const report = await apply([placing]);
    expect(report.outcome).toBe("partial");
    expect(report.differences[0]).toBe(
      'Premiere added no audio track. Add an empty one, name it "Audio description", then place again.',
    );
    premiere.user.editSequence(SAMPLE_SEQUENCE_ID, "Add Track", (sequence) => ({
      ...sequence,
      audioTracks: [...sequence.audioTracks, { id: 9, name: "Audio description", isMuted: false, items: [] }],
    }));
    expect(await apply([placing])).toMatchObject({ outcome: "done" });
  });

  test.each<readonly [string, Partial<Faults>, string, number]>([
    ["a track is made", {}, "done", 3],
    ["only inserting makes one", { overwrite: "nothing" }, "done", 4],
    ["0 stands for no video track", { noVideoIndex: "refused" }, "done", 3],
    ["none is made", { overwrite: "nothing", insert: "nothing" }, "partial", 3],
    ["the step with both is refused", { transaction: { at: 2, how: "returns false" } }, "partial", 2],
    ["the step with both fails", { transaction: { at: 2, how: "throws" } }, "partial", 2],
  ])("markers that go with narration on a new track stand where %s", async (_, faults, outcome, undoSteps) => {
    const { premiere, apply } = open(faults);
    const report = await apply([...addMarkers(3), placing], "Place", { name: "record", text: "placed" });
    expect(report).toMatchObject({ outcome, undoSteps, hasImported: true });
    expect(sequenceOf(premiere).markers.filter(({ name }) => name.startsWith("AD"))).toHaveLength(3);
    expect(sequenceOf(premiere).properties.get("aside.record")).toBe(outcome === "done" ? "placed" : undefined);
  });

  test.each<readonly [string, Partial<Faults>, number]>([
    ["the track is named with the last clips", {}, 3],
    ["it is named by itself where Premiere refuses both together", { transaction: { at: 3, how: "throws" } }, 4],
  ])("markers and clips of single cues on a new track: %s", async (_, faults, undoSteps) => {
    const { world, premiere, apply } = open(faults);
    const clips = [0, 2, 4].map((start): PlaceAudio => {
      const path = `/aside/cue-${start}.wav`;
      world.addSound(path, 1);
      return { ...placing, path, clipName: `cue-${start}.wav`, start, durationSeconds: 1 };
    });
    const report = await apply([...addMarkers(3), ...clips], "Place", { name: "record", text: "placed" });
    expect(report).toMatchObject({ outcome: "done", undoSteps });
    const { audioTracks, properties } = sequenceOf(premiere);
    expect(audioTracks.at(-1)).toMatchObject({ name: NARRATION_TRACK_NAME, items: [{}, {}, {}] });
    expect(properties.get("aside.record")).toBe("placed");
  });

  test("notices narration that landed on the first track", async () => {
    const { apply } = open({ overwrite: "first track" });
    const report = await apply([placing]);
    expect(report.outcome).toBe("partial");
    expect(report.differences[0]).toContain('laid the narration on "Audio 1" instead of a new track');
    expect(report.differences).toContain('the clip "harbour.mp4" on "Audio 1" was changed');
  });

  test("passes 0 for the video track where -1 is refused", async () => {
    const { apply } = open({ noVideoIndex: "refused" });
    expect(await apply([placing])).toMatchObject({ outcome: "done" });
  });

  test("finds an item that shows late and whose name comes in the other Unicode form", async () => {
    const { world, apply } = open({ importDelay: 40, unicodeForm: "NFD" });
    const path = "/aside/Hafenlärm-job2.wav";
    world.addSound(path, 10);
    const step: EditStep = { ...placing, path, clipName: "Hafenlärm-job2.wav", durationSeconds: 10 };
    expect(await apply([step])).toMatchObject({ outcome: "done" });
  });

  test("gives up on an item that never shows, and says so", async () => {
    const { clock, apply } = open({ importDelay: Number.POSITIVE_INFINITY });
    const report = await apply([placing]);
    expect(report.differences[0]).toContain("The file does not show in the project.");
    expect(clock.sleeps.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(15_000);
  });

  test("refuses a file that does not exist before it touches anything", async () => {
    const { premiere, apply } = open();
    await expect(apply([{ ...placing, path: "/gone.wav" }])).rejects.toMatchObject({ code: "file_not_found" });
    expect(premiere.machine.undoStack).toEqual([]);
  });

  test("does not write over what lies on our track, and takes a new one", async () => {
    const { world, premiere, apply } = open();
    await apply([placing]);
    world.addSound("/aside/other.wav", 10);
    const other: EditStep = { ...placing, path: "/aside/other.wav", clipName: "other.wav", durationSeconds: 10 };
    expect(await apply([other])).toMatchObject({ outcome: "done" });
    expect(sequenceOf(premiere).audioTracks.map((track) => track.items.map((item) => item.name))).toEqual([
      ["harbour.mp4"],
      ["music.wav"],
      ["narration-job1.wav"],
      ["other.wav"],
    ]);
  });

  test("PANEL-39: lays one clip per cue on one track, and a re-run doubles none", async () => {
    const { world, premiere, apply } = open();
    const steps = Array.from({ length: 24 }, (_, i): EditStep => {
      const path = `/aside/cue-${i}.wav`;
      world.addSound(path, 1);
      return { ...placing, path, clipName: `cue-${i}.wav`, start: i * 2, durationSeconds: 1 };
    });
    const names = steps.flatMap((step) => (step.kind === "place-audio" ? [step.clipName] : []));
    expect(await apply(steps)).toMatchObject({ outcome: "done" });
    const first = sequenceOf(premiere).audioTracks[2]?.items.map((item) => [item.name, item.start]);
    const again = await apply([{ kind: "remove-audio", clipNames: names }, ...steps]);
    expect(again).toMatchObject({ outcome: "done" });
    expect(sequenceOf(premiere).audioTracks).toHaveLength(3);
    expect(sequenceOf(premiere).audioTracks[2]?.items.map((item) => [item.name, item.start])).toEqual(first);
  });
});

describe("markers and clips that go along with a cut", () => {
  /** Two seconds a cue, each a marker and a clip of a second; then all of them two seconds later. */
  async function movedAlong(count: number, faults: Partial<Faults> = {}) {
    const opened = open(faults, { frames: 6000 });
    const { world, premiere, apply } = opened;
    const markers = addMarkers(count).map((step, i) => ({ ...step, start: i * 2, duration: 1 }));
    const clips = markers.map((_, i): PlaceAudio => {
      const path = `/aside/cue-${i}.wav`;
      world.addSound(path, 1);
      return { ...placing, path, clipName: `cue-${i}.wav`, start: i * 2, durationSeconds: 1 };
    });
    const { markerIds } = await apply([...markers, ...clips], "Place");
    const before = sequenceOf(premiere);
    const steps: EditStep[] = [
      ...markers.map(({ cueId, start }): EditStep => {
        return { kind: "change-marker", cueId, markerId: markerIds[cueId] ?? "", start: start + 2 };
      }),
      ...clips.map(({ clipName }): EditStep => ({ kind: "remove-audio", clipNames: [clipName] })),
      ...clips.map((clip) => ({ ...clip, start: clip.start + 2 })),
    ];
    const report = await apply(steps, "Conform", { name: "record", text: "moved" });
    return { ...opened, before, report };
  }

  test("PANEL-41: a hundred are one step of the undo history, which takes all of it back", async () => {
    const { premiere, before, report } = await movedAlong(100);
    expect(report).toMatchObject({ outcome: "done", differences: [], undoSteps: 1 });
    expect(premiere.machine.undoStack.at(-1)?.label).toBe("Conform");
    expect(sequenceOf(premiere).audioTracks[2]?.items.map(({ start }) => start / TICKS_PER_FRAME["25"])).toEqual(
      Array.from({ length: 100 }, (_, i) => BigInt((i + 1) * 50)),
    );
    expect(sequenceOf(premiere).properties.get("aside.record")).toBe("moved");
    premiere.user.undo();
    expect(sequenceOf(premiere)).toEqual(before);
  });

  test("more take a step for each further hundred clips; all markers go with the first", async () => {
    const { premiere, report } = await movedAlong(104);
    expect(report).toMatchObject({ outcome: "done", differences: [], undoSteps: 2 });
    premiere.user.undo();
    const placed = sequenceOf(premiere).markers.filter(({ name }) => name.startsWith("AD"));
    expect([placed[0]?.start, placed[103]?.start]).toEqual([50n, 5200n].map((frame) => frame * TICKS_PER_FRAME["25"]));
  });

  test("become steps of their own where handles do not outlive another question", async () => {
    const { premiere, report } = await movedAlong(3, { staleness: "await" });
    expect(report).toMatchObject({ outcome: "done", differences: [] });
    expect(premiere.machine.violations).toEqual([]);
  });
});

describe("a Premiere as it was measured", () => {
  const WINDOWS_WAV = "C:\\Films\\aside\\narration-job1.wav";

  test.each([
    ["plain", WINDOWS_WAV],
    ["long", WINDOWS_WAV],
    ["plain", `\\\\?\\${WINDOWS_WAV}`],
    ["long", "c:\\films\\Aside\\narration-job1.wav"],
  ] as const)(
    "finds what it imported on Windows, where paths are told %s and it asked for %s",
    async (mediaPaths, path) => {
      const { world, premiere, clock, apply } = open({ platform: "Windows", mediaPaths });
      for (const one of [WINDOWS_WAV, path, path.replace(/^c/, "C")]) world.addSound(one, 60);
      expect(await apply([{ ...placing, path }])).toMatchObject({ outcome: "done", differences: [] });
      expect(sequenceOf(premiere).audioTracks[2]?.items).toHaveLength(1);
      expect(clock.sleeps.filter((ms) => ms === SAFE_PACE.importPollMs).length).toBeLessThan(3);
    },
  );

  /** A clip per second on a track of ours. */
  async function laid(count: number, faults: Partial<Faults> = {}, pace = SAFE_PACE) {
    const opened = open(faults, { frames: 6000 }, pace);
    const steps = Array.from({ length: count }, (_, i): PlaceAudio => {
      const path = `/aside/cue-${i}.wav`;
      opened.world.addSound(path, 1);
      return { ...placing, path, clipName: `cue-${i}.wav`, start: i * 2, durationSeconds: 1 };
    });
    expect(await opened.apply(steps)).toMatchObject({ outcome: "done" });
    const clipNames = steps.map(({ clipName }) => clipName);
    const removal: EditStep = { kind: "remove-audio", clipNames };
    return { ...opened, steps, removal };
  }

  test.each(["in its callback", "never"] as const)(
    "removes sixty clips, some an action, where a selection lives %s",
    async (selection) => {
      const { premiere, apply, removal } = await laid(60, { selection });
      const before = sequenceOf(premiere);
      const report = await apply([removal], "Remove", { name: "record", text: "none" });
      expect(report).toMatchObject({ outcome: "done", differences: [] });
      expect(sequenceOf(premiere).audioTracks[2]?.items).toEqual([]);
      expect(sequenceOf(premiere).audioTracks.slice(0, 2)).toEqual(before.audioTracks.slice(0, 2));
      expect(premiere.machine.violations).toEqual([]);
      if (selection === "in its callback") expect(report.undoSteps).toBe(1);
    },
  );

  test("clips that the editor has selected stay where ours are removed by the selection of the sequence", async () => {
    const { premiere, apply, removal } = await laid(60, { selection: "never" });
    const before = sequenceOf(premiere);
    const own = before.audioTracks.slice(0, 2).flatMap(({ items }) => items.map(({ id }) => id));
    premiere.user.selectClips(SAMPLE_SEQUENCE_ID, own);
    expect(await apply([removal])).toMatchObject({ outcome: "done", differences: [] });
    expect(sequenceOf(premiere).audioTracks.map(({ items }) => items.length)).toEqual([1, 1, 0]);
  });

  test("new clips take the place of old ones where a selection is dead", async () => {
    const { world, premiere, apply, removal, steps } = await laid(3, { selection: "never" });
    world.addSound("/aside/new.wav", 1);
    const fresh = { ...steps[0], path: "/aside/new.wav", clipName: "new.wav", start: 1 } as PlaceAudio;
    const marked = addMarkers(1);
    expect(await apply([...marked, removal, fresh])).toMatchObject({ outcome: "done", differences: [] });
    expect(sequenceOf(premiere).audioTracks[2]?.items.map(({ name }) => name)).toEqual(["new.wav"]);
    expect(sequenceOf(premiere).markers.filter(({ name }) => name === "AD 1")).toHaveLength(1);
  });

  test("what new clips write over wholly needs no selection, and is one step with them", async () => {
    const { world, premiere, apply, removal, steps } = await laid(3, { selection: "never" });
    const fresh = steps.map((step, index): PlaceAudio => {
      const path = `/aside/new-${index}.wav`;
      world.addSound(path, 1);
      return { ...step, path, clipName: `new-${index}.wav` };
    });
    expect(await apply([removal, ...fresh])).toMatchObject({ outcome: "done", differences: [], undoSteps: 1 });
    expect(sequenceOf(premiere).audioTracks[2]?.items.map(({ name }) => name)).toEqual(
      fresh.map(({ clipName }) => clipName),
    );
  });

  test("leaves Premiere alone for a while after a dozen changes in a row", async () => {
    const { premiere, clock } = await laid(60, {}, { ...SAFE_PACE, clipsPerTransaction: 2 });
    expect(premiere.machine.undoStack.length).toBeGreaterThan(30);
    expect(premiere.machine.violations).toEqual([]);
    expect(clock.sleeps.filter((ms) => ms === SAFE_PACE.restMs).length).toBeGreaterThanOrEqual(2);
  });

  const editAudio = (
    premiere: PremiereDouble,
    edit: (tracks: SequenceState["audioTracks"]) => SequenceState["audioTracks"],
  ) =>
    premiere.user.editSequence(SAMPLE_SEQUENCE_ID, "Prepare", (sequence) => ({
      ...sequence,
      audioTracks: edit(sequence.audioTracks),
    }));

  test("a cut without any audio track gets its first one, and one with a single track its second", async () => {
    for (const count of [0, 1]) {
      const { premiere, apply } = open();
      editAudio(premiere, (tracks) => tracks.slice(0, count));
      expect(await apply([placing])).toMatchObject({ outcome: "done", differences: [] });
      expect(sequenceOf(premiere).audioTracks.at(-1)).toMatchObject({ name: NARRATION_TRACK_NAME });
      expect(sequenceOf(premiere).audioTracks).toHaveLength(count + 1);
    }
  });

  test.each([{ isLocked: true }, { layout: "5.1" as const }])("takes a new track where ours is %j", async (track) => {
    const { premiere, apply } = open();
    editAudio(premiere, (tracks) => [
      ...tracks,
      { id: 9, name: NARRATION_TRACK_NAME, isMuted: false, items: [], ...track },
    ]);
    expect(await apply([placing])).toMatchObject({ outcome: "done", differences: [] });
    expect(sequenceOf(premiere).audioTracks.map(({ items }) => items.length)).toEqual([1, 1, 0, 1]);
  });

  test("text that is kept no more is cleared, not emptied", async () => {
    const { premiere, apply } = open();
    await apply(addMarkers(1), "Place", { name: "record", text: "one" });
    expect(await apply(addMarkers(1), "Place", { name: "record", text: "" })).toMatchObject({ outcome: "done" });
    expect([...sequenceOf(premiere).properties]).toEqual([]);
  });
});

describe("mutes", () => {
  const mute = (trackIndex: number, isMuted: boolean): EditStep => ({ kind: "mute-track", trackIndex, isMuted });

  test("PANEL-31: mutes and unmutes, outside the undo history", async () => {
    const { premiere, apply } = open();
    expect(await apply([mute(1, true), mute(2, true)])).toMatchObject({ outcome: "done" });
    expect(sequenceOf(premiere).audioTracks.map((track) => track.isMuted)).toEqual([true, true]);
    expect(await apply([mute(1, false), mute(2, false)])).toMatchObject({ outcome: "done" });
    expect(sequenceOf(premiere).audioTracks.map((track) => track.isMuted)).toEqual([false, false]);
    expect(premiere.machine.undoStack).toEqual([]);
  });

  test("reports a mute that Premiere did not do", async () => {
    const { apply } = open({ mute: "returns false" });
    const report = await apply([mute(1, true)]);
    expect(report).toMatchObject({ outcome: "partial" });
    expect(report.differences).toContain('the track "Audio 1" is not muted');
  });
});

describe("trouble", () => {
  test.each(["returns false", "throws"] as const)(
    "PANEL-32: reports what is missing when a transaction in the middle %s",
    async (how) => {
      const { premiere, apply } = open({ transaction: { at: 2, how } }, {}, SLOW);
      const report = await apply(addMarkers(60));
      expect(report.outcome).toBe("partial");
      expect(Object.keys(report.markerIds)).toHaveLength(25);
      expect(report.differences).toContain('the marker "AD 26" is missing');
      expect(premiere.machine.undoStack).toHaveLength(1);
    },
  );

  test("raises an error, and changes nothing, when the first transaction fails", async () => {
    const { premiere, apply } = open({ transaction: { at: 1, how: "throws" } });
    const before = sequenceOf(premiere);
    await expect(apply(addMarkers(3))).rejects.toMatchObject({
      code: "apply_failed",
      state: "the timeline was not changed",
    });
    expect(sequenceOf(premiere)).toBe(before);
  });

  test("PANEL-32: notices an action that Premiere dropped without a word", async () => {
    const { apply } = open({ droppedAction: 2 });
    const report = await apply(addMarkers(3));
    expect(report).toMatchObject({ outcome: "partial", differences: ['the marker "AD 2" is missing'] });
    expect(Object.keys(report.markerIds)).toEqual(["cue-0", "cue-2"]);
  });

  test("fetches handles anew when they go stale at any moment", async () => {
    for (let at = 1; at < 60; at++) {
      const { apply } = open({ expireAt: at });
      expect(await apply([...addMarkers(2, { colour: "red" }), placing]), `at ${at}`).toMatchObject({
        outcome: "done",
      });
    }
  });

  test("refuses a plan for a sequence that is gone", async () => {
    const { premiere, clock, world } = open();
    const steps = { sequenceId: "another", groups: [{ label: "Place", steps: addMarkers(1) }] };
    const options = { premiere: premiere.module, clock, files: world, pace: SAFE_PACE };
    const applied = applyPlan(options, steps, { signal: new AbortController().signal });
    await expect(applied).rejects.toMatchObject({ code: "no_sequence" });
    expect(premiere.machine.undoStack).toEqual([]);
  });

  test("stops between transactions when it is cancelled, and says what is there", async () => {
    const { premiere, controller, apply } = open({}, {}, SLOW);
    premiere.machine.onChange(() => controller.abort(new Error("cancelled")));
    const report = await apply(addMarkers(60));
    expect(report).toMatchObject({ outcome: "partial" });
    expect(report.differences[0]).toBe("stopped before the end");
    expect(Object.keys(report.markerIds)).toHaveLength(25);
  });

  test("passes the reason of an abort through when nothing was changed", async () => {
    const { controller, apply } = open();
    const reason = new Error("cancelled");
    controller.abort(reason);
    await expect(apply(addMarkers(1))).rejects.toBe(reason);
  });
});
