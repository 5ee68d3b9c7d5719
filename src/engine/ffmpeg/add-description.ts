import type { Cue } from "../../core/cue.ts";
import { TimeMap } from "../../core/time-map.ts";
import { MediaProcessError } from "./media-process-error.ts";
import { probeMedia } from "./probe/probe.ts";
import { type MadeMovie, type MovieContext, renderMovie } from "./render-movie.ts";

/** A programme that is to be delivered as a video with its description. Plain data: it crosses a process border. */
export interface DescribedMovieOrder {
  readonly source: string;
  /** MP4 file to write; it appears when whole. */
  readonly path: string;
  readonly mixedPath: string;
  readonly narrationPath: string;
  /** ISO 639-2 code of the narration's language, `und` where there is none. */
  readonly language: string;
  /** Captions for a text track, on the programme clock, in order; empty for none. */
  readonly captions: readonly Cue[];
}

/**
 * Puts a finished mix and narration beside a programme's picture, in an MP4 file of the programme's own length; see
 * {@link renderMovie}.
 *
 * @throws MediaProcessError; the signal's reason when aborted.
 */
export async function addDescription(order: DescribedMovieOrder, context: MovieContext): Promise<MadeMovie> {
  const probe = await probeMedia(order.source);
  if (probe.durationSeconds === null) throw new MediaProcessError("media_undecodable", "The file states no length.");
  return renderMovie(
    { ...order, probe, map: new TimeMap([]), height: null, durationSeconds: probe.durationSeconds },
    context,
  );
}
