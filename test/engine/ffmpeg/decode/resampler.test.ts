import {
  AV_CHANNEL_LAYOUT_MONO,
  AV_CHANNEL_LAYOUT_STEREO,
  AV_CHANNEL_ORDER_UNSPEC,
  AV_SAMPLE_FMT_FLTP,
} from "node-av/constants";
import { describe, expect, test } from "vitest";
import { bytesOf, Resampler } from "../../../../src/engine/ffmpeg/decode/resampler.ts";
import { joined, sine } from "../../mix/tones.ts";

const STEREO = { sampleRate: 48_000, layout: AV_CHANNEL_LAYOUT_STEREO, format: AV_SAMPLE_FMT_FLTP };

/** All that comes of some planes, given in blocks. */
function converted(resampler: Resampler, planes: readonly Float32Array[], block: number): Float32Array[] {
  const made: Float32Array[][] = [];
  // What a call gives is valid until the next one.
  const keep = (given: Float32Array[]) => made.push(given.map((plane) => plane.slice()));
  const length = planes[0]?.length ?? 0;
  for (let at = 0; at < length; at += block) {
    const part = planes.map((plane) => plane.slice(at, at + block));
    keep(resampler.convert(part.map(bytesOf), part[0]?.length ?? 0));
  }
  keep(resampler.flush());
  const channels = made[0]?.length ?? 0;
  return Array.from({ length: channels }, (_, channel) =>
    joined(...made.map((one) => one[channel] ?? new Float32Array())),
  );
}

describe("sound of another shape", () => {
  const planes = [sine(0.5, -20, 440), sine(0.5, -26, 440)];

  test("is as long as before at any rate, in whatever blocks, with nothing left in the filter", () => {
    for (const rate of [16_000, 44_100, 48_000]) {
      const whole = [1_000, 24_000].map((block) => {
        using resampler = new Resampler(STEREO, rate, AV_CHANNEL_LAYOUT_STEREO);
        return converted(resampler, planes, block);
      });
      for (const sides of whole) {
        expect(sides).toHaveLength(2);
        for (const side of sides) expect(Math.abs(side.length - rate / 2)).toBeLessThanOrEqual(1);
      }
      const [blocks = [], once = []] = whole;
      for (const [side, plane] of blocks.entries()) {
        expect(plane).toHaveLength(once[side]?.length ?? 0);
        for (let at = 0; at < plane.length; at += 97) expect(plane[at]).toBeCloseTo(once[side]?.[at] ?? 0, 4);
      }
    }
  });

  test("keeps its channels, adds them up 3 dB lower, or doubles one", () => {
    const peak = (samples: Float32Array) => samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
    using same = new Resampler(STEREO, 48_000, AV_CHANNEL_LAYOUT_STEREO);
    expect(converted(same, planes, 24_000)).toEqual(planes);
    using folded = new Resampler(STEREO, 48_000, AV_CHANNEL_LAYOUT_MONO);
    const [mono = new Float32Array(), ...others] = converted(folded, planes, 24_000);
    expect(others).toEqual([]);
    expect(peak(mono)).toBeCloseTo((peak(planes[0] ?? mono) + peak(planes[1] ?? mono)) * Math.SQRT1_2, 3);
    using doubled = new Resampler({ ...STEREO, layout: AV_CHANNEL_LAYOUT_MONO }, 48_000, AV_CHANNEL_LAYOUT_STEREO);
    const [left = mono, right = new Float32Array()] = converted(doubled, planes.slice(0, 1), 24_000);
    expect(left).toEqual(right);
  });

  test("has the usual places where a file does not name any", () => {
    const nameless = { ...STEREO, layout: { order: AV_CHANNEL_ORDER_UNSPEC, nbChannels: 2, mask: 0n } };
    using resampler = new Resampler(nameless, 48_000, AV_CHANNEL_LAYOUT_STEREO);
    expect(converted(resampler, planes, 24_000)).toEqual(planes);
  });

  test("is nothing where nothing was given", () => {
    using resampler = new Resampler(STEREO, 16_000, AV_CHANNEL_LAYOUT_STEREO);
    expect(resampler.flush().every((plane) => plane.length === 0)).toBe(true);
  });
});
