import fc from "fast-check";
import { expect, test } from "vitest";
import {
  equalRates,
  type FrameRate,
  frameRate,
  framesFromSeconds,
  secondsFromFrames,
  snapToFrame,
} from "../../src/core/frame-rate.ts";
import { formatRateName, parseRateName, rateFromDecimal } from "../../src/core/timecode.ts";
import {
  nearestFrame,
  secondsFromTicks,
  TICKS_PER_SECOND,
  ticksFromFrame,
  ticksOnGrid,
} from "../../src/host/premiere/ticks.ts";
import { numbersBetween } from "../numbers-between.ts";

const anyRate = fc
  .tuple(fc.constantFrom(24, 25, 30, 48, 50, 60, 72, 90, 96, 100, 120), fc.constantFrom(1000, 1001))
  .map(([nominal, denominator]) => frameRate(nominal * 1000, denominator));
const HUNDRED_HOURS = 100 * 3600;
const ticksOfFrame = ({ numerator, denominator }: FrameRate) =>
  (TICKS_PER_SECOND * BigInt(denominator)) / BigInt(numerator);

test("rates are fractions in lowest terms", () => {
  expect(frameRate(60000, 2002)).toEqual({ numerator: 30000, denominator: 1001 });
  expect(equalRates({ numerator: 50, denominator: 2 }, frameRate(25))).toBe(true);
  for (const [numerator, denominator] of [
    [0, 1],
    [24, 0],
    [1.5, 1],
    [-24, 1],
  ] as const) {
    expect(() => frameRate(numerator, denominator)).toThrow(RangeError);
  }
});

test("PANEL-34: frames become seconds and ticks and come back without drift over 100 hours", () => {
  fc.assert(
    fc.property(anyRate, numbersBetween(0, HUNDRED_HOURS), (rate, time) => {
      const frame = framesFromSeconds(time, rate);
      const seconds = secondsFromFrames(frame, rate);
      for (const rounding of ["nearest", "floor", "ceil"] as const) {
        expect(framesFromSeconds(seconds, rate, rounding)).toBe(frame);
        expect(snapToFrame(seconds, rate, rounding)).toBe(seconds);
      }
      const ticksPerFrame = ticksOfFrame(rate);
      const ticks = ticksFromFrame(frame, ticksPerFrame);
      expect(nearestFrame(ticks, ticksPerFrame)).toBe(frame);
      expect(ticksOnGrid(seconds, ticksPerFrame)).toBe(ticks);
      expect(Math.abs(secondsFromTicks(ticks) - seconds)).toBeLessThan(1e-9);
    }),
    { numRuns: 2000 },
  );
});

test("PANEL-34: a position at 10 h at 30000/1001 is its exact frame, and its exact tick", () => {
  const rate = frameRate(30000, 1001);
  const frame = 1_078_920;
  expect(framesFromSeconds(secondsFromFrames(frame, rate), rate)).toBe(frame);
  expect(ticksFromFrame(frame, ticksOfFrame(rate))).toBe(9_144_566_855_424_000n);
});

test("rounds by the named rule, halves up, negative times too", () => {
  const rate = frameRate(25);
  const half = 0.02;
  expect([half, 3 * half, -half].map((time) => framesFromSeconds(time, rate))).toEqual([1, 2, 0]);
  expect([0.039, -0.041].map((time) => framesFromSeconds(time, rate, "floor"))).toEqual([0, -2]);
  expect([0.041, -0.039].map((time) => framesFromSeconds(time, rate, "ceil"))).toEqual([2, 0]);
  expect(Object.is(framesFromSeconds(-0.001, rate), 0)).toBe(true);
});

test.each([
  ["23.976", 24000, 1001, false, "23.976"],
  ["23.98", 24000, 1001, false, "23.976"],
  ["24", 24, 1, false, "24"],
  ["24.98", 25000, 1001, false, "24.975"],
  ["25", 25, 1, false, "25"],
  ["29.97", 30000, 1001, false, "29.97"],
  ["29.97df", 30000, 1001, true, "29.97 DF"],
  ["29.97 DF", 30000, 1001, true, "29.97 DF"],
  ["29.97 ndf", 30000, 1001, false, "29.97"],
  ["47.952", 48000, 1001, false, "47.952"],
  ["59.94 drop", 60000, 1001, true, "59.94 DF"],
  ["119.88d", 120000, 1001, true, "119.88 DF"],
  ["30000/1001", 30000, 1001, false, "29.97"],
  ["37/2", 37, 2, false, "37/2"],
  ["12.5", 25, 2, false, "25/2"],
  ["50 fps", 50, 1, false, "50"],
])("reads the rate %s and names it", (text, numerator, denominator, isDropFrame, name) => {
  const format = parseRateName(text);
  expect(format).toEqual({ rate: { numerator, denominator }, isDropFrame });
  if (format !== null) expect(formatRateName(format)).toBe(name);
});

test.each(["", "25df", "23.976 df", "fast", "0", "1/0", "-25"])("reads no rate from %j", (text) => {
  expect(parseRateName(text)).toBeNull();
});

test("every fraction is read back from its name or its decimal", () => {
  fc.assert(
    fc.property(anyRate, (rate) => {
      expect(parseRateName(formatRateName({ rate, isDropFrame: false }))?.rate).toEqual(rate);
      expect(rateFromDecimal(rate.numerator / rate.denominator)).toEqual(rate);
    }),
  );
});
