import { describe, expect, test } from "vitest";
import { decideSpeech } from "../../../../src/engine/analyse/sound/speech-decision.ts";

/** Length of the speech network's frames: 512 samples at 16 kHz. */
const FRAME_SECONDS = 0.032;

/** Evidence of ten seconds in which somebody speaks at the given times, 35 dB above the room. */
function evidence(
  spoken: readonly (readonly [number, number])[],
  murmurs: readonly (readonly [number, number])[] = [],
  drowned: {
    readonly ranges: readonly (readonly [number, number])[];
    readonly probability: number;
    readonly level: number;
  } = {
    ranges: [],
    probability: 0,
    level: -40,
  },
) {
  const isIn = (ranges: readonly (readonly [number, number])[], at: number) =>
    ranges.some(([start, end]) => at >= start && at < end);
  return {
    probabilities: Float32Array.from({ length: Math.ceil(10 / FRAME_SECONDS) }, (_, frame) =>
      isIn(spoken, (frame + 0.5) * FRAME_SECONDS)
        ? 0.97
        : isIn(drowned.ranges, (frame + 0.5) * FRAME_SECONDS)
          ? drowned.probability
          : 0.02,
    ),
    levels: Float32Array.from({ length: 1000 }, (_, step) =>
      isIn(spoken, step / 100)
        ? -40
        : isIn(murmurs, step / 100)
          ? -55
          : isIn(drowned.ranges, step / 100)
            ? drowned.level
            : -75,
    ),
    pitches: new Float32Array(500),
    durationSeconds: 10,
  };
}

const edges = (...args: Parameters<typeof evidence>) =>
  decideSpeech(evidence(...args)).map(({ start, end }) => [Number(start.toFixed(1)), Number(end.toFixed(1))]);

describe("the decision about speech", () => {
  test("takes speech with a small margin, and parts it at a pause", () => {
    expect(
      edges([
        [1, 3],
        [4, 6],
      ]),
    ).toEqual([
      [1, 3.1],
      [4, 6.1],
    ]);
  });

  test("bridges a pause too short for anything to be said in it", () => {
    expect(
      edges([
        [1, 3],
        [3.2, 6],
      ]),
    ).toEqual([[1, 6.1]]);
  });

  test("keeps a voice that noise as loud as it drowns between two lines, and parts them where it is fainter, sure, or long", () => {
    const between = (end: number, probability: number, level: number) =>
      edges(
        [
          [1, 3],
          [end, 8],
        ],
        [],
        { ranges: [[3, end]], probability, level },
      );
    expect(between(4.4, 0.08, -42)).toEqual([[1, 8.1]]);
    expect(between(4.4, 0.08, -52)).toHaveLength(2);
    expect(between(4.4, 0.01, -42)).toHaveLength(2);
    expect(between(5.6, 0.08, -42)).toHaveLength(2);
  });

  test("keeps a murmured word in a short pause, and none in a long one", () => {
    expect(
      edges(
        [
          [1, 3],
          [4, 6],
        ],
        [[3.4, 3.6]],
      ),
    ).toEqual([[1, 6.1]]);
    expect(
      edges(
        [
          [1, 3],
          [6, 8],
        ],
        [[4.4, 4.6]],
      ),
    ).toHaveLength(2);
  });

  test("is as sure of a range as its own frames are, not as those beside it", () => {
    const [unsure, sure] = decideSpeech(evidence([[6, 8]], [], { ranges: [[1, 3]], probability: 0.5, level: -40 }));
    expect(sure?.confidence).toBeGreaterThan(0.9);
    expect(Math.abs((unsure?.confidence ?? 0) - 0.8)).toBeLessThan(0.05);
  });

  test("finds nothing where nothing is probable", () => {
    expect(edges([], [[2, 4]])).toEqual([]);
  });
});
