import { AV_CHANNEL_LAYOUT_STEREO } from "node-av/constants";
import { avChannelLayoutDefault } from "node-av/lib";
import { describe, expect, test } from "vitest";
import { TruePeakMeter } from "../../../src/engine/loudness/true-peak.ts";
import { Limiter } from "../../../src/engine/mix/limiter.ts";
import { ffmpegLoudness } from "./ffmpeg-loudness.ts";
import { joined, noise, peakDbfs, RATE, sine } from "./tones.ts";

function truePeakDbtp(planes: readonly Float32Array[], block = 4_999): number {
  const meter = new TruePeakMeter(planes.length);
  for (let at = 0; at < (planes[0]?.length ?? 0); at += block)
    meter.add(planes.map((plane) => plane.subarray(at, at + block)));
  return 20 * Math.log10(meter.finish());
}

const DECIBELS = 20 * Math.log10(0.5);

/** The signals fade in and out, so that only the tone itself is measured. */
function faded(samples: Float32Array, fade = 480): Float32Array {
  return samples.map((sample, i) => sample * Math.min(1, i / fade, (samples.length - 1 - i) / fade));
}

/** Noise without the top octave, like any recording. */
function darkNoise(seconds: number, dbfs: number, seed: number): Float32Array {
  const white = noise(seconds, dbfs, seed);
  return white.map((sample, i) => (sample + 2 * (white[i - 1] ?? 0) + (white[i - 2] ?? 0)) / 2.45);
}

describe("TruePeakMeter, on the signals of EBU Tech 3341", () => {
  test.each([
    ["15: a quarter of the rate", sine(1, DECIBELS, RATE / 4, 0), -6],
    ["16: a quarter of the rate at 45°", sine(1, DECIBELS, RATE / 4, 45), -6],
    ["17: a sixth of the rate at 60°", sine(1, DECIBELS, RATE / 6, 60), -6],
    ["18: an eighth of the rate at 67.5°", sine(1, DECIBELS, RATE / 8, 67.5), -6],
    ["19: above full scale", sine(1, 20 * Math.log10(1.41), RATE / 4, 45), 3],
  ])("%s", (_, samples, dbtp) => {
    const peak = truePeakDbtp([faded(samples)]);
    expect(peak).toBeLessThan(dbtp + 0.2);
    expect(peak).toBeGreaterThan(dbtp - 0.4);
  });

  test("agrees with FFmpeg's on noise, and does not depend on blocks", () => {
    for (const planes of [
      [darkNoise(3, -12, 3), darkNoise(3, -9, 4)],
      [noise(3, -12, 3), noise(3, -9, 4)],
    ]) {
      const reference = ffmpegLoudness(planes, RATE, AV_CHANNEL_LAYOUT_STEREO).truePeakDbtp;
      expect(Math.abs(truePeakDbtp(planes) - reference)).toBeLessThan(0.03);
    }
    const planes = [darkNoise(1, -12, 3)];
    expect(truePeakDbtp(planes, 7)).toBeCloseTo(truePeakDbtp(planes, 1e9), 6);
  });

  test("sees a peak on the very last sample, and none in silence", () => {
    expect(truePeakDbtp([joined(new Float32Array(100), Float32Array.of(0.5))])).toBeGreaterThanOrEqual(DECIBELS);
    expect(truePeakDbtp([new Float32Array(100)])).toBe(Number.NEGATIVE_INFINITY);
  });
});

describe("Limiter", () => {
  const CEILING = 10 ** (-2 / 20);
  function limited(planes: readonly Float32Array[], block = 48_000): Float32Array[] {
    const limiter = new Limiter(planes.length, RATE, CEILING);
    const length = planes[0]?.length ?? 0;
    const given: Float32Array[][] = [];
    for (let at = 0; at < length; at += block)
      given.push(limiter.process(planes.map((plane) => plane.subarray(at, at + block))).map((plane) => plane.slice()));
    given.push(limiter.process(planes.map(() => new Float32Array(limiter.latency))));
    return planes.map((_, channel) =>
      joined(...given.map((blocks) => blocks[channel] ?? new Float32Array(0))).subarray(limiter.latency),
    );
  }

  test.each([
    ["a loud tone", [sine(1, 0, 997), sine(1, -3, 997)]],
    ["bursts between sample values", [joined(sine(0.3, -30), sine(0.01, 3, RATE / 4, 45), sine(0.3, -30))]],
    ["noise 8 dB too loud", [noise(2, -5, 9), noise(2, -4, 10)]],
    ["single clicks", [Float32Array.from({ length: RATE }, (_, i) => (i % 4_800 === 0 ? 1.8 : 0))]],
  ])("holds the true peak of %s at the ceiling, by FFmpeg's measure too", (_, planes) => {
    const held = limited(planes);
    // FFmpeg measures whole blocks; the silence after the end completes the last one.
    const whole = held.map((plane) => joined(plane, new Float32Array(RATE)));
    expect(ffmpegLoudness(whole, RATE, avChannelLayoutDefault(planes.length)).truePeakDbtp).toBeLessThanOrEqual(-2);
    const peak = truePeakDbtp(held);
    expect(peak).toBeLessThanOrEqual(-2);
    expect(peak).toBeGreaterThan(-2.6);
  });

  test("passes what stays below the ceiling unchanged, to the bit and to the sample", () => {
    const quiet = [noise(1.5, -20, 2), sine(1.5, -3)];
    expect(limited(quiet)).toEqual(quiet);
  });

  test("gives the same samples for blocks of any size", () => {
    const planes = [joined(noise(0.4, -30), noise(0.2, -3, 5), noise(1, -30, 6))];
    const whole = limited(planes, 1e9);
    for (const block of [997, 24_000]) expect(limited(planes, block)).toEqual(whole);
  });

  test("lowers all channels together, before the peak and without a step, and lets go within half a second", () => {
    const carrier = sine(1.5, -20, 100);
    const burst = joined(
      new Float32Array(0.5 * RATE),
      sine(0.005, 6, 3_000),
      new Float32Array(Math.round(0.995 * RATE)),
    );
    const [, beside = new Float32Array(0)] = limited([burst, carrier]);
    const gains = [...beside].map((sample, i) =>
      Math.abs(carrier[i] ?? 0) > 0.02 ? sample / (carrier[i] ?? 1) : null,
    );
    const lowest = Math.min(...gains.flatMap((gain) => (gain === null ? [] : [gain])));
    expect(20 * Math.log10(lowest)).toBeCloseTo(-8, 0);
    expect(gains.slice(0, 0.495 * RATE).every((gain) => gain === null || gain > 0.999)).toBe(true);
    expect(gains.slice(1.1 * RATE).every((gain) => gain === null || gain > 0.99)).toBe(true);
    const changes = gains.slice(1).map((gain, i) => {
      const before = gains[i] ?? null;
      return gain === null || before === null ? 0 : Math.abs(gain - before);
    });
    expect(changes.reduce((most, change) => Math.max(most, change), 0)).toBeLessThan(0.02);
  });

  test("keeps silence silent", () => {
    const [samples] = limited([joined(new Float32Array(RATE), sine(0.2, 0), new Float32Array(RATE))]);
    expect(peakDbfs(samples?.subarray(0, RATE) ?? new Float32Array(1).fill(1))).toBe(Number.NEGATIVE_INFINITY);
    expect(peakDbfs(samples?.subarray(-RATE + 1) ?? new Float32Array(1).fill(1))).toBe(Number.NEGATIVE_INFINITY);
  });
});
