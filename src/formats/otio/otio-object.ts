import { equalRates, type FrameRate, secondsFromFrames } from "../../core/frame-rate.ts";
import { isStillName } from "../../core/local-file.ts";
import { ROUNDING_ERROR_SECONDS, type TimeRange } from "../../core/time-range.ts";
import { rateFromDecimal } from "../../core/timecode.ts";
import type { EmptySource, MediaSource, TimelineMarker, Track } from "../../core/timeline.ts";
import { itemsOf, type JsonObjectSource, type JsonSource, memberOf, numberOf, textOf } from "../json/json-source.ts";

/** The name of an object's schema without its version: `Clip` of `Clip.2`; empty when it has none. */
export function schemaOf(source: JsonSource | undefined): string {
  const schema = textOf(source, "OTIO_SCHEMA");
  return SCHEMA_ALIASES.get(schema.replace(/\.\d+$/, "")) ?? schema.replace(/\.\d+$/, "");
}

/** Names of older files (`typeRegistry.cpp` of OpenTimelineIO). */
const SCHEMA_ALIASES: ReadonlyMap<string, string> = new Map([
  ["Sequence", "Track"],
  ["Filler", "Gap"],
  ["SerializeableCollection", "SerializableCollection"],
]);

/** A `RationalTime`. */
export interface OtioTime {
  readonly value: number;
  readonly rate: FrameRate;
}

/** Reads a `RationalTime`; `null` when it is none. */
export function timeOf(source: JsonSource | undefined): OtioTime | null {
  const value = numberOf(source, "value");
  const rate = numberOf(source, "rate");
  return value === null || rate === null || !(rate > 0 && rate < 1e6) ? null : { value, rate: rateFromDecimal(rate) };
}

/** A `RationalTime` in seconds; `null` when it is none. */
export function secondsOf(source: JsonSource | undefined): number | null {
  const time = timeOf(source);
  return time === null ? null : secondsFromFrames(time.value, time.rate);
}

/** A `TimeRange`, its two times as they stand. */
export interface OtioRange {
  readonly start: OtioTime;
  readonly duration: OtioTime;
}

/** Reads a `TimeRange`; `null` when it is none or shorter than nothing. */
export function rangeOf(source: JsonSource | undefined): OtioRange | null {
  const start = timeOf(memberOf(source, "start_time"));
  const duration = timeOf(memberOf(source, "duration"));
  return start === null || duration === null || duration.value < 0 ? null : { start, duration };
}

/** A `TimeRange` in seconds. */
export function rangeSeconds(range: OtioRange): TimeRange {
  const sum = new OtioSum();
  sum.add(range.start);
  const start = sum.seconds;
  sum.add(range.duration);
  return { start, end: sum.seconds };
}

/** Rates of one track that are summed apart; no real one has more than two. */
const MOST_RATES = 8;

/**
 * Adds times up without drift: values of one rate are summed as they stand and turned into seconds once, so that times in
 * whole frames stay on their frames over any length.
 */
export class OtioSum {
  #seconds = 0;
  readonly #sums: { readonly rate: FrameRate; value: number }[] = [];

  add(time: OtioTime, sign: 1 | -1 = 1): void {
    const sum = this.#sums.find((one) => equalRates(one.rate, time.rate));
    if (sum !== undefined) sum.value += sign * time.value;
    else if (this.#sums.length < MOST_RATES) this.#sums.push({ rate: time.rate, value: sign * time.value });
    else this.#seconds += sign * secondsFromFrames(time.value, time.rate);
  }

  get seconds(): number {
    let seconds = this.#seconds;
    for (const { rate, value } of this.#sums) seconds += secondsFromFrames(value, rate);
    return seconds;
  }
}

/** Every timeline of a document, in order: the document itself, or the members of a collection. */
function timelinesOf(source: JsonSource, depth = 0): JsonObjectSource[] {
  if (source.kind !== "object" || depth > 8) return [];
  const schema = schemaOf(source);
  if (schema === "Timeline") return [source];
  if (schema === "SerializableCollection")
    return itemsOf(source, "children").flatMap((one) => timelinesOf(one, depth + 1));
  return [];
}

/** The timeline of a name, else the first. */
export function chosenTimeline(source: JsonSource, name: string | undefined): JsonObjectSource | null {
  const timelines = timelinesOf(source);
  return timelines.find((one) => textOf(one, "name") === name) ?? timelines[0] ?? null;
}

/** The media reference in use of a clip: of version 2 by its key, of version 1 the only one. */
export function mediaReferenceOf(clip: JsonSource): JsonSource | undefined {
  const references = memberOf(clip, "media_references");
  const key = textOf(clip, "active_media_reference_key");
  return memberOf(references, key === "" ? "DEFAULT_MEDIA" : key) ?? memberOf(clip, "media_reference");
}

/** Frames per second that most times inside an object count with; `null` when it holds none. */
export function commonRate(source: JsonSource): FrameRate | null {
  const counts = new Map<number, number>();
  countRates(source, counts);
  let common: number | null = null;
  for (const [rate, count] of counts) {
    if (common === null || count > (counts.get(common) ?? 0)) common = rate;
  }
  return common === null ? null : rateFromDecimal(common);
}

/** Rates above are those of samples, not frames. */
const HIGHEST_FRAME_RATE = 1000;

function countRates(source: JsonSource, counts: Map<number, number>): void {
  if (source.kind === "scalar") return;
  if (source.kind === "array") {
    for (const item of source.items) countRates(item, counts);
    return;
  }
  if (schemaOf(source) === "RationalTime") {
    const rate = numberOf(source, "rate");
    // A rate of 1 is what an empty time is given.
    if (rate !== null && rate > 1 && rate <= HIGHEST_FRAME_RATE) counts.set(rate, (counts.get(rate) ?? 0) + 1);
    return;
  }
  for (const member of source.members.values()) countRates(member, counts);
}

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

/** What a clip shows, and where on its own clock its first frame lies. */
export interface OtioMedia {
  readonly source: MediaSource | EmptySource;
  /** Its range on its own clock where known. */
  readonly available: OtioRange | null;
}

/** Reads the media of a clip on a track of the given kind. */
export function mediaOf(clip: JsonSource, trackKind: "video" | "audio"): OtioMedia {
  const reference = mediaReferenceOf(clip);
  const schema = schemaOf(reference);
  const available = rangeOf(memberOf(reference, "available_range"));
  const name = textOf(reference, "name") || textOf(clip, "name");
  if (schema === "GeneratorReference") {
    return { source: { kind: "empty", name: name || textOf(reference, "generator_kind") }, available };
  }
  const location = schema === "ImageSequenceReference" ? sequenceLocation(reference) : textOf(reference, "target_url");
  const isVideo = trackKind === "video";
  const source: MediaSource = {
    kind: "media",
    name,
    location: location === "" ? null : location,
    ...(available === null ? {} : knownRange(available, isVideo)),
    hasVideo: isVideo,
    audioChannels: isVideo ? 0 : channelsOf(clip),
    ...(isVideo && schema === "ExternalReference" && isStillName(location) ? { isStill: true } : {}),
  };
  return { source, available };
}

function knownRange({ start, duration }: OtioRange, isVideo: boolean): Partial<MediaSource> {
  return {
    durationSeconds: secondsFromFrames(duration.value, duration.rate),
    ...(isVideo ? { rate: start.rate } : {}),
    startFrame: Math.round(start.value),
  };
}

/** Channels of sound where nothing says how many there are. */
const ASSUMED_CHANNELS = 2;

/** DaVinci Resolve lists the channels a clip uses; others do not say. */
function channelsOf(clip: JsonSource): number {
  const listed = itemsOf(memberOf(memberOf(clip, "metadata"), "Resolve_OTIO"), "Channels").length;
  return listed > 0 ? listed : ASSUMED_CHANNELS;
}

/** Address of a picture sequence with its number as `%04d`. */
function sequenceLocation(reference: JsonSource | undefined): string {
  const padding = numberOf(reference, "frame_zero_padding") ?? 0;
  const number = padding > 0 ? `%0${padding}d` : "%d";
  const base = textOf(reference, "target_url_base");
  const folder = base === "" || base.endsWith("/") ? base : `${base}/`;
  return `${folder}${textOf(reference, "name_prefix")}${number}${textOf(reference, "name_suffix")}`;
}
