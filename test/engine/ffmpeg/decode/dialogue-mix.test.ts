import {
  AV_CHANNEL_LAYOUT_2POINT1,
  AV_CHANNEL_LAYOUT_5POINT1_BACK,
  AV_CHANNEL_LAYOUT_MONO,
  AV_CHANNEL_LAYOUT_QUAD,
  AV_CHANNEL_LAYOUT_STEREO,
  AV_CHANNEL_LAYOUT_SURROUND,
} from "node-av/constants";
import type { ChannelLayout } from "node-av/lib";
import { describe, expect, test } from "vitest";
import { DetectorSounds } from "../../../../src/engine/ffmpeg/decode/dialogue-mix.ts";

/** What detectors hear of channels that each hold one level after a silent sample, at the rate that they listen at. */
function heard(layout: ChannelLayout, ...levels: readonly number[]) {
  using sounds = new DetectorSounds(16_000, layout);
  const parts = [sounds.convert(levels.map((level) => new Float32Array(1_600).fill(level, 1))), sounds.flush()];
  const level = (signals: readonly (Float32Array | null)[]) => {
    const samples = signals.flatMap((signal) => [...(signal ?? [])]);
    return samples.length === 0 ? null : Number((samples[800] ?? Number.NaN).toFixed(4));
  };
  return {
    dialogue: level(parts.map(({ dialogue }) => dialogue)),
    centre: level(parts.map(({ centre }) => centre)),
    bed: level(parts.map(({ bed }) => bed)),
  };
}

describe("of a surround mix", () => {
  // Left, right, centre, bass, two behind.
  const alone = (channel: number) =>
    heard(AV_CHANNEL_LAYOUT_5POINT1_BACK, ...Array.from({ length: 6 }, (_, at) => (at === channel ? 1 : 0)));

  test("the centre is the dialogue, whole, and no part of the bed", () => {
    expect(alone(2)).toEqual({ dialogue: 1, centre: 1, bed: 0 });
    expect(heard(AV_CHANNEL_LAYOUT_SURROUND, 0, 0, 1)).toEqual({ dialogue: 1, centre: 1, bed: 0 });
  });

  test("the fronts are let into the dialogue a little, what stands behind less, and the bass not at all", () => {
    const [left, right, , bass, behind, other] = Array.from({ length: 6 }, (_, channel) => alone(channel));
    expect(left).toEqual({ dialogue: 0.18, centre: 0, bed: 0.5 });
    expect(right).toEqual(left);
    expect(behind).toEqual({ dialogue: 0.05, centre: 0, bed: 0.35 });
    expect(other).toEqual(behind);
    expect(bass).toEqual({ dialogue: 0, centre: 0, bed: 0 });
  });

  test("without a centre, detectors hear the mean of all channels but the bass", () => {
    expect(heard(AV_CHANNEL_LAYOUT_QUAD, 1, 0.5, 0.25, 0.25)).toEqual({ dialogue: 0.5, centre: null, bed: null });
    expect(heard(AV_CHANNEL_LAYOUT_2POINT1, 0.75, 0.25, 1)).toEqual({ dialogue: 0.5, centre: null, bed: null });
  });
});

test("of two channels what they have in common is heard, also where one of them is turned upside down", () => {
  const stereo = (left: number, right: number) => heard(AV_CHANNEL_LAYOUT_STEREO, left, right);
  expect(stereo(0.5, 0.5)).toEqual({ dialogue: 0.5, centre: null, bed: null });
  expect(stereo(0.5, 0)).toMatchObject({ dialogue: 0.25 });
  expect(stereo(0.5, -0.5)).toMatchObject({ dialogue: 0.5 });
  // Nearly as loud is no cancelled sum: left and right have little in common.
  expect(stereo(0.5, -0.3)).toMatchObject({ dialogue: 0.1 });
});

test("one channel is heard as it is", () => {
  expect(heard(AV_CHANNEL_LAYOUT_MONO, 0.5)).toEqual({ dialogue: 0.5, centre: null, bed: null });
});

test("a second of any sound is 16,000 samples for detectors", () => {
  for (const rate of [16_000, 44_100, 48_000]) {
    using sounds = new DetectorSounds(rate, AV_CHANNEL_LAYOUT_STEREO);
    const seconds = [0, 1].map(() => sounds.convert([new Float32Array(rate), new Float32Array(rate)]));
    const length = [...seconds, sounds.flush()].reduce((sum, { dialogue }) => sum + dialogue.length, 0);
    expect([rate, length]).toEqual([rate, 32_000]);
  }
});
