import type { Heard } from "../../../core/heard.ts";
import { decodeProgramme } from "../../ffmpeg/decode/decode-programme.ts";
import type { DetectorBlock } from "./detector-block.ts";
import { SoundDetection } from "./sound-detection.ts";

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
