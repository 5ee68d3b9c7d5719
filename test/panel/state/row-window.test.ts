import fc from "fast-check";
import { expect, test } from "vitest";
import { OPEN_ROW_HEIGHT, ROW_HEIGHT, rowWindow, scrollToRow } from "../../../panel/state/row-window.ts";
import { cuePieces, STRIP_COLUMNS, stripPieces } from "../../../panel/state/strip.ts";

const list = fc
  .record({
    count: fc.integer({ min: 1, max: 3000 }),
    open: fc.integer({ min: -1, max: 2999 }),
    scroll: fc.nat(200_000),
  })
  .map(({ count, open, scroll }) => ({
    count,
    openIndex: open < count ? open : -1,
    scrollTop: Math.min(scroll, count * ROW_HEIGHT),
    viewHeight: 400,
  }));

const heightOf = ({ count, openIndex }: { count: number; openIndex: number }) =>
  count * ROW_HEIGHT + (openIndex < 0 ? 0 : OPEN_ROW_HEIGHT - ROW_HEIGHT);

test("the rows drawn and the room left for the others are always as high as the whole list", () => {
  fc.assert(
    fc.property(list, (one) => {
      const { first, end, above, below } = rowWindow(one);
      const drawn = heightOf({ count: end - first, openIndex: one.openIndex >= first && one.openIndex < end ? 0 : -1 });
      expect(above + drawn + below).toBe(heightOf(one));
      // What is seen is drawn.
      expect(above).toBeLessThanOrEqual(one.scrollTop);
      expect(end === one.count || above + drawn >= one.scrollTop + one.viewHeight).toBe(true);
    }),
  );
});

test("of 2 000 cues a few rows are drawn", () => {
  const { first, end } = rowWindow({ count: 2000, openIndex: 3, scrollTop: 40_000, viewHeight: 400 });
  expect(end - first).toBeLessThan(40);
});

test("scrolling to a row shows it whole, and does not move when it is", () => {
  fc.assert(
    fc.property(list, fc.nat(2999), (one, wanted) => {
      const index = wanted % one.count;
      const scrollTop = scrollToRow(one, index);
      expect(scrollToRow({ ...one, scrollTop }, index)).toBe(scrollTop);
    }),
  );
});

test("the strip of any programme is a bounded number of pieces inside it", () => {
  const cues = Array.from({ length: 2000 }, (_, index) => ({
    id: `${index}`,
    start: index * 3,
    end: index * 3 + 2,
    text: "x",
  }));
  const pieces = cuePieces(cues, 6000, new Set(["7"]));
  expect(pieces.length).toBeLessThanOrEqual(STRIP_COLUMNS);
  expect(pieces.some(({ level }) => level === 2)).toBe(true);
  expect(stripPieces([{ start: 5, end: 900 }], 10)).toEqual([{ from: 120, count: 120, level: 1 }]);
});
