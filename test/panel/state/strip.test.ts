import fc from "fast-check";
import { expect, test } from "vitest";
import { levelBars, STRIP_COLUMNS } from "../../../panel/state/strip.ts";

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
