import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { editPoints, type PlacedClip } from "../../src/core/layout.ts";
import { type Shot, shotsByCut } from "../../src/core/shot.ts";
import { numbersBetween } from "../numbers-between.ts";

const clip = (start: number, end: number, more: Partial<PlacedClip> = {}): PlacedClip => ({
  kind: "video",
  track: 0,
  name: "a",
  media: "a",
  file: "a.mp4",
  start,
  end,
  sourceStart: start,
  speed: 1,
  ...more,
});
const ALL = { start: 0, end: 100 };

describe("the edit points of a cut", () => {
  test("are where another picture begins, on the clock of the window", () => {
    const layout = [clip(0, 4), clip(4, 6, { media: "b" }), clip(8, 10)];
    expect(editPoints(layout, ALL)).toEqual([4, 6, 8]);
    expect(editPoints(layout, { start: 4, end: 8 })).toEqual([2]);
  });

  test("are none where a razor left the picture as it was, where a title lies over it, and in the sound", () => {
    const razor = [clip(0, 4), clip(4, 6), clip(6, 9)];
    expect(editPoints(razor, ALL)).toEqual([]);
    expect(editPoints([...razor, clip(2, 3, { media: null, track: 1 })], ALL)).toEqual([]);
    expect(editPoints([...razor, clip(2, 3, { kind: "audio", media: "c" })], ALL)).toEqual([]);
    // A jump inside one source is one, and so is another speed.
    expect(editPoints([clip(0, 4), clip(4, 6, { sourceStart: 9 })], ALL)).toEqual([4]);
    expect(editPoints([clip(0, 4), clip(4, 6, { speed: 0.5 })], ALL)).toEqual([4]);
  });
});

describe("shots by the cut", () => {
  const shot = (start: number, end: number, opening: Shot["opening"] = "cut"): Shot => ({
    start,
    end,
    opening,
    brightness: 0.5,
    contrast: 0.1,
    saturation: 0.2,
    motion: "slow",
    colours: [],
    frozenSeconds: end - start,
    titleCard: false,
    keyFrameAt: (start + end) / 2,
  });
  const lengths = fc.array(numbersBetween(0.5, 20), { minLength: 1, maxLength: 6 });
  const film = lengths.map((all) => {
    let end = 0;
    const shots = all.map((length) => {
      const start = end;
      end += length;
      return shot(start, end, start === 0 ? "start" : "cut");
    });
    // One in each half second, the first of each shot as it begins.
    const keyFrames = shots.flatMap(({ start, end }) =>
      Array.from({ length: Math.ceil((end - start) / 0.5) }, (_, index) => ({
        at: start + index * 0.5,
        novelty: index === 0 ? 1 : 0.2,
      })).filter(({ at }) => at < end),
    );
    return { shots, keyFrames };
  });
  const cuts = fc.array(numbersBetween(-5, 130), { maxLength: 8 });

  test("cover the same film, keep every edge of the picture, and each has a key frame that begins it", () => {
    fc.assert(
      fc.property(film, cuts, ({ shots, keyFrames }, at) => {
        const by = shotsByCut({ shots, keyFrames }, at);
        expect(by.shots[0]?.start).toBe(0);
        expect(by.shots.at(-1)?.end).toBe(shots.at(-1)?.end);
        for (const [index, one] of by.shots.entries()) {
          if (index > 0) expect(one.start).toBe(by.shots[index - 1]?.end);
          const [first, ...others] = by.keyFrames.filter((frame) => frame.at >= one.start && frame.at < one.end);
          expect(first?.novelty).toBe(1);
          expect(others.every(({ novelty }) => novelty < 1)).toBe(true);
          expect(one.keyFrameAt >= one.start && one.keyFrameAt < one.end).toBe(true);
        }
        const starts = by.shots.map(({ start }) => start);
        for (const { start } of shots) expect(starts).toContain(start);
        const frozen = by.shots.reduce((sum, one) => sum + one.frozenSeconds, 0);
        expect(frozen).toBeCloseTo(shots.at(-1)?.end ?? 0, 6);
      }),
    );
  });

  test("are parted where pictures look alike, and nowhere else", () => {
    const shots = [shot(0, 10, "start"), shot(10, 20)];
    const keyFrames = [0, 4, 6, 10, 15].map((at) => ({ at, novelty: at % 10 === 0 ? 1 : 0.1 }));
    const starts = (at: readonly number[]) => shotsByCut({ shots, keyFrames }, at).shots.map(({ start }) => start);
    expect(starts([])).toEqual([0, 10]);
    expect(starts([12, 5])).toEqual([0, 5, 10, 12]);
    // As often as there are cuts in one shot.
    expect(starts([3, 5, 12])).toEqual([0, 3, 5, 10, 12]);
    // The edge that the picture showed, and one behind the last key frame.
    expect(starts([9.9, 10.1, 18])).toEqual([0, 10]);
  });

  test("are not parted under a gradual change, whose edge is there", () => {
    const shots = [shot(0, 10, "start"), shot(10, 20, "dissolve")];
    const keyFrames = [0, 4, 9.5, 10, 15].map((at) => ({ at, novelty: 1 }));
    const starts = (at: readonly number[]) => shotsByCut({ shots, keyFrames }, at).shots.map(({ start }) => start);
    expect(starts([9])).toEqual([0, 10]);
    expect(starts([5])).toEqual([0, 5, 10]);
  });

  test("are parted from three seconds before a gradual change, and again behind it", () => {
    const keyFrames = [0, 4, 9.5, 10, 15, 19.5, 20].map((at) => ({ at, novelty: 1 }));
    for (const opening of ["fade", "dissolve"] as const) {
      const shots = [shot(0, 10, "start"), shot(10, 20), shot(20, 30, opening)];
      const before = [shot(0, 10, "start"), shot(10, 20, opening), shot(20, 30)];
      const starts = (of: Shot[], at: readonly number[]) =>
        shotsByCut({ shots: of, keyFrames }, at).shots.map(({ start }) => start);
      expect(starts(before, [7])).toEqual([0, 7, 10, 20]);
      expect(starts(before, [7.001])).toEqual([0, 10, 20]);
      expect(starts(before, [10.2])).toEqual([0, 10, 10.2, 20]);
      const both = [shot(0, 10, "start"), shot(10, 20, opening), shot(20, 30, opening)];
      expect(starts(both, [9, 19])).toEqual([0, 10, 20]);
      // A hard cut has no such stretch before it, wherever the gradual change is.
      expect(starts(shots, [9])).toEqual([0, 9, 10, 20]);
    }
  });

  test("are not parted nearer to an edge than 0.15 seconds", () => {
    const keyFrames = [0, 0.2, 9.9].map((at) => ({ at, novelty: 1 }));
    const starts = (cut: number) =>
      shotsByCut({ shots: [shot(0, 10, "start")], keyFrames }, [cut]).shots.map(({ start }) => start);
    expect([0.14, 0.15, 9.85, 9.86].map(starts)).toEqual([[0], [0, 0.15], [0, 9.85], [0]]);
  });
});
