import { AV_NOPTS_VALUE } from "node-av/constants";
import type { IRational, Packet, Stream } from "node-av/lib";
import { MediaProcessError } from "./media-process-error.ts";
import { soundStream, streamSeconds } from "./media-streams.ts";
import { check, type MovieFile, type TrackLabel } from "./movie-file.ts";
import { type OpenMedia, openMedia } from "./open.ts";
import { packetsOf } from "./packets.ts";

/** A track of a movie whose sound is encoded already, in a file of its own: copied as far as the picture has come. */
export class CodedSoundTrack implements Disposable {
  readonly #movie: MovieFile;
  readonly #media: OpenMedia;
  readonly #source: Stream;
  readonly #timeBase: IRational;
  readonly #track: Stream;
  readonly #packets: AsyncGenerator<Packet, void>;
  #reached = Number.NEGATIVE_INFINITY;

  /**
   * Adds the track to a movie that has not begun.
   *
   * @param path File of the sound, see `encodeSound`; its times are the movie's.
   * @throws MediaProcessError when it cannot be read.
   */
  static async open(movie: MovieFile, path: string, label: TrackLabel, signal: AbortSignal): Promise<CodedSoundTrack> {
    const media = await openMedia(path);
    const source = soundStream(media.context);
    if (source !== null) return new CodedSoundTrack(movie, media, source, label, signal);
    media[Symbol.dispose]();
    throw new MediaProcessError("media_undecodable", "The encoded sound cannot be read back.");
  }

  private constructor(movie: MovieFile, media: OpenMedia, source: Stream, label: TrackLabel, signal: AbortSignal) {
    this.#movie = movie;
    this.#media = media;
    this.#source = source;
    this.#timeBase = { num: source.timeBase.num, den: source.timeBase.den };
    this.#track = movie.addTrack(this.#timeBase, label);
    check(source.codecpar.copy(this.#track.codecpar));
    this.#packets = packetsOf(media, [source.index], signal);
  }

  /** Writes at least until `seconds`, or to the end. */
  async advance(seconds: number): Promise<void> {
    while (this.#reached < seconds) {
      const { value: packet, done } = await this.#packets.next();
      if (done === true) {
        this.#reached = Number.POSITIVE_INFINITY;
        return;
      }
      if (packet.pts === AV_NOPTS_VALUE) continue;
      this.#reached = streamSeconds(packet.pts + packet.duration, this.#source) ?? this.#reached;
      this.#movie.write(packet, this.#track, this.#timeBase);
    }
  }

  [Symbol.dispose](): void {
    // Nothing is read any more; the file closes with it.
    this.#packets.return().catch(() => undefined);
    this.#media[Symbol.dispose]();
  }
}
