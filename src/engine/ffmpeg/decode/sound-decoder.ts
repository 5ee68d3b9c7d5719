import { AV_SAMPLE_FMT_FLTP } from "node-av/constants";
import type { ChannelLayout, Frame, Packet, Stream } from "node-av/lib";
import { planesOf } from "../frame-planes.ts";
import { Resampler, type SoundShape } from "./resampler.ts";
import { SoundTimeline } from "./sound-timeline.ts";
import { StreamDecoder } from "./stream-decoder.ts";

/** Samples per channel of a block: about a third of a second, long enough to make each native call worth its while. */
const BLOCK_SAMPLES = 16_384;

/**
 * Decodes a sound stream into planar float at the stream's own rate and channels, on the programme clock. A stream that
 * changes its rate or layout on the way is brought back to what it began with.
 */
export class SoundDecoder implements Disposable {
  readonly sampleRate: number;
  readonly layout: ChannelLayout;
  readonly #decoder: StreamDecoder;
  readonly #timeline: SoundTimeline;
  readonly #origin: number;
  #endSeconds: number | null = null;
  #converter: { readonly shape: SoundShape; readonly resampler: Resampler } | null = null;

  /**
   * @param origin The programme's time 0 on the file's own clock, in seconds.
   * @param durationSeconds Length of the programme; sound is cut off or completed with silence there.
   */
  constructor(stream: Stream, origin: number, durationSeconds: number) {
    this.sampleRate = stream.codecpar.sampleRate;
    this.layout = stream.codecpar.channelLayout;
    this.#decoder = new StreamDecoder(stream);
    this.#origin = origin;
    this.#timeline = new SoundTimeline({
      sampleRate: this.sampleRate,
      channels: this.layout.nbChannels,
      blockSamples: BLOCK_SAMPLES,
      totalSamples: Math.round(durationSeconds * this.sampleRate),
    });
  }

  /** Seconds on the programme clock at which the decoded sound ends, before it is completed with silence. */
  get endSeconds(): number {
    return this.#endSeconds ?? this.#timeline.endSeconds;
  }

  /** Whether all of the programme has its sound; more packets change nothing. */
  get isComplete(): boolean {
    return this.#timeline.isComplete;
  }

  /**
   * Decodes a packet (`null`: the end) and gives the blocks that it completed, one array per channel each: the caller's, until
   * it gives them back.
   */
  decode(packet: Packet | null): Float32Array[][] {
    for (const { frame, seconds } of this.#decoder.decode(packet)) {
      this.#timeline.add(this.#planes(frame), seconds === null ? null : seconds - this.#origin);
    }
    if (packet === null) {
      this.#endSeconds = this.#timeline.endSeconds;
      this.#timeline.finish();
    }
    return this.#timeline.take();
  }

  /** Gives a block back that nobody looks at any more: its arrays are used again. */
  giveBack(block: Float32Array[]): void {
    this.#timeline.giveBack(block);
  }

  [Symbol.dispose](): void {
    this.#converter?.resampler[Symbol.dispose]();
    this.#decoder[Symbol.dispose]();
  }

  #planes(frame: Frame): Float32Array[] {
    const shape = {
      sampleRate: frame.sampleRate,
      layout: frame.channelLayout,
      format: frame.format as SoundShape["format"],
    }; // a sound frame's format is a sample format
    const isWanted = shape.sampleRate === this.sampleRate && shape.layout.nbChannels === this.layout.nbChannels;
    if (isWanted && shape.format === AV_SAMPLE_FMT_FLTP) return planesOf(frame);
    return this.#converterFor(shape).convert(frame.extendedData ?? [], frame.nbSamples);
  }

  #converterFor(shape: SoundShape): Resampler {
    const held = this.#converter;
    if (held !== null && sameShape(held.shape, shape)) return held.resampler;
    held?.resampler[Symbol.dispose]();
    const resampler = new Resampler(shape, this.sampleRate, this.layout);
    this.#converter = { shape, resampler };
    return resampler;
  }
}

function sameShape(a: SoundShape, b: SoundShape): boolean {
  return (
    a.sampleRate === b.sampleRate &&
    a.format === b.format &&
    a.layout.nbChannels === b.layout.nbChannels &&
    a.layout.mask === b.layout.mask
  );
}
