import { expect, test } from "vitest";
import { addedCost, costOfSound } from "../../../src/engine/dialogue/cost-of-sound.ts";

const VOICE = { ASIDE_VOICE_URL: "https://voices.example/v1", ASIDE_VOICE_MODEL: "tts-1" };
const EARS = { ASIDE_TRANSCRIPTION_URL: "https://ears.example/v1", ASIDE_TRANSCRIPTION_MODEL: "whisper-1" };

test("what has no price, or is on this computer, costs nothing that anybody knows", () => {
  for (const environment of [{}, VOICE, EARS, { ...VOICE, ...EARS }, { ASIDE_TRANSCRIPTION_URL: "off" }]) {
    expect(costOfSound(environment, 3600)).toBeNull();
  }
});

test("a transcription costs its price for each minute, a voice more than its price for what a film's pauses hold", () => {
  const ears = { ...EARS, ASIDE_TRANSCRIPTION_PRICE: "0.006" };
  const voice = { ...VOICE, ASIDE_VOICE_PRICE: "15" };
  expect(costOfSound(ears, 600)).toBeCloseTo(0.06, 9);
  // Ten minutes of film have seldom more than three of descriptions: 500 words.
  const spoken = costOfSound(voice, 600) ?? 0;
  expect(spoken).toBeGreaterThan((15 * 500 * 5.5) / 1e6);
  expect(spoken).toBeLessThan((15 * 1650 * 6.5) / 1e6);
  expect(costOfSound({ ...ears, ...voice }, 600)).toBeCloseTo(0.06 + spoken, 9);
  expect(costOfSound({ ...ears, ...voice }, 1200)).toBeCloseTo(2 * (0.06 + spoken), 9);
  expect(costOfSound({ ...EARS, ...voice }, 600)).toBeCloseTo(spoken, 9);
});

test("sums add up; one that nobody knows adds nothing", () => {
  expect([addedCost(null, null), addedCost(1, null), addedCost(null, 2), addedCost(1, 2)]).toEqual([null, 1, 2, 3]);
});
