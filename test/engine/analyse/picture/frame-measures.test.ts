import { describe, expect, test } from "vitest";
import {
  barShare,
  evenBars,
  evenedDistance,
  lumaDistance,
  measureFrame,
} from "../../../../src/engine/analyse/picture/frame-measures.ts";
import { isBlack, isBlank } from "../../../../src/engine/analyse/picture/shot-finder.ts";
import { frame, HEIGHT, WIDTH } from "./drawn-frames.ts";

/** A frame of one luma and one chroma throughout, but for as many pixels of another chroma at its beginning. */
function coloured(
  blue: number,
  red: number,
  { luma = 120, isFullRange = true, only = 1_000 }: { luma?: number; isFullRange?: boolean; only?: number } = {},
) {
  const pixels = 1_000;
  const plane = (value: number) => new Uint8Array(pixels).fill(128).fill(value, 0, only);
  const picture = {
    width: pixels,
    height: 1,
    luma: new Uint8Array(pixels).fill(luma),
    blue: plane(blue),
    red: plane(red),
  };
  return measureFrame(0, { ...picture, isFullRange });
}

describe("a frame", () => {
  test("is dark where its luma is at most 18 of 255, and black where 98 of a hundred pixels are", () => {
    expect([frame(0, () => 18).dark, frame(0, () => 19).dark]).toEqual([1, 0]);
    const lit = (share: number) => frame(0, (x, y) => (y * WIDTH + x < share * WIDTH * HEIGHT ? 200 : 0));
    expect([isBlack(lit(0.019)), isBlack(lit(0.021))]).toEqual([true, false]);
    expect([isBlank(frame(0, () => 90)), isBlank(lit(0.2))]).toEqual([true, false]);
  });

  test("is read in the range that its file has", () => {
    const levels = (isFullRange: boolean) =>
      [16, 235].map((luma) => coloured(128, 128, { luma, isFullRange }).brightness);
    expect(levels(false)).toEqual([0, 1]);
    expect(levels(true)).toEqual([16 / 255, 235 / 255]);
  });

  test("is as saturated as three of a thousand of its pixels are", () => {
    expect(coloured(128, 188).saturation).toBe(0.5);
    expect(coloured(8, 128).saturation).toBe(1);
    expect(coloured(128, 255).saturation).toBe(1);
    expect([2, 3].map((only) => coloured(128, 188, { only }).saturation)).toEqual([0, 0.5]);
    expect(coloured(128, 128).saturation).toBe(0);
  });

  test("is made up of 32 steps of luma and eight by eight of chroma, the finest near grey", () => {
    const { histogram } = coloured(128, 128);
    expect([histogram.length, histogram.reduce((sum, share) => sum + share, 0)]).toEqual([96, 2]);
    const binsOf = (...given: Parameters<typeof coloured>) =>
      [...coloured(...given).histogram].flatMap((share, bin) => (share === 1 ? [bin] : []));
    for (const [luma, bin] of [
      [0, 0],
      [7, 0],
      [8, 1],
      [255, 31],
    ] as const)
      expect(binsOf(128, 128, { luma })[0]).toBe(bin);
    const borders = [88, 89, 108, 109, 120, 121, 127, 128, 135, 136, 147, 148, 167, 168];
    const steps = [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7];
    expect(borders.map((blue) => binsOf(blue, 128)[1])).toEqual(steps.map((step) => 32 + 8 * step + 4));
    expect(borders.map((red) => binsOf(128, red)[1])).toEqual(steps.map((step) => 32 + 8 * 4 + step));
  });

  test("has black edges where a row or column is black throughout and of no colour", () => {
    const edges = (luma: number) =>
      frame(0, (x, y) => (y < 4 || y >= HEIGHT - 3 || x < 2 || x >= WIDTH - 5 ? luma : 120)).edges;
    expect(edges(20)).toEqual({ top: 4, bottom: 3, left: 2, right: 5 });
    expect(edges(21)).toEqual({ top: 0, bottom: 0, left: 0, right: 0 });
    expect([134, 135].map((red) => coloured(128, red, { luma: 0 }).edges.top)).toEqual([1, 0]);
    expect([122, 121].map((blue) => coloured(blue, 128, { luma: 0 }).edges.top)).toEqual([1, 0]);
    expect(frame(0, () => 0).edges).toEqual({ top: HEIGHT, bottom: HEIGHT, left: WIDTH, right: WIDTH });
  });
});

describe("bars", () => {
  const edges = { top: 9, bottom: 9, left: 0, right: 0 };

  test("are black edges that lie evenly, but for a pixel, and leave three tenths of a side", () => {
    const share = (top: number, bottom: number) => barShare({ ...edges, top, bottom }, 64, 100);
    expect(share(10, 10)).toBeCloseTo(0.2, 9);
    expect(share(10, 11)).toBeCloseTo(0.21, 9);
    expect(share(10, 12)).toBe(0);
    expect(share(35, 35)).toBeCloseTo(0.7, 9);
    expect(share(35, 36)).toBe(0);
    expect(barShare({ top: 10, bottom: 10, left: 8, right: 8 }, 64, 100)).toBeCloseTo(1 - 0.8 * 0.75, 9);
  });

  test("of one direction are told without the other's", () => {
    const uneven = { top: 9, bottom: 9, left: 1, right: 7 };
    expect(evenBars(uneven, { width: 64, height: 36 })).toEqual(edges);
    const beside = { top: 0, bottom: 4, left: 8, right: 8 };
    expect(evenBars(beside, { width: 64, height: 36 })).toEqual({ top: 0, bottom: 0, left: 8, right: 8 });
  });
});

test("two frames differ by their luma, and evened by what is left of it where one is only brighter", () => {
  const [dark, bright] = [frame(0, (x) => 2 * x), frame(1, (x) => 2 * x + 51)];
  expect(lumaDistance(dark, bright)).toBeCloseTo(0.2, 9);
  expect(evenedDistance(dark, bright)).toBeCloseTo(0, 9);
  expect([lumaDistance, evenedDistance].map((distance) => distance(dark, coloured(128, 128)))).toEqual([1, 1]);
});
