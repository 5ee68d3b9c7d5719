import type { Cue } from "../core/cue.ts";
import { defined } from "../core/defined.ts";
import type { FrameGrid } from "../core/settings.ts";
import type { Timeline } from "../core/timeline.ts";
import { parseCmx3600 } from "./cmx3600/cmx3600.ts";
import { CueListBuilder } from "./cue-list.ts";
import { tableExtras } from "./cue-table.ts";
import { type DocumentFormat, detectFormat, isCueFormat, isTimelineFormat, type TimelineFormat } from "./detect.ts";
import type { DocumentExtra } from "./document-extra.ts";
import { parseFcp7Xml } from "./fcp7-xml/read-fcp7-xml.ts";
import { parseFcpxml } from "./fcpxml/read-fcpxml.ts";
import { parseOtio } from "./otio/read-otio.ts";
import { IssueList, type ParseIssue } from "./parse-issue.ts";
import { foldWhiteSpace } from "./plain-markup.ts";
import { type CueReading, readCues } from "./read-cues.ts";
import type { TimelineChoice, TimelineDocument } from "./timeline-document.ts";
import { timelineExtras } from "./timeline-losses.ts";
import { parseTtml, type TtmlEvent } from "./ttml/parse-ttml.ts";
import { parseWebVtt } from "./webvtt/webvtt.ts";

/** A document in any format: its cues, and what else it holds. */
export interface ReadDocument {
  /** `null` when it is in no format that can be read. */
  readonly format: DocumentFormat | null;
  readonly cues: readonly Cue[];
  readonly issues: readonly ParseIssue[];
  readonly language?: string;
  readonly title?: string;
  /** The frame grid the document states. */
  readonly grid?: FrameGrid;
  /** The sequence of a timeline; its cues are the sequence's markers. */
  readonly timeline?: Timeline;
  /** What would be lost where only cues are kept. */
  readonly extras: readonly DocumentExtra[];
}

/** How a document is read. */
export interface DocumentReading extends Omit<CueReading, "format">, TimelineChoice {
  /** The format, where it is known for certain; detected otherwise. */
  readonly format?: DocumentFormat;
}

/** Reads a document in any format, timelines included. Never throws on a text. */
export function readDocument(text: string, reading: DocumentReading = {}): ReadDocument {
  const { format: given, ...hints } = reading;
  const format = given ?? detectFormat(text, reading.filename)?.format ?? null;
  if (format !== null && !isCueFormat(format)) {
    return isTimelineFormat(format) ? readTimeline(text, format, reading) : readTtml(text);
  }
  const read = readCues(text, format === null ? hints : { ...hints, format });
  return {
    format: read.format,
    cues: read.cues,
    issues: read.issues,
    ...defined({ language: read.language }),
    ...detailsOf(text, read.format, reading),
  };
}

const TIMELINE_READERS: Readonly<Record<TimelineFormat, (text: string, choice: TimelineChoice) => TimelineDocument>> = {
  otio: parseOtio,
  "fcp7-xml": parseFcp7Xml,
  fcpxml: parseFcpxml,
};

/** A timeline document, and the format that it turned out to be in: `null` when it is in none that carries a sequence. */
export interface ParsedTimeline extends TimelineDocument {
  readonly format: TimelineFormat | null;
}

/** Reads the sequence of a timeline document in any format, markers and all, without taking them for cues. */
export function parseTimeline(text: string, filename?: string): ParsedTimeline {
  const format = detectFormat(text, filename)?.format ?? null;
  if (format === null || !isTimelineFormat(format)) return { format: null, timeline: null, issues: [] };
  return { format, ...TIMELINE_READERS[format](text, {}) };
}

function readTimeline(text: string, format: TimelineFormat, choice: TimelineChoice): ReadDocument {
  const { timeline, issues } = TIMELINE_READERS[format](text, choice);
  if (timeline === null) return { format, cues: [], issues, extras: [] };
  const found = new IssueList();
  const cues = cuesOfMarkers(timeline, found);
  return {
    format,
    cues,
    issues: [...issues, ...found.finish()],
    title: timeline.name,
    grid: { rate: timeline.rate, isDropFrame: timeline.isDropFrame, startFrame: timeline.startFrame },
    timeline,
    extras: timelineExtras(timeline),
  };
}

function readTtml(text: string): ReadDocument {
  const { cues, issues, language, events, grid } = parseTtml(text);
  const isStated = language !== "" && language !== "und";
  return {
    format: "ttml",
    cues,
    issues,
    ...(isStated ? { language } : {}),
    ...defined({ grid }),
    extras: ttmlExtras(events),
  };
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

type Details = Pick<ReadDocument, "title" | "extras">;

function detailsOf(text: string, format: DocumentFormat | null, reading: DocumentReading): Details {
  if (format === "vtt") return { extras: webVttExtras(text) };
  if (format === "csv" || format === "tsv") return { extras: tableExtras(text) };
  if (format === "edl") {
    const { title, events, cues } = parseCmx3600(text, reading);
    const speeds = events.reduce((sum, event) => sum + event.speedChanges, 0);
    const silent = Math.max(0, events.length - cues.length);
    return {
      ...(title === "" ? {} : { title }),
      extras: present([
        ["speed changes", speeds],
        ["events without text", silent],
      ]),
    };
  }
  return { extras: [] };
}

/** Settings of a WebVTT cue that say where it is shown. */
const PLACING = /(?:^|\s)(?:line|position|region):\S/;

function webVttExtras(text: string): DocumentExtra[] {
  const { entries, asides } = parseWebVtt(text);
  const count = (kind: (typeof asides)[number]["kind"]) => asides.filter((aside) => aside.kind === kind).length;
  return present([
    ["notes", count("NOTE")],
    ["style sheets", count("STYLE")],
    ["regions", count("REGION")],
    ["cues placed on the picture", entries.filter((cue) => PLACING.test(cue.settings)).length],
    ["cues with markup", entries.filter((cue) => /<[a-z\d/]/i.test(cue.text)).length],
    ["line breaks inside a cue", entries.filter((cue) => cue.text.includes("\n")).length],
  ]);
}

function ttmlExtras(events: readonly TtmlEvent[]): DocumentExtra[] {
  const languages = (texts: readonly { language: string }[]) => new Set(texts.map((one) => one.language)).size;
  return present([
    ["texts in a further language", events.filter((event) => languages(event.texts) > 1).length],
    ["gains of the programme", events.filter((event) => event.gain !== undefined).length],
    ["notes", events.reduce((sum, event) => sum + event.descriptions.length, 0)],
    ["statements of what a cue represents", events.filter((event) => event.represents !== "").length],
  ]);
}

function present(counts: readonly (readonly [name: string, count: number])[]): DocumentExtra[] {
  return counts.flatMap(([name, count]) => (count > 0 ? [{ name, count }] : []));
}
