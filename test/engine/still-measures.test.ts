import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { isPlainStill, LetteringKeeper, looksLikeTitle, measureStill } from "../../src/engine/still-measures.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { painted, written } from "./drawn-letters.ts";

const SIZE = [300, 100] as const;
const BARS = { left: 30, top: 40, count: 6, height: 20 };

describe("what a still tells", () => {
  test("is nothing of a plain one", () => {
    const plain = measureStill(painted(...SIZE, () => 40));
    expect(plain).toEqual({ sharpness: 0, flat: 1, lettered: 0, letteredEdges: 0 });
    expect(isPlainStill(plain)).toBe(true);
    expect(measureStill(painted(3, 3, () => 40))).toEqual({ sharpness: 0, flat: 0, lettered: 0, letteredEdges: 0 });
  });

  test("is the share of rows with lettering: five strokes and more, near each other", () => {
    const lettered = (bars: Partial<typeof BARS> & { readonly gap?: number }) =>
      measureStill(written(SIZE, { ...BARS, ...bars })).lettered;
    // Every second row between two rows of the edge is looked at: 48.
    expect(lettered({})).toBeCloseTo(10 / 48, 5);
    expect(lettered({ height: 40 })).toBeCloseTo(20 / 48, 5);
    expect(lettered({ count: 4 })).toBe(0);
    expect(lettered({ count: 5 })).toBeCloseTo(10 / 48, 5);
    expect(lettered({ count: 5, gap: 40 })).toBeCloseTo(10 / 48, 5);
    expect(lettered({ count: 5, gap: 44 })).toBe(0);
    expect(measureStill(written(SIZE, BARS, 90, 40)).lettered).toBe(0);
    expect(measureStill(written(SIZE, BARS, 92, 40)).lettered).toBeGreaterThan(0);
  });

  test("is how many of the strong edges lie in lettering, how much has no detail, and how sharp it is", () => {
    const card = measureStill(written(SIZE, BARS));
    expect(card.letteredEdges).toBe(1);
    expect(card.flat).toBeGreaterThan(0.9);
    const half = measureStill(
      painted(...SIZE, (x, y) => ((y >= 40 && y < 60 ? x % 10 < 4 : x === 150 || x === 151) ? 200 : 40)),
    );
    expect(half.letteredEdges).toBeGreaterThan(0.8);
    expect(half.letteredEdges).toBeLessThan(1);
    const soft = (width: number) => measureStill(painted(...SIZE, (x) => Math.min(255, Math.abs(150 - x) * width)));
    expect(soft(40).sharpness).toBeGreaterThan(2 * soft(20).sharpness);
    // A slope is none the sharper for being steep.
    expect(measureStill(painted(100, 50, (x) => 2 * x)).sharpness).toBe(0);
    expect(measureStill(painted(100, 50, (_, y) => 4 * y)).flat).toBe(0);
    expect(measureStill(painted(100, 50, (_, y) => 3 * y)).flat).toBe(1);
  });

  test("is the same, whatever its rows hold behind the picture", () => {
    const bars = painted(300, 100, (x) => (x % 10 < 4 ? 200 : 40));
    expect(measureStill(painted(300, 100, (x) => (x % 10 < 4 ? 200 : 40), 333))).toEqual(measureStill(bars));
  });

  const TITLE = { sharpness: 5, flat: 0.72, lettered: 0.012, letteredEdges: 0.55 };
  test.each([
    ["too little of it is empty", { flat: 0.71 }],
    ["too few rows hold lettering", { lettered: 0.011 }],
    ["too many do", { lettered: 0.51 }],
    ["too many edges lie elsewhere", { letteredEdges: 0.54 }],
  ])("is no title card where %s", (_, one) => {
    expect(looksLikeTitle(TITLE)).toBe(true);
    expect(looksLikeTitle({ ...TITLE, lettered: 0.5 })).toBe(true);
    expect(looksLikeTitle({ ...TITLE, ...one })).toBe(false);
  });

  test("may be lettering wherever a ten thousandth has some detail", () => {
    expect(isPlainStill({ ...TITLE, flat: 0.9998 })).toBe(false);
    expect(isPlainStill({ ...TITLE, flat: 0.99995 })).toBe(true);
  });
});

describe("the stills with lettering that are kept", () => {
  let folder = "";
  beforeEach(async () => {
    folder = await temporaryFolder();
  });

  /** Looks at stills at some times, each with so many strokes of lettering, and ends the shot. */
  async function kept(
    stills: readonly (readonly [at: number, strokes: number])[],
    end: number,
    into: string | null = folder,
  ) {
    const keeper = new LetteringKeeper(into);
    for (const [at, count] of stills) {
      const luma = written(SIZE, { ...BARS, left: 10, count, height: 24 });
      await keeper.look({ at, luma, toJpeg: () => Buffer.from(`at ${at}`) });
    }
    return await keeper.endShot(0, end);
  }

  test("are those that show most of it, with when it came and went", async () => {
    expect(
      await kept(
        [
          [1, 0],
          [1.5, 10],
          [2, 20],
          [2.5, 10],
          [3, 0],
          [5, 8],
          [6, 8],
        ],
        7,
      ),
    ).toEqual([
      { at: 2, start: 1.5, end: 3, file: "lettering-000002000.jpg" },
      { at: 5, start: 5, end: 7, file: "lettering-000005000.jpg" },
    ]);
    expect(await readFile(join(folder, "lettering-000002000.jpg"), "utf8")).toBe("at 2");
  });

  test("are none of lettering that nobody can read in its time, or that is hardly any", async () => {
    expect(await kept([[1, 10], [1.7, 10]], 9)).toEqual([]); // biome-ignore format: one line
    expect(await kept([[1, 10], [1.75, 10]], 9)).toHaveLength(1); // biome-ignore format: one line
    expect(await kept([[1, 10], [1.5, 0], [2, 10], [2.5, 10]], 9)).toEqual([]); // biome-ignore format: one line
    // 24 of 100 rows with so many strokes.
    expect(await kept([[1, 4], [3, 4]], 9)).toHaveLength(1); // biome-ignore format: one line
    expect(await kept([[1, 3], [3, 3]], 9)).toEqual([]); // biome-ignore format: one line
  });

  test("are one for four seconds, and the first of several that hold about as much", async () => {
    const long = Array.from({ length: 11 }, (_, index) => [index, 10] as const);
    expect((await kept(long, 11)).map(({ at, start, end }) => [at, start, end])).toEqual([
      [0, 0, 4],
      [4, 4, 8],
      [8, 8, 11],
    ]);
    expect((await kept([[0, 10], [1, 11]], 3)).map(({ at }) => at)).toEqual([0]); // biome-ignore format: one line
    expect((await kept([[0, 10], [1, 12]], 3)).map(({ at }) => at)).toEqual([1]); // biome-ignore format: one line
  });

  test("are those of the shot that ended, and none where nothing is kept", async () => {
    const keeper = new LetteringKeeper(folder);
    const luma = written(SIZE, { ...BARS, height: 24 });
    const look = (at: number) => keeper.look({ at, luma, toJpeg: () => Buffer.from("") });
    for (const at of [0, 1]) await look(at);
    expect((await keeper.endShot(0, 2)).map(({ at }) => at)).toEqual([0]);
    for (const at of [2, 3]) await look(at);
    expect((await keeper.endShot(2, 4)).map(({ at }) => at)).toEqual([2]);
    expect(keeper.frames.map(({ at }) => at)).toEqual([0, 2]);
    expect(await kept([[1, 10], [3, 10]], 9, null)).toEqual([]); // biome-ignore format: one line
    expect(await readdir(folder)).toHaveLength(2);
  });
});
