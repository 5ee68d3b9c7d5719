import fc from "fast-check";
import { expect, test } from "vitest";
import { LEVEL_PARTS, levelColumns } from "../../../src/core/level.ts";
import { LevelCurve } from "../../../src/engine/analyse/sound/level-track.ts";

const RATE = 400;

/** A curve over a sound that comes in blocks of these lengths. */
function curveOf(sound: Float32Array, lengths: readonly number[], seconds: number, channels = 1): number[] {
  const curve = new LevelCurve(RATE);
  let at = 0;
  for (let index = 0; at < sound.length; index++) {
    const length = Math.max(1, lengths[index % lengths.length] ?? 1);
    const block = sound.subarray(at, at + length);
    curve.add(
      Array.from({ length: channels }, (_, channel) => (channel === channels - 1 ? block : block.map(() => 0))),
    );
    at += length;
  }
  return curve.finish(seconds);
}

test("says the same however the sound comes in blocks, and in whichever channel it is", () => {
  fc.assert(
    fc.property(
      fc.array(fc.float({ min: -1, max: 1, noNaN: true }), { minLength: 1, maxLength: 4_000 }),
      fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 1, max: 6 }),
      (samples, lengths, channels) => {
        const sound = Float32Array.from(samples);
        const seconds = sound.length / RATE;
        expect(curveOf(sound, lengths, seconds, channels)).toEqual(curveOf(sound, [sound.length], seconds));
      },
    ),
  );
});

test("shows a loud moment where it is, as loud as it is, and nothing after the sound has ended", () => {
  const seconds = 960;
  const sound = new Float32Array((seconds / 2) * RATE);
  sound[Math.round(120.5 * RATE)] = -0.5;
  const curve = curveOf(sound, [997], seconds);
  expect(curve).toHaveLength(LEVEL_PARTS);
  // Parts of two seconds: the one from 120 to 122. Half of full scale is 6 dB below it.
  expect(curve.flatMap((level, part) => (level > 0 ? [[part, level]] : []))).toEqual([[60, 54]]);
});

test("a programme without sound has no levels, and full scale is the highest", () => {
  expect(new LevelCurve(RATE).finish(10)).toEqual([]);
  expect(new Set(curveOf(new Float32Array(4_000).fill(1.5), [64], 10))).toEqual(new Set([60]));
  expect(new Set(curveOf(new Float32Array(4_000), [64], 10))).toEqual(new Set([0]));
});

test("columns lose no loud moment, however many there are", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: LEVEL_PARTS }),
      fc.integer({ min: 1, max: 600 }),
      (levels, columns) => {
        const drawn = levelColumns(levels, columns);
        expect(drawn).toHaveLength(columns);
        expect(Math.max(...drawn)).toBe(Math.max(...levels) / 60);
      },
    ),
  );
});
