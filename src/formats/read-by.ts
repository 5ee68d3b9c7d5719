import { defined } from "../core/objects.ts";
import { parseRateName } from "../core/timecode.ts";
import type { TextChoice } from "../core/verdict.ts";
import type { CueDocument } from "./cue-list.ts";
import { foreignText } from "./foreign-file.ts";
import type { Detected, Format } from "./format.ts";
import type { FilmReading } from "./gate/film-reading.ts";
import { IssueList } from "./parse-issue.ts";
import { type ColumnChoice, columnsIn } from "./table/columns.ts";

/** What a caller knows about a text before it is read. */
export interface FormatReading<Name extends string> extends FilmReading {
  /** The format, where it is known for certain; detected otherwise. */
  readonly format?: Name;
  /** The columns of a table that a person chose; all others are told by their heads and cells. */
  readonly columns?: ColumnChoice;
  /** A hint: its ending names a format. */
  readonly filename?: string;
}

/** How a text is read by what a person said of it. */
export function chosenBy({
  start,
  unit,
  rate,
  column,
}: TextChoice): Pick<FormatReading<string>, "startLabel" | "unit" | "textRate" | "columns"> {
  const textRate = rate === undefined ? undefined : parseRateName(rate)?.rate;
  const columns = column === undefined ? undefined : (columnsIn(column) ?? { text: column });
  return defined({ startLabel: start, unit, textRate, columns });
}

/** Cues of a text in one of several formats. */
export interface ReadText<Name extends string> extends CueDocument {
  /** The format it was read as; `null` when it is in none that is read. */
  readonly format: Name | null;
  /** How sure the format is, 0 to 1; 1 when the caller gave it. */
  readonly confidence: number;
  /** BCP-47 code where the text states one. */
  readonly language?: string;
}

/** How sure a text must be of another format to overrule the one a caller gives. */
const OVERRULES = 0.95;

/**
 * Reads cues by the reader of the text's format, of those in a table. Never throws on a text: what cannot be read is in the
 * issues, and cues are empty when nothing can. A format given by the caller gives way where the text plainly is in another
 * (`detected`, which may be one that is not in the table, or holds a sequence), or yields no cue in it.
 */
export function readBy<Name extends string>(
  formats: Readonly<Record<Name, Format>>,
  text: string,
  reading: FormatReading<Name>,
  detected: Detected<string> | null,
): ReadText<Name> {
  const foreign = foreignText(text);
  if (foreign !== null)
    return {
      ...unreadable<Name>(text, null, `it ${foreign}`),
      verdict: { kind: "does not fit", why: `it ${foreign}` },
    };
  const given = reading.format;
  const isOverruled = detected !== null && detected.format !== given && detected.confidence >= OVERRULES;
  if (given !== undefined && !isOverruled) {
    const read = formats[given].read?.(text, reading);
    if (read !== undefined && read.cues.length > 0) return { ...read, format: given, confidence: 1 };
  }
  if (detected === null) return unreadable<Name>(text, given ?? null, "");
  const { format, confidence } = detected;
  const read = isIn(formats, format) ? formats[format].read : undefined;
  if (!isIn(formats, format) || read === undefined) {
    return unreadable<Name>(text, null, `it is ${format}, which is not read here: give it as WebVTT or SubRip`);
  }
  return { ...read(text, reading), format, confidence: format === given ? 1 : confidence };
}

function isIn<Name extends string>(formats: Readonly<Record<Name, unknown>>, name: string): name is Name {
  return Object.hasOwn(formats, name);
}

function unreadable<Name extends string>(text: string, format: Name | null, detail: string): ReadText<Name> {
  const issues = new IssueList();
  const isEmpty = text.trim() === "";
  issues.add(isEmpty ? "empty-text" : "unknown-format", 0, text.trim().slice(0, 200), detail);
  return { cues: [], issues: issues.finish(), format, confidence: 0 };
}
