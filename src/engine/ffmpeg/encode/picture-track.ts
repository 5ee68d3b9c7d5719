import { availableParallelism } from "node:os";
import type { Packet, Stream } from "node-av/lib";
import type { TimeMap } from "../../../core/time-map.ts";

/** A picture on its way from a programme to a movie. */
export interface PictureTrack extends Disposable {
  /**
   * Takes a packet of the programme (`null`: its end) and writes what follows from it, which may be much at once: to be
   * iterated to its end.
   *
   * @returns Seconds on the movie's clock that the picture has come to, again and again, so that other tracks keep up.
   */
  take(packet: Packet | null): Iterable<number>;
}

/** Which times a picture gets in the movie. */
export interface PictureClock {
  /** The programme's time 0 on the file's own clock, in seconds. */
  readonly originSeconds: number;
  readonly map: TimeMap;
  /**
   * How far before a pause a frame may stand and still come after it, in seconds: half a frame where they come evenly, so
   * that a container's rounding does not matter.
   */
  readonly toleranceSeconds: number;
}

/** Seconds by which the movie is behind the programme at an instant of the programme. */
export function delayAt(programmeSeconds: number, { map, toleranceSeconds }: PictureClock): number {
  const at = programmeSeconds + toleranceSeconds;
  return map.departure(at) - at;
}

/** Title of the picture's track; editors show it. */
export const PICTURE_LABEL = { title: "Picture", language: "und", disposition: 0 } as const;

/** Ticks of a stream's time base for seconds. */
export function ticksOf(seconds: number, { timeBase }: Pick<Stream, "timeBase">): bigint {
  return BigInt(Math.round((seconds * timeBase.den) / timeBase.num));
}

/**
 * Threads that decode a picture which is encoded again, or encode what lies after a pause. Left to FFmpeg, there are more than
 * processors, and a decoder's hold a frame each; the whole of a picture is encoded by as many as x264 wants.
 */
export const CODER_THREADS = Math.min(4, availableParallelism());
