import type { ChannelLayout, Packet, Stream } from "node-av/lib";
import { AacEncoder } from "./aac-encoder.ts";
import { CodedSound, type HearSound } from "./coded-sound.ts";
import type { MovieFile, TrackLabel } from "./movie-file.ts";

/** Sound to be encoded: all of it in one pass, one array per channel and block. */
export interface EncodedSound {
  readonly sampleRate: number;
  readonly layout: ChannelLayout;
  readonly blocks: AsyncGenerator<Float32Array[], void>;
  /** See `AacEncoder`; default false. */
  readonly isEncodedBeside?: boolean;
}

/**
 * A track of a movie that is encoded as AAC, fed as far as the picture has come. It may be disposed of once what was asked of
 * it has settled.
 */
export class SoundTrack implements Disposable {
  readonly #encoder: AacEncoder;
  readonly #sampleRate: number;
  readonly #blocks: AsyncGenerator<Float32Array[], void>;
  readonly #coded: CodedSound | null;
  #isDone = false;

  /**
   * Adds the track to a movie that has not begun.
   *
   * @param hear Gets the sound as it is heard once it is encoded; what is not asked for is not decoded.
   */
  constructor(movie: MovieFile, sound: EncodedSound, label: TrackLabel, hear?: HearSound) {
    const { sampleRate, layout, blocks, isEncodedBeside } = sound;
    this.#sampleRate = sampleRate;
    this.#blocks = blocks;
    const timeBase = { num: 1, den: sampleRate };
    const track: Stream = movie.addTrack(timeBase, label);
    const give = (packet: Packet) => {
      this.#coded?.take(packet);
      movie.write(packet, track, timeBase);
    };
    this.#encoder = new AacEncoder(sampleRate, layout, give, isEncodedBeside);
    this.#encoder.describe(track.codecpar);
    this.#coded = hear === undefined ? null : new CodedSound(track, hear);
  }

  /** Seconds written so far; infinite once all is. */
  get writtenSeconds(): number {
    return this.#isDone ? Number.POSITIVE_INFINITY : this.#encoder.samples / this.#sampleRate;
  }

  /** Writes at least until `seconds`, or to the end; one call at a time. */
  async advance(seconds: number): Promise<void> {
    while (this.writtenSeconds < seconds) {
      const { value, done } = await this.#blocks.next();
      if (done === true) {
        await this.#encoder.finish();
        this.#coded?.take(null);
        this.#isDone = true;
        return;
      }
      await this.#encoder.add(value);
    }
  }

  [Symbol.dispose](): void {
    // Closes the file it reads; there is nothing to wait for and nothing to tell.
    this.#blocks.return().catch(() => undefined);
    this.#encoder[Symbol.dispose]();
    this.#coded?.[Symbol.dispose]();
  }
}
