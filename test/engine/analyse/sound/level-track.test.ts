import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decideSilence, LevelTrack } from "../../../../src/engine/analyse/sound/level-track.ts";

/** Levels of a sound, to a tenth. */
function levelsOf(sampleRate: number, ...blocks: readonly (readonly Float32Array[])[]): number[] {
  const track = new LevelTrack(sampleRate);
  for (const planes of blocks) track.add(planes);
  return Array.from(track.levels(), (level) => Number(level.toFixed(1)));
}
const constant = (length: number, value: number) => new Float32Array(length).fill(value);

describe("levels", () => {
  test("are a hundred a second, at whatever rate, and the last may be shorter", () => {
    expect(levelsOf(8_000, [constant(8_000, 0.1)])).toEqual(Array.from({ length: 100 }, () => -20));
    expect(levelsOf(22_050, [constant(22_050, 0.1)])).toHaveLength(100);
    expect(levelsOf(8_000, [constant(81, 0.1)])).toEqual([-20, -20]);
    expect(levelsOf(8_000)).toEqual([]);
  });

  test("are the mean of the energy, and not below -100 dBFS", () => {
    const half = constant(80, 0.1).fill(0, 40);
    expect(levelsOf(8_000, [half], [constant(80, 1e-7)], [constant(80, 0)])).toEqual([-23, -100, -100]);
  });

  test("of several signals are those of the loudest, wherever it is", () => {
    const [quiet, loud] = [constant(80, 0.01), constant(80, -0.1)];
    expect(levelsOf(8_000, [quiet, loud, quiet])).toEqual([-20]);
    expect(levelsOf(8_000, [quiet, quiet, loud])).toEqual([-20]);
    expect(levelsOf(8_000, [loud, quiet])).toEqual([-20]);
  });

  test("are the same however the sound comes in blocks", () => {
    const sound = Float32Array.from({ length: 1_000 }, (_, at) => Math.sin(at) / (1 + (at % 300)));
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 999 }), { maxLength: 5 }), (cuts) => {
        const places = [0, ...cuts.sort((a, b) => a - b), sound.length];
        const blocks = places.slice(1).map((end, index) => [sound.subarray(places[index], end)]);
        expect(levelsOf(8_000, ...blocks)).toEqual(levelsOf(8_000, [sound]));
      }),
    );
  });
});

describe("silence", () => {
  /** Steps of sound and silence in turn, sound first. */
  const silences = (...steps: readonly number[]) => {
    const levels = steps.flatMap((count, index) => Array.from({ length: count }, () => (index % 2 === 0 ? -40 : -60)));
    return decideSilence(Float32Array.from(levels), levels.length / 100).map(({ start, end }) => [start, end]);
  };

  test("lies below -50 dBFS", () => {
    const of = (level: number) => decideSilence(new Float32Array(100).fill(level), 1);
    expect([of(-50), of(-50.01)]).toEqual([[], [{ start: 0, end: 1 }]]);
  });

  test("lasts a fifth of a second at the least", () => {
    expect(silences(10, 19, 10)).toEqual([]);
    expect(silences(10, 20, 10)).toEqual([[0.1, 0.3]]);
    expect(silences(10, 20)).toEqual([[0.1, 0.3]]);
  });

  test("is not ended by a click of two hundredths, and is by a sound of three", () => {
    expect(silences(10, 30, 2, 30, 10)).toEqual([[0.1, 0.72]]);
    expect(silences(10, 30, 3, 30, 10)).toEqual([
      [0.1, 0.4],
      [0.43, 0.73],
    ]);
  });

  test("ends with the programme", () => {
    expect(decideSilence(new Float32Array(100).fill(-90), 0.995)).toEqual([{ start: 0, end: 0.995 }]);
    expect(decideSilence(new Float32Array(100).fill(-90), 0)).toEqual([]);
  });
});
