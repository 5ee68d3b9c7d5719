import { describe, expect, test } from "vitest";
import { resample } from "../../../src/engine/mix/resample.ts";

function tone(rate: number, hertz: number, seconds = 0.5): Float32Array {
  return Float32Array.from(
    { length: Math.round(rate * seconds) },
    (_, i) => 0.5 * Math.sin((2 * Math.PI * hertz * i) / rate),
  );
}

/** Level of what is left beside the wanted tone, in dB below it, away from the ends. */
function errorDb(given: Float32Array, wanted: Float32Array): number {
  const edge = 2_000;
  let error = 0;
  let power = 0;
  for (let i = edge; i < Math.min(given.length, wanted.length) - edge; i++) {
    error += ((given[i] ?? 0) - (wanted[i] ?? 0)) ** 2;
    power += (wanted[i] ?? 0) ** 2;
  }
  return 10 * Math.log10(error / power);
}

describe("resample", () => {
  test.each([
    [22_050, 48_000],
    [24_000, 48_000],
    [16_000, 48_000],
    [44_100, 48_000],
    [96_000, 48_000],
    [47_999, 48_000],
  ])("carries tones from %i to %i with errors below -90 dB and in place to the sample", (from, to) => {
    for (const hertz of [100, 997, 0.4 * Math.min(from, to)]) {
      expect(errorDb(resample(tone(from, hertz), from, to), tone(to, hertz))).toBeLessThan(-90);
    }
  });

  test("lets nothing fold back or mirror", () => {
    expect(errorDb(resample(tone(96_000, 30_000), 96_000, 48_000), tone(48_000, 997))).toBeCloseTo(0, 2);
    const down = resample(tone(96_000, 30_000), 96_000, 48_000).subarray(2_000, -2_000);
    expect(down.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)).toBeLessThan(1e-4);
  });

  test("keeps the length in time, to the next sample", () => {
    expect(resample(new Float32Array(22_050), 22_050, 48_000).length).toBe(48_000);
    expect(resample(new Float32Array(1), 22_050, 48_000).length).toBe(3);
    expect(resample(new Float32Array(0), 22_050, 48_000).length).toBe(0);
    const same = new Float32Array(7);
    expect(resample(same, 48_000, 48_000)).toBe(same);
  });

  test("refuses rates that are none", () => {
    for (const rate of [0, -1, 1.5, Number.NaN])
      expect(() => resample(new Float32Array(1), rate, 48_000)).toThrow(RangeError);
  });
});
