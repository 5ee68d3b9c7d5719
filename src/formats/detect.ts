import { parseEdlEventLine } from "./cmx3600/edl-event.ts";
import { isCueTable, isCueTableHead } from "./cue-table.ts";
import { parseRowHead } from "./plain-text.ts";
import { linesOf } from "./text-lines.ts";

/** Formats of text that carry cues, and that editors and services hand around. */
export type CueFormat = "vtt" | "srt" | "edl" | "json" | "sbv" | "plaintext" | "csv" | "tsv";

/** Formats of broadcasters, libraries and linguists that carry cues. */
export type ArchiveFormat = "ttml" | "smil" | "textgrid";

/** Formats of text that carry an edited sequence. */
export type TimelineFormat = "otio" | "fcp7-xml" | "fcpxml";

/** Every format that can be read. */
export type DocumentFormat = CueFormat | ArchiveFormat | TimelineFormat;

/** The format a text is in, with how sure that is. */
export interface DetectedFormat {
  readonly format: DocumentFormat;
  /** 0 to 1: 1 is a signature no other format has, 0.5 an even guess. */
  readonly confidence: number;
}

/** How much of a text is looked at, in characters; formats show themselves early. */
const PROBE_LENGTH = 64 * 1024;

/** What a file name's ending says. */
const EXTENSIONS: ReadonlyMap<string, DocumentFormat> = new Map<string, DocumentFormat>([
  ["vtt", "vtt"],
  ["webvtt", "vtt"],
  ["srt", "srt"],
  ["edl", "edl"],
  ["json", "json"],
  ["sbv", "sbv"],
  ["sub", "sbv"],
  ["txt", "plaintext"],
  ["csv", "csv"],
  ["tsv", "tsv"],
  ["ttml", "ttml"],
  ["dfxp", "ttml"],
  ["dapt", "ttml"],
  ["smil", "smil"],
  ["textgrid", "textgrid"],
  ["otio", "otio"],
  ["xml", "fcp7-xml"],
  ["xmeml", "fcp7-xml"],
  ["fcpxml", "fcpxml"],
]);

/**
 * Names the format of a text, or `null` when nothing in it can be read. The text counts more than the name: a name decides
 * only where the text leaves it open.
 */
export function detectFormat(text: string, filename?: string): DetectedFormat | null {
  const probe = text.slice(0, PROBE_LENGTH);
  const named = filename === undefined ? undefined : formatOfName(filename);
  const best = candidates(probe).reduce<DetectedFormat | null>((best, one) => {
    const confidence = Math.min(1, one.confidence + (one.format === named ? NAME_WEIGHT : 0));
    return best === null || confidence > best.confidence ? { format: one.format, confidence } : best;
  }, null);
  if (best !== null || named === undefined || text.trim() === "") return best;
  return { format: named, confidence: NAME_ONLY };
}

/** What a matching name adds to a finding. */
const NAME_WEIGHT = 0.2;

/** How sure a name alone makes. */
const NAME_ONLY = 0.1;

/** The format a file name's ending stands for. */
export function formatOfName(filename: string): DocumentFormat | undefined {
  const dot = filename.lastIndexOf(".");
  return dot === -1
    ? undefined
    : EXTENSIONS.get(
        filename
          .slice(dot + 1)
          .trim()
          .toLowerCase(),
      );
}

/** Whether a format carries a sequence rather than cues alone. */
export function isTimelineFormat(format: DocumentFormat): format is TimelineFormat {
  return format === "otio" || format === "fcp7-xml" || format === "fcpxml";
}

/** Whether a format is one that `readCues` reads; the others need `readDocument`. */
export function isCueFormat(format: DocumentFormat): format is CueFormat {
  return !isTimelineFormat(format) && format !== "ttml" && format !== "smil" && format !== "textgrid";
}

function candidates(text: string): DetectedFormat[] {
  const head = text.replace(/^\ufeff/, "").trimStart();
  if (head === "") return [];
  if (/^WEBVTT(?=\s|$)/.test(head)) return [{ format: "vtt", confidence: 1 }];
  if (/^File type\s*=\s*"ooTextFile/.test(head)) return [{ format: "textgrid", confidence: 1 }];
  if (head.startsWith("<")) {
    const format = XML_ROOTS.get(rootName(head));
    if (format !== undefined) return [{ format, confidence: 1 }];
  }
  const isJson = /^[[{]\s*(?:["{[\]}\d-]|$)/.test(head) && parseRowHead(head.slice(0, 200)) === null;
  if (!isJson) return counted(linesOf(text));
  return [/"OTIO_SCHEMA"\s*:/.test(head) ? { format: "otio", confidence: 1 } : { format: "json", confidence: 0.9 }];
}

const XML_ROOTS: ReadonlyMap<string, DocumentFormat> = new Map<string, DocumentFormat>([
  ["tt", "ttml"],
  ["smil", "smil"],
  ["xmeml", "fcp7-xml"],
  ["fcpxml", "fcpxml"],
]);

/** Name of the outermost element without prefix; comments, instructions and the document type are passed over. */
function rootName(text: string): string {
  let at = 0;
  for (;;) {
    const close = text.startsWith("<!--", at) ? "-->" : /^<[?!]/.test(text.slice(at, at + 2)) ? ">" : null;
    if (close === null) break;
    const end = text.indexOf(close, at);
    if (end === -1) return "";
    at = text.indexOf("<", end + close.length);
    if (at === -1) return "";
  }
  return /^<(?:[\w.-]+:)?([A-Za-z_][\w.-]*)/.exec(text.slice(at, at + 200))?.[1]?.toLowerCase() ?? "";
}

const ARROW_LINE = /\d\s*-{1,3}>\s*\d/;
const SBV_LINE = /^\d{1,3}:\d\d:\d\d\.\d{1,3},\d{1,3}:\d\d:\d\d\.\d{1,3}\s*$/;

/** How many lines only one format has. */
interface LineCounts {
  filled: number;
  events: number;
  edlHeads: number;
  commas: number;
  stops: number;
  sbv: number;
  rows: number;
}

/** Formats without a signature, by the lines that only they have. */
function counted(lines: readonly string[]): DetectedFormat[] {
  const counts: LineCounts = { filled: 0, events: 0, edlHeads: 0, commas: 0, stops: 0, sbv: 0, rows: 0 };
  for (const line of lines) if (line.trim() !== "") countLine(line, counts);
  const found: DetectedFormat[] = [];
  if (counts.events > 0) found.push({ format: "edl", confidence: counts.edlHeads > 0 ? 1 : 0.9 });
  else if (counts.edlHeads > 0) found.push({ format: "edl", confidence: 0.5 });
  if (counts.commas + counts.stops > 0) found.push(...arrowFormats(lines, counts));
  if (counts.sbv > 0) found.push({ format: "sbv", confidence: 0.95 });
  const share = counts.rows / Math.max(1, counts.filled);
  if (counts.rows > 0) found.push({ format: "plaintext", confidence: Math.min(0.85, 0.4 + share / 2) });
  return [...found, ...tableFormats(lines, counts)];
}

function countLine(line: string, counts: LineCounts): void {
  counts.filled += 1;
  if (ARROW_LINE.test(line)) {
    if (/\d,\d{1,3}\s*-{1,3}>/.test(line)) counts.commas += 1;
    else counts.stops += 1;
  } else if (SBV_LINE.test(line)) counts.sbv += 1;
  else if (/^\s*\d/.test(line) && parseEdlEventLine(line) !== null) counts.events += 1;
  else if (/^\s*(?:TITLE|FCM)\s*:/i.test(line)) counts.edlHeads += 1;
  else if (parseRowHead(line) !== null) counts.rows += 1;
}

/** SubRip has numbers above its times and commas in them; WebVTT without its signature has neither. */
function arrowFormats(lines: readonly string[], { commas, stops }: LineCounts): DetectedFormat[] {
  const firstArrow = lines.findIndex((line) => ARROW_LINE.test(line));
  const isNumbered = /^\s*\d+\s*$/.test(lines[firstArrow - 1] ?? "");
  const confidence = commas > 0 && isNumbered ? 0.95 : commas > 0 || isNumbered ? 0.8 : 0.6;
  const vtt: DetectedFormat[] =
    stops > 0 && commas === 0 ? [{ format: "vtt", confidence: isNumbered ? 0.5 : 0.59 }] : [];
  return [{ format: "srt", confidence }, ...vtt];
}

/** Tables show themselves by their head; without one, by times in columns that commas or the like part. */
function tableFormats(lines: readonly string[], counts: LineCounts): DetectedFormat[] {
  const head = lines.find((line) => line.trim() !== "") ?? "";
  const format = head.includes("\t") ? "tsv" : "csv";
  if (isCueTableHead(head)) return [{ format, confidence: 0.95 }];
  if (counts.commas + counts.stops + counts.sbv + counts.events > 0 || !/[,;|]/.test(head)) return [];
  return isCueTable(head) ? [{ format: "csv", confidence: 0.8 }] : [];
}
