import { FRAME_TOLERANCE, type FrameRate, framesPerSecond } from "../../core/frame-rate.ts";
import type { MediaSource, TimelineMarker } from "../../core/timeline.ts";
import { fileUrl } from "../timeline-document.ts";

/** A value to be written as JSON. */
export type OtioValue = string | number | boolean | null | readonly OtioValue[] | OtioRecord;

/** An object to be written as JSON. */
export interface OtioRecord {
  readonly [name: string]: OtioValue;
}

/** Frames of a time, whole where it lies on one to a millionth. */
export function exactFrames(seconds: number, rate: FrameRate): number {
  const exact = (seconds * rate.numerator) / rate.denominator;
  const whole = Math.round(exact);
  return Math.abs(exact - whole) < FRAME_TOLERANCE ? whole + 0 : exact;
}

/** A `RationalTime` of a count of frames. */
export function otioTime(frames: number, rate: FrameRate): OtioRecord {
  return { OTIO_SCHEMA: "RationalTime.1", rate: framesPerSecond(rate), value: frames };
}

/** A `TimeRange` of counts of frames. */
export function otioRange(start: number, duration: number, rate: FrameRate): OtioRecord {
  return { OTIO_SCHEMA: "TimeRange.1", duration: otioTime(duration, rate), start_time: otioTime(start, rate) };
}

/** Colours a marker can have in OpenTimelineIO (`marker.h`). */
const MARKER_COLOURS: ReadonlySet<string> = new Set([
  "PINK",
  "RED",
  "ORANGE",
  "YELLOW",
  "GREEN",
  "CYAN",
  "BLUE",
  "PURPLE",
  "MAGENTA",
  "BLACK",
  "WHITE",
]);

/** A marker in version 2, which every release of OpenTimelineIO since 0.14 reads. */
export function otioMarker(marker: TimelineMarker, rate: FrameRate): OtioRecord {
  const colour = (marker.colour ?? "green").toUpperCase();
  const start = exactFrames(marker.start, rate);
  return {
    OTIO_SCHEMA: "Marker.2",
    metadata: {},
    name: marker.name,
    color: MARKER_COLOURS.has(colour) ? colour : "GREEN",
    marked_range: otioRange(start, exactFrames(marker.end, rate) - start, rate),
    comment: marker.comment,
  };
}

/** A stretch of a track without anything. */
export function otioGap(frames: number, rate: FrameRate): OtioRecord {
  return {
    OTIO_SCHEMA: "Gap.1",
    metadata: {},
    name: "",
    source_range: otioRange(0, frames, rate),
    effects: [],
    markers: [],
    enabled: true,
  };
}

/** A clip in version 2 with one media reference. */
export function otioClip(
  name: string,
  sourceRange: OtioRecord,
  media: OtioRecord,
  more: {
    readonly effects?: readonly OtioValue[];
    readonly markers?: readonly OtioValue[];
    readonly enabled?: boolean;
  } = {},
): OtioRecord {
  return {
    OTIO_SCHEMA: "Clip.2",
    metadata: {},
    name,
    source_range: sourceRange,
    effects: more.effects ?? [],
    markers: more.markers ?? [],
    enabled: more.enabled ?? true,
    media_references: { DEFAULT_MEDIA: media },
    active_media_reference_key: "DEFAULT_MEDIA",
  };
}

/** A reference to a file; `MissingReference` where it has no address. */
export function otioReference(media: Pick<MediaSource, "name" | "location">, available: OtioRecord | null): OtioRecord {
  const base = { metadata: {}, name: media.name, available_range: available, available_image_bounds: null };
  if (media.location === null) return { OTIO_SCHEMA: "MissingReference.1", ...base };
  return { OTIO_SCHEMA: "ExternalReference.1", ...base, target_url: fileUrl(media.location) };
}

/** A track of clips, gaps and transitions in order. */
export function otioTrack(
  kind: "Video" | "Audio",
  name: string,
  children: readonly OtioValue[],
  enabled = true,
): OtioRecord {
  return {
    OTIO_SCHEMA: "Track.1",
    metadata: {},
    name,
    source_range: null,
    effects: [],
    markers: [],
    enabled,
    children,
    kind,
  };
}

/** Numbers that OpenTimelineIO stores as doubles, and writes with a decimal point. */
const DOUBLES: ReadonlySet<string> = new Set(["value", "rate", "time_scalar"]);

/** A value as JSON, its first line without indentation, the others behind `prefix`. An empty `indent` gives one line. */
export function otioJson(value: OtioValue, prefix: string, indent: string, lineEnd = "\n"): string {
  return written(value, prefix, indent, lineEnd, "");
}

function written(value: OtioValue, prefix: string, indent: string, lineEnd: string, name: string): string {
  if (typeof value === "number") return DOUBLES.has(name) && Number.isInteger(value) ? `${value}.0` : String(value);
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const inner = prefix + indent;
  const colon = indent === "" ? ":" : ": ";
  const isList = isArray(value);
  const parts = isList
    ? value.map((one) => written(one, inner, indent, lineEnd, ""))
    : Object.entries(value).map(
        ([key, one]) => `${JSON.stringify(key)}${colon}${written(one, inner, indent, lineEnd, key)}`,
      );
  const [open, close] = isList ? "[]" : "{}";
  if (parts.length === 0) return `${open}${close}`;
  if (indent === "") return `${open}${parts.join(",")}${close}`;
  return `${open}${lineEnd}${inner}${parts.join(`,${lineEnd}${inner}`)}${lineEnd}${prefix}${close}`;
}

function isArray(value: OtioValue): value is readonly OtioValue[] {
  return Array.isArray(value);
}
