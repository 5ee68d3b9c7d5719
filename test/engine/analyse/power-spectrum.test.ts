import fc from "fast-check";
import { expect, test } from "vitest";
import { PowerSpectrum } from "../../../src/engine/analyse/power-spectrum.ts";

/** The power of one frequency by the definition of the discrete Fourier transform. */
function powerOf(bin: number, samples: readonly number[]): number {
  const turn = (2 * Math.PI * bin) / samples.length;
  const real = samples.reduce((sum, sample, i) => sum + sample * Math.cos(turn * i), 0);
  const imaginary = samples.reduce((sum, sample, i) => sum + sample * Math.sin(turn * i), 0);
  return real ** 2 + imaginary ** 2;
}

test("of any signal, in any window, each frequency has the power that the definition gives it", () => {
  const level = fc.float({ min: -1, max: 1, noNaN: true });
  const signals = fc
    .integer({ min: 1, max: 6 })
    .chain((bits) => fc.tuple(...[0, 1].map(() => fc.array(level, { minLength: 2 ** bits, maxLength: 2 ** bits }))));
  fc.assert(
    fc.property(signals, fc.nat(5), fc.nat(40), ([signal = [], window = []], before, asked) => {
      const size = signal.length;
      const sound = new Float32Array([...Array.from({ length: before }, () => 1), ...signal]);
      const found = new Float64Array(Math.min(asked, size / 2 + 1));
      new PowerSpectrum(size, window).measure(sound, before, found);
      const weighed = signal.map((sample, i) => sample * (window[i] ?? 0));
      for (const [bin, power] of found.entries()) expect(power).toBeCloseTo(powerOf(bin, weighed), 9);
    }),
  );
});

test("what lies beyond the end of a sound counts as silence", () => {
  const [short, silent] = [new Float64Array(5), new Float64Array(5)];
  const spectrum = new PowerSpectrum(8);
  spectrum.measure(new Float32Array([0.5, -0.25, 1, 0.75]), 1, short);
  spectrum.measure(new Float32Array([0.5, -0.25, 1, 0.75, 0, 0, 0, 0, 0]), 1, silent);
  expect(short).toEqual(silent);
});

test.each([0, 1, 3, 12])("a size of %d is refused", (size) => {
  expect(() => new PowerSpectrum(size)).toThrow(RangeError);
});
