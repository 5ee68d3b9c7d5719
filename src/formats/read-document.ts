import type { Cue } from "../core/cue.ts";
import { defined } from "../core/objects.ts";
import type { Timeline, TimelineMarker } from "../core/timeline.ts";
import type { CueDocument } from "./cue-list.ts";
import type { DocumentDetails, Format } from "./format.ts";
import { TextRows } from "./gate/text-rows.ts";
import type { ParseIssue } from "./parse-issue.ts";
import { foldWhiteSpace } from "./plain-markup.ts";
import {
  type CueReading,
  type DocumentFormat,
  detectFormat,
  FORMATS,
  isCueFormat,
  isTimelineFormat,
  readCues,
  type TimelineFormat,
} from "./registry.ts";
import { present, type TimelineChoice, type TimelineDocument, timelineExtras } from "./timeline-document.ts";

/** A document in any format: its cues, and what else it holds. */
export interface ReadDocument extends DocumentDetails, Pick<CueDocument, "receipt" | "verdict"> {
  /** `null` when it is in no format that can be read. */
  readonly format: DocumentFormat | null;
  readonly cues: readonly Cue[];
  readonly issues: readonly ParseIssue[];
  /** The sequence of a timeline; its cues are the sequence's markers. */
  readonly timeline?: Timeline;
}

/** How a document is read. */
export interface DocumentReading extends Omit<CueReading, "format">, TimelineChoice {
  /** The format, where it is known for certain; detected otherwise. */
  readonly format?: DocumentFormat;
}

/** Reads a document in any format, timelines included. Never throws on a text. */
export function readDocument(text: string, reading: DocumentReading = {}): ReadDocument {
  const { format: given, ...hints } = reading;
  const found = given ?? detectFormat(text, reading.filename)?.format ?? null;
  // Whoever names columns says that it is a table.
  const isOpen = found === null || found === "plaintext";
  const format = isOpen && reading.columns !== undefined ? "csv" : found;
  if (format !== null && isTimelineFormat(format)) return readTimeline(text, format, reading);
  const read =
    format === null || isCueFormat(format) ? readCues(text, format === null ? hints : { ...hints, format }) : null;
  if (read === null) return { format, ...detailsOf(text, format, reading), ...readAs(text, format, reading) };
  const { cues, issues, language, receipt, verdict } = read;
  return {
    format: read.format,
    cues,
    issues,
    ...defined({ language, receipt, verdict }),
    ...detailsOf(text, read.format, reading),
  };
}

/** Reads cues in a format that `readCues` does not read. */
function readAs(text: string, format: DocumentFormat | null, reading: DocumentReading) {
  const row: Format | null = format === null ? null : FORMATS[format];
  return row?.read?.(text, reading) ?? { cues: [], issues: [] };
}

function detailsOf(text: string, format: DocumentFormat | null, reading: DocumentReading): DocumentDetails {
  const row: Format | null = format === null ? null : FORMATS[format];
  return row?.details?.(text, reading) ?? { extras: [] };
}

/** A timeline document, and the format that it turned out to be in: `null` when it is in none that carries a sequence. */
export interface ParsedTimeline extends TimelineDocument {
  readonly format: TimelineFormat | null;
}

/** Reads the sequence of a timeline document in any format, markers and all, without taking them for cues. */
export function parseTimeline(text: string, filename?: string): ParsedTimeline {
  const format = detectFormat(text, filename)?.format ?? null;
  if (format === null || !isTimelineFormat(format)) return { format: null, timeline: null, issues: [] };
  return { format, ...FORMATS[format].readTimeline(text, {}) };
}

function readTimeline(text: string, format: TimelineFormat, reading: DocumentReading): ReadDocument {
  const { timeline, issues, captions = [] } = FORMATS[format].readTimeline(text, reading);
  if (timeline === null) return { format, cues: [], issues, extras: [] };
  // Whoever wants dialogue wants the captions; else they are read where nothing else holds words.
  const isOfCaptions = captions.length > 0 && (timeline.markers.length === 0 || reading.holds === "dialogue");
  const rows = new TextRows(reading);
  rows.clock = { counts: "seconds", isOnFilmClock: true };
  rows.countAs({ what: isOfCaptions ? "caption" : "marker", where: `of the timeline "${timeline.name}"` });
  if (!isOfCaptions) rows.leaveOut("caption", captions.length);
  for (const { start, end, text } of isOfCaptions ? captions : timeline.markers.map(cueOf)) {
    rows.add("", start, end, text, 0);
  }
  const { issues: found, ...read } = rows.document();
  return {
    format,
    ...read,
    issues: [...issues, ...found],
    title: timeline.name,
    grid: { rate: timeline.rate, isDropFrame: timeline.isDropFrame, startFrame: timeline.startFrame },
    timeline,
    extras: [...timelineExtras(timeline), ...present([["captions", isOfCaptions ? 0 : captions.length]])],
  };
}

/** A marker as a cue: the comment is the text, else the name; one without length is a point, without end. */
function cueOf({ start, end, name, comment }: TimelineMarker) {
  const text = foldWhiteSpace(comment) || foldWhiteSpace(name);
  return { start, end: end > start ? end : null, text };
}
