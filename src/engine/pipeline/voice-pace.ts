import { estimateSpeakingSeconds } from "../../core/speaking-time.ts";
import type { Narrator } from "../voice/narrator.ts";
import { SpeechError } from "../voice/speech-error.ts";
import SAMPLES from "./pace-samples.json" with { type: "json" };

/** Two sentences in each language, by its first subtag: by these the pace is that of descriptions, pauses for breath included. */
const SAMPLE_BY_LANGUAGE: Readonly<Record<string, string | undefined>> = SAMPLES;

/**
 * Time that a voice takes, relative to `estimateSpeakingSeconds`, measured with two sentences, which the narrator's cache
 * keeps. `null` where no voice speaks the language, or the voice is a person's recordings, which lack them.
 *
 * @throws SpeechError when the voice cannot be reached; the signal's reason when it aborts.
 */
export async function voicePace(
  narrator: Narrator | null,
  language: string,
  signal: AbortSignal,
): Promise<number | null> {
  const sample = SAMPLE_BY_LANGUAGE[language.split("-")[0] ?? ""];
  if (narrator === null || sample === undefined) return null;
  try {
    const { seconds } = await narrator.speak(sample, signal);
    return seconds > 0 ? seconds / estimateSpeakingSeconds(sample) : null;
  } catch (error) {
    if (error instanceof SpeechError && error.code === "recording_missing") return null;
    throw error;
  }
}
