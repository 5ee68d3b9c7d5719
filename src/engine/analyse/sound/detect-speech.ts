import type { Heard } from "../../../core/heard.ts";
import { probeMedia } from "../../ffmpeg/probe/probe.ts";
import { analyseSound } from "./analyse-sound.ts";

/** Where speech is looked for. */
export interface DetectSpeechOrder {
  readonly path: string;
  /** Longest programme that is looked into, in seconds; any where absent. */
  readonly maximumSeconds?: number;
}

/** What was found in a sound, or in the sound of a video. */
export interface DetectedSpeech {
  /** Length of the programme in seconds; 0 where the file does not say. */
  readonly durationSeconds: number;
  /** `null` where the programme is longer than was asked for; a file without sound is silent throughout. */
  readonly heard: Heard | null;
}

/**
 * Looks once into a file for speech, music and silence alone.
 *
 * @throws MediaProcessError when the file cannot be opened; the signal's reason when it aborts.
 */
export async function detectSpeech(
  { path, maximumSeconds }: DetectSpeechOrder,
  signal: AbortSignal,
): Promise<DetectedSpeech> {
  const durationSeconds = (await probeMedia(path)).durationSeconds ?? 0;
  if (maximumSeconds !== undefined && durationSeconds > maximumSeconds) return { durationSeconds, heard: null };
  return { durationSeconds, heard: await analyseSound(path, { durationSeconds, signal }) };
}
