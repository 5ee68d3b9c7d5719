import type { Environment } from "../outgoing/local-only.ts";
import { voiceConfiguration } from "../voice/voice-settings.ts";
import { transcriptionConfiguration } from "./transcription-settings.ts";

/** Most of a film's time that is described, and how fast: words in a minute, letters in a word with the blank behind it. */
const DESCRIBED = { share: 0.4, wordsPerMinute: 165, letters: 6.5 };

/**
 * What a transcription and a voice that are paid for would cost of so many seconds of film, in the currency of the stated prices,
 * rather too much than too little; `null` where no price is stated.
 */
export function costOfSound(environment: Environment, durationSeconds: number): number | null {
  const minutes = durationSeconds / 60;
  const transcription = transcriptionConfiguration(environment);
  const heard = transcription.kind === "configured" ? transcription.settings.price : undefined;
  const voice = voiceConfiguration(environment);
  const spoken = voice.kind === "openai-speech" ? voice.settings.price : undefined;
  const letters = minutes * DESCRIBED.share * DESCRIBED.wordsPerMinute * DESCRIBED.letters;
  return addedCost(
    heard === undefined ? null : heard * minutes,
    spoken === undefined ? null : (spoken * letters) / 1e6,
  );
}

/** Both sums together; `null` is one that nobody knows. */
export function addedCost(one: number | null, other: number | null): number | null {
  return one === null && other === null ? null : (one ?? 0) + (other ?? 0);
}
