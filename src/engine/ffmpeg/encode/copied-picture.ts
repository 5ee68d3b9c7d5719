import {
  AV_CODEC_ID_AV1,
  AV_CODEC_ID_H264,
  AV_CODEC_ID_HEVC,
  AV_CODEC_ID_MPEG4,
  AV_CODEC_ID_VP9,
  AV_NOPTS_VALUE,
} from "node-av/constants";
import type { FormatContext, IRational, Packet, Stream } from "node-av/lib";
import { check, type MovieFile } from "../movie-file.ts";
import { MediaProcessError } from "../open.ts";
import { streamSeconds } from "../probe/media-streams.ts";
import { delayAt, PICTURE_LABEL, type PictureClock, type PictureTrack, ticksOf } from "./picture-track.ts";

/** Codecs that MP4 holds and players expect in it. */
const COPIED_CODECS = [AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_AV1, AV_CODEC_ID_VP9, AV_CODEC_ID_MPEG4];

/** Containers, by the names of FFmpeg's demuxers, that give every packet its times of decoding and showing. */
const TIMED_CONTAINERS = ["mov,mp4,m4a,3gp,3g2,mj2", "matroska,webm", "mpegts"];

/** Frames that decoders hold back at the most. */
const MOST_WAITING = 16;

/** Whether a picture can go into an MP4 file as it is. */
export function canCopyPicture(context: FormatContext, stream: Stream): boolean {
  return (
    COPIED_CODECS.includes(stream.codecpar.codecId) &&
    TIMED_CONTAINERS.includes(context.iformat?.name ?? "") &&
    // The decoder's set-up stands in front of an MP4 track; VP9 has none.
    (stream.codecpar.extradataSize > 0 || stream.codecpar.codecId === AV_CODEC_ID_VP9)
  );
}

/** Adds a track for a picture that is copied to a movie that has not begun; its time base is the source's. */
export function addCopiedPicture(movie: MovieFile, context: FormatContext, source: Stream): Stream {
  const track = movie.addTrack({ num: source.timeBase.num, den: source.timeBase.den }, PICTURE_LABEL);
  check(source.codecpar.copy(track.codecpar));
  track.avgFrameRate = source.avgFrameRate;
  track.sampleAspectRatio = source.sampleAspectRatio;
  // A tag of another container means nothing in MP4. Apple's players want `hvc1` for HEVC.
  const isMp4 = context.iformat?.name === TIMED_CONTAINERS[0];
  if (!isMp4) track.codecpar.codecTag = source.codecpar.codecId === AV_CODEC_ID_HEVC ? "hvc1" : 0;
  return track;
}

/** A picture turned out, halfway, not to have what this way of copying needs. */
export class UncopiableError extends Error {
  override readonly name = "UncopiableError";
}

/**
 * Copies a picture, bit by bit. At a pause the frame before it simply lasts longer: all later frames get later times. So
 * nothing is encoded anew, whatever the codec; the price is an uneven frame rate in the file. Where `SplicedPicture` can
 * do it, a pause has frames of its own.
 */
export class CopiedPicture implements PictureTrack {
  readonly #movie: MovieFile;
  readonly #source: Stream;
  readonly #timeBase: IRational;
  readonly #track: Stream;
  readonly #clock: PictureClock;
  readonly #origin: bigint;
  /** Packets at the start that have no time of decoding yet: Matroska does not store it. */
  #waiting: Packet[] = [];
  #last: bigint = AV_NOPTS_VALUE;
  /** The packet before the next one, its times those of the movie: only the end of the file tells how long it lasts. */
  #held: Packet | null = null;
  /** In ticks of the movie: the first time of decoding, where the first frame shown begins, where the last one ends. */
  #firstDecoded: bigint = AV_NOPTS_VALUE;
  #start: bigint = AV_NOPTS_VALUE;
  #end = 0n;
  /** Time of the last frame shown, in ticks of the programme. */
  #latest = 0n;

  /** Adds the track to a movie that has not begun. */
  constructor(movie: MovieFile, context: FormatContext, source: Stream, clock: PictureClock) {
    this.#movie = movie;
    this.#source = source;
    this.#timeBase = { num: source.timeBase.num, den: source.timeBase.den };
    this.#clock = clock;
    this.#origin = ticksOf(clock.originSeconds, source);
    this.#track = addCopiedPicture(movie, context, source);
  }

  /** @throws UncopiableError for packets without times, or out of order. */
  take(packet: Packet | null): Iterable<number> {
    if (packet === null) {
      if (this.#waiting.length > 0) throw new UncopiableError("no times of decoding");
      this.#writeLast();
      return [Number.POSITIVE_INFINITY];
    }
    if (packet.dts !== AV_NOPTS_VALUE) {
      this.#writeWaiting(packet.dts);
      return [this.#write(packet)];
    }
    const kept = packet.clone();
    if (this.#last !== AV_NOPTS_VALUE || this.#waiting.length === MOST_WAITING || kept === null) {
      throw new UncopiableError("no time of decoding");
    }
    this.#waiting.push(kept);
    return [0];
  }

  [Symbol.dispose](): void {
    for (const packet of this.#waiting.splice(0)) packet.free();
    this.#held?.free();
    this.#held = null;
  }

  /** Writes what waited, a frame apart, up to the first known time of decoding. */
  #writeWaiting(known: bigint): void {
    const step = ticksOf(2 * this.#clock.toleranceSeconds, this.#source) || 1n;
    const count = this.#waiting.length;
    for (const [index, packet] of this.#waiting.splice(0).entries()) {
      using waited = packet;
      waited.dts = known - BigInt(count - index) * step;
      this.#write(waited);
    }
  }

  #write(packet: Packet): number {
    if (packet.pts === AV_NOPTS_VALUE) throw new UncopiableError("no time of showing");
    const shown = packet.pts - this.#origin;
    packet.pts = this.#moved(packet.pts);
    packet.dts = this.#moved(packet.dts);
    const reached = streamSeconds(packet.dts, this.#source) ?? 0;
    if (packet.pts < packet.dts || (this.#last !== AV_NOPTS_VALUE && packet.dts <= this.#last)) {
      throw new UncopiableError("times out of order");
    }
    this.#last = packet.dts;
    if (this.#firstDecoded === AV_NOPTS_VALUE) this.#firstDecoded = packet.dts;
    if (this.#start === AV_NOPTS_VALUE || packet.pts < this.#start) this.#start = packet.pts;
    if (packet.pts + packet.duration > this.#end) this.#end = packet.pts + packet.duration;
    if (shown > this.#latest) this.#latest = shown;
    const next = packet.clone();
    if (next === null) throw new MediaProcessError("media_unwritable", "There is no memory left for the picture.");
    this.#writeHeld();
    this.#held = next;
    return reached;
  }

  #writeHeld(): void {
    if (this.#held === null) return;
    using held = this.#held;
    this.#held = null;
    this.#movie.write(held, this.#track, this.#timeBase);
  }

  /**
   * Writes the last packet so that the track is as long as what is shown: MP4 counts a track's length by times of decoding,
   * the last of which lies before a pause where the frame shown last comes after it; and a pause may stand behind all frames.
   */
  #writeLast(): void {
    const { map } = this.#clock;
    if (this.#held !== null && map.holds.length > 0) {
      const behind = map.addedSeconds - delayAt(streamSeconds(this.#latest, this.#source) ?? 0, this.#clock);
      const end = this.#end + ticksOf(Math.max(0, behind), this.#source);
      const decoded = end - this.#start - (this.#held.dts - this.#firstDecoded);
      const shown = end - this.#held.pts;
      const lasting = decoded > shown ? decoded : shown;
      if (lasting > this.#held.duration) this.#held.duration = lasting;
    }
    this.#writeHeld();
  }

  #moved(ticks: bigint): bigint {
    const programme = ticks - this.#origin;
    return programme + ticksOf(delayAt(streamSeconds(programme, this.#source) ?? 0, this.#clock), this.#source);
  }
}
