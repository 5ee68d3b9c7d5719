import type { Heard } from "../../../core/heard.ts";
import { probeMedia } from "../../ffmpeg/probe/probe.ts";
import { hearProgramme } from "./hear-programme.ts";

/** What is to be heard. */
export interface HearOrder {
  readonly path: string;
  /** Longest programme that is listened to, in seconds; any where absent. */
  readonly maximumSeconds?: number;
}

/** What was heard in a sound, or in the sound of a video. */
export interface HeardSound {
  /** Length of the programme in seconds; 0 where the file does not say. */
  readonly durationSeconds: number;
  /** `null` where the programme is longer than was asked for; a file without sound is silent throughout. */
  readonly heard: Heard | null;
}

/**
 * Listens to a file once, for speech, music and silence alone.
 *
 * @throws MediaProcessError when the file cannot be opened; the signal's reason when it aborts.
 */
export async function hearSound({ path, maximumSeconds }: HearOrder, signal: AbortSignal): Promise<HeardSound> {
  const durationSeconds = (await probeMedia(path)).durationSeconds ?? 0;
  if (maximumSeconds !== undefined && durationSeconds > maximumSeconds) return { durationSeconds, heard: null };
  const { heard } = await hearProgramme(path, { durationSeconds, signal });
  return { durationSeconds, heard };
}
