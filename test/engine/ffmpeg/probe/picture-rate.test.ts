import type { IRational, Stream } from "node-av/lib";
import { describe, expect, test } from "vitest";
import { judgePictureRate } from "../../../../src/engine/ffmpeg/probe/picture-rate.ts";

const NONE: IRational = { num: 0, den: 1 };

/** What a file states of a picture's rate. */
interface Stated {
  readonly real?: IRational;
  readonly coded?: IRational;
  readonly average?: IRational;
  /** How many frames it counts; none unless stated. */
  readonly frames?: number;
}

/** The rate of frames at these times, in frames per second, and whether it varies. */
function judged(times: readonly number[], { real = NONE, coded = NONE, average = NONE, frames = 0 }: Stated, tick = 0) {
  const stream = { rFrameRate: real, codecpar: { frameRate: coded }, avgFrameRate: average, nbFrames: BigInt(frames) };
  const { rate, isVariableRate } = judgePictureRate(stream as unknown as Stream, times, tick); // what is read of a stream
  return [rate === null ? null : `${rate.numerator}/${rate.denominator}`, isVariableRate];
}
const of = (num: number, den = 1): IRational => ({ num, den });
const evenly = (rate: number, count = 100, left: readonly number[] = []) =>
  Array.from({ length: count }, (_, frame) => frame / rate).filter((_, frame) => !left.includes(frame));

describe("frames at even distances", () => {
  test("have the stated rate that explains them, from wherever it is stated, as the standard one that it means", () => {
    expect(judged(evenly(25), { real: of(25) })).toEqual(["25/1", false]);
    expect(judged(evenly(25), { real: of(50), coded: of(25) })).toEqual(["25/1", false]);
    expect(judged(evenly(25), { real: of(50), average: of(25) })).toEqual(["25/1", false]);
    expect(judged(evenly(30_000 / 1_001), { real: of(2_997, 100) })).toEqual(["30000/1001", false]);
    expect(judged(evenly(24), { real: of(24) })).toEqual(["24/1", false]);
    expect(judged(evenly(15), { real: of(15) })).toEqual(["15/1", false]);
  });

  test("have a standard rate where the header is an artefact, and none where none explains them", () => {
    expect(judged(evenly(50), { real: of(90_000) })).toEqual(["50/1", false]);
    for (const [num, den] of [
      [24, 1],
      [24_000, 1_001],
      [30, 1],
      [30_000, 1_001],
      [48, 1],
      [60, 1],
      [120, 1],
    ] as const) {
      expect(judged(evenly(num / den), { real: of(0) })).toEqual([`${num}/${den}`, false]);
      const rounded = evenly(num / den, 300).map((time) => Math.round(1_000 * time) / 1_000);
      expect(judged(rounded, { real: of(1_000) }, 0.001)).toEqual([`${num}/${den}`, false]);
    }
    expect(judged(evenly(13), { real: of(301), coded: of(1, 2) })).toEqual([null, false]);
    expect(judged(evenly(300, 400), { real: of(300) })).toEqual(["300/1", false]);
    expect(judged(evenly(1), { real: of(1) })).toEqual(["1/1", false]);
  });

  test("may come in any order, be rounded to ticks, and lack one of fifty", () => {
    expect(judged(evenly(25).toReversed(), { real: of(25) })).toEqual(["25/1", false]);
    const rounded = evenly(60).map((time) => Math.round(1_000 * time) / 1_000);
    expect(judged(rounded, { real: of(60) }, 0.001)).toEqual(["60/1", false]);
    expect(judged(evenly(25, 102, [50]), { real: of(25) })).toEqual(["25/1", false]);
    expect(judged(evenly(25, 101, [10, 20, 30]), { real: of(25) })[1]).toBe(true);
  });
});

describe("frames at uneven distances", () => {
  const lacking = Array.from({ length: 30 }, (_, index) => 3 * index + 1);

  test("have the stated rate where only some are left out, else the standard one next to their average", () => {
    expect(judged(evenly(25, 100, lacking), { real: of(25) })).toEqual(["25/1", true]);
    const half = Array.from({ length: 48 }, (_, index) => 2 * index + (index % 3 === 0 ? 0 : 1));
    expect(judged(evenly(60, 100, half), { real: of(60) })[1]).toBe(true);
    expect(judged(evenly(60, 100, half), { real: of(60) })[0]).toBe("30/1");
  });

  test("are known by a header that counts them, though the first are even", () => {
    expect(judged(evenly(30), { real: of(30), average: of(20), frames: 1_000 })).toEqual(["30/1", true]);
    expect(judged(evenly(30), { real: of(30), average: of(29), frames: 1_000 })).toEqual(["30/1", false]);
    expect(judged(evenly(30), { real: of(30), average: of(20) })).toEqual(["30/1", false]);
    expect(judged(evenly(60), { real: of(60), average: of(26), frames: 1_000 })).toEqual(["25/1", true]);
    // What is slower than film is slowed by nobody.
    expect(judged(evenly(60), { real: of(60), average: of(23), frames: 1_000 })).toEqual(["24/1", true]);
  });
});

test("without times a stated rate counts, the real one before the average, and none is invented", () => {
  expect(judged([], { real: of(25), average: of(20) })).toEqual(["25/1", false]);
  expect(judged([0], { average: of(2_398, 100) })).toEqual(["24000/1001", false]);
  expect(judged([0, 0], {})).toEqual([null, false]);
});
