import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  nearestFrame,
  rateFromTicksPerFrame,
  secondsFromTicks,
  TICKS_PER_SECOND,
  ticksFromFrame,
  ticksFromText,
  ticksOnGrid,
} from "../../../src/host/premiere/ticks.ts";

const RATES: [string, bigint, number, number][] = [
  ["23.976", 10_594_584_000n, 24000, 1001],
  ["24", 10_584_000_000n, 24, 1],
  ["25", 10_160_640_000n, 25, 1],
  ["29.97", 8_475_667_200n, 30000, 1001],
  ["50", 5_080_320_000n, 50, 1],
  ["59.94", 4_237_833_600n, 60000, 1001],
  ["119.88", 2_118_916_800n, 120000, 1001],
];

describe("ticks", () => {
  test.each(RATES)("PANEL-34: %s is an exact fraction", (_, ticksPerFrame, numerator, denominator) => {
    expect(rateFromTicksPerFrame(ticksPerFrame)).toEqual({ numerator, denominator });
  });

  test.each(RATES)(
    "PANEL-34: every frame of 100 hours at %s survives seconds",
    (_, ticksPerFrame, numerator, denominator) => {
      const last = Math.floor((360_000 * numerator) / denominator);
      fc.assert(
        fc.property(fc.integer({ min: 0, max: last }), (frame) => {
          const ticks = ticksFromFrame(frame, ticksPerFrame);
          expect(ticksOnGrid(secondsFromTicks(ticks), ticksPerFrame)).toBe(ticks);
          expect(nearestFrame(ticks, ticksPerFrame)).toBe(frame);
        }),
      );
    },
  );

  test("rounds a time between two frames to the nearest, halves up, below zero too", () => {
    expect([-16n, -15n, -5n, 4n, 5n, 14n, 15n].map((ticks) => nearestFrame(ticks, 10n))).toEqual([
      -2, -1, 0, 0, 1, 1, 2,
    ]);
  });

  test("PANEL-34: reads ticks of any size, and nothing else", () => {
    expect(ticksFromText("9144576000000000")).toBe(36_000n * TICKS_PER_SECOND);
    expect(ticksFromText("-101606400000000000")).toBe(-400_000n * TICKS_PER_SECOND);
    for (const text of ["", "1.5", "1e9", "NaN", "0x1"]) expect(() => ticksFromText(text)).toThrow(RangeError);
  });
});
