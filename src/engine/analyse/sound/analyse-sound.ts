import type { Heard } from "../../../core/gap.ts";
import { decodeProgramme } from "../../ffmpeg/decode/decode-programme.ts";
import { probeMedia } from "../../ffmpeg/probe/probe.ts";
import { type DetectorBlock, SoundDetection } from "./sound-detection.ts";

/** How {@link analyseSound} shall go. */
export interface AnalyseSoundOptions {
  /** Length of the programme in seconds. */
  readonly durationSeconds: number;
  readonly signal?: AbortSignal;
}

/**
 * Analyses a media file's sound alone, without decoding its picture: some hundred times faster than it plays. A file
 * without sound is silent throughout.
 *
 * @throws MediaProcessError when the file cannot be opened; the signal's reason when it aborts.
 */
export async function analyseSound(path: string, options: AnalyseSoundOptions): Promise<Heard> {
  const { durationSeconds } = options;
  await using detection = new LazyDetection();
  for await (const part of decodeProgramme(path, { ...options, withPicture: false })) {
    if (part.kind === "sound") await detection.add(part.block, part.sampleRate);
  }
  return await detection.finish(durationSeconds);
}

/** A {@link SoundDetection} that begins with the first sound. */
export class LazyDetection implements AsyncDisposable {
  #detection: SoundDetection | null = null;

  /** See {@link SoundDetection.add}. */
  async add(block: DetectorBlock, sampleRate: number): Promise<void> {
    this.#detection ??= new SoundDetection(sampleRate);
    await this.#detection.add(block);
  }

  /** What was found; silence throughout when there was no sound. */
  async finish(durationSeconds: number): Promise<Heard> {
    if (this.#detection !== null) return await this.#detection.finish(durationSeconds);
    return { speech: [], music: [], silence: durationSeconds > 0 ? [{ start: 0, end: durationSeconds }] : [] };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#detection?.[Symbol.asyncDispose]();
  }
}

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
