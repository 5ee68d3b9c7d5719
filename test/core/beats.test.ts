import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { beatsOf } from "../../src/core/beats.ts";
import { mergeRanges } from "../../src/core/time-range.ts";
import { numbersBetween } from "../numbers-between.ts";

const DURATION = 60;
const instants = fc.array(numbersBetween(0, DURATION), { maxLength: 30 });
const request = fc.record({
  cuts: instants.map((times) => [0, ...times].sort((a, b) => a - b)),
  changes: instants,
  free: fc.array(
    fc
      .tuple(numbersBetween(-5, 65), numbersBetween(0.01, 15))
      .map(([start, length]) => ({ start, end: start + length })),
    { maxLength: 8 },
  ),
});
const LEAST = 1.6;
const GOOD = 3;

/** Pauses that a line of some use fits into, as far as they are in the programme. */
function pausesOf(free: readonly { readonly start: number; readonly end: number }[]) {
  return mergeRanges(free)
    .map(({ start, end }) => ({ start: Math.max(0, start), end: Math.min(DURATION, end) }))
    .filter(({ start, end }) => end - start >= LEAST);
}

describe("beats", () => {
  test("cover the programme in order and without holes", () => {
    fc.assert(
      fc.property(request, (given) => {
        const beats = beatsOf({ durationSeconds: DURATION, leastSeconds: LEAST, goodSeconds: GOOD, ...given });
        expect(beats[0]?.start).toBe(0);
        expect(beats.at(-1)?.end).toBe(DURATION);
        for (const [index, { start, end }] of beats.entries()) {
          expect(end).toBeGreaterThan(start);
          if (index > 0) expect(start).toBe(beats[index - 1]?.end);
        }
      }),
    );
  });

  test("never run over the edge of a pause, and have room for a line or none at all", () => {
    fc.assert(
      fc.property(request, (given) => {
        const beats = beatsOf({ durationSeconds: DURATION, leastSeconds: LEAST, goodSeconds: GOOD, ...given });
        const pauses = pausesOf(given.free);
        for (const { start, end, freeSeconds } of beats) {
          for (const edge of pauses.flatMap((pause) => [pause.start, pause.end])) {
            expect(edge > start && edge < end).toBe(false);
          }
          const isInPause = pauses.some((pause) => start >= pause.start && end <= pause.end);
          expect(freeSeconds).toBeCloseTo(isInPause ? end - start : 0, 9);
          if (isInPause) expect(freeSeconds).toBeGreaterThanOrEqual(LEAST - 1e-9);
        }
      }),
    );
  });

  test("end at the first seam at which a line fits and leaves room for another, and at no other", () => {
    const whole = fc.integer({ min: 0, max: 4 * DURATION }).map((quarters) => quarters / 4);
    const given = fc.record({
      cuts: fc.array(whole, { maxLength: 20 }).map((times) => [...new Set([0, ...times])].sort((a, b) => a - b)),
      changes: fc.array(whole, { maxLength: 20 }),
      free: fc.array(
        fc.tuple(whole, whole).map(([start, end]) => ({ start, end })),
        { maxLength: 4 },
      ),
    });
    const [leastSeconds, goodSeconds] = [1.5, 3];
    fc.assert(
      fc.property(given, ({ cuts, changes, free }) => {
        const beats = beatsOf({ durationSeconds: DURATION, leastSeconds, goodSeconds, cuts, changes, free });
        const pauses = mergeRanges(free).filter(({ start, end }) => end - start >= leastSeconds);
        const inPauses = beats.filter(({ freeSeconds }) => freeSeconds > 0);
        expect(mergeRanges(inPauses)).toEqual(mergeRanges(pauses));
        for (const { start, end } of inPauses) {
          const pause = pauses.find((one) => one.start <= start && end <= one.end);
          const seams = [...cuts, ...changes].filter((at) => {
            const enough = cuts.includes(at) ? (leastSeconds + goodSeconds) / 2 : goodSeconds;
            return at - start >= enough && (pause?.end ?? 0) - at >= leastSeconds;
          });
          expect(end).toBe(Math.min(pause?.end ?? 0, ...seams));
        }
      }),
    );
  });

  test("begin at a cut, where something begins to be seen, or at the edge of a pause", () => {
    fc.assert(
      fc.property(request, (given) => {
        const beats = beatsOf({ durationSeconds: DURATION, leastSeconds: LEAST, goodSeconds: GOOD, ...given });
        const edges = pausesOf(given.free).flatMap(({ start, end }) => [start, end]);
        const seams = new Set([0, ...given.cuts, ...given.changes, ...edges]);
        for (const { start } of beats) expect(seams.has(start)).toBe(true);
      }),
    );
  });

  test("end at a cut sooner than at a change inside a shot", () => {
    const free = [{ start: 0, end: 20 }];
    const ends = (cuts: number[], changes: number[]) =>
      beatsOf({ durationSeconds: 20, cuts, changes, free, leastSeconds: 2, goodSeconds: 4 }).map(({ end }) => end);
    expect(ends([3], [])).toEqual([3, 20]);
    expect(ends([], [3])).toEqual([20]);
    expect(ends([], [4])).toEqual([4, 20]);
    expect(ends([2.5], [])).toEqual([20]);
    // What is left of the pause must have room for a line too.
    expect(ends([18.5], [])).toEqual([20]);
  });
});
