import { shiftRange, type TimeRange } from "../../core/time-range.ts";

/** A spoken segment of a source clip. Times are source seconds. */
export interface SpokenSegment extends TimeRange {
  readonly text: string;
}

/** How a clip shows its source: `shown` on the sequence clock, from `sourceStart` of the source on, at normal speed. */
export interface SourceUse {
  readonly shown: TimeRange;
  readonly sourceStart: number;
}

/**
 * Reads a transcript as Premiere exports it: segments with words, in source seconds (Adobe's
 * `transcript_format_spec.json`). What does not look like that is left out.
 */
export function readTranscript(json: string): SpokenSegment[] {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    // Not JSON: as good as no transcript.
    return [];
  }
  return listIn(value, "segments").flatMap((segment) => {
    const start = numberIn(segment, "start");
    const duration = numberIn(segment, "duration");
    const words = listIn(segment, "words").map((word) => textIn(word, "text").trim());
    const text = words.filter((word) => word !== "").join(" ");
    if (start === null || duration === null || duration <= 0 || text === "") return [];
    return [{ start, end: start + duration, text }];
  });
}

/** The segments that a clip shows, moved to the sequence clock and cut to what is shown of them. */
export function shownSegments(segments: readonly SpokenSegment[], use: SourceUse): SpokenSegment[] {
  const shift = use.shown.start - use.sourceStart;
  return segments.flatMap((segment) => {
    const start = Math.max(segment.start + shift, use.shown.start);
    const end = Math.min(segment.end + shift, use.shown.end);
    return end > start ? [{ start, end, text: segment.text }] : [];
  });
}

/** WebVTT of segments, moved earlier by the export offset; what lies before it is left out. */
export function webVttOfSegments(segments: readonly SpokenSegment[], offsetSeconds: number): string {
  const cues = segments
    .map((segment) => shiftRange(segment, -offsetSeconds))
    .filter((segment) => segment.end > 0)
    .sort((a, b) => a.start - b.start || a.end - b.end)
    .map(({ start, end, text }) => `${timestamp(Math.max(0, start))} --> ${timestamp(end)}\n${escapeText(text)}\n`);
  return `WEBVTT\n\n${cues.join("\n")}`;
}

function timestamp(seconds: number): string {
  const milliseconds = Math.round(seconds * 1000);
  const parts = [Math.floor(milliseconds / 3_600_000), Math.floor(milliseconds / 60_000) % 60];
  const clock = parts.map((part) => String(part).padStart(2, "0")).join(":");
  const rest = ((milliseconds % 60_000) / 1000).toFixed(3).padStart(6, "0");
  return `${clock}:${rest}`;
}

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll("-->", "--&gt;");
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}

function listIn(value: unknown, name: string): readonly unknown[] {
  const list = field(value, name);
  return Array.isArray(list) ? list : [];
}

function numberIn(value: unknown, name: string): number | null {
  const number = field(value, name);
  return typeof number === "number" && Number.isFinite(number) ? number : null;
}

function textIn(value: unknown, name: string): string {
  const text = field(value, name);
  return typeof text === "string" ? text : "";
}
