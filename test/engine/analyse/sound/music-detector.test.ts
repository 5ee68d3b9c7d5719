import { describe, expect, test } from "vitest";
import { decideMusic, MusicDetector } from "../../../../src/engine/analyse/sound/music-detector.ts";
import { SeededRandom } from "../../../fakes/seeded-random.ts";

const RATE = 16_000;

/** Seconds from one score to the next. */
const STEP = 0.992;

function scoresOf(sound: Float32Array, block = sound.length): number[] {
  const detector = new MusicDetector();
  for (let at = 0; at < sound.length; at += block) detector.add(sound.slice(at, at + block));
  return [...detector.scores()];
}

/** So many seconds of tones side by side. */
function chord(seconds: number, hertz: readonly number[], gain = 0.1): Float32Array {
  return Float32Array.from({ length: seconds * RATE }, (_, at) =>
    hertz.reduce((sum, one) => sum + gain * Math.sin((2 * Math.PI * one * at) / RATE), 0),
  );
}

const CHORD = [200, 400, 700, 1100, 1600, 2300];

describe("the score of music", () => {
  test("counts the tones that are held, up to five", () => {
    for (const count of [1, 2, 4, 5, 6]) {
      const scores = scoresOf(chord(4, CHORD.slice(0, count)));
      expect(scores).toEqual(scores.map(() => Math.min(5, count)));
      expect(scores).toHaveLength(4);
    }
  });

  test("is low in noise, in silence, in tones that nobody hears and in those that glide", () => {
    const random = new SeededRandom(5);
    const noise = Float32Array.from({ length: 6 * RATE }, () => 0.2 * (random.next() - 0.5));
    expect(Math.max(...scoresOf(noise))).toBeLessThan(1.5);
    expect(Math.max(...scoresOf(new Float32Array(6 * RATE)))).toBe(0);
    expect(Math.max(...scoresOf(chord(6, CHORD, 1e-5)))).toBe(0);
    let phase = 0;
    const glide = Float32Array.from({ length: 6 * RATE }, (_, at) => {
      phase += (2 * Math.PI * (300 + 150 * (at / RATE))) / RATE;
      return [1, 2, 3, 4, 5, 6].reduce((sum, overtone) => sum + 0.05 * Math.sin(overtone * phase), 0);
    });
    expect(Math.max(...scoresOf(glide))).toBeLessThan(1.5);
  });

  test("falls within two seconds of the end of the music, and is one a second in whatever blocks", () => {
    const sound = new Float32Array(16 * RATE);
    sound.set(chord(8, CHORD));
    const scores = scoresOf(sound);
    expect(scores).toHaveLength(17);
    expect(scores.slice(0, 8)).toEqual([5, 5, 5, 5, 5, 5, 5, 5]);
    expect(scores.slice(10)).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect(scoresOf(sound, 1_234)).toEqual(scores);
    expect(scoresOf(new Float32Array(100))).toEqual([0]);
  });
});

describe("the decision about music", () => {
  /** What is decided of scores that come so often each: in steps of a score, from the middle of the first that counts on. */
  const steps = (...runs: readonly (readonly [count: number, score: number])[]) =>
    decided(...runs).map(({ start, end }) => [start, end].map((at) => at && Math.round(at / STEP + 0.5)));
  const decided = (...runs: readonly (readonly [count: number, score: number])[]) => {
    const scores = runs.flatMap(([count, score]) => Array.from({ length: count }, () => score));
    return decideMusic(Float32Array.from(scores), scores.length * STEP);
  };

  test("finds every stretch whose mean of five scores reaches 1.9, from where it is 1.5 on", () => {
    expect(
      steps([20, 0], [20, 3], [20, 0], [20, 3], [20, 0]), // biome-ignore format: one line
    ).toEqual([
      [20, 40],
      [60, 80],
    ]);
    expect(steps([20, 0], [20, 1.89], [20, 0])).toEqual([]);
    expect(steps([20, 0], [20, 1.91], [20, 0])).toEqual([[21, 39]]);
    expect(steps([20, 0], [20, 1.6], [3, 2], [20, 1.6], [20, 0])).toEqual([]);
    expect(steps([20, 0], [20, 1.6], [4, 2], [20, 1.6], [20, 0])).toEqual([[22, 62]]);
    expect(steps([20, 1.49], [20, 3], [20, 1.49])).toEqual([[18, 42]]);
  });

  test("holds a pause of four seconds to be part of it, and none of five", () => {
    expect(steps([20, 3.1], [4, 0], [20, 3.1])).toEqual([[0, 44]]);
    expect(
      steps([20, 3.1], [5, 0], [20, 3.1]), // biome-ignore format: one line
    ).toEqual([
      [0, 20],
      [25, 45],
    ]);
    // What reaches nothing in between parts it no less.
    expect(steps([20, 3.1], [3, 0], [1, 2], [3, 0], [20, 3.1])).toHaveLength(2);
  });

  test("finds none that lasts less than three seconds, unless the programme is no longer", () => {
    expect(steps([10, 0], [1, 6], [10, 0])).toEqual([]);
    expect(steps([10, 0], [3, 3], [10, 0])).toEqual([]);
    expect(steps([10, 0], [4, 3], [10, 0])).toEqual([[10, 14]]);
    expect(decideMusic(Float32Array.of(3, 3, 3), 2.2)).toMatchObject([{ start: 0, end: 2.2 }]);
    expect(decideMusic(Float32Array.of(3, 3, 3), 3.2)).toEqual([]);
  });

  test("ends with the programme, and is the surer the higher the score", () => {
    expect(decideMusic(new Float32Array(30).fill(2), 20)).toMatchObject([{ start: 0, end: 20 }]);
    const confidence = (score: number) => decided([30, score])[0]?.confidence ?? 0;
    expect(confidence(1.901)).toBeCloseTo(0.5, 2);
    expect(confidence(1.9 + 0.35)).toBeCloseTo(0.731, 2);
    expect(confidence(4)).toBeGreaterThan(0.99);
  });
});
