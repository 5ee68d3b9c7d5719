import type { ChannelLayout, Packet } from "node-av/lib";
import { mergeRanges, type TimeRange } from "../../../core/time-range.ts";
import type { SoundStreams } from "../probe/programme-sound-streams.ts";
import { SoundDecoder } from "./sound-decoder.ts";

/**
 * Decodes a programme's sound, whether it stands in one stream or in several with a channel each, into planar float on the
 * programme clock; see {@link SoundDecoder}. Streams that lie far apart in a file wait for each other in memory.
 */
export class JoinedSound implements Disposable {
  readonly sampleRate: number;
  readonly layout: ChannelLayout;
  /** Indexes of the streams whose packets it takes. */
  readonly indexes: readonly number[];
  readonly #isFolded: boolean;
  readonly #decoders: readonly SoundDecoder[];
  /** Blocks of each stream that the others have not reached yet. */
  readonly #waiting: Float32Array[][][];

  /**
   * @param origin The programme's time 0 on the file's own clock, in seconds.
   * @param durationSeconds Length of the programme; sound is cut off or completed with silence there.
   */
  constructor({ streams, layout, isFolded }: SoundStreams, origin: number, durationSeconds: number) {
    this.layout = layout;
    this.#isFolded = isFolded;
    this.indexes = streams.map(({ index }) => index);
    this.#decoders = streams.map((stream) => new SoundDecoder(stream, origin, durationSeconds));
    this.#waiting = streams.map(() => []);
    this.sampleRate = streams[0].codecpar.sampleRate;
  }

  /** Seconds on the programme clock at which the decoded sound ends, before it is completed with silence. */
  get endSeconds(): number {
    return Math.max(...this.#decoders.map(({ endSeconds }) => endSeconds));
  }

  /** Where at least one stream lacks sound between what could be decoded, ordered and disjoint. */
  get holes(): TimeRange[] {
    return mergeRanges(this.#decoders.flatMap(({ holes }) => holes));
  }

  /** Whether all of the programme has its sound; more packets change nothing. */
  get isComplete(): boolean {
    return this.#decoders.every(({ isComplete }) => isComplete);
  }

  /**
   * Decodes a packet of one of its streams (`null`: the end) and gives the blocks that it completed, one array per channel
   * each: the caller's, until it gives them back.
   */
  decode(packet: Packet | null): Float32Array[][] {
    for (const [place, decoder] of this.#decoders.entries()) {
      if (packet !== null && packet.streamIndex !== this.indexes[place]) continue;
      this.#waiting[place]?.push(...decoder.decode(packet));
    }
    const ready: Float32Array[][] = [];
    // Blocks of all streams begin and end at the same samples: each decoder keeps to the programme's clock.
    while (this.#waiting.every(({ length }) => length > 0)) {
      const planes = this.#waiting.flatMap((blocks) => blocks.shift() ?? []);
      ready.push(this.#isFolded ? this.#fold(planes) : planes);
    }
    return ready;
  }

  /** Adds up a plane of each stream in the first two, in place. */
  #fold(planes: readonly Float32Array[]): Float32Array[] {
    const [left = new Float32Array(), right = new Float32Array(), ...others] = planes;
    for (const [index, plane] of others.entries()) {
      const isLeft = index % 2 === 0;
      const isAlone = isLeft && index === others.length - 1;
      if (isLeft) addTo(left, plane);
      if (!isLeft || isAlone) addTo(right, plane);
      this.#decoders[index + 2]?.giveBack([plane]);
    }
    return [left, right];
  }

  /** Gives a block back that nobody looks at any more: its arrays are used again. */
  giveBack(block: Float32Array[]): void {
    const [only] = this.#decoders;
    if (this.#decoders.length === 1) only?.giveBack(block);
    else for (const [place, plane] of block.entries()) this.#decoders[place]?.giveBack([plane]);
  }

  [Symbol.dispose](): void {
    for (const decoder of this.#decoders) decoder[Symbol.dispose]();
  }
}

function addTo(sum: Float32Array, plane: Float32Array): void {
  for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) + (plane[at] ?? 0);
}
