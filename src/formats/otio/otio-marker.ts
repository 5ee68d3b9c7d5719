import type { TimelineMarker } from "../../core/timeline.ts";
import { type JsonSource, memberOf, textOf } from "../json/json-source.ts";
import { rangeOf, rangeSeconds } from "./otio-object.ts";

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
