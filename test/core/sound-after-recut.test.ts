import { expect, test } from "vitest";
import type { PlacedClip } from "../../src/core/layout.ts";
import { linesAfterRecut, soundAfterRecut } from "../../src/core/sound-after-recut.ts";

const sound = (start: number, end: number, sourceStart: number, more: Partial<PlacedClip> = {}): PlacedClip => ({
  kind: "audio",
  track: 0,
  name: "a",
  media: "a",
  file: "a.mov",
  start,
  end,
  sourceStart,
  speed: 1,
  ...more,
});

const WHOLE = { start: 0, end: 40 };
const BEFORE = [sound(0, 20, 0), sound(20, 40, 20)];
const SPEECH = [
  { start: 4, end: 6 },
  { start: 18, end: 23 },
];

test("speech stays where nothing was cut", () => {
  expect(soundAfterRecut(SPEECH, WHOLE, BEFORE, BEFORE)).toEqual({ ranges: SPEECH, isAllKnown: true });
});

test("after a swap it goes with its sound, cut in two where the cut goes through it", () => {
  const after = [sound(0, 20, 20), sound(20, 40, 0)];
  expect(soundAfterRecut(SPEECH, WHOLE, BEFORE, after)).toEqual({
    ranges: [
      { start: 0, end: 3 },
      { start: 24, end: 26 },
      { start: 38, end: 40 },
    ],
    isAllKnown: true,
  });
});

test("what was cut out is gone, what occurs twice is there twice", () => {
  expect(soundAfterRecut(SPEECH, WHOLE, BEFORE, [sound(0, 30, 10)]).ranges).toEqual([{ start: 8, end: 13 }]);
  const twice = [sound(0, 10, 0), sound(10, 20, 0)];
  expect(soundAfterRecut(SPEECH, WHOLE, BEFORE, twice).ranges).toEqual([
    { start: 4, end: 6 },
    { start: 14, end: 16 },
  ]);
});

test.each([
  ["another sound came in", [...BEFORE, sound(40, 45, 0, { media: "b", file: "b.mov" })]],
  ["a clip shows more of its source than was listened to", [sound(0, 41, 0)]],
  ["a clip runs at another speed", [sound(0, 20, 0, { speed: 2 })]],
])("says that not all is known where %s", (_, after) => {
  expect(soundAfterRecut(SPEECH, WHOLE, BEFORE, after).isAllKnown).toBe(false);
});

test("a project that moved to another disk is the same sound", () => {
  const after = BEFORE.map((clip) => ({ ...clip, media: "moved" }));
  expect(soundAfterRecut(SPEECH, WHOLE, BEFORE, after)).toEqual({ ranges: SPEECH, isAllKnown: true });
});

test("how sure it is goes with it; where two come together the surer one counts", () => {
  const heard = [
    { start: 4, end: 6, confidence: 0.3 },
    { start: 18, end: 23 },
    { start: 30, end: 32, confidence: 0.9 },
  ];
  expect(soundAfterRecut(heard, WHOLE, BEFORE, [sound(0, 20, 3)]).ranges).toEqual([
    { start: 1, end: 3, confidence: 0.3 },
    { start: 15, end: 20 },
  ]);
  // The same moment of the second clip lies over the first one's line.
  const over = [sound(0, 20, 0), sound(0, 20, 26, { track: 1 })];
  expect(soundAfterRecut(heard, WHOLE, BEFORE, over).ranges).toEqual([
    { start: 4, end: 6, confidence: 0.9 },
    { start: 18, end: 20 },
  ]);
});

test("lines that are said keep their words wherever half of their sound went, and go with what was cut out", () => {
  const lines = [
    { start: 4, end: 6, text: "Who is there?" },
    { start: 18, end: 23, text: "Nobody." },
  ];
  const text = (after: readonly PlacedClip[]) => linesAfterRecut(lines, BEFORE, after);
  expect(text(BEFORE)).toEqual(lines);
  const swapped = [sound(0, 20, 20), sound(20, 40, 0)];
  expect(text(swapped)).toEqual([
    { start: 0, end: 3, text: "Nobody." },
    { start: 24, end: 26, text: "Who is there?" },
  ]);
  expect(text([sound(0, 10, 0), sound(10, 20, 0)])).toEqual([lines[0], { start: 14, end: 16, text: "Who is there?" }]);
  expect(text([sound(0, 10, 30)])).toEqual([]);
  expect(text([sound(0, 1, 18), sound(5, 6, 22)])).toEqual([{ start: 0, end: 1, text: "Nobody." }]);
  expect(linesAfterRecut(lines, [], [])).toEqual(lines);
});
