import fc from "fast-check";
import { expect, test } from "vitest";
import {
  levelBars,
  mostZoom,
  rulerTimes,
  STRIP_COLUMNS,
  stripPieces,
  stripWindow,
  withinWindow,
} from "../../../panel/state/strip.ts";

test("levels are bars in order that do not overlap, as high as the loudest of their columns; silence is none", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 480 }), (levels) => {
      const bars = levelBars(levels);
      for (const [index, { from, count, height }] of bars.entries()) {
        const next = bars[index + 1]?.from ?? STRIP_COLUMNS;
        expect(from + count).toBeLessThanOrEqual(next);
        expect(height).toBeGreaterThan(0);
      }
      const highest = Math.max(0, ...bars.map(({ height }) => height));
      expect(Math.abs(highest - Math.max(0, ...levels) / 60)).toBeLessThanOrEqual(1 / 16);
    }),
  );
  expect(levelBars([])).toEqual([]);
  expect(levelBars(new Array(480).fill(60))).toEqual([{ from: 0, count: STRIP_COLUMNS, height: 1 }]);
});

test("a range takes the columns that it lies in, and not the one that it ends at; the shortest takes one", () => {
  const whole = STRIP_COLUMNS;
  const columns = (start: number, end: number) =>
    stripPieces([{ start, end }], whole).map(({ from, count }) => [from, count]);
  expect(columns(2, 5)).toEqual([[2, 3]]);
  expect(columns(2, 5.1)).toEqual([[2, 4]]);
  expect(columns(2.9, 3)).toEqual([[2, 1]]);
  expect(columns(7.2, 7.3)).toEqual([[7, 1]]);
  expect(columns(0, whole)).toEqual([[0, whole]]);
  expect(columns(whole - 1, whole)).toEqual([[whole - 1, 1]]);
  expect(columns(whole, whole + 5)).toEqual([[whole - 1, 1]]);
});

test("ranges beside each other are one piece, and one with a finding stands out of them whichever comes first", () => {
  const ranges = [
    { start: 0, end: 2 },
    { start: 2, end: 4 },
    { start: 3, end: 6 },
  ];
  expect(stripPieces(ranges, STRIP_COLUMNS)).toEqual([{ from: 0, count: 6, level: 1 }]);
  const flagged = [
    { from: 0, count: 2, level: 1 },
    { from: 2, count: 2, level: 2 },
    { from: 4, count: 2, level: 1 },
  ];
  for (const order of [ranges, ranges.toReversed()]) {
    expect(stripPieces(order, STRIP_COLUMNS, ({ start }) => start === 2)).toEqual(flagged);
  }
});

test("the times over a programme begin at its start, are few, and none lies behind its end", () => {
  expect(rulerTimes({ start: 0, end: 0 })).toEqual([]);
  expect(rulerTimes({ start: 0, end: 6 })).toEqual([0, 1, 2, 3, 4, 5]);
  expect(rulerTimes({ start: 0, end: 6.5 })).toEqual([0, 2, 4, 6]);
  expect(rulerTimes({ start: 0, end: 5_400 })).toEqual([0, 900, 1_800, 2_700, 3_600, 4_500]);
  for (const seconds of [0.4, 59, 3_601, 100_000]) {
    const times = rulerTimes({ start: 0, end: seconds });
    expect([times[0], times.length <= 6, (times.at(-1) ?? 0) < seconds]).toEqual([0, true, true]);
  }
});

test("a strip that is zoomed in shows a stretch of the programme, what is looked at in its middle as far as that reaches", () => {
  expect([mostZoom(40), mostZoom(120), mostZoom(600), mostZoom(7_200)]).toEqual([0, 0, 5, 8]);
  expect(stripWindow(600, 0, 400)).toEqual({ start: 0, end: 600 });
  expect(stripWindow(600, 2, 400)).toEqual({ start: 325, end: 475 });
  expect(stripWindow(600, 2, 3)).toEqual({ start: 0, end: 150 });
  expect(stripWindow(600, 2, 599)).toEqual({ start: 450, end: 600 });
  // No closer than a line and its pause.
  expect(stripWindow(600, 99, 300)).toEqual(stripWindow(600, mostZoom(600), 300));
  expect(rulerTimes({ start: 325, end: 475 })).toEqual([330, 360, 390, 420, 450]);
  const cues = [
    { id: "before", start: 300, end: 325 },
    { id: "over", start: 320, end: 330 },
    { id: "in", start: 400, end: 410 },
    { id: "after", start: 475, end: 480 },
  ];
  expect(withinWindow(cues, { start: 325, end: 475 })).toEqual([
    { id: "over", start: 0, end: 5 },
    { id: "in", start: 75, end: 85 },
  ]);
  const levels = Array.from({ length: 480 }, (_, index) => (index < 240 ? 0 : 60));
  expect(levelBars(levels, { start: 0.5, end: 1 })).toEqual([{ from: 0, count: STRIP_COLUMNS, height: 1 }]);
  expect(levelBars(levels, { start: 0, end: 0.5 })).toEqual([]);
});

test("zoomed in as far as it goes, a strip shows half a minute at most and a quarter at least; two minutes are seen whole", () => {
  fc.assert(
    fc.property(fc.integer({ min: 121, max: 40_000 }), fc.nat(100), (seconds, at) => {
      const { start, end } = stripWindow(seconds, mostZoom(seconds), (seconds * at) / 100);
      expect(end - start).toBeLessThanOrEqual(30);
      expect(end - start).toBeGreaterThanOrEqual(15);
      expect([start >= 0, end <= seconds + 1e-6]).toEqual([true, true]);
    }),
  );
  expect([mostZoom(120), mostZoom(121) > 0]).toEqual([0, true]);
});

test("what of any ranges lies in a stretch is all that is there of it, and nothing of it lies outside", () => {
  const range = fc
    .tuple(fc.nat(50), fc.integer({ min: 1, max: 20 }))
    .map(([start, by]) => ({ start, end: start + by }));
  fc.assert(
    fc.property(fc.array(range), range, (ranges, stretch) => {
      const covers = (some: typeof ranges, second: number) =>
        some.filter(({ start, end }) => start <= second && end > second);
      const within = withinWindow(ranges, stretch);
      for (let second = 0; second < stretch.end - stretch.start; second++) {
        expect(covers(within, second).length).toBe(covers(ranges, stretch.start + second).length);
      }
      expect(within.every(({ start, end }) => start >= 0 && end <= stretch.end - stretch.start)).toBe(true);
    }),
  );
});

test("a level is drawn in eighths: all that can be seen of it, and few pieces", () => {
  const levels = Array.from({ length: STRIP_COLUMNS }, (_, index) => index / 4);
  const heights = levelBars(levels).map(({ height }) => height * 8);
  expect(heights).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});
