import { expect, test } from "vitest";
import { frameRate } from "../../src/core/frame-rate.ts";
import type { Timeline, TimelineClip, TimelineMarker } from "../../src/core/timeline.ts";
import { timelineExtras, timelineLosses } from "../../src/formats/timeline-document.ts";

const MARKER: TimelineMarker = { start: 0, end: 1, name: "m", comment: "" };
const CLIP: TimelineClip = {
  ...{ name: "c", start: 0, end: 1, isEnabled: true, sourceStart: 0, speed: 1, effects: [], markers: [] },
  source: { kind: "empty", name: "" },
};
const EMPTY: Timeline = { name: "", rate: frameRate(25), isDropFrame: false, startFrame: 0, tracks: [], markers: [] };
const INNER: TimelineClip = { ...CLIP, source: { kind: "nested", timeline: EMPTY } };
const FULL: Timeline = {
  ...EMPTY,
  isDropFrame: true,
  frameSize: { width: 4, height: 3 },
  markers: [MARKER, { ...MARKER, colour: "red" }, { ...MARKER, colour: "blue" }],
  tracks: [
    {
      ...{ kind: "video", name: "V1", isEnabled: false },
      clips: [{ ...CLIP, speed: 2, effects: ["a", "b"], isEnabled: false, markers: [MARKER, MARKER] }, INNER],
      transitions: [{ name: "t", start: 0, end: 1 }],
    },
    {
      ...{ kind: "audio", name: "", isEnabled: true, clips: [{ ...CLIP, sourceChannel: 2 }] },
      transitions: [{ name: "u", start: 0, end: 1 }],
    },
  ],
};
const EXTRAS = {
  tracks: 2,
  clips: 3,
  transitions: 2,
  effects: 2,
  "changes of speed": 1,
  "clips that are switched off": 1,
  "nested sequences": 1,
  "choices of a sound channel": 1,
  "tracks that are switched off": 1,
  "markers of clips": 2,
  "marker colours": 2,
};

const counted = (list: readonly { name: string; count: number }[]) =>
  Object.fromEntries(list.map(({ name, count }) => [name, count]));

test("what a timeline holds beside its markers is counted by name; what there is none of is left out", () => {
  expect(counted(timelineExtras(FULL))).toEqual(EXTRAS);
  expect(timelineExtras(EMPTY)).toEqual([]);
  expect(counted(timelineExtras({ ...EMPTY, markers: [MARKER] }))).toEqual({});
});

test("losses are what was there before and is not after", () => {
  expect(timelineLosses(FULL, FULL)).toEqual([]);
  expect(timelineLosses(EMPTY, FULL)).toEqual([]);
  expect(counted(timelineLosses(FULL, EMPTY))).toEqual({
    ...EXTRAS,
    ...{ markers: 3, "names of tracks": 1, "sizes of the picture": 1, "drop-frame counts of the timecode": 1 },
  });
  expect(counted(timelineLosses(FULL, { ...FULL, markers: FULL.markers.slice(0, 2) }))).toEqual({
    "marker colours": 1,
    markers: 1,
  });
});
