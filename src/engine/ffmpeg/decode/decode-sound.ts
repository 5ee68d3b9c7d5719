import { AV_SAMPLE_FMT_FLTP } from "node-av/constants";
import { openMedia } from "../open.ts";
import { packetsOf } from "../packets.ts";
import { originSeconds, pictureStream } from "../probe/media-streams.ts";
import { soundStreams } from "../probe/programme-sound-streams.ts";
import { JoinedSound } from "./joined-sound.ts";
import { bytesOf, Resampler } from "./resampler.ts";

/** How {@link decodeSound} shall give the sound. */
export interface DecodeSoundOptions {
  /** Samples per second. */
  readonly sampleRate: number;
  /** Length of the programme in seconds: as probed, or as analysed. */
  readonly durationSeconds: number;
  /** Samples per channel of each block; the last one may be shorter. Default: one second. */
  readonly blockSamples?: number;
  /** Whether the arrays of a block hold the next one as soon as it is asked for. Default: each block is the caller's to keep. */
  readonly reusesBlocks?: boolean;
  /** The sound tracks that are the programme's, as probed; without it, what the file says of its tracks decides. */
  readonly tracks?: readonly number[] | undefined;
  readonly signal?: AbortSignal;
}

/**
 * The programme's sound, block by block: one `Float32Array` per channel of the programme's own layout, full scale ±1.
 *
 * All blocks together hold exactly `round(durationSeconds × sampleRate)` samples per channel: silence where the file has
 * holes, starts late or ends early; cut off where it goes on. Nothing at all comes from a file without sound.
 *
 * @throws MediaProcessError when the file cannot be opened; the signal's reason when it aborts.
 */
export async function* decodeSound(path: string, options: DecodeSoundOptions): AsyncGenerator<Float32Array[], void> {
  const { sampleRate, durationSeconds, signal } = options;
  using media = await openMedia(path);
  const sound = soundStreams(media.context, options);
  if (sound === null) return;
  const origin = originSeconds(pictureStream(media.context), sound.streams[0]);
  using decoder = new JoinedSound(sound, origin, durationSeconds);
  using resampler =
    decoder.sampleRate === sampleRate
      ? null
      : new Resampler(
          { sampleRate: decoder.sampleRate, layout: decoder.layout, format: AV_SAMPLE_FMT_FLTP },
          sampleRate,
          decoder.layout,
        );
  const blocks = new SoundBlocks(
    decoder.layout.nbChannels,
    options.blockSamples ?? sampleRate,
    Math.round(durationSeconds * sampleRate),
    options.reusesBlocks,
  );
  const resample = (planes: Float32Array[]) =>
    resampler === null ? planes : resampler.convert(planes.map(bytesOf), planes[0]?.length ?? 0);
  for await (const packet of packetsOf(media, decoder.indexes, signal)) {
    for (const block of decoder.decode(packet)) {
      yield* blocks.add(resample(block));
      decoder.giveBack(block);
    }
    if (decoder.isComplete) break;
  }
  for (const block of decoder.decode(null)) yield* blocks.add(resample(block));
  if (resampler !== null) yield* blocks.add(resampler.flush());
  yield* blocks.finish();
}

/** Cuts planar sound of any block lengths into blocks of one length, up to a total that it always reaches. */
export class SoundBlocks {
  readonly #blockSamples: number;
  readonly #channels: number;
  readonly #isReused: boolean;
  #left: number;
  #block: Float32Array[] = [];
  #blockLength = 0;
  #filled = 0;

  /**
   * @param blockSamples Samples per channel of each block; the last one may be shorter.
   * @param totalSamples Samples per channel in all.
   * @param isReused Whether the arrays of a block hold the next one as soon as it is asked for.
   */
  constructor(channels: number, blockSamples: number, totalSamples: number, isReused = false) {
    this.#channels = channels;
    this.#blockSamples = blockSamples;
    this.#left = totalSamples;
    this.#isReused = isReused;
    this.#begin();
  }

  /** Adds sound, one array per channel, and gives the blocks it completes; what passes the total is dropped. */
  *add(planes: readonly Float32Array[]): Generator<Float32Array[], void> {
    const length = planes[0]?.length ?? 0;
    for (let at = 0; at < length && this.#left > 0; ) {
      const size = Math.min(length - at, this.#blockLength - this.#filled);
      for (const [channel, plane] of this.#block.entries()) {
        const source = planes[channel];
        if (source !== undefined) plane.set(source.subarray(at, at + size), this.#filled);
      }
      at += size;
      yield* this.#advance(size);
    }
  }

  /** Completes the total with silence. */
  *finish(): Generator<Float32Array[], void> {
    while (this.#left > 0) yield* this.#advance(this.#blockLength - this.#filled);
  }

  *#advance(size: number): Generator<Float32Array[], void> {
    this.#filled += size;
    this.#left -= size;
    if (this.#filled < this.#blockLength) return;
    yield this.#block;
    this.#begin();
  }

  #begin(): void {
    this.#blockLength = Math.min(this.#blockSamples, this.#left);
    this.#filled = 0;
    if (this.#isReused && this.#block[0]?.length === this.#blockLength) for (const plane of this.#block) plane.fill(0);
    else this.#block = Array.from({ length: this.#channels }, () => new Float32Array(this.#blockLength));
  }
}
