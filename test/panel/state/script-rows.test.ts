import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  CUE_HEIGHTS,
  layoutOf,
  type RowList,
  rowWindow,
  SAID_HEIGHT,
  scrollToRow,
} from "../../../panel/state/script-rows.ts";
import { cuePieces, rulerTimes, STRIP_COLUMNS, stripPieces } from "../../../panel/state/strip.ts";
import { numbersBetween } from "../../numbers-between.ts";

/** A list of rows of one height, one of them open perhaps. */
function listOf(count: number, openIndex: number, openHeight: number, scrollTop: number): RowList {
  const tops = [0];
  for (let index = 0; index < count; index++) {
    tops.push((tops.at(-1) ?? 0) + (index === openIndex ? openHeight : CUE_HEIGHTS.narrow));
  }
  return { tops, scrollTop: Math.min(scrollTop, count * CUE_HEIGHTS.narrow), viewHeight: 400 };
}

const list = fc
  .tuple(
    fc.integer({ min: 1, max: 3000 }),
    fc.integer({ min: -1, max: 2999 }),
    fc.integer({ min: 60, max: 300 }),
    fc.nat(200_000),
  )
  .map((given) => listOf(...given));

test("the rows drawn and the room left for the others are always as high as the whole list", () => {
  fc.assert(
    fc.property(list, (one) => {
      const { first, end, above, below } = rowWindow(one);
      const drawn = (one.tops[end] ?? 0) - (one.tops[first] ?? 0);
      expect(above + drawn + below).toBe(one.tops.at(-1));
      // What is seen is drawn.
      expect(above).toBeLessThanOrEqual(one.scrollTop);
      expect(end === one.tops.length - 1 || above + drawn >= one.scrollTop + one.viewHeight).toBe(true);
    }),
  );
});

test("of 2 000 cues a few rows are drawn", () => {
  const { first, end } = rowWindow(listOf(2000, 3, 150, 40_000));
  expect(end - first).toBeLessThan(40);
});

test("scrolling to a row shows it whole, and does not move when it is", () => {
  fc.assert(
    fc.property(list, fc.nat(2999), (one, wanted) => {
      const index = wanted % (one.tops.length - 1);
      const scrollTop = scrollToRow(one, index);
      expect(scrollToRow({ ...one, scrollTop }, index)).toBe(scrollTop);
      expect(one.tops[index]).toBeGreaterThanOrEqual(scrollTop);
      expect(one.tops[index + 1]).toBeLessThanOrEqual(scrollTop + one.viewHeight);
    }),
  );
});

test("a ruler has few times, evenly apart, all inside the programme", () => {
  fc.assert(
    fc.property(numbersBetween(0.1, 40_000), (seconds) => {
      const times = rulerTimes({ start: 0, end: seconds });
      expect(times.length).toBeGreaterThan(0);
      expect(times.length).toBeLessThanOrEqual(6);
      expect(times[0]).toBe(0);
      expect(times.at(-1)).toBeLessThan(seconds);
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

test("a list is laid out by its width: wide from 560 pixels on, slim below 280", () => {
  const layouts = [600, 560, 559, 280, 279, 100].map((viewWidth) => layoutOf({ viewWidth }));
  expect(layouts).toEqual(["wide", "wide", "narrow", "narrow", "slim", "slim"]);
});

test("rows are as high as the style sheet draws them, in every layout", () => {
  const css = readFileSync(new URL("../../../panel/views.css", import.meta.url), "utf8");
  const heightOf = (selector: string) =>
    Number(new RegExp(`\\n${selector.replaceAll(".", "\\.")} \\{[^}]*\\bheight: (\\d+)px`).exec(css)?.[1]);
  expect(heightOf(".said")).toBe(SAID_HEIGHT);
  expect({ wide: heightOf(".cues.wide .cue"), narrow: heightOf(".cue"), slim: heightOf(".cues.slim .cue") }).toEqual(
    CUE_HEIGHTS,
  );
});
