import fc from "fast-check";
import { expect, test } from "vitest";
import { isDistance, secondsFromTyped } from "../../../panel/state/typed-time.ts";
import { frameRate, secondsFromFrames } from "../../../src/core/frame-rate.ts";
import type { FrameGrid } from "../../../src/core/settings.ts";
import { timecodeAt } from "../../../src/core/timecode.ts";

const PAL: FrameGrid = { rate: frameRate(25, 1), isDropFrame: false, startFrame: 90_000 };
const NTSC: FrameGrid = { rate: frameRate(30_000, 1001), isDropFrame: true, startFrame: 107_892 };

test.each([
  // Programme time 10 s, label 01:00:10:00.
  ["01:00:12:05", 12.2],
  ["01;00;12;05", 12.2],
  ["9:20", 9.8],
  ["920", 9.8],
  ["1:09:20", 69.8],
  ["10920", 69.8],
  ["5", 10.2],
  ["+10", 10.4],
  ["-10", 9.6],
  ["−10", 9.6],
  ["+1:00", 11],
  ["-1:0:0", -50],
  ["+1:00:00:00", 3610],
  ["1:00:00:05", 0.2],
])("%s, typed over 01:00:10:00, is %d s", (typed, seconds) => {
  expect(secondsFromTyped(typed, PAL, 10)).toBeCloseTo(seconds, 6);
});

test.each(["", "soon", "1:2:3:4:5", "9:99", "+", "+x", "1.5.x", "010011223", "12345678901"])(
  "“%s” is no time",
  (typed) => {
    expect(secondsFromTyped(typed, PAL, 10)).toBeNull();
  },
);

test("a distance begins with its sign, whatever stands around it, and nothing else is one", () => {
  expect(["+10", "-1:00", " −5 ", "\t+1"].map(isDistance)).toEqual([true, true, true, true]);
  expect(["10", "1-0", "01:00:00:00", "", "±1"].map(isDistance)).toEqual([false, false, false, false, false]);
});

test("a label that drop-frame skips is the next one", () => {
  expect(secondsFromTyped("01:01:00;00", NTSC, 10)).toEqual(secondsFromTyped("01:01:00;02", NTSC, 10));
});

test("a whole label is read back as the time it was written for, on every grid", () => {
  fc.assert(
    fc.property(fc.constantFrom(PAL, NTSC), fc.nat(200_000), fc.nat(200_000), (grid, frames, other) => {
      const seconds = secondsFromFrames(frames, grid.rate);
      const typed = timecodeAt(grid, seconds);
      expect(secondsFromTyped(typed, grid, secondsFromFrames(other, grid.rate))).toBeCloseTo(seconds, 6);
    }),
  );
});

test("so many frames later and earlier is where it began", () => {
  fc.assert(
    fc.property(fc.constantFrom(PAL, NTSC), fc.nat(100_000), fc.nat(500), (grid, frames, by) => {
      const start = secondsFromFrames(frames, grid.rate);
      const later = secondsFromTyped(`+${by}`, grid, start) ?? Number.NaN;
      expect(secondsFromTyped(`-${by}`, grid, later)).toBeCloseTo(start, 6);
    }),
  );
});
