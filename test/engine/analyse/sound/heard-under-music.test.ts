import fc from "fast-check";
import { expect, test } from "vitest";
import { FRAME_SECONDS, heardUnderMusic } from "../../../../src/engine/analyse/sound/speech-decision.ts";
import { numbersBetween } from "../../../numbers-between.ts";

const FRAMES = 50;
const probabilities = fc.array(numbersBetween(0, 1), { minLength: FRAMES, maxLength: FRAMES });

test("where there is no music the newer network alone is heard; where there is, what both hear counts too, never less", () => {
  const times = numbersBetween(0, FRAMES * FRAME_SECONDS);
  fc.assert(
    fc.property(probabilities, probabilities, times, times, (newer, older, one, other) => {
      const music = { start: Math.min(one, other), end: Math.max(one, other) };
      const [a, b] = [Float32Array.from(newer), Float32Array.from(older)];
      const heard = heardUnderMusic(a, b, [music]);
      expect([...a]).toEqual([...Float32Array.from(newer)]);
      for (const [frame, value] of heard.entries()) {
        const middle = (frame + 0.5) * FRAME_SECONDS;
        if (middle < music.start - 1e-6 || middle > music.end + 1e-6) expect(value).toBe(a[frame]);
        else if (middle > music.start + 1e-6 && middle < music.end - 1e-6) {
          // A probability is never nearer to 0 or 1 than one frame may count.
          const [low, high] = [Math.min(a[frame] ?? 0, b[frame] ?? 0), Math.max(a[frame] ?? 0, b[frame] ?? 0)];
          expect(value).toBeGreaterThanOrEqual(Math.max(Math.min(low, 0.999) - 1e-6, a[frame] ?? 0));
          if (value > (a[frame] ?? 0))
            expect(value).toBeLessThanOrEqual(
              1 / (1 + (1 / Math.min(0.999, Math.max(0.001, high)) - 1) * Math.exp(-0.36)),
            );
        }
      }
    }),
  );
});

test("music from end to end, none at all, and music behind the sound are taken as they are", () => {
  const [newer, older] = [Float32Array.of(0.2, 0.2, 0.2), Float32Array.of(0.9, 0.9, 0.9)];
  expect([...heardUnderMusic(newer, older, [])]).toEqual([...newer]);
  expect([...heardUnderMusic(newer, older, [{ start: 5, end: 9 }])]).toEqual([...newer]);
  const all = [...heardUnderMusic(newer, older, [{ start: 0, end: 9 }])];
  expect(all.every((value) => value > 0.5 && value < 0.9)).toBe(true);
});

test("every stretch of music is listened to by both, and what lies between by the newer alone", () => {
  const [newer, older] = [new Float32Array(10).fill(0.2), new Float32Array(10).fill(0.9)];
  const at = (frame: number) => frame * FRAME_SECONDS;
  const music = [
    { start: at(1), end: at(3) },
    { start: at(5), end: at(8) },
  ];
  const both = [...heardUnderMusic(newer, older, music).entries()].filter(([, value]) => value > 0.5);
  expect(both.map(([frame]) => frame)).toEqual([1, 2, 5, 6, 7]);
});
