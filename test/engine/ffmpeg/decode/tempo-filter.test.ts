import { AV_CHANNEL_LAYOUT_STEREO } from "node-av/constants";
import { describe, expect, test } from "vitest";
import { changeTempo, TempoFilter } from "../../../../src/engine/ffmpeg/decode/tempo-filter.ts";
import { joined, noise, RATE, rmsDbfs, sine } from "../../mix/tones.ts";

/** How often a second a sound goes from below to above. */
function hertzOf(samples: Float32Array, sampleRate: number): number {
  const rises = samples.filter((sample, at) => at > 0 && sample >= 0 && (samples[at - 1] ?? 0) < 0).length;
  return (rises * sampleRate) / samples.length;
}

/** A sound in stereo at a tempo, given in blocks. */
function played(planes: readonly Float32Array[], tempo: number, block: number): Float32Array[] {
  using filter = new TempoFilter(RATE, AV_CHANNEL_LAYOUT_STEREO, tempo);
  const made: Float32Array[][] = [];
  for (let at = 0; at < (planes[0]?.length ?? 0); at += block) {
    made.push(...filter.convert(planes.map((plane) => plane.subarray(at, at + block))));
  }
  made.push(...filter.flush());
  return [0, 1].map((side) => joined(...made.map((one) => one[side] ?? new Float32Array())));
}

describe("a sound at another tempo", () => {
  test.each([0.5, 0.8, 1, 1.25, 2])("is as long as that makes it at %s, and as high as before", (tempo) => {
    for (const sampleRate of [16_000, RATE]) {
      const samples = Float32Array.from(
        { length: 2 * sampleRate },
        (_, at) => Math.sin((2 * Math.PI * 200 * at) / sampleRate) / 4,
      );
      const changed = changeTempo({ samples, sampleRate }, tempo);
      expect(changed.sampleRate).toBe(sampleRate);
      expect(changed.samples.length / sampleRate).toBeCloseTo(2 / tempo, 1);
      expect(hertzOf(changed.samples, sampleRate) / 200).toBeCloseTo(1, 1);
    }
  });

  test("is refused beyond half and twice the tempo", () => {
    const sound = { samples: sine(0.1, -20), sampleRate: RATE };
    for (const tempo of [0.49, 2.01, Number.NaN]) expect(() => changeTempo(sound, tempo)).toThrow(RangeError);
    expect(changeTempo({ samples: new Float32Array(), sampleRate: RATE }, 1.5).samples).toHaveLength(0);
  });

  test.each([0.2, 0.5, 3, 5])(
    "may be %s times as fast in a cut, in whatever blocks, and each side stays itself",
    (tempo) => {
      const planes = [sine(2, -20, 300), noise(2, -40)];
      for (const block of [7_000, 96_000]) {
        const [left = new Float32Array(), right = new Float32Array()] = played(planes, tempo, block);
        expect(left.length / RATE).toBeCloseTo(2 / tempo, 0);
        expect(right).toHaveLength(left.length);
        expect(hertzOf(left, RATE) / 300).toBeCloseTo(1, 1);
        expect(rmsDbfs(right)).toBeLessThan(-35);
      }
    },
  );
});
