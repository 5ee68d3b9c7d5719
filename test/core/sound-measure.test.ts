import fc from "fast-check";
import { expect, test } from "vitest";
import { GainCurve } from "../../src/core/duck-plan.ts";
import { decibelsFromGain, gainFromDecibels } from "../../src/core/level.ts";
import { LEVELS_PER_SECOND, meanLevel, SILENCE_LUFS } from "../../src/core/measures.ts";
import { median } from "../../src/core/time-range.ts";
import { numbersBetween } from "../numbers-between.ts";

const levels = fc.array(fc.integer({ min: -120, max: 0 }), { minLength: 1, maxLength: 40 });
const all = (list: readonly number[]) => ({ start: 0, end: list.length / LEVELS_PER_SECOND });

test("a mean level is that of the energy, lies between the least and the most, and goes up with the sound", () => {
  fc.assert(
    fc.property(levels, fc.nat(39), fc.nat(39), (list, from, length) => {
      const range = { start: from / LEVELS_PER_SECOND, end: (from + length) / LEVELS_PER_SECOND };
      const inside = list.slice(from, from + length);
      const mean = meanLevel(list, [range]);
      if (inside.length === 0) {
        expect(mean).toBeNull();
        return;
      }
      expect(mean).toBeGreaterThanOrEqual(Math.min(...inside) - 1e-9);
      expect(mean).toBeLessThanOrEqual(Math.max(...inside) + 1e-9);
      const energy = inside.reduce((sum, level) => sum + gainFromDecibels(level) ** 2, 0) / inside.length;
      expect(mean).toBeCloseTo(decibelsFromGain(Math.sqrt(energy)), 9);
      const louder = list.map((level) => level + 6);
      expect(meanLevel(louder, [range])).toBeCloseTo((mean ?? 0) + 6, 9);
    }),
  );
});

test("ranges count together, what lies outside the sound not at all, and silence is no level", () => {
  fc.assert(
    fc.property(levels, fc.nat(40), (list, at) => {
      const cut = Math.min(at, list.length) / LEVELS_PER_SECOND;
      const { end } = all(list);
      const whole = meanLevel(list, [all(list)]);
      expect(
        meanLevel(list, [
          { start: cut, end },
          { start: 0, end: cut },
        ]),
      ).toBeCloseTo(whole ?? 0, 9);
      expect(meanLevel(list, [{ start: -5, end: end + 5 }])).toBe(whole);
    }),
  );
  expect(meanLevel([Number.NEGATIVE_INFINITY, -500], [{ start: 0, end: 1 }])).toBe(SILENCE_LUFS);
  expect(meanLevel([-20, -30], [])).toBeNull();
});

test("decibels and gains are two names of one thing", () => {
  fc.assert(
    fc.property(numbersBetween(-100, 40), (decibels) => {
      expect(decibelsFromGain(gainFromDecibels(decibels))).toBeCloseTo(decibels, 9);
      expect(gainFromDecibels(decibels + 20)).toBeCloseTo(10 * gainFromDecibels(decibels), 6);
    }),
  );
  expect(gainFromDecibels(0)).toBe(1);
});

test("as many values lie below the median as above it; of two in the middle it is the higher", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer(), { minLength: 1 }), (values) => {
      const below = values.filter((value) => value < median(values)).length;
      expect(below).toBe(Math.floor(values.length / 2));
      expect(values).toContain(median(values));
    }),
  );
  expect(median([])).toBe(0);
});

test("glides without length, and sound that begins behind them, have the gain that they end with", () => {
  const glides = [
    { start: 0, end: 0, fromDb: 0, toDb: -20 },
    { start: 0.002, end: 0.004, fromDb: -20, toDb: -40 },
  ];
  const planes = [new Float32Array(6).fill(1), new Float32Array(6).fill(0.5)];
  new GainCurve(glides, 1000).apply(planes, 0);
  const gains = [0.1, 0.1, 0.1, 10 ** -1.5, 0.01, 0.01];
  for (const [index, gain] of gains.entries()) {
    expect(planes[0]?.[index]).toBeCloseTo(gain, 6);
    expect(planes[1]?.[index]).toBeCloseTo(gain / 2, 6);
  }
  const late = new Float32Array(2).fill(1);
  new GainCurve(glides, 1000).apply([late], 10);
  expect([...late].map((gain) => gain.toFixed(6))).toEqual(["0.010000", "0.010000"]);
});
