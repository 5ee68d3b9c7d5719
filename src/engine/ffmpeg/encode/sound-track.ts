import { AV_PKT_FLAG_KEY } from "node-av/constants";
import { Packet, type Stream } from "node-av/lib";
import type { MovieFile, TrackLabel } from "../movie-file.ts";
import { describeAac } from "./aac-encoder.ts";
import type { CodedStretch, ListedPackets, SoundEncoder, SoundEncoderOrder } from "./sound-encoder.ts";

/**
 * A track of a movie that is encoded as AAC from a sound file, on a thread of its own, and written as far as the picture has
 * come.
 */
export class SoundTrack implements Disposable {
  readonly #movie: MovieFile;
  readonly #track: Stream;
  readonly #timeBase: { readonly num: number; readonly den: number };
  readonly #stretches: AsyncGenerator<CodedStretch, void>;
  readonly #packet = new Packet();
  #writtenSeconds = 0;
  #truePeak: number | null = null;

  /**
   * Adds the track to a movie that has not begun.
   *
   * @throws MediaProcessError where AAC has no layout of that many channels.
   */
  constructor(movie: MovieFile, encoding: SoundEncoder, sound: SoundEncoderOrder, label: TrackLabel) {
    const { sampleRate, layout } = sound;
    this.#movie = movie;
    this.#timeBase = { num: 1, den: sampleRate };
    this.#track = movie.addTrack(this.#timeBase, label);
    describeAac(sampleRate, layout, this.#track.codecpar);
    this.#packet.alloc();
    this.#stretches = encoding.encode(sound);
  }

  /** True peak of the sound once it is encoded, as a gain; `null` before all is written, and where it is not heard. */
  get truePeak(): number | null {
    return this.#truePeak;
  }

  /** Writes at least until `seconds`, or to the end; one call at a time. @throws MediaProcessError. */
  async advance(seconds: number): Promise<void> {
    while (this.#writtenSeconds < seconds) {
      const { value, done } = await this.#stretches.next();
      if (done === true) return;
      this.#write(value);
      this.#writtenSeconds = value.endSeconds;
      this.#truePeak = value.truePeak ?? null;
    }
  }

  [Symbol.dispose](): void {
    this.#packet.free();
  }

  #write({ bytes, packets }: ListedPackets): void {
    let at = 0;
    for (const { sizeBytes, pts, duration } of packets) {
      this.#packet.data = Buffer.from(bytes.buffer, at, sizeBytes);
      at += sizeBytes;
      this.#packet.pts = BigInt(pts);
      this.#packet.dts = this.#packet.pts;
      this.#packet.duration = BigInt(duration);
      this.#packet.flags = AV_PKT_FLAG_KEY;
      this.#movie.write(this.#packet, this.#track, this.#timeBase);
    }
  }
}
