import type { Cue } from "../core/cue.ts";
import { TIMESTAMP_SECONDS } from "../core/time-range.ts";
import { formatClockTime } from "./clock-time.ts";
import { isEdlLine } from "./cmx3600/parse-edl.ts";
import type { CueDocument } from "./cue-list.ts";
import type { Format } from "./format.ts";
import type { FilmReading } from "./gate/film-reading.ts";
import { TextRows } from "./gate/text-rows.ts";
import { addTimedRows, type TimedRow } from "./gate/timed-rows.ts";
import { type WordSource, wordedRows } from "./gate/wording.ts";
import type { IssueList } from "./parse-issue.ts";
import { foldWhiteSpace } from "./plain-markup.ts";
import { parseRowHead, type RowHead } from "./row-head.ts";
import { linesOf } from "./text-lines.ts";

/** How plain text with times is read. */
export type PlainTextReading = FilmReading;

/**
 * Reads text with a time at the head of its rows: `[MM:SS.mmm] text`, `HH:MM:SS text`, `in - out text`, tables parted by
 * tabs or blanks, identifiers before or behind the times, a time on a line of its own above its text, timecodes with
 * frames. Lines without a time continue the row above; a line that looks timed and has no time that can be read is reported, with
 * what follows it up to the next row. Accepts any text.
 *
 * @param holds How far what stands in the rows is meant to be spoken; all of it by default.
 */
export function parsePlainText(text: string, reading: PlainTextReading = {}, holds?: WordSource["holds"]): CueDocument {
  const gathered = new TextRows(reading);
  const { issues } = gathered;
  const rows = rowsOf(text, issues);
  // Lists of cuts have numbers in place of words.
  const isWordless = rows.length > 0 && rows.every((row) => row.isBareSeconds && !/\p{L}/u.test(row.text));
  if (isWordless) issues.add("unknown-format", 0, text.slice(0, 200).trim(), "it holds numbers and no words");
  const words = holds === undefined ? rows : wordedRows([{ holds, rows: () => rows }], gathered);
  addTimedRows(isWordless ? [] : words, gathered);
  return gathered.document();
}

/** A row whose text may still grow. */
interface OpenRow extends Omit<TimedRow, "start" | "text">, Pick<RowHead, "start" | "isBareSeconds"> {
  readonly parts: string[];
}

function rowsOf(text: string, issues: IssueList): (TimedRow & Pick<RowHead, "isBareSeconds">)[] {
  const rows: OpenRow[] = [];
  /** Whether lines belong to no row, and whether that was told already. */
  let stray: "no" | "untold" | "told" = "no";
  for (const [index, line] of linesOf(text).entries()) {
    if (line.trim() === "") {
      // Behind a blank line words belong to the row above again, if there is one that was read.
      stray = "no";
      continue;
    }
    const head = parseRowHead(line);
    const last = rows.at(-1);
    const isNoRow = head === null ? looksTimed(line) : BYTE_PAIRS.test(line);
    if (isNoRow) issues.add("bad-timing", index + 1, line);
    if (isNoRow) stray = "untold";
    else if (head !== null && isEndOf(last, head, index)) {
      // In and out each stand on a line of their own above the words.
      rows[rows.length - 1] = { ...last, end: head.start };
    } else if (head !== null) {
      rows.push({ ...head, parts: head.rest === "" ? [] : [head.rest], line: index + 1 });
      stray = "no";
    } else if (stray === "no" && last !== undefined) last.parts.push(line);
    else {
      if (stray !== "told") issues.add("missing-timing", index + 1, line);
      stray = "told";
    }
  }
  return rows.map(({ parts, ...row }) => ({ ...row, text: rowText(parts) }));
}

/** Whether a line holds nothing but the out of the row above, which holds nothing but its in. */
function isEndOf(last: OpenRow | undefined, head: RowHead, index: number): last is OpenRow {
  const isOpen = last !== undefined && last.parts.length === 0 && last.end === null && last.line === index;
  return isOpen && head.rest === "" && head.end === null && last.start.kind === head.start.kind;
}

/** Three groups of digits parted as times are, two in brackets, or two numbers of seconds, at the head of a line. */
const LIKE_TIME =
  /^(?:[[({<]?\s?\d{1,4}\s?[:;.hH]\s?\d{1,3}\s?[:;.,mM'′]\s?\d{1,4}|[[({<]\s?\d{1,4}\s?[:;]\s?\d{1,4}\s?[\])}>-]|\d{1,9}(?:[.,]\d{1,9})?\s+\d{1,9}[.,]\d{1,9}(?=\s|$))/;

/** Characters in which a time at the head of a line stands. */
const HEAD_LENGTH = 64;

/** Whether a line without a time that can be read was meant to have one. */
function looksTimed(line: string): boolean {
  return LIKE_TIME.test(line.trimStart().slice(0, HEAD_LENGTH));
}

/** A line of captions of line 21 as SCC writes it: a bare label, and pairs of bytes in hexadecimal, a control code first. */
const BYTE_PAIRS = /^\s*\d\d:\d\d:\d\d[:;]\d\d\s+[19][0-7][\da-f]{2}(?:\s+[\da-f]{4})+\s*$/i;

function rowText(parts: readonly string[]): string {
  return foldWhiteSpace(parts.join("\n"));
}

/** Writes cues as rows `[HH:MM:SS.mmm - HH:MM:SS.mmm] text`. */
export function writePlainText(cues: readonly Cue[]): string {
  return cues
    .map((cue) => {
      const end = Math.max(cue.end, cue.start + TIMESTAMP_SECONDS);
      return `[${formatClockTime(cue.start)} - ${formatClockTime(end)}] ${foldWhiteSpace(cue.text)}\n`;
    })
    .join("");
}

/** Rows of times and text: every other format holds lines like them, so that they are sure of themselves last. */
export const PLAIN_TEXT = {
  title: "Rows of times and text",
  endings: ["txt"],
  shows({ lines, otherLines }) {
    const rows = otherLines.filter((line) => !isEdlLine(line) && parseRowHead(line) !== null).length;
    const filled = lines.filter((line) => line.trim() !== "").length;
    return rows === 0 ? 0 : Math.min(0.85, 0.4 + rows / filled / 2);
  },
  read: parsePlainText,
  write: ({ cues }) => writePlainText(cues),
  lacks: { ids: true, language: true },
} as const satisfies Format;
