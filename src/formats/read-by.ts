import type { CueDocument } from "./cue-list.ts";
import type { LabelReading } from "./label-clock.ts";
import { IssueList } from "./parse-issue.ts";

/** What a caller knows about a text before it is read. */
export interface FormatReading<Format extends string> extends LabelReading {
  /** The format, where it is known for certain; detected otherwise. */
  readonly format?: Format;
  /** A hint: its ending names a format. */
  readonly filename?: string;
}

/** Cues of a text in one of several formats. */
export interface ReadText<Format extends string> extends CueDocument {
  /** The format it was read as; `null` when it is in none that is read. */
  readonly format: Format | null;
  /** How sure the format is, 0 to 1; 1 when the caller gave it. */
  readonly confidence: number;
  /** BCP-47 code where the text states one. */
  readonly language?: string;
}

/** A reader of one format. Never throws on a text. */
export type FormatReader = (text: string, reading: LabelReading) => CueDocument & { readonly language?: string };

/** How sure a text must be of another format to overrule the one a caller gives. */
const OVERRULES = 0.95;

/**
 * Reads cues by the reader of the text's format. Never throws on a text: what cannot be read is in the issues, and cues
 * are empty when nothing can. A format given by the caller gives way where the text plainly is in another (`detected`,
 * which may be one without a reader), or yields no cue in it.
 */
export function readBy<Format extends string>(
  readers: Readonly<Record<Format, FormatReader>>,
  text: string,
  reading: FormatReading<Format>,
  detected: { readonly format: string; readonly confidence: number } | null,
): ReadText<Format> {
  const given = reading.format;
  const isOverruled = detected !== null && detected.format !== given && detected.confidence >= OVERRULES;
  if (given !== undefined && !isOverruled) {
    const read = readers[given](text, reading);
    if (read.cues.length > 0) return { ...read, format: given, confidence: 1 };
  }
  if (detected === null) return unreadable<Format>(text, given ?? null, "");
  const { format, confidence } = detected;
  if (!isReadBy(readers, format)) {
    return unreadable<Format>(text, null, `it is ${format}, which "aside convert" turns into WebVTT`);
  }
  return { ...readers[format](text, reading), format, confidence: format === given ? 1 : confidence };
}

function isReadBy<Format extends string>(readers: Readonly<Record<Format, unknown>>, format: string): format is Format {
  return Object.hasOwn(readers, format);
}

function unreadable<Format extends string>(text: string, format: Format | null, detail: string): ReadText<Format> {
  const issues = new IssueList();
  const isEmpty = text.trim() === "";
  issues.add(isEmpty ? "empty-text" : "unknown-format", 0, text.trim().slice(0, 200), detail);
  return { cues: [], issues: issues.finish(), format, confidence: 0 };
}
