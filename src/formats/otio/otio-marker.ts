import type { TimelineMarker, Track } from "../../core/timeline.ts";
import { ROUNDING_ERROR_SECONDS } from "../../core/tolerance.ts";
import { itemsOf, type JsonSource, memberOf, textOf } from "../json/json-source.ts";
import { rangeOf, rangeSeconds, secondsOf } from "./otio-object.ts";

/**
 * Seconds at which the markers of a timeline's stack count their 0, against the sequence clock. Markers stand on the
 * stack's clock, from 0; some writers count them from the start timecode, which shows where all of them lie behind the last
 * clip. What this project wrote counts from 0.
 */
export function markerOrigin(timeline: JsonSource, tracks: readonly Track[]): number {
  const start = secondsOf(memberOf(timeline, "global_start_time")) ?? 0;
  const isOurs = memberOf(memberOf(timeline, "metadata"), "aside") !== undefined;
  if (isOurs || start <= lastEnd(tracks)) return 0;
  const starts = itemsOf(memberOf(timeline, "tracks"), "markers").map(
    (source) => markerOf(source, "", 0)?.start ?? start,
  );
  return starts.length > 0 && starts.every((seconds) => seconds >= start - ROUNDING_ERROR_SECONDS) ? start : 0;
}

/** The last end of any clip, in seconds. */
export function lastEnd(tracks: readonly Track[]): number {
  return tracks.reduce((end, track) => Math.max(end, track.clips.at(-1)?.end ?? 0), 0);
}

/**
 * Reads a marker of any version: `range` of version 1, a colour's name of version 2, a colour of version 3. The comment
 * may stand in the metadata of the application that wrote it. Times are moved by `offset` seconds. `null` without a time.
 */
export function markerOf(source: JsonSource, id: string, offset: number): TimelineMarker | null {
  const marked = rangeOf(memberOf(source, "marked_range")) ?? rangeOf(memberOf(source, "range"));
  if (marked === null) return null;
  const range = rangeSeconds(marked);
  const metadata = memberOf(source, "metadata");
  const comment =
    textOf(source, "comment") ||
    textOf(memberOf(metadata, "Resolve_OTIO"), "Note") ||
    textOf(memberOf(metadata, "fcp_xml"), "comment");
  const colour = (textOf(source, "color") || textOf(memberOf(source, "color"), "name")).toLowerCase();
  return {
    id,
    name: textOf(source, "name"),
    comment,
    start: range.start + offset,
    end: range.end + offset,
    ...(colour === "" ? {} : { colour }),
  };
}
