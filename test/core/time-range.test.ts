import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { confidentRanges, findGaps, mergeKnown } from "../../src/core/gap.ts";
import {
  clipRanges,
  firstEndingAfter,
  mergeRanges,
  overlapDuration,
  overlapWithRanges,
  rangeDuration,
  shiftRange,
  subtractRanges,
  type TimeRange,
  totalDuration,
} from "../../src/core/time-range.ts";

/** Whole seconds that are tried: a range whose ends are whole is the set of its seconds, and every law is one of sets. */
const SECONDS = Array.from({ length: 30 }, (_, second) => second);
const isIn = (second: number, ranges: readonly TimeRange[]) =>
  ranges.some(({ start, end }) => start <= second && second < end);
const secondsOf = (...ranges: readonly TimeRange[]) => SECONDS.filter((second) => isIn(second, ranges));

const range = fc
  .tuple(fc.integer({ min: 0, max: 24 }), fc.integer({ min: 0, max: 5 }))
  .map(([start, length]): TimeRange => ({ start, end: start + length }));
const ranges = fc.array(range, { maxLength: 7 });

/** Ordered, not empty, and with more than `distance` between neighbours. */
function expectApart(found: readonly TimeRange[], distance = 0): void {
  for (const [index, { start, end }] of found.entries()) {
    expect(end).toBeGreaterThan(start);
    expect(start).toBeGreaterThan((found[index - 1]?.end ?? Number.NEGATIVE_INFINITY) + distance);
  }
}

describe("ranges are sets of time", () => {
  test("merged, they are the same time, told once", () => {
    fc.assert(
      fc.property(ranges, (list) => {
        const merged = mergeRanges(list);
        expect(secondsOf(...merged)).toEqual(secondsOf(...list));
        expectApart(merged);
      }),
    );
  });

  test("a bridge joins what lies no further apart, and nothing else", () => {
    fc.assert(
      fc.property(ranges, fc.integer({ min: 0, max: 4 }), (list, bridge) => {
        const merged = mergeRanges(list);
        const between = merged.slice(1).map(({ start }, index) => ({ start: merged[index]?.end ?? 0, end: start }));
        const bridged = between.filter((gap) => rangeDuration(gap) <= bridge);
        expect(secondsOf(...mergeRanges(list, bridge))).toEqual(secondsOf(...merged, ...bridged));
        expectApart(mergeRanges(list, bridge), bridge);
      }),
    );
  });

  test("what is taken out is gone, all else is left", () => {
    fc.assert(
      fc.property(range, ranges, (whole, holes) => {
        const left = subtractRanges(whole, holes);
        expect(secondsOf(...left)).toEqual(secondsOf(whole).filter((second) => !isIn(second, holes)));
        expectApart(left);
      }),
    );
  });

  test("clipped, they are what both have, and as long as their overlap", () => {
    fc.assert(
      fc.property(ranges, range, (list, window) => {
        const merged = mergeRanges(list);
        const common = secondsOf(window).filter((second) => isIn(second, merged));
        const clipped = clipRanges(merged, window);
        expect(secondsOf(...clipped)).toEqual(common);
        if (rangeDuration(window) > 0) expectApart(clipped);
        expect(overlapWithRanges(window, merged)).toBe(common.length);
        expect(totalDuration(clipped)).toBe(common.length);
        for (const one of merged) {
          expect(overlapDuration(window, one)).toBe(secondsOf(window).filter((second) => isIn(second, [one])).length);
          expect(overlapDuration(one, window)).toBe(overlapDuration(window, one));
        }
      }),
    );
  });

  test("the first that ends after a time is found as by looking at each", () => {
    fc.assert(
      fc.property(ranges, fc.integer({ min: -1, max: 31 }), (list, time) => {
        const merged = mergeRanges(list);
        const found = merged.findIndex(({ end }) => end > time);
        expect(firstEndingAfter(merged, time)).toBe(found < 0 ? merged.length : found);
      }),
    );
  });

  test("moved, they are as long, and keep what else is known of them", () => {
    expect(shiftRange({ start: 2, end: 5, confidence: 0.5 }, -3)).toEqual({ start: -1, end: 2, confidence: 0.5 });
  });
});

describe("gaps", () => {
  test("are the time without speech, and without music where that is refused, of stretches that are long enough", () => {
    fc.assert(
      fc.property(
        fc.record({ speech: ranges, music: ranges, silence: ranges }),
        fc.boolean(),
        fc.integer({ min: 0, max: 6 }),
        (heard, allowMusic, minimumSeconds) => {
          const gaps = findGaps({ ...heard, allowMusic, minimumSeconds, durationSeconds: 28 });
          const taken = allowMusic ? heard.speech : [...heard.speech, ...heard.music];
          const free = subtractRanges({ start: 0, end: 28 }, taken);
          const enough = free.filter((one) => rangeDuration(one) >= minimumSeconds);
          expect(mergeRanges(gaps)).toEqual(enough);
          for (const [index, gap] of gaps.entries()) {
            expect(gap.start).toBeGreaterThanOrEqual(gaps[index - 1]?.end ?? 0);
            const seconds = secondsOf(gap);
            const under = (list: readonly TimeRange[]) => seconds.filter((second) => isIn(second, list)).length;
            expect(under(heard.music)).toBe(gap.sound === "music" ? seconds.length : 0);
            if (gap.sound === "music") continue;
            expect(gap.sound).toBe(under(heard.silence) >= 0.8 * seconds.length ? "silence" : "ambience");
          }
        },
      ),
    );
  });

  test("only what was heard surely enough counts", () => {
    const heard = [0.2, 0.5, 0.9].map((confidence, index) => ({ start: index, end: index + 1, confidence }));
    expect(confidentRanges(heard)).toEqual([
      { start: 1, end: 2 },
      { start: 2, end: 3 },
    ]);
  });
});

test("what is known of speech is joined where it touches, with the confidence of the surest", () => {
  const known = fc.array(
    fc.tuple(range, fc.constantFrom(0.2, 0.5, 0.9, undefined)).map(([one, confidence]) => {
      return confidence === undefined ? one : { ...one, confidence };
    }),
    { maxLength: 7 },
  );
  fc.assert(
    fc.property(known, (list) => {
      const merged = mergeKnown(list);
      expect(merged.map(({ start, end }) => ({ start, end }))).toEqual(mergeRanges(list));
      for (const one of merged) {
        const inside = list.filter(({ start, end }) => end > start && start >= one.start && end <= one.end);
        const sureness = (range: TimeRange & { confidence?: number }) => range.confidence ?? Number.POSITIVE_INFINITY;
        expect(sureness(one)).toBe(Math.max(...inside.map(sureness)));
      }
    }),
  );
});
