import { expect, test } from "vitest";
import type { Timeline } from "../../../src/core/timeline.ts";
import { readTimeline, timelineFromSnapshot } from "../../../src/host/premiere/read-timeline.ts";
import type { ClipSnapshot, SequenceSnapshot } from "../../../src/host/premiere/snapshot.ts";
import { rateFromTicksPerFrame, TICKS_PER_SECOND } from "../../../src/host/premiere/ticks.ts";
import { SAMPLE_SEQUENCE_ID } from "../../fakes/premiere/sample-project.ts";
import { openSample } from "./open-premiere.ts";

const CLIP: ClipSnapshot = {
  name: "shot",
  start: TICKS_PER_SECOND,
  end: 3n * TICKS_PER_SECOND,
  inPoint: 5n * TICKS_PER_SECOND,
  isDisabled: false,
  speed: 1,
  isReversed: false,
  itemId: "item",
  mediaPath: "/media/shot.mp4",
  isSequence: false,
  isOffline: false,
  refused: [],
};
const snapshot = (clip: ClipSnapshot, kind: "video" | "audio" = "video"): SequenceSnapshot => {
  const tracks = [{ name: "Track", isMuted: false, clips: [clip] }];
  return {
    reference: { projectId: "p", sequenceId: "s" },
    name: "cut",
    ticksPerFrame: TICKS_PER_SECOND / 25n,
    isDropFrame: false,
    isCountingKnown: true,
    zeroPoint: 3600n * TICKS_PER_SECOND,
    inPoint: null,
    outPoint: null,
    end: 0n,
    frameSize: { width: 1, height: 2 },
    videoTracks: kind === "video" ? tracks : [],
    audioTracks: kind === "audio" ? tracks : [{ name: "A1", isMuted: true, clips: [] }],
    markers: [
      {
        id: "m",
        hasGuid: true,
        name: "n",
        comments: "c",
        start: TICKS_PER_SECOND,
        duration: TICKS_PER_SECOND / 2n,
      },
    ],
  };
};
const clipOf = (
  changes: Partial<ClipSnapshot>,
  kind?: "video" | "audio",
  nested?: (itemId: string) => Timeline | undefined,
) => timelineFromSnapshot(snapshot({ ...CLIP, ...changes }, kind), nested).tracks[0]?.clips[0];

test("a sequence becomes a timeline in seconds and frames", () => {
  const { tracks, ...timeline } = timelineFromSnapshot(snapshot(CLIP));
  expect(timeline).toEqual({
    name: "cut",
    rate: { numerator: 25, denominator: 1 },
    isDropFrame: false,
    startFrame: 90_000,
    frameSize: { width: 1, height: 2 },
    markers: [{ start: 1, end: 1.5, name: "n", comment: "c", id: "m" }],
  });
  expect(tracks).toEqual([
    {
      kind: "video",
      name: "Track",
      isEnabled: true,
      transitions: [],
      clips: [
        {
          start: 1,
          end: 3,
          name: "shot",
          isEnabled: true,
          sourceStart: 5,
          speed: 1,
          source: { kind: "media", name: "shot", location: "/media/shot.mp4", hasVideo: true, audioChannels: 0 },
          effects: [],
          markers: [],
        },
      ],
    },
    { kind: "audio", name: "A1", isEnabled: false, transitions: [], clips: [] },
  ]);
});

test("each clip is what Premiere says of it", () => {
  expect(clipOf({ isDisabled: true })?.isEnabled).toBe(false);
  expect(clipOf({ speed: 2, isReversed: true })?.speed).toBe(-2);
  expect(clipOf({}, "audio")?.source).toMatchObject({ hasVideo: false, audioChannels: 1 });
  expect(clipOf({ isOffline: true })?.source).toMatchObject({ kind: "media", location: null });
  expect(clipOf({ isOffline: true, mediaPath: null })?.source).toMatchObject({ kind: "media", location: null });
  expect(clipOf({ isOffline: null })?.source).toMatchObject({ location: "/media/shot.mp4" });
  for (const isOffline of [false, null]) {
    expect(clipOf({ mediaPath: null, isOffline })?.source).toEqual({ kind: "empty", name: "shot" });
  }
  const untold = clipOf({ mediaPath: null, isOffline: false, isUntold: true })?.source;
  expect(untold).toEqual({ kind: "empty", name: "shot", isUntold: true });
});

test("a nested sequence is followed where it is known, and no other clip is one", () => {
  const inner = timelineFromSnapshot(snapshot(CLIP));
  const known = (itemId: string) => (itemId === "item" ? inner : undefined);
  const nest = { isSequence: true, mediaPath: null };
  expect(clipOf(nest, "video", known)?.source).toEqual({ kind: "nested", timeline: inner });
  expect(clipOf({ ...nest, itemId: "other" }, "video", known)?.source.kind).toBe("empty");
  expect(clipOf({ ...nest, itemId: null }, "video", known)?.source.kind).toBe("empty");
  expect(clipOf(nest)?.source.kind).toBe("empty");
  expect(clipOf({}, "video", known)?.source.kind).toBe("media");
});

test("no frame is as short as nothing", () => {
  for (const ticks of [0n, -1n]) expect(() => rateFromTicksPerFrame(ticks)).toThrow(RangeError);
});

/** What is nested in a timeline. */
function nestsOf({ tracks }: Timeline): readonly Timeline[] {
  return tracks.flatMap(({ clips }) =>
    clips.flatMap(({ source }) => (source.kind === "nested" ? [source.timeline] : [])),
  );
}

/** A sequence whose first track of pictures holds these items of the project and nothing else. */
async function holding(itemIds: readonly string[]): Promise<Timeline> {
  const premiere = openSample();
  premiere.machine.edit("project-sample", "Nest", (draft) => {
    const [items, sequences] = [new Map(draft.items), new Map(draft.sequences)];
    const own = items.get("item-sequence");
    const sequence = sequences.get(SAMPLE_SEQUENCE_ID);
    if (own === undefined || sequence === undefined) throw new Error("the sample holds a sequence");
    for (const name of ["one", "two", "three"]) {
      items.set(`item-${name}`, { ...own, id: `item-${name}`, name, sequenceId: name } as typeof own);
      sequences.set(name, { ...sequence, id: name, name, videoTracks: [], audioTracks: [] });
    }
    const [track] = sequence.videoTracks;
    const held = itemIds.flatMap((itemId, place) =>
      (track?.items ?? []).map((item) => {
        const [start, end] = [place, place + 1].map((at) => BigInt(at) * sequence.ticksPerFrame);
        return { ...item, id: `ti-${place}`, itemId, start: start ?? 0n, end: end ?? 0n };
      }),
    );
    const videoTracks = sequence.videoTracks.map((one) => ({ ...one, items: held, transitions: [] }));
    sequences.set(SAMPLE_SEQUENCE_ID, { ...sequence, videoTracks, audioTracks: [] });
    return { ...draft, items, sequences };
  });
  const reference = { projectId: "project-sample", sequenceId: SAMPLE_SEQUENCE_ID };
  return readTimeline(premiere.module, reference, { size: async () => 1 });
}

test("every nest is followed to its own sequence, whatever stands before it", async () => {
  const timeline = await holding(["item-three", "item-media", "item-one", "item-two", "item-three"]);
  expect(nestsOf(timeline).map(({ name }) => name)).toEqual(["three", "one", "two", "three"]);
});

test("a nest that holds itself is followed eight times, and no further", async () => {
  let depth = 0;
  let nests = nestsOf(await holding(["item-sequence"]));
  for (; nests[0] !== undefined; nests = nestsOf(nests[0])) depth += 1;
  expect(depth).toBe(8);
});
