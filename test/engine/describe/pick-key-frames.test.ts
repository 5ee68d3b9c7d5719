import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pickKeyFrames } from "../../../src/engine/describe/vision/look.ts";
import type { KeyFrame } from "../../../src/engine/programme-analysis.ts";
import { numbersBetween } from "../../numbers-between.ts";

const frame = (at: number, novelty: number): KeyFrame => ({ at, novelty, file: `${at}.jpg` });
const times = (frames: readonly KeyFrame[]) => frames.map(({ at }) => at);

/** Key frames of a programme: the first of a shot has a novelty of 1. */
const programme = fc
  .array(fc.oneof(fc.constant(1), numbersBetween(0, 0.99)), { minLength: 1, maxLength: 40 })
  .map((novelties) => novelties.map((novelty, index) => frame(index, index === 0 ? 1 : novelty)));

describe("the key frames of a stretch", () => {
  test("are all of it where they are few enough, and the last one before it where it has none", () => {
    const frames = [frame(1, 1), frame(4, 0.2), frame(9, 1)];
    expect(times(pickKeyFrames(frames, { start: 1, end: 9 }, 6))).toEqual([1, 4]);
    expect(times(pickKeyFrames(frames, { start: 5, end: 8 }, 6))).toEqual([4]);
    expect(times(pickKeyFrames(frames, { start: 0, end: 1 }, 6))).toEqual([]);
    expect(() => pickKeyFrames(frames, { start: 0, end: 9 }, 0)).toThrow(RangeError);
  });

  test("lose those in which least is new", () => {
    const frames = [frame(0, 1), frame(1, 0.1), frame(2, 0.8), frame(3, 0.05), frame(4, 0.3)];
    expect(times(pickKeyFrames(frames, { start: 0, end: 9 }, 4))).toEqual([0, 1, 2, 4]);
    expect(times(pickKeyFrames(frames, { start: 0, end: 9 }, 3))).toEqual([0, 2, 4]);
  });

  test("pass on what was new in one left out, so that slow change is seen too", () => {
    const frames = [frame(0, 1), ...Array.from({ length: 9 }, (_, i) => frame(i + 1, 0.1))];
    const kept = times(pickKeyFrames(frames, { start: 0, end: 99 }, 4));
    const distances = kept.slice(1).map((at, index) => at - (kept[index] ?? 0));
    expect(Math.max(...distances)).toBeLessThanOrEqual(4);
  });

  test("are in order, no more than asked for, with the first, the last and one of each shot where there is room", () => {
    fc.assert(
      fc.property(programme, fc.nat(40), fc.nat(40), fc.integer({ min: 1, max: 16 }), (frames, start, length, most) => {
        const range = { start, end: start + length };
        const picked = pickKeyFrames(frames, range, most);
        const inside = frames.filter(({ at }) => at >= range.start && at < range.end);
        expect(times(picked)).toEqual(times(picked).toSorted((a, b) => a - b));
        expect(picked.length).toBe(inside.length === 0 ? Math.min(1, range.end) : Math.min(most, inside.length));
        if (inside.length === 0) return;
        expect(picked[0]).toBe(inside[0]);
        if (most > 1) expect(picked.at(-1)).toBe(inside.at(-1));
        const begun = inside.filter(({ novelty }, index) => novelty === 1 && index > 0 && index < inside.length - 1);
        const kept = begun.filter((one) => picked.includes(one)).length;
        expect(kept).toBe(Math.min(begun.length, Math.max(0, most - 2)));
      }),
    );
  });
});
