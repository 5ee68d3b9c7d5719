import { expect, test } from "vitest";
import { trimSilence } from "../../../src/engine/voice/spoken-from-bytes.ts";

const RATE = 22_050;

function tone(seconds: number, amplitude: number): number[] {
  return Array.from(
    { length: Math.round(seconds * RATE) },
    (_, i) => amplitude * Math.sin((2 * Math.PI * 220 * i) / RATE),
  );
}

test("cuts silence from both ends but for a few milliseconds, and none from the middle", () => {
  const samples = Float32Array.from([
    ...tone(0.3, 0),
    ...tone(0.5, 0.5),
    ...tone(0.4, 0),
    ...tone(0.5, 0.5),
    ...tone(0.2, 0),
  ]);
  const trimmed = trimSilence({ samples, sampleRate: RATE });
  expect(trimmed.samples.length / RATE).toBeGreaterThan(1.4);
  expect(trimmed.samples.length / RATE).toBeLessThan(1.435);
});

test("keeps a soft onset 30 dB below the voice", () => {
  const samples = Float32Array.from([...tone(0.3, 0.0001), ...tone(0.1, 0.5 / 32), ...tone(0.5, 0.5)]);
  expect(trimSilence({ samples, sampleRate: RATE }).samples.length / RATE).toBeGreaterThan(0.6);
});

test.each([
  ["39 dB below the voice is part of it", 39, 0.6],
  ["41 dB below the voice is silence", 41, 0.512],
])("what lies %s", (_, depth, seconds) => {
  const samples = Float32Array.from([...tone(0.088, 0.5 * 10 ** (-depth / 20)), ...tone(0.512, 0.5)]);
  expect(trimSilence({ samples, sampleRate: RATE }).samples.length / RATE).toBeCloseTo(seconds, 1);
});

test("ends at zero without a step, even where the engine stopped in mid-wave", () => {
  const { samples } = trimSilence({
    samples: Float32Array.from(tone(0.5, 0.9).map((v) => v + 0.05)),
    sampleRate: RATE,
  });
  expect(samples[0]).toBe(0);
  expect(Math.abs(samples.at(-1) ?? 1)).toBe(0);
  const steps = samples.slice(1).map((sample, i) => Math.abs(sample - (samples[i] ?? 0)));
  expect(Math.max(...steps)).toBeLessThan(0.09);
});

test("gives no samples for silence", () => {
  expect(trimSilence({ samples: new Float32Array(1000), sampleRate: RATE }).samples.length).toBe(0);
  expect(trimSilence({ samples: new Float32Array(0), sampleRate: RATE }).samples.length).toBe(0);
});
