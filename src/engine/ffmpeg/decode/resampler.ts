import { AV_CHANNEL_ORDER_UNSPEC, AV_SAMPLE_FMT_FLTP, type AVSampleFormat } from "node-av/constants";
import { avChannelLayoutDefault, type ChannelLayout, FFmpegError, SoftwareResampleContext } from "node-av/lib";

/** The shape of sound that a {@link Resampler} takes. */
export interface SoundShape {
  readonly sampleRate: number;
  readonly layout: ChannelLayout;
  readonly format: AVSampleFormat;
}

/**
 * Turns sound of any shape into planar float at a rate and channel layout; state runs on from call to call. What a call gives
 * is valid until the next one.
 */
export class Resampler implements Disposable {
  readonly #context = new SoftwareResampleContext();
  readonly #channels: number;
  #planes: Float32Array[] = [];

  /** @throws FFmpegError when FFmpeg knows no way from one shape to the other. */
  constructor(from: SoundShape, sampleRate: number, layout: ChannelLayout) {
    this.#channels = layout.nbChannels;
    FFmpegError.throwIfError(
      this.#context.allocSetOpts2(
        knownLayout(layout),
        AV_SAMPLE_FMT_FLTP,
        sampleRate,
        knownLayout(from.layout),
        from.format,
        from.sampleRate,
      ),
    );
    FFmpegError.throwIfError(this.#context.init());
  }

  /**
   * Converts `count` samples per channel, given as FFmpeg stores them.
   *
   * @returns One array per channel, all of one length, which differs from call to call: the filter holds some back.
   */
  convert(data: Buffer[], count: number): Float32Array[] {
    return this.#run(data, count, this.#context.getOutSamples(count));
  }

  /** What the filter still holds; the end of the sound. */
  flush(): Float32Array[] {
    return this.#run(null, 0, this.#context.getOutSamples(0));
  }

  [Symbol.dispose](): void {
    this.#context.free();
  }

  #run(data: Buffer[] | null, count: number, room: number): Float32Array[] {
    if ((this.#planes[0]?.length ?? -1) < room)
      this.#planes = Array.from({ length: this.#channels }, () => new Float32Array(room));
    if (room === 0) return this.#planes.map((plane) => plane.subarray(0, 0));
    const made = this.#context.convertSync(this.#planes.map(bytesOf), room, data, count);
    FFmpegError.throwIfError(made);
    return this.#planes.map((plane) => plane.subarray(0, made));
  }
}

/** The bytes of a plane, without copying. */
export function bytesOf(plane: Float32Array): Buffer {
  return Buffer.from(plane.buffer, plane.byteOffset, plane.byteLength);
}

/** FFmpeg cannot mix channels whose places it does not know: the usual places for their number are assumed. */
function knownLayout(layout: ChannelLayout): ChannelLayout {
  return layout.order === AV_CHANNEL_ORDER_UNSPEC ? avChannelLayoutDefault(layout.nbChannels) : layout;
}
