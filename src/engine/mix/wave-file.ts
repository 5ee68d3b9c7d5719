import { type FileHandle, open, rm } from "node:fs/promises";
import { AudioDescriptionError } from "../../core/error.ts";
import { defined } from "../../core/objects.ts";
import type { BroadcastExtension, WaveLoudness } from "../../formats/wave/broadcast-extension.ts";
import type { WaveFormat, WaveMarker } from "../../formats/wave/wave-format.ts";
import { type WaveContents, waveHeader, waveTrailer } from "../../formats/wave/write-wave.ts";
import { nameFinishedFile } from "../finished-file.ts";
import { interleave, SampleBytes, type TrackBits } from "./sample-bytes.ts";

/** What a sound file is to be. */
export interface WaveFileOrder {
  readonly path: string;
  readonly channels: number;
  readonly channelMask: number;
  readonly sampleRate: number;
  readonly bits: TrackBits;
  /** Samples per channel that will be written. */
  readonly sampleCount: number;
  /** Without one the file is a plain WAV. */
  readonly broadcast?: BroadcastExtension;
  readonly markers: readonly WaveMarker[];
  /** What the channels are; by default their positions say it. */
  readonly definition?: WaveContents["definition"];
  /**
   * Whether the gain of the whole is known only at the end: the samples are then kept as floats and rewritten in place by
   * {@link WaveFile.finish}.
   */
  readonly isGainOpen: boolean;
}

/** Samples (of all channels together) rewritten at a time. */
const REWRITE_SAMPLES = 1 << 18;

/**
 * A sound file being written, block by block, under a temporary name: it takes its own name when it is whole and on disk.
 * Whatever fails is raised as `SoundFileError`, after which the file is gone.
 */
export class WaveFile {
  readonly #order: WaveFileOrder;
  readonly #file: FileHandle;
  readonly #encoder: SampleBytes;
  readonly #dataOffset: number;
  #position: number;

  private constructor(order: WaveFileOrder, file: FileHandle) {
    this.#order = order;
    this.#file = file;
    this.#encoder = new SampleBytes(order.bits);
    this.#dataOffset = waveHeader(contentsOf(order)).length;
    this.#position = this.#dataOffset;
  }

  /** Opens the temporary file, in place of one that an earlier attempt left. */
  static async create(order: WaveFileOrder): Promise<WaveFile> {
    try {
      return new WaveFile(order, await open(partial(order.path), "w+"));
    } catch (error) {
      throw soundFileError(error);
    }
  }

  /** Adds samples, one array per channel. */
  async write(planes: readonly Float32Array[]): Promise<void> {
    const bytes = this.#order.isGainOpen ? new Uint8Array(interleave(planes).buffer) : this.#encoder.encode(planes, 1);
    await this.#guard(() => this.#append(bytes));
  }

  /** Applies the gain of the whole where that was left open, completes the header and gives the file its name. */
  async finish(gain: number, loudness?: WaveLoudness): Promise<void> {
    const { broadcast, path } = this.#order;
    const contents = contentsOf(this.#order, broadcast && { ...broadcast, ...defined({ loudness }) });
    await this.#guard(async () => {
      if (this.#order.isGainOpen) await this.#rewrite(gain);
      await this.#append(waveTrailer(contents));
      await this.#file.write(waveHeader(contents), 0, undefined, 0);
      await this.#file.truncate(this.#position);
      await this.#file.sync();
      await this.#file.close();
      await nameFinishedFile(partial(path), path);
    });
  }

  /** Gives the file up; harmless after {@link WaveFile.finish}. */
  async discard(): Promise<void> {
    await this.#file.close().catch(() => undefined);
    await rm(partial(this.#order.path), { force: true });
  }

  /** Floats become narrower numbers, so writing never overtakes reading. */
  async #rewrite(gain: number): Promise<void> {
    const end = this.#position;
    this.#position = this.#dataOffset;
    for (let at = this.#dataOffset; at < end; ) {
      const floats = new Float32Array(Math.min(REWRITE_SAMPLES, (end - at) / 4));
      await readFully(this.#file, new Uint8Array(floats.buffer), at);
      at += floats.byteLength;
      await this.#append(this.#encoder.encode([floats], gain));
    }
  }

  async #append(bytes: Uint8Array): Promise<void> {
    for (let written = 0; written < bytes.length; ) {
      const { bytesWritten } = await this.#file.write(bytes, written, bytes.length - written, this.#position);
      written += bytesWritten;
      this.#position += bytesWritten;
    }
  }

  async #guard(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      await this.discard();
      throw soundFileError(error);
    }
  }
}

function contentsOf(order: WaveFileOrder, broadcast = order.broadcast): WaveContents {
  const { channels, sampleRate, bits, channelMask, sampleCount, markers, definition } = order;
  const format: WaveFormat = { channels, sampleRate, encoding: "integer", bits, channelMask };
  return { format, sampleCount, ...defined({ broadcast, definition }), markers };
}

function partial(path: string): string {
  return `${path}.part`;
}

async function readFully(file: FileHandle, into: Uint8Array, from: number): Promise<void> {
  for (let read = 0; read < into.length; ) {
    const { bytesRead } = await file.read(into, read, into.length - read, from + read);
    if (bytesRead === 0) throw new Error("the temporary sound file was cut short");
    read += bytesRead;
  }
}

/** `disk_full`: there is no room for the file. `not_writable`: the folder or the file system refused it. */
export type SoundFileErrorCode = "disk_full" | "not_writable";

/** A sound file could not be written; nothing of it was left behind. */
export class SoundFileError extends AudioDescriptionError<SoundFileErrorCode> {}

/** The error for what a file operation raised. */
function soundFileError(cause: unknown): SoundFileError {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  if (code === "ENOSPC" || code === "EDQUOT") {
    return new SoundFileError(
      "disk_full",
      "There is no room left on the disk for the sound. Free some and try again.",
      { cause },
    );
  }
  return new SoundFileError("not_writable", "The sound could not be written. Check the folder and its permissions.", {
    cause,
  });
}
