import { hasTimeCell, isCueTable, isCueTableHead } from "./cue-table.ts";
import {
  type Detected,
  endingOf,
  headOf,
  isLikeJson,
  likeliest,
  SERVICE_ENDINGS,
  type ServiceFormat,
  serviceCandidates,
} from "./detect-service-format.ts";
import { SELDOM_READERS, type SeldomFormat, seldomFormat } from "./seldom-formats.ts";
import { linesOf } from "./text-lines.ts";

/** Formats of text that carry cues, and that editors and services hand around. */
export type CueFormat = ServiceFormat | "sbv" | "csv" | "tsv" | SeldomFormat;

/** Formats of text that carry an edited sequence. */
export type TimelineFormat = "otio" | "fcp7-xml" | "fcpxml";

/** Every format that can be read. */
export type DocumentFormat = CueFormat | "ttml" | TimelineFormat;

/** The format a text is in, with how sure that is. */
export type DetectedFormat = Detected<DocumentFormat>;

/** What a file name's ending says. */
const ENDINGS: ReadonlyMap<string, DocumentFormat> = new Map<string, DocumentFormat>([
  ...SERVICE_ENDINGS,
  ["sbv", "sbv"],
  ["sub", "sbv"],
  ["csv", "csv"],
  ["tsv", "tsv"],
  ["ttml", "ttml"],
  ["dfxp", "ttml"],
  ["dapt", "ttml"],
  ["otio", "otio"],
  ["xml", "fcp7-xml"],
  ["xmeml", "fcp7-xml"],
  ["fcpxml", "fcpxml"],
  ...SELDOM_READERS.flatMap(([format, { endings }]) => endings.map((ending) => [ending, format] as const)),
]);

/**
 * Names the format of a text, or `null` when nothing in it can be read. The text counts more than the name: a name decides
 * only where the text leaves it open.
 */
export function detectFormat(text: string, filename?: string): DetectedFormat | null {
  return likeliest(text, candidates, formatOfName(filename));
}

/** The format a file name's ending stands for. */
export function formatOfName(filename?: string): DocumentFormat | undefined {
  return ENDINGS.get(endingOf(filename));
}

/** Whether a format carries a sequence rather than cues alone. */
export function isTimelineFormat(format: DocumentFormat): format is TimelineFormat {
  return format === "otio" || format === "fcp7-xml" || format === "fcpxml";
}

/** Whether a format is one that `readCues` reads; the others need `readDocument`. */
export function isCueFormat(format: DocumentFormat): format is CueFormat {
  return !isTimelineFormat(format) && format !== "ttml";
}

function candidates(text: string): DetectedFormat[] {
  const seldom = seldomFormat(text);
  if (seldom !== null) return [{ format: seldom, confidence: 1 }];
  const head = headOf(text);
  if (head.startsWith("<")) {
    const format = XML_ROOTS.get(rootName(head));
    if (format !== undefined) return [{ format, confidence: 1 }];
  }
  if (isLikeJson(head) && /"OTIO_SCHEMA"\s*:/.test(head)) return [{ format: "otio", confidence: 1 }];
  const found = serviceCandidates(text);
  if (found.some(({ format }) => format === "json") || SIGNATURE.test(head)) return found;
  const lines = linesOf(text);
  const sbv: DetectedFormat[] = lines.some((line) => SBV_LINE.test(line)) ? [{ format: "sbv", confidence: 0.95 }] : [];
  const sure = found.filter(isSureOfTimes);
  const unsure = found.filter((one) => !isSureOfTimes(one));
  // Times of SBV may be words of a cue that stands below an arrow, so between equals the arrow counts.
  return [...sure, ...sbv, ...unsure, ...tableFormats(lines, sbv.length + sure.length > 0)];
}

const SIGNATURE = /^WEBVTT(?=\s|$)/;

/** Whether a finding rests on times that a table would not hold: arrows, or the columns of an EDL. */
function isSureOfTimes({ format, confidence }: DetectedFormat): boolean {
  return format !== "plaintext" && confidence > 0.5;
}

const XML_ROOTS: ReadonlyMap<string, DocumentFormat> = new Map<string, DocumentFormat>([
  ["tt", "ttml"],
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

const SBV_LINE = /^\d{1,3}:\d\d:\d\d\.\d{1,3},\d{1,3}:\d\d:\d\d\.\d{1,3}\s*$/;

/** Lines in which a table shows itself: titles may stand above it. */
const TABLE_LINES = 50;

/** Tables show themselves by their head, above which stands no time; without one, by times in columns that something parts. */
function tableFormats(lines: readonly string[], isOther: boolean): DetectedFormat[] {
  const probe = lines.slice(0, TABLE_LINES).filter((line) => line.trim() !== "");
  const row = probe.findIndex(isTableRow);
  const timed = probe.findIndex(hasTimeCell);
  const head = probe.slice(0, Math.max(1, timed)).find(isCueTableHead);
  if (head !== undefined) return [{ format: head.includes("\t") ? "tsv" : "csv", confidence: 0.95 }];
  const format = probe[row]?.includes("\t") ? "tsv" : "csv";
  return isOther || row === -1 ? [] : [{ format, confidence: format === "tsv" ? 0.95 : 0.8 }];
}

/** Whether a line is a row of a table: the first, or one in which tabs part both times, words and more. */
function isTableRow(line: string, index: number): boolean {
  if (line.includes("\t")) return isCueTable(line, "\t");
  return index === 0 && /[,;|]/.test(line) && isCueTable(line);
}
