import { decodeProgramme } from "../../ffmpeg/decode/decode-programme.ts";
import { Listening } from "./listening.ts";
import type { SoundFindings } from "./sound-listener.ts";

/** How {@link hearProgramme} shall go. */
export interface HearOptions {
  /** Length of the programme in seconds. */
  readonly durationSeconds: number;
  readonly signal?: AbortSignal;
}

/**
 * Listens to a media file's sound alone, without decoding its picture: some hundred times faster than it plays. A file
 * without sound is silent throughout.
 *
 * @throws MediaProcessError when the file cannot be opened; the signal's reason when it aborts.
 */
export async function hearProgramme(path: string, options: HearOptions): Promise<SoundFindings> {
  const { durationSeconds } = options;
  await using listening = new LazyListening();
  for await (const part of decodeProgramme(path, { ...options, withPicture: false })) {
    if (part.kind === "sound") await listening.add(part.block, part.format);
  }
  return await listening.finish(durationSeconds);
}

/** A {@link Listening} that begins with the first sound. */
export class LazyListening implements AsyncDisposable {
  #listening: Listening | null = null;

  /** See {@link Listening.add}. */
  async add(
    ...[block, shape]: [...Parameters<Listening["add"]>, ConstructorParameters<typeof Listening>[0]]
  ): Promise<void> {
    this.#listening ??= new Listening(shape);
    await this.#listening.add(block);
  }

  /** What was heard; silence throughout when there was no sound. */
  async finish(durationSeconds: number): Promise<SoundFindings> {
    if (this.#listening !== null) return await this.#listening.finish(durationSeconds);
    const silence = durationSeconds > 0 ? [{ start: 0, end: durationSeconds }] : [];
    return { heard: { speech: [], music: [], silence }, loudnessLufs: null };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#listening?.[Symbol.asyncDispose]();
  }
}
