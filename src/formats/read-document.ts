import type { Cue } from "../core/cue.ts";
import { defined } from "../core/objects.ts";
import type { Timeline } from "../core/timeline.ts";
import { type CueDocument, CueListBuilder } from "./cue-list.ts";
import type { DocumentDetails, Format } from "./format.ts";
import { IssueList, type ParseIssue } from "./parse-issue.ts";
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
import {
  present,
  type TimelineCaption,
  type TimelineChoice,
  type TimelineDocument,
  timelineExtras,
} from "./timeline-document.ts";

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
  const found = new IssueList();
  // Whoever wants dialogue wants the captions; else they are read where nothing else holds words.
  const isOfCaptions = captions.length > 0 && (timeline.markers.length === 0 || reading.holds === "dialogue");
  const cues = isOfCaptions ? cuesOfCaptions(captions, found) : cuesOfMarkers(timeline, found);
  const unread = isOfCaptions ? 0 : captions.length;
  return {
    format,
    cues,
    issues: [...issues, ...found.finish()],
    title: timeline.name,
    grid: { rate: timeline.rate, isDropFrame: timeline.isDropFrame, startFrame: timeline.startFrame },
    timeline,
    extras: [...timelineExtras(timeline), ...present([["captions", unread]])],
    receipt: {
      facts: [`${cues.length} ${isOfCaptions ? "captions" : "markers"} of the timeline "${timeline.name}"`],
      leftOut: unread === 0 ? [] : [{ what: "caption", count: unread }],
    },
  };
}

function cuesOfCaptions(captions: readonly TimelineCaption[], issues: IssueList): Cue[] {
  const builder = new CueListBuilder(issues);
  for (const { start, end, text } of captions) builder.add("", start, end, text, 0);
  return builder.finish();
}

/** The markers of a sequence as cues: the comment is the text, else the name. */
function cuesOfMarkers(timeline: Timeline, issues: IssueList): Cue[] {
  const builder = new CueListBuilder(issues);
  for (const marker of timeline.markers) {
    const text = foldWhiteSpace(marker.comment) || foldWhiteSpace(marker.name);
    builder.add("", marker.start, marker.end > marker.start ? marker.end : null, text, 0);
  }
  return builder.finish();
}
