import { AV_CODEC_ID_MOV_TEXT, AV_NOPTS_VALUE, AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_SUBTITLE } from "node-av/constants";
import { avGetCodecName, type FormatContext, type IRational, type Packet, type Stream } from "node-av/lib";
import { check, type MovieFile, type TrackLabel } from "../movie-file.ts";
import { streamLanguage, streamSeconds } from "../probe/media-streams.ts";
import { type PictureClock, ticksOf } from "./picture-track.ts";

/** A sound or text stream of the programme that goes into a movie as it is, packet by packet, with the movie's times. */
export class CopiedTrack {
  /** Index of the stream in the programme's file. */
  readonly index: number;
  readonly #movie: MovieFile;
  readonly #source: Stream;
  readonly #timeBase: IRational;
  readonly #track: Stream;
  readonly #clock: PictureClock;
  readonly #endSeconds: number;
  #last: bigint = AV_NOPTS_VALUE;

  /**
   * Adds the track to a movie that has not begun.
   *
   * @param endSeconds End of the programme: captions that run on longer are cut off there.
   */
  constructor(
    movie: MovieFile,
    {
      context,
      source,
      label,
    }: { readonly context: FormatContext; readonly source: Stream; readonly label: TrackLabel },
    clock: PictureClock,
    endSeconds: number,
  ) {
    this.#endSeconds = endSeconds;
    this.index = source.index;
    this.#movie = movie;
    this.#source = source;
    this.#clock = clock;
    this.#timeBase = { num: source.timeBase.num, den: source.timeBase.den };
    this.#track = movie.addTrack(this.#timeBase, label);
    check(source.codecpar.copy(this.#track.codecpar));
    if (!(context.iformat?.name ?? "").startsWith("mov,")) this.#track.codecpar.codecTag = 0;
  }

  /** Writes a packet; one without a time, or out of order, is left out. */
  take(packet: Packet): void {
    if (packet.pts === AV_NOPTS_VALUE) return;
    const from = packet.pts - ticksOf(this.#clock.originSeconds, this.#source);
    const start = streamSeconds(from, this.#source) ?? 0;
    const end = Math.min(this.#endSeconds, streamSeconds(from + packet.duration, this.#source) ?? 0);
    const moved = ticksOf(this.#clock.map.departure(start), this.#source);
    if (start >= this.#endSeconds) return;
    if (this.#last !== AV_NOPTS_VALUE && moved <= this.#last) return;
    this.#last = moved;
    packet.duration = ticksOf(this.#clock.map.arrival(end), this.#source) - moved;
    packet.pts = moved;
    packet.dts = moved;
    this.#movie.write(packet, this.#track, this.#timeBase);
  }
}

/**
 * Sentences about the tracks of a programme that its video leaves out: captions in a form that MP4 does not hold, and sound
 * beside the one that was described. Data and attached files are not missed.
 *
 * @param sounds The programme's own sound.
 */
export function leftOutTracks({ streams }: FormatContext, sounds: readonly Stream[]): string[] {
  return streams.flatMap((stream) => {
    const { codecType, codecId } = stream.codecpar;
    const form = avGetCodecName(codecId) ?? "an unknown form";
    if (codecType === AVMEDIA_TYPE_SUBTITLE && codecId !== AV_CODEC_ID_MOV_TEXT) {
      return [
        `Captions in ${form}${languageOf(stream)} are left out of the video: give them as a WebVTT or SubRip file.`,
      ];
    }
    if (codecType === AVMEDIA_TYPE_AUDIO && !sounds.some(({ index }) => index === stream.index)) {
      return [`A second sound${languageOf(stream)} is left out of the video.`];
    }
    return [];
  });
}

function languageOf(stream: Stream): string {
  const language = streamLanguage(stream);
  return language === "und" ? "" : ` (${language})`;
}
