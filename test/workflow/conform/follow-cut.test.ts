import fc from "fast-check";
import { expect, test } from "vitest";
import type { Timeline } from "../../../src/core/timeline.ts";
import { cutOf } from "../../../src/host/edit-plan.ts";
import type { Result } from "../../../src/result/result.ts";
import { planConform } from "../../../src/workflow/conform/conform-sequence.ts";
import { conformedResult, followCut } from "../../../src/workflow/conform/conformed-result.ts";
import { placedResult } from "../../fakes/placed-result.ts";
import { madeClip, madeMedia, madeTimeline, madeTrack } from "../../made-timeline.ts";

const SHOTS = ["a", "b", "c", "d"] as const;
type ShotName = (typeof SHOTS)[number];

/** Ten seconds of each shot, one after the other. */
const cutInto = (names: readonly string[]): Timeline =>
  madeTimeline([
    madeTrack(
      "video",
      names.map((name, index) => madeClip(madeMedia(name), index * 10, index * 10 + 10)),
    ),
  ]);

/** A line in the middle of each shot, as it was exported and before anything is placed. */
function exported(): Result {
  const cues = SHOTS.map((name, index) => ({ id: name, start: index * 10 + 4, end: index * 10 + 6, text: `${name}.` }));
  const { placed: _, ...result } = placedResult(cues, {
    durationSeconds: 40,
    cut: { layout: cutOf(cutInto(SHOTS)) },
  });
  return result;
}

const sequenceOf = ({ rate }: Timeline) => ({ id: "s1", rate });
const follow = (result: Result, timeline: Timeline) =>
  followCut(result, { sequence: sequenceOf(timeline), timeline })?.result ?? result;
/** Where each line is heard on the sequence. */
const places = ({ cues, offsetSeconds }: Result) =>
  Object.fromEntries(cues.map(({ id, start }) => [id, start + offsetSeconds]));
const orders = fc.shuffledSubarray([...SHOTS], { minLength: 4 }) as fc.Arbitrary<ShotName[]>;

test("each line goes with its shot, wherever that goes, and by whatever way", () => {
  fc.assert(
    fc.property(orders, orders, (first, last) => {
      const expected = Object.fromEntries(last.map((name, index) => [name, index * 10 + 4]));
      expect(places(follow(exported(), cutInto(last)))).toEqual(expected);
      expect(places(follow(follow(exported(), cutInto(first)), cutInto(last)))).toEqual(expected);
    }),
  );
});

test("a cut that was followed is not followed again", () => {
  fc.assert(
    fc.property(orders, (names) => {
      const timeline = cutInto(names);
      expect(followCut(follow(exported(), timeline), { sequence: sequenceOf(timeline), timeline })).toBeNull();
    }),
  );
});

test("a result that followed a re-cut after it was placed is not moved a second time", () => {
  const timeline = cutInto(["b", "a", "d", "c"]);
  const before = {
    ...exported(),
    placed: { sequenceId: "s1", markerIds: {}, clipNames: [], layout: cutOf(cutInto(SHOTS)) },
  };
  const plan = planConform({ sequence: sequenceOf(timeline), timeline, record: before });
  const conformed = conformedResult(exported(), before, plan);
  expect(places(follow(conformed, timeline))).toEqual(places(conformed));
});

test("what was described is remembered through every cut, and what came in is new", () => {
  const later = follow(follow(exported(), cutInto(["a", "new", "b", "c", "d"])), cutInto(["new", "a", "b", "c", "d"]));
  expect(later.cut?.described).toEqual(cutOf(cutInto(SHOTS)));
  expect(later.isRecut).toBe(true);
});

test("a shot that came in behind the last line is told, though no line moves", () => {
  const timeline = cutInto(["a", "b", "c", "d"]);
  const longer = madeTimeline([
    madeTrack("video", [
      ...(timeline.tracks[0]?.clips.slice(0, 3) ?? []),
      madeClip(madeMedia("d"), 30, 37),
      madeClip(madeMedia("new"), 37, 40),
    ]),
  ]);
  const followed = follow(exported(), longer);
  expect(places(followed)).toEqual(places(exported()));
  expect(followed.cut?.described).toEqual(cutOf(timeline));
});

test("a cut that shows the same in other pieces is as it was", () => {
  const [first, ...others] = cutInto(SHOTS).tracks[0]?.clips ?? [];
  if (first === undefined) throw new Error("it is there");
  const pieces = [
    { ...first, end: 5 },
    { ...first, start: 5, sourceStart: 5 },
  ];
  const timeline = madeTimeline([madeTrack("video", [...pieces, ...others])]);
  expect(cutOf(timeline)).not.toEqual(exported().cut?.layout);
  expect(followCut(exported(), { sequence: sequenceOf(timeline), timeline })).toBeNull();
});

test("nothing is said of a result whose export told no cut", () => {
  const { cut: _, ...result } = exported();
  const timeline = cutInto(["d", "c", "b", "a"]);
  expect(followCut(result, { sequence: sequenceOf(timeline), timeline })).toBeNull();
});

test("our own narration changes no cut, on whichever track it lies and whatever the editor calls its clips", () => {
  const file = madeMedia("aside-harbour-1");
  const source = { ...file, location: "D:\\Film\\Aside narration\\aside-harbour-1.wav" };
  const tracks = fc.constantFrom("Audio description", "A3");
  const names = fc.constantFrom("aside-harbour-1", "aside-cue-0001 A man sits", "Narration, final");
  fc.assert(
    fc.property(tracks, names, fc.boolean(), (name, clipName, isEnabled) => {
      const clip = { ...madeClip(source, 3, 22), name: clipName };
      const timeline = cutInto(SHOTS);
      const placed = { ...timeline, tracks: [...timeline.tracks, madeTrack("audio", [clip], { name, isEnabled })] };
      expect(cutOf(placed)).toEqual(cutOf(timeline));
      expect(followCut(exported(), { sequence: sequenceOf(placed), timeline: placed })).toBeNull();
    }),
  );
});
