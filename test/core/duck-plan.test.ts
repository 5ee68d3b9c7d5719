import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { GainCurve, type HeardLine, MAX_DUCK_DB, planDucking } from "../../src/core/duck-plan.ts";
import { numbersBetween } from "../numbers-between.ts";

const line = (start: number, end: number, programmeLufs: number, narrationLufs = -23): HeardLine => ({
  cueId: `cue-${start}`,
  start,
  end,
  narrationLufs,
  programmeLufs,
});

/** The gain in dB that a plan gives at each of some times. */
function gainsAt(lines: readonly HeardLine[], times: readonly number[], seconds = 60): number[] {
  const rate = 1_000;
  const samples = new Float32Array(seconds * rate).fill(1);
  new GainCurve(planDucking(lines, []).glides, rate).apply([samples], 0);
  return times.map((time) => 20 * Math.log10(samples[Math.round(time * rate)] ?? 0));
}

describe("planDucking", () => {
  test("lowers the programme just as far as the margin needs: 10 LU over music, 15 over the rest", () => {
    const lines = [line(1, 3, -30), line(10, 12, -30), line(20, 22, -40), line(30, 32, Number.NEGATIVE_INFINITY)];
    const plan = planDucking(lines, [{ start: 9, end: 14 }]);
    expect(plan.lines.map(({ isOverMusic }) => isOverMusic)).toEqual([false, true, false, false]);
    expect(plan.lines.map(({ duckDb }) => duckDb)).toEqual([8, 3, 0, 0]);
    expect(plan.lines.map(({ marginLu }) => marginLu)).toEqual([15, 10, 17, Number.POSITIVE_INFINITY]);
    expect(plan.glides.length).toBe(4);
  });

  test("counts a line as over music when at least half of it is", () => {
    const { lines } = planDucking([line(0, 2, -20), line(10, 12, -20)], [{ start: 1, end: 11.01 }]);
    expect(lines.map(({ isOverMusic }) => isOverMusic)).toEqual([true, true]);
    expect(planDucking([line(0, 2, -20)], [{ start: 1.1, end: 5 }]).lines[0]?.isOverMusic).toBe(false);
  });

  test("stops at the depth limit and says what margin is left", () => {
    const [loud] = planDucking([line(1, 3, -10)], []).lines;
    expect(loud).toMatchObject({ duckDb: MAX_DUCK_DB, marginLu: -23 + 10 + MAX_DUCK_DB });
    expect(planDucking([line(1, 3, -17), line(10, 12, -16)], []).lines.map(({ duckDb }) => duckDb)).toEqual([21, 21]);
  });

  test("is down when narration starts, 150 ms after it began to go, and up 500 ms after its end", () => {
    const lines = [line(10, 12, -20)];
    const gains = gainsAt(lines, [9.849, 9.925, 10, 11, 12, 12.25, 12.5, 12.6]);
    for (const [index, gain] of [0, -9, -18, -18, -18, -9, 0, 0].entries()) expect(gains[index]).toBeCloseTo(gain, 1);
  });

  test("stays down across a pause under 0.85 s, and comes up in a longer one", () => {
    const near = gainsAt([line(10, 12, -20), line(12.8, 15, -20)], [12.4]);
    expect(near[0]).toBeCloseTo(-18, 3);
    const far = gainsAt([line(10, 12, -20), line(12.9, 15, -20)], [12.6]);
    expect(far[0]).toBeCloseTo(0, 3);
  });

  test("gives the needier of two near lines its room before it starts, and takes it back after it ends", () => {
    const gains = gainsAt([line(10, 12, -23), line(12.1, 15, -20), line(15.2, 18, -26)], [11.9, 12.1, 15, 15.6, 17]);
    for (const [index, gain] of [-15, -18, -18, -12, -12].entries()) expect(gains[index]).toBeCloseTo(gain, 0);
    expect(gains[1]).toBeCloseTo(-18, 3);
    expect(gains[2]).toBeCloseTo(-18, 3);
  });

  test("never gives a line less room than it needs, never jumps, whatever the lines", () => {
    const lines = fc
      .array(
        fc.record({
          pause: numbersBetween(-0.5, 3),
          seconds: numbersBetween(0.1, 4),
          lufs: fc.integer({ min: -60, max: -10 }),
        }),
        { maxLength: 12 },
      )
      .map((parts) => {
        let at = 1;
        return parts.map(({ pause, seconds, lufs }) => {
          const start = Math.max(0.2, at + pause);
          at = Math.max(at, start + seconds);
          return line(start, start + seconds, lufs);
        });
      })
      .map((list) => list.sort((a, b) => a.start - b.start));
    fc.assert(
      fc.property(lines, (list) => {
        const plan = planDucking(list, []);
        for (const [index, glide] of plan.glides.entries()) {
          expect(glide.end - glide.start).toBeGreaterThan(0.149);
          const next = plan.glides[index + 1];
          if (next !== undefined) {
            expect(next.start).toBeGreaterThanOrEqual(glide.end - 1e-9);
            expect(next.fromDb).toBeCloseTo(glide.toDb, 9);
          }
        }
        const times = plan.lines.flatMap(({ start, end }) => [start + 0.002, (start + end) / 2, end - 0.002]);
        const gains = gainsAt(list, times);
        for (const [index, gain] of gains.entries()) {
          const needed = plan.lines[Math.floor(index / 3)]?.duckDb ?? 0;
          expect(gain).toBeLessThanOrEqual(-needed + 0.05);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe("GainCurve", () => {
  test("gives the same samples in blocks of any size, without a step larger than its slope", () => {
    const rate = 48_000;
    const { glides } = planDucking([line(0.05, 0.4, -20), line(0.5, 1, -14), line(2.2, 3, -20)], []);
    const whole = new Float32Array(4 * rate).fill(1);
    new GainCurve(glides, rate).apply([whole], 0);
    for (const size of [1_000, 4_801, 47_999]) {
      const parts = new Float32Array(4 * rate).fill(1);
      const curve = new GainCurve(glides, rate);
      for (let at = 0; at < parts.length; at += size) curve.apply([parts.subarray(at, at + size)], at);
      expect(parts).toEqual(whole);
    }
    const steps = whole.slice(1).map((gain, i) => Math.abs(20 * Math.log10(gain / (whole[i] ?? 1))));
    // The steepest point of a raised cosine: depth × pi / 2 over its length.
    expect(steps.reduce((most, step) => Math.max(most, step))).toBeLessThan((21 * Math.PI) / 2 / (0.15 * rate) + 1e-4);
  });
});
