import { AV_CHANNEL_LAYOUT_5POINT1_BACK, AV_CHANNEL_LAYOUT_STEREO } from "node-av/constants";
import { describe, expect, test } from "vitest";
import { channelLayout, STEREO } from "../../../src/engine/loudness/channel-layout.ts";
import { LoudnessMeter } from "../../../src/engine/loudness/loudness-meter.ts";
import { thoroughTest } from "../../thorough/thorough-test.ts";
import { ffmpegLoudness } from "../mix/ffmpeg-loudness.ts";
import { joined, noise, RATE, sine } from "../mix/tones.ts";

function measured(planes: readonly Float32Array[], weights = STEREO.weights, block = 10_007): LoudnessMeter {
  const meter = new LoudnessMeter(RATE, weights);
  const length = planes[0]?.length ?? 0;
  for (let at = 0; at < length; at += block) meter.add(planes.map((plane) => plane.subarray(at, at + block)));
  return meter;
}

const both = (plane: Float32Array) => [plane, plane];
const steps = (...parts: readonly (readonly [seconds: number, dbfs: number])[]) =>
  both(joined(...parts.map(([seconds, dbfs]) => sine(seconds, dbfs))));

describe("LoudnessMeter, on the signals of EBU Tech 3341", () => {
  test.each([
    ["1: a tone at -23", steps([20, -23]), -23],
    ["2: a tone at -33", steps([20, -33]), -33],
    ["3: quiet, then -23, then quiet", steps([10, -36], [60, -23], [10, -36]), -23],
    ["4: the same between near silence", steps([10, -72], [10, -36], [60, -23], [10, -36], [10, -72]), -23],
    ["5: three levels that average -23", steps([20, -26], [20.1, -20], [20, -26]), -23],
  ])("integrated loudness, %s", (_, planes, lufs) => {
    expect(Math.abs(measured(planes).integrated() - lufs)).toBeLessThan(0.1);
  });

  test("integrated loudness, 6: five channels by their weights, and LFE not at all", () => {
    const planes = [-28, -28, -24, 0, -30, -30].map((dbfs) => sine(20, dbfs));
    const { weights } = channelLayout("5.1(side)", 6);
    expect(Math.abs(measured(planes, weights).integrated() + 23)).toBeLessThan(0.1);
  });

  test("short-term loudness, 9: stays at -23 through changes within 3 s", () => {
    const parts = Array.from({ length: 5 }, () => [sine(1.34, -20), sine(1.66, -30)]).flat();
    expect(Math.abs(measured(both(joined(...parts))).maximumShortTerm() + 23)).toBeLessThan(0.1);
  });

  test("momentary loudness, 12: stays at -23 through changes within 400 ms", () => {
    const parts = Array.from({ length: 25 }, () => [sine(0.18, -20), sine(0.22, -30)]).flat();
    // Steps of a tenth of a second see the change at up to 20 ms of its place.
    expect(Math.abs(measured(both(joined(...parts))).maximumMomentary() + 23)).toBeLessThan(0.3);
  });
});

describe("LoudnessMeter", () => {
  test("agrees with FFmpeg's ebur128 to 0.1 LU, in stereo and 5.1", () => {
    const swelling = joined(...Array.from({ length: 20 }, (_, i) => noise(1, -40 + i, i + 1)));
    const stereo = [swelling, joined(noise(10, -30, 7), sine(10, -18, 220))];
    expect(measured(stereo).integrated()).toBeCloseTo(
      ffmpegLoudness(stereo, RATE, AV_CHANNEL_LAYOUT_STEREO).integratedLufs,
      0.7,
    );
    const surround = [0, 1, 2, 3, 4, 5].map((i) => noise(12, -24 - 3 * i, i + 1));
    const reference = ffmpegLoudness(surround, RATE, AV_CHANNEL_LAYOUT_5POINT1_BACK).integratedLufs;
    expect(Math.abs(measured(surround, channelLayout("5.1", 6).weights).integrated() - reference)).toBeLessThan(0.1);
  });

  thoroughTest("tells the loudness range as EBU Tech 3342 asks, and as FFmpeg does", () => {
    // Tech 3342, minimum requirements 1 to 3: two tones of 20 s each, so many decibels apart.
    for (const [first, second, range] of [
      [-20, -30, 10],
      [-20, -15, 5],
      [-40, -20, 20],
    ] as const) {
      const tones = both(joined(sine(20, first), sine(20, second)));
      expect(Math.abs(measured(tones).range() - range)).toBeLessThan(1);
      const reference = ffmpegLoudness(tones, RATE, AV_CHANNEL_LAYOUT_STEREO).rangeLu;
      expect(Math.abs(measured(tones).range() - reference)).toBeLessThan(0.2);
    }
    const swelling = both(joined(...Array.from({ length: 40 }, (_, i) => noise(1, -45 + (i % 25), i + 1))));
    const reference = ffmpegLoudness(swelling, RATE, AV_CHANNEL_LAYOUT_STEREO).rangeLu;
    expect(Math.abs(measured(swelling).range() - reference)).toBeLessThan(0.3);
    expect(measured(both(new Float32Array(RATE * 5))).range()).toBe(0);
  });

  test("gives the same figure for blocks of any size, and at 44.1 kHz", () => {
    const planes = both(noise(5, -25));
    const whole = measured(planes, STEREO.weights, 1e9).integrated();
    expect(measured(planes, STEREO.weights, 1).integrated()).toBeCloseTo(whole, 9);
    const meter = new LoudnessMeter(44_100, STEREO.weights);
    const tone = Float32Array.from(
      { length: 44_100 * 5 },
      (_, i) => 10 ** (-23 / 20) * Math.sin((2 * Math.PI * 1_000 * i) / 44_100),
    );
    meter.add(both(tone));
    expect(Math.abs(meter.integrated() + 23)).toBeLessThan(0.1);
  });

  test("calls silence minus infinity, and measures what is shorter than a block", () => {
    const silent = measured(both(new Float32Array(RATE)));
    expect(silent.integrated()).toBe(Number.NEGATIVE_INFINITY);
    expect(measured([]).integrated()).toBe(Number.NEGATIVE_INFINITY);
    expect(measured(both(sine(0.2, -23))).maximumMomentary()).toBeCloseTo(-26, 0);
  });

  test("measures a stretch without gates", () => {
    const meter = measured(steps([2, -20], [2, -40], [2, -30]));
    expect(meter.between(0.2, 1.9)).toBeCloseTo(-20, 0);
    expect(meter.between(2.2, 3.9)).toBeCloseTo(-40, 0);
    expect(meter.between(4.52, 4.54)).toBeCloseTo(-30, 0);
    expect(meter.between(90, 95)).toBe(Number.NEGATIVE_INFINITY);
  });

  /** Tones of half a minute each at a low rate, for what takes long stretches. */
  const long = (...levels: readonly number[]) => {
    const meter = new LoudnessMeter(8_000, [1]);
    for (const dbfs of levels) {
      const gain = Math.SQRT2 * 10 ** (dbfs / 20);
      meter.add([Float32Array.from({ length: 240_000 }, (_, i) => gain * Math.sin((2 * Math.PI * 1_000 * i) / 8_000))]);
    }
    return meter;
  };

  test("leaves out what lies below -70 LUFS, and more than 10 LU below all the rest", () => {
    const shift = long(-20).integrated() + 20;
    expect(Math.abs(shift)).toBeLessThan(1.5);
    expect(long(-69 - shift).integrated()).toBeCloseTo(-69, 1);
    expect(long(-71 - shift).integrated()).toBe(Number.NEGATIVE_INFINITY);
    // Two levels far apart are 3 dB below the louder one together.
    expect(long(-20, -33.2).integrated()).toBeCloseTo(-20 + shift, 1);
    expect(long(-20, -32.6).integrated()).toBeCloseTo(-22.8 + shift, 1);
  });

  test("has the range of what is not more than 20 LU below all the rest", () => {
    expect(long(-20, -30).range()).toBeCloseTo(10, 1);
    expect(long(-30, -20).range()).toBeCloseTo(10, 1);
    expect(long(-20, -43.4).range()).toBeLessThan(4);
    expect(long(-20, -42.6).range()).toBeCloseTo(22.6, 1);
    expect(long(-120).range()).toBe(0);
  });
});
