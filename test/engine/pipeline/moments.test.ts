import fc from "fast-check";
import { expect, test } from "vitest";
import { frameOf } from "../../../src/engine/pipeline/moments.ts";

const frame = (at: number) => ({ at, file: `${at}.jpg`, novelty: 1 });
const shot = (start: number, end: number) => ({ start, end });
const pictureAt = (shots: ReturnType<typeof shot>[], frames: number[], time: number) =>
  // Of a shot its range alone counts here.
  frameOf({ shots: shots as never, keyFrames: frames.map(frame) }, time)?.at;

test("a moment is shown by the last key frame before it in its shot, else by that shot's first", () => {
  const shots = [shot(0, 4), shot(4, 10)];
  const frames = [0.2, 1, 3.9, 4.5, 6];
  const at = (time: number) => pictureAt(shots, frames, time);
  expect([0, 0.2, 2, 3.95].map(at)).toEqual([0.2, 0.2, 1, 3.9]);
  // A cut lies between: what was shown before it is another moment.
  expect([4, 4.4, 4.5, 7, 99].map(at)).toEqual([4.5, 4.5, 4.5, 6, 6]);
});

test("a shot without key frames is shown by its neighbours, and a film without any by nothing", () => {
  expect(pictureAt([shot(0, 4), shot(4, 6)], [1, 3], 5)).toBe(3);
  expect(pictureAt([shot(0, 4), shot(4, 6)], [5], 1)).toBe(5);
  expect(pictureAt([], [2], 1)).toBe(2);
  expect(pictureAt([shot(0, 4)], [], 1)).toBeUndefined();
});

test("a picture never comes from behind its moment where its shot has one before it", () => {
  const times = fc.uniqueArray(fc.integer({ min: 0, max: 100 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(times, times, fc.integer({ min: 0, max: 110 }), (cuts, keys, time) => {
      const starts = [...new Set([0, ...cuts])].sort((a, b) => a - b);
      const shots = starts.map((start, index) => shot(start, starts[index + 1] ?? 200));
      const frames = [...keys].sort((a, b) => a - b);
      const found = pictureAt(shots, frames, time) ?? Number.NaN;
      const start = starts.findLast((one) => one <= time) ?? 0;
      if (frames.some((at) => at >= start && at <= time)) {
        expect(found).toBeGreaterThanOrEqual(start);
        expect(found).toBeLessThanOrEqual(time);
        expect(frames.some((at) => at > found && at <= time)).toBe(false);
      }
    }),
  );
});
