import { describe, expect, test } from "vitest";
import { PITCHES_PER_SECOND } from "../../../../src/engine/analyse/sound/pitch-track.ts";
import { FRAME_SECONDS, speechConfidence } from "../../../../src/engine/analyse/sound/speech-decision.ts";

/** Five seconds of which the network is half sure; voiced for `on` of each `every` seconds. */
function evidence(on: number, every: number) {
  return {
    probabilities: new Float32Array(Math.ceil(5 / FRAME_SECONDS)).fill(0.6),
    pitches: Float32Array.from({ length: 5 * PITCHES_PER_SECOND }, (_, step) =>
      (step / PITCHES_PER_SECOND) % every < on ? 200 - step / 10 : 0,
    ),
  };
}

const whole = { start: 1, end: 4 };
const WORDS = evidence(0.16, 0.24);
const YAWN = evidence(2.6, 5);

describe("the confidence of speech", () => {
  test("is low for a voice that is drawn out, and not for one with syllables", () => {
    expect(speechConfidence(whole, 0.6, YAWN)).toBe(0.25);
    expect(speechConfidence(whole, 0.6, WORDS)).toBeGreaterThan(0.8);
  });

  test("is not lowered for a short cry, nor where the network is sure", () => {
    expect(speechConfidence({ start: 1, end: 2.5 }, 0.6, YAWN)).toBeGreaterThan(0.8);
    expect(speechConfidence(whole, 0.7, YAWN)).toBeGreaterThan(0.8);
  });

  test("grows with the network's mean probability", () => {
    const means = Array.from({ length: 101 }, (_, index) => index / 100);
    const confidences = means.map((mean) => speechConfidence(whole, mean, WORDS));
    expect(confidences).toEqual(confidences.toSorted((a, b) => a - b));
    expect(confidences[25]).toBeCloseTo(0.6);
    expect(confidences[100]).toBeCloseTo(0.92);
  });
});
