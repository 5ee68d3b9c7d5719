import { describe, expect, test } from "vitest";
import { PictureTimeline } from "../../../../src/engine/ffmpeg/decode/picture-decoder.ts";
import { SoundTimeline } from "../../../../src/engine/ffmpeg/decode/sound-decoder.ts";

const RATE = 1_000;

/** What becomes of blocks of one second, each of one value, at times of the file's own clock. */
function sound(totalSeconds: number, ...blocks: readonly (readonly [value: number, at: number | null])[]) {
  const options = { sampleRate: RATE, channels: 1, blockSamples: 100, totalSamples: totalSeconds * RATE };
  const timeline = new SoundTimeline(options);
  const ends: number[] = [];
  for (const [value, at] of blocks) {
    timeline.add([new Float32Array(RATE).fill(value)], at);
    ends.push(timeline.endSeconds);
  }
  timeline.finish();
  const samples = timeline.take().flatMap(([plane]) => [...(plane ?? [])]);
  // The value in the middle of each second.
  const heard = Array.from({ length: totalSeconds }, (_, second) => samples[second * RATE + RATE / 2]);
  return { heard, ends, length: samples.length, samples };
}

describe("sound on the programme's clock", () => {
  test("goes on after every reset of the file's clock, the second and third as well", () => {
    // Three seconds of a stream, three of one that was joined to it, and two others.
    const starts = [0, 1, 2, 0, 1, 2, 0, 1, -50, -49];
    const blocks = starts.map((at, index): [number, number] => [index + 1, at]);
    expect(sound(10, ...blocks).heard).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  test("that comes late leaves silence, after a reset too; what was sent twice is dropped once", () => {
    expect(sound(5, [1, 0], [2, 2], [3, 4]).heard).toEqual([1, 0, 2, 0, 3]);
    expect(sound(6, [1, 0], [2, 1], [3, 0], [4, 3]).heard).toEqual([1, 2, 3, 0, 0, 4]);
    // A hole behind the second reset.
    const joined = [
      [1, 0],
      [2, 1],
      [3, 2],
      [4, 0],
      [5, 1],
      [6, 2],
      [7, 0],
      [8, 2],
    ] as const;
    expect(sound(9, ...joined).heard).toEqual([1, 2, 3, 4, 5, 6, 7, 0, 8]);
    const { samples, heard } = sound(3, [1, 0], [2, 0.5], [3, 1.5]);
    expect([heard, samples[999], samples[1_000], samples[1_499]]).toEqual([[1, 3, 0], 1, 2, 2]);
  });

  test("that is off by up to 30 ms follows on, and by more does not; both ways", () => {
    const ends = (at: number) => sound(4, [1, 0], [2, at]).ends[1];
    expect([ends(1.03), ends(0.97)]).toEqual([2, 2]);
    expect([ends(1.031), ends(0.969)]).toEqual([2.031, 1.969]);
  });

  test("a jump back by a second is sound sent twice, by more a reset", () => {
    expect(sound(6, [1, 0], [2, 1], [3, 1]).ends).toEqual([1, 2, 2]);
    expect(sound(6, [1, 0], [2, 1], [3, 0.999]).ends).toEqual([1, 2, 3]);
  });

  test("begins late with silence, and before the programme without what lies there", () => {
    expect(sound(2, [1, 0.6]).heard).toEqual([0, 1]);
    expect(sound(2, [1, -0.4], [2, null]).ends).toEqual([0.6, 1.6]);
  });

  test("is as long as the programme, whatever comes", () => {
    for (const total of [1, 3]) expect(sound(total, [1, 0], [2, 1]).length).toBe(total * RATE);
  });
});

describe("frames on the programme's clock", () => {
  const times = (origin: number, ...seconds: readonly (number | null)[]) => {
    const clock = new PictureTimeline(origin);
    return { at: seconds.map((one) => clock.programmeTime(one)), end: clock.endSeconds };
  };
  const rounded = (all: readonly (number | null)[]) => all.map((one) => (one === null ? null : Math.round(one * 1000)));

  test("go on after every reset of the file's clock, the second and third as well", () => {
    const { at } = times(10, 10, 11, 12, 10, 11, 12, 10, 11, -40, -39);
    // The first frame after a reset comes as close behind the last as frames may.
    expect(rounded(at)).toEqual([0, 1000, 2000, 2025, 3025, 4025, 4050, 5050, 5075, 6075]);
  });

  test("a jump back by up to a second is a frame out of order, left out; by more it is a reset", () => {
    expect(rounded(times(0, 0, 3, 2, 3.5).at)).toEqual([0, 3000, null, 3500]);
    expect(rounded(times(0, 0, 3, 1.99, 2.99).at)).toEqual([0, 3000, 3025, 4025]);
  });

  test("closer to the one before than a fortieth are left out, and so are those without a time or before the programme", () => {
    expect(rounded(times(0, 0, 0.0249, 0.025, 0.04, 0.05).at)).toEqual([0, null, 25, null, 50]);
    expect(rounded(times(5, 4.4, 4.6, null, 5.5).at)).toEqual([null, 0, null, 500]);
  });

  test("the last one is shown for as long as the one before it", () => {
    expect(times(0, 0, 0.04, 0.08).end).toBeCloseTo(0.12, 9);
    expect([times(0).end, times(0, 0).end]).toEqual([0, 0]);
  });
});
