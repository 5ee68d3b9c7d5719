import { AV_SAMPLE_FMT_FLTP } from "node-av/constants";
import type { ChannelLayout, Frame, Packet, Stream } from "node-av/lib";
import type { TimeRange } from "../../../core/time-range.ts";
import { planesOf } from "../packets.ts";
import { streamSeconds } from "../probe/media-streams.ts";
import { Resampler, type SoundShape } from "./resampler.ts";
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
    const start = streamSeconds(stream.startTime, stream);
    this.#timeline = new SoundTimeline({
      sampleRate: this.sampleRate,
      channels: this.layout.nbChannels,
      blockSamples: BLOCK_SAMPLES,
      totalSamples: Math.round(durationSeconds * this.sampleRate),
      startSeconds: start === null ? Number.POSITIVE_INFINITY : start - origin,
    });
  }

  /** Seconds on the programme clock at which the decoded sound ends, before it is completed with silence. */
  get endSeconds(): number {
    return this.#endSeconds ?? this.#timeline.endSeconds;
  }

  /** Where sound is missing between what could be decoded, see {@link SoundTimeline.holes}. */
  get holes(): readonly TimeRange[] {
    return this.#timeline.holes;
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

/**
 * How far a block may lie from where the samples before it end and still count as following on, in seconds. Containers
 * round times to a millisecond and more; below this, sound is 40 ms early or late at worst (EBU R37 allows +40/-60 ms).
 */
const TOLERANCE_SECONDS = 0.03;

/** A jump back by more than this, in seconds, is a clock that was reset (a spliced stream), not sound sent twice. */
const RESET_SECONDS = 1;

/** Sound that is missing for less than this, in seconds, hides no word: pauses of speech are not sent by some coders. */
const HOLE_SECONDS = 0.5;

/** What a {@link SoundTimeline} is made for. */
export interface SoundTimelineOptions {
  readonly sampleRate: number;
  readonly channels: number;
  /** Samples per channel of each block handed on; the last one may be shorter. */
  readonly blockSamples: number;
  /** Samples per channel in all; what comes later is dropped, what is missing is silence. */
  readonly totalSamples: number;
  /** Where the sound is to begin by its header, in seconds: what is missing from there on is a hole. Default: where it does begin. */
  readonly startSeconds?: number;
}

/**
 * Puts decoded sound onto the programme's clock: holes and a late start become silence, what was sent twice is dropped,
 * so that the position of a sample is its time.
 */
export class SoundTimeline {
  readonly #options: SoundTimelineOptions;
  readonly #ready: Float32Array[][] = [];
  readonly #spare: Float32Array[][] = [];
  readonly #holes: TimeRange[] = [];
  #block: Float32Array[];
  #filled = 0;
  #position = 0;
  #resetSeconds = 0;
  #isEmpty = true;

  constructor(options: SoundTimelineOptions) {
    this.#options = options;
    this.#block = this.#newBlock();
  }

  /** Whether all of the programme has its sound; more changes nothing. */
  get isComplete(): boolean {
    return this.#position >= this.#options.totalSamples;
  }

  /** Where the file holds no sound, half a second and longer, though it goes on behind, in order: lost or damaged parts. */
  get holes(): readonly TimeRange[] {
    return this.#holes;
  }

  /** Seconds on the programme clock at which the sound so far ends. */
  get endSeconds(): number {
    return this.#position / this.#options.sampleRate;
  }

  /**
   * Adds decoded sound; the arrays may be reused afterwards.
   *
   * @param planes One array per channel.
   * @param at Seconds on the programme clock of the first sample; `null` means "right after the ones before".
   */
  add(planes: readonly Float32Array[], at: number | null): void {
    const length = planes[0]?.length ?? 0;
    if (length === 0) return;
    const late = at === null ? 0 : this.#samplesLate(at);
    if (late > 0) {
      this.#noteHole(late);
      this.#write(null, 0, late);
    }
    const skipped = Math.min(length, Math.max(0, -late));
    this.#write(planes, skipped, length - skipped);
    this.#isEmpty = false;
  }

  /** Completes the programme's length with silence. */
  finish(): void {
    this.#write(null, 0, this.#options.totalSamples - this.#position);
    if (this.#filled > 0) this.#ready.push(this.#block.map((plane) => plane.subarray(0, this.#filled)));
    this.#filled = 0;
  }

  /** Takes out the blocks that are full, in order; one array per channel, not used here again unless given back. */
  take(): Float32Array[][] {
    return this.#ready.splice(0);
  }

  /** Gives a block back that nobody looks at any more: a later one takes its place in memory. */
  giveBack(block: Float32Array[]): void {
    if (block[0]?.length === this.#options.blockSamples) this.#spare.push(block);
  }

  #noteHole(samples: number): void {
    const end = (this.#position + samples) / this.#options.sampleRate;
    const start = this.#isEmpty ? Math.max(0, this.#options.startSeconds ?? end) : this.endSeconds;
    if (end - start >= HOLE_SECONDS) this.#holes.push({ start, end });
  }

  /** Samples between the end of what is there and `at`: above 0 a hole, below 0 samples that are there already. */
  #samplesLate(at: number): number {
    const { sampleRate } = this.#options;
    let late = Math.round((at + this.#resetSeconds) * sampleRate) - this.#position;
    if (this.#isEmpty) return late;
    if (late < -RESET_SECONDS * sampleRate) {
      this.#resetSeconds -= late / sampleRate;
      late = 0;
    }
    return Math.abs(late) <= TOLERANCE_SECONDS * sampleRate ? 0 : late;
  }

  /** Appends samples, or silence for `null`, up to the programme's end. */
  #write(planes: readonly Float32Array[] | null, from: number, count: number): void {
    const { blockSamples, totalSamples } = this.#options;
    let left = Math.min(count, totalSamples - this.#position);
    let at = from;
    while (left > 0) {
      const size = Math.min(left, blockSamples - this.#filled);
      if (planes !== null) {
        this.#block.forEach((plane, channel) => {
          const source = planes[channel];
          if (source !== undefined) plane.set(source.subarray(at, at + size), this.#filled);
        });
      }
      this.#filled += size;
      this.#position += size;
      at += size;
      left -= size;
      if (this.#filled === blockSamples) {
        this.#ready.push(this.#block);
        this.#block = this.#newBlock();
        this.#filled = 0;
      }
    }
  }

  #newBlock(): Float32Array[] {
    const spare = this.#spare.pop();
    for (const plane of spare ?? []) plane.fill(0);
    if (spare !== undefined) return spare;
    return Array.from({ length: this.#options.channels }, () => new Float32Array(this.#options.blockSamples));
  }
}
