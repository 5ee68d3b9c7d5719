import { describe, expect, test } from "vitest";
import { findLettering, type GreyPicture, inverted, letteringAlone, shrunk } from "../../src/engine/letter-strokes.ts";
import { barAt, painted, written } from "./drawn-letters.ts";

const SIZE = [300, 100] as const;
const BARS = { left: 30, top: 40, count: 6, height: 20 };

const amountOf = (picture: GreyPicture, rowStep = 1) => findLettering(picture, rowStep).amount;

describe("lettering in a picture", () => {
  test("is as much as there are strokes in rows of it, as if the picture had one row", () => {
    expect(findLettering(written(SIZE, BARS), 1)).toMatchObject({ ink: "light", amount: (6 * 20) / 100 });
    expect(amountOf(written(SIZE, BARS), 4)).toBeCloseTo((6 * 20) / 100, 5);
    const two = painted(...SIZE, (x, y) =>
      [BARS, { ...BARS, top: 70, count: 5, height: 10 }].some((bars) => barAt(bars, x, y) >= 0) ? 200 : 40,
    );
    expect(amountOf(two)).toBeCloseTo((6 * 20 + 5 * 10) / 100, 5);
    expect(amountOf(painted(...SIZE, () => 40))).toBe(0);
  });

  test("may be light or dark, whichever there is more of", () => {
    const dark = findLettering(written(SIZE, BARS, 30, 220), 1);
    expect(dark).toMatchObject({ ink: "dark", amount: 1.2 });
    expect(Math.abs(dark.level - (255 - 30))).toBeLessThanOrEqual(15);
    const both = (light: number, other: number) =>
      painted(...SIZE, (x, y) => {
        if (barAt({ ...BARS, top: 10, count: light }, x, y) >= 0) return 230;
        return barAt({ ...BARS, top: 60, count: other }, x, y) >= 0 ? 20 : 120;
      });
    expect(findLettering(both(9, 6), 1).ink).toBe("light");
    expect(findLettering(both(6, 9), 1).ink).toBe("dark");
  });

  test("has four strokes in a row at least, of one colour, and stands out from what is behind it", () => {
    expect(amountOf(written(SIZE, { ...BARS, count: 3 }))).toBe(0);
    expect(amountOf(written(SIZE, { ...BARS, count: 4 }))).toBeGreaterThan(0);
    expect(amountOf(written(SIZE, BARS, 79, 40))).toBe(0);
    expect(amountOf(written(SIZE, BARS, 80, 40))).toBeGreaterThan(0);
    const motley = (other: number) =>
      painted(...SIZE, (x, y) => {
        // Of five and more the spaces between would be strokes of the other ink.
        const bar = barAt({ ...BARS, count: 4 }, x, y);
        return bar < 0 ? 40 : bar % 2 === 0 ? 200 : other;
      });
    expect(amountOf(motley(170))).toBeGreaterThan(0);
    expect(amountOf(motley(169))).toBe(0);
  });

  test("is of strokes no wider than a seventh of the picture, that stand no farther apart than twice that", () => {
    const wide = (width: number) => {
      const bars = { ...BARS, left: 10, count: 4, width, gap: 20 };
      return amountOf(painted(300, 100, (x, y) => (barAt(bars, x, y) >= 0 ? 200 : 40)));
    };
    expect(wide(38)).toBeGreaterThan(0);
    expect(wide(46)).toBe(0);
    const spread = (gap: number) => {
      const bars = { ...BARS, left: 10, count: 4, gap };
      return amountOf(painted(300, 100, (x, y) => (barAt(bars, x, y) >= 0 ? 200 : 40)));
    };
    expect(spread(80)).toBeGreaterThan(0);
    expect(spread(90)).toBe(0);
  });

  test("is as high as a subtitle on a phone at least", () => {
    const high = (height: number, rowStep = 1) => amountOf(written([300, 400], { ...BARS, height }), rowStep);
    // 0.022 of 400 rows are nine.
    expect(high(8)).toBe(0);
    expect(high(9)).toBeGreaterThan(0);
    // Where every sixth row is looked at, two of them.
    expect(high(6, 6)).toBe(0);
    expect(high(12, 6)).toBeGreaterThan(0);
  });

  test("is looked for inside the picture, not in what stands behind its rows", () => {
    const wide = painted(300, 100, (x, y) => (barAt(BARS, x, y) >= 0 ? 200 : 40), 352);
    expect(findLettering(wide, 1)).toEqual(findLettering(written(SIZE, BARS), 1));
  });
});

describe("lettering alone", () => {
  /** What is left of a picture, as its black pixels. */
  function alone(picture: GreyPicture, tolerance = 40): ReadonlySet<number> {
    const paper = letteringAlone(picture, findLettering(picture, 1), tolerance);
    expect(paper.stride).toBe(picture.width);
    expect(new Set(paper.rows)).toEqual(new Set([0, 255]));
    return new Set([...paper.rows.keys()].filter((at) => paper.rows[at] === 0));
  }
  /** Pixels for which something holds. */
  const where = (is: (x: number, y: number) => boolean) =>
    new Set(Array.from({ length: 300 * 100 }, (_, at) => at).filter((at) => is(at % 300, Math.floor(at / 300))));

  test("is its strokes, light or dark, whatever the rows hold behind the picture", () => {
    const bars = where((x, y) => barAt(BARS, x, y) >= 0);
    expect(alone(written(SIZE, BARS))).toEqual(bars);
    expect(alone(written(SIZE, BARS, 30, 220))).toEqual(bars);
    expect(alone(painted(300, 100, (x, y) => (barAt(BARS, x, y) >= 0 ? 200 : 40), 320))).toEqual(bars);
  });

  test("has all of a letter: what is too wide for a stroke too, where it hangs together with one", () => {
    const isBeam = (x: number, y: number) => y >= 57 && y < 60 && x >= 30 && x < 84;
    const isInk = (x: number, y: number) => barAt(BARS, x, y) >= 0 || isBeam(x, y);
    expect(alone(painted(300, 100, (x, y) => (isInk(x, y) ? 200 : 40)))).toEqual(where(isInk));
  });

  test("is only the strokes of what runs on into the picture", () => {
    // A white floor below, on which the last stroke stands.
    const isFloor = (x: number, y: number) => y >= 60 && x >= 80;
    const seen = alone(painted(300, 100, (x, y) => (barAt(BARS, x, y) >= 0 || isFloor(x, y) ? 200 : 40)));
    expect(seen).toEqual(where((x, y) => barAt(BARS, x, y) >= 0));
  });

  test("takes soft edges as far as they are asked for", () => {
    const soft = painted(...SIZE, (x, y) => {
      if (barAt(BARS, x, y) >= 0) return 200;
      return barAt({ ...BARS, top: 60, height: 2 }, x, y) >= 0 ? 165 : 40;
    });
    const below = (tolerance: number) => [...alone(soft, tolerance)].filter((at) => at >= 60 * 300).length;
    expect(below(60)).toBe(6 * 4 * 2);
    expect(below(10)).toBe(0);
  });
});

describe("a grey picture", () => {
  test("is inverted pixel by pixel", () => {
    const picture = painted(2, 1, (x) => (x === 0 ? 0 : 200));
    expect([...inverted(picture).rows]).toEqual([255, 55]);
    expect([...picture.rows]).toEqual([0, 200]);
  });

  test("is shrunk to the means of its pixels, without what is over at the edges", () => {
    const picture = painted(5, 5, (x, y) => 10 * y + x, 9);
    expect(shrunk(picture, 2)).toEqual({ width: 2, height: 2, stride: 2, rows: Uint8Array.of(6, 8, 26, 28) });
    expect(shrunk(picture, 5)).toMatchObject({ width: 1, height: 1, rows: Uint8Array.of(22) });
  });
});
