import { ASS } from "./captions/ass.ts";
import { EBU_STL } from "./captions/ebu-stl.ts";
import { SCC } from "./captions/scc.ts";
import { SPRUCE_STL } from "./captions/spruce-stl.ts";
import { FCP7_XML } from "./fcp7-xml/index.ts";
import { FCPXML } from "./fcpxml/index.ts";
import { type Detected, detectAmong, type Format, formatOfEnding, rowsOf } from "./format.ts";
import { OTIO } from "./otio/index.ts";
import { type FormatReading, type ReadText, readBy } from "./read-by.ts";
import { SBV } from "./sbv.ts";
import { SERVICE_FORMATS } from "./service-formats.ts";
import { AVID_MARKERS } from "./sessions/avid-markers.ts";
import { LOSSLESSCUT } from "./sessions/losslesscut.ts";
import { PRO_TOOLS } from "./sessions/pro-tools-text.ts";
import { CSV, TSV } from "./table/cue-table.ts";
import { TTML } from "./ttml/index.ts";

/** Formats of text that carry an edited sequence. */
const TIMELINE_FORMATS = { otio: OTIO, "fcp7-xml": FCP7_XML, fcpxml: FCPXML } as const satisfies Record<string, Format>;

/** Formats that show themselves by how they begin, and carry cues alone. */
const SIGNED_FORMATS = {
  "ebu-stl": EBU_STL,
  "spruce-stl": SPRUCE_STL,
  scc: SCC,
  ass: ASS,
  "avid-markers": AVID_MARKERS,
  "pro-tools": PRO_TOOLS,
  losslesscut: LOSSLESSCUT,
} as const satisfies Record<string, Format>;

/**
 * Every format of text that is read or written, in the order in which a text is held against them. Detection, conversion, the
 * help of `aside convert` and the table in docs/command-line.md follow from it.
 */
export const FORMATS = {
  ...SIGNED_FORMATS,
  ttml: TTML,
  ...TIMELINE_FORMATS,
  ...SERVICE_FORMATS,
  sbv: SBV,
  csv: CSV,
  tsv: TSV,
} as const satisfies Record<string, Format>;

/** Name of a format. */
export type DocumentFormat = keyof typeof FORMATS;

/** Name of a format that carries a sequence. */
export type TimelineFormat = keyof typeof TIMELINE_FORMATS;

/** Name of a format that `readCues` reads; the others need `readDocument`. */
export type CueFormat = Exclude<DocumentFormat, TimelineFormat | "ttml">;

/** Name of a format that can be written. */
export type WritableFormat = {
  [Name in DocumentFormat]: (typeof FORMATS)[Name] extends
    | { readonly write: unknown }
    | { readonly writeTimeline: unknown }
    ? Name
    : never;
}[DocumentFormat];

/** The format a text is in, with how sure that is. */
export type DetectedFormat = Detected<DocumentFormat>;

/** What a caller knows about a text before it is read. */
export type CueReading = FormatReading<CueFormat>;

/** Cues of a text in any format that carries cues alone. */
export type ReadCues = ReadText<CueFormat>;

/** Formats that can be written. */
// The type follows the same rule.
export const WRITABLE_FORMATS = rowsOf<DocumentFormat>(FORMATS)
  .filter(([, { write, writeTimeline }]) => write !== undefined || writeTimeline !== undefined)
  .map(([name]) => name) as readonly WritableFormat[];

// Without the others' readers: what only `readDocument` reads is named, and not read.
const { ttml: _ttml, otio: _otio, "fcp7-xml": _fcp7, fcpxml: _fcpxml, ...CUE_FORMATS } = FORMATS;

/**
 * Names the format of a text, or `null` when nothing in it can be read. The text counts more than the name: a name decides
 * only where the text leaves it open.
 */
export function detectFormat(text: string, filename?: string): DetectedFormat | null {
  return detectAmong<DocumentFormat>(FORMATS, text, filename);
}

/** The format a file name's ending stands for. */
export function formatOfName(filename?: string): DocumentFormat | undefined {
  return formatOfEnding<DocumentFormat>(FORMATS, filename);
}

/** Whether a format carries a sequence rather than cues alone. */
export function isTimelineFormat(format: DocumentFormat): format is TimelineFormat {
  return format in TIMELINE_FORMATS;
}

/** Whether a format is one that `readCues` reads; the others need `readDocument`. */
export function isCueFormat(format: DocumentFormat): format is CueFormat {
  return format in CUE_FORMATS;
}

/**
 * Reads cues from a text in any format that carries cues alone. Never throws on a text: what cannot be read is in the issues,
 * and cues are empty when nothing can. A format given by the caller gives way where the text plainly is in another, or yields
 * no cue in it. Timelines and TTML are named but not read here; `readDocument` reads them.
 */
export function readCues(text: string, reading: CueReading = {}): ReadCues {
  return readBy<CueFormat>(CUE_FORMATS, text, reading, detectFormat(text, reading.filename));
}
