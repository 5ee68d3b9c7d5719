import { type FileHandle, open } from "node:fs/promises";
import { basename } from "node:path";
import { resample } from "../../engine/mix/resample.ts";
import { SampleBytes } from "../../engine/mix/sample-bytes.ts";
import { readWaveHeader, WAVE_HEAD_BYTES, type WaveLayout, waveLength } from "../../formats/wave/read-wave.ts";
import { frameBytes, samplesFromWave } from "../../formats/wave/wave-format.ts";
import { HostError } from "../../host/host-error.ts";

/** A WAV file with the narration of a whole programme, in which single cues are read or replaced. */
export class WaveStem {
  readonly #file: FileHandle;
  readonly #layout: WaveLayout;
  readonly #sampleCount: number;

  private constructor(file: FileHandle, layout: WaveLayout, sampleCount: number) {
    this.#file = file;
    this.#layout = layout;
    this.#sampleCount = sampleCount;
  }

  /**
   * Opens a narration file.
   *
   * @param access `r` for reading, `r+` for replacing too.
   * @throws HostError `file_unreadable` when it is no WAV file of whole numbers.
   */
  static async open(path: string, access: "r" | "r+"): Promise<WaveStem> {
    const file = await open(path, access);
    try {
      const head = Buffer.alloc(WAVE_HEAD_BYTES);
      const { bytesRead } = await file.read(head, 0, head.length, 0);
      const reading = readWaveHeader(head.subarray(0, bytesRead));
      if (!reading.ok) throw unreadable(path);
      const { size } = await file.stat();
      return new WaveStem(file, reading.layout, waveLength(reading.layout, size).samples);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Samples per second and channel. */
  get sampleRate(): number {
    return this.#layout.format.sampleRate;
  }

  /** The first channel of a stretch, at another rate where asked for. */
  async read(range: { readonly start: number; readonly end: number }, sampleRate: number): Promise<Float32Array> {
    const { format, dataOffset } = this.#layout;
    const width = frameBytes(format);
    const first = this.#sampleAt(range.start);
    const count = Math.max(0, Math.min(this.#sampleCount, this.#sampleAt(range.end)) - first);
    const bytes = Buffer.alloc(count * width);
    const { bytesRead } = await this.#file.read(bytes, 0, bytes.length, dataOffset + first * width);
    const [samples = new Float32Array(0)] = samplesFromWave(bytes.subarray(0, bytesRead), format);
    return resample(samples, format.sampleRate, sampleRate);
  }

  /**
   * Puts a line in place of what is heard in a stretch, in all channels alike, from the stretch's start on. Everything
   * outside stays as it is, to the byte.
   *
   * @param line At {@link WaveStem.sampleRate}; longer than the stretch, it goes on into the silence behind it.
   * @throws HostError `file_unreadable` for samples that are no whole numbers of 16 or 24 bits.
   */
  async replace(
    range: { readonly start: number; readonly durationSeconds: number },
    line: Float32Array,
  ): Promise<void> {
    const { format, dataOffset } = this.#layout;
    const { bits, channels, encoding } = format;
    if (encoding !== "integer" || (bits !== 16 && bits !== 24)) throw unreadable("the narration");
    const first = this.#sampleAt(range.start);
    const length = Math.max(line.length, Math.round(range.durationSeconds * format.sampleRate));
    const samples = new Float32Array(Math.max(0, Math.min(length, this.#sampleCount - first)));
    samples.set(line.subarray(0, samples.length));
    const bytes = new SampleBytes(bits).encode(
      Array.from({ length: channels }, () => samples),
      1,
    );
    await this.#file.write(bytes, 0, bytes.length, dataOffset + first * frameBytes(format));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#file.close();
  }

  #sampleAt(seconds: number): number {
    return Math.max(0, Math.round(seconds * this.#layout.format.sampleRate));
  }
}

function unreadable(path: string): HostError {
  return new HostError("file_unreadable", `"${basename(path)}" is no WAV file that clips can be made of`, {
    operation: "read the narration",
    state: "nothing was changed",
  });
}
