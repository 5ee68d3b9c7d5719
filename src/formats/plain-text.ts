import type { Cue } from "../core/cue.ts";
import { TIMESTAMP_SECONDS } from "../core/tolerance.ts";
import { formatClockTime } from "./clock-time.ts";
import { type CueDocument, CueListBuilder } from "./cue-list.ts";
import type { LabelReading } from "./label-clock.ts";
import { IssueList } from "./parse-issue.ts";
import { escapeMarkup, plainFromMarkup } from "./plain-markup.ts";
import { linesOf } from "./text-lines.ts";
import { parseTimeText, type TimeText } from "./time-text.ts";
import { addTimedRows, type TimedRow } from "./timed-rows.ts";

/** How plain text with times is read. */
export type PlainTextReading = LabelReading;

/**
 * Reads text with a time at the head of its rows: `[MM:SS.mmm] text`, `HH:MM:SS text`, `in - out text`, tables parted by
 * tabs or blanks, identifiers before or behind the times, a time on a line of its own above its text, timecodes with
 * frames. Lines without a time continue the row above; a line that looks timed and has no time that can be read is reported, with
 * what follows it up to the next row. Accepts any text.
 */
export function parsePlainText(text: string, reading: PlainTextReading = {}): CueDocument {
  const issues = new IssueList();
  const builder = new CueListBuilder(issues);
  const rows = rowsOf(text, issues);
  // Lists of cuts have numbers in place of words.
  const isWordless = rows.length > 0 && rows.every((row) => row.isBareSeconds && !/\p{L}/u.test(row.text));
  if (isWordless) issues.add("unknown-format", 0, text.slice(0, 200).trim(), "it holds numbers and no words");
  addTimedRows(isWordless ? [] : rows, builder, issues, reading);
  return { cues: builder.finish(), issues: issues.finish() };
}

/** A row whose text may still grow. */
interface OpenRow extends Omit<TimedRow, "text">, Pick<RowHead, "isBareSeconds"> {
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
    else if (head !== null) {
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

/** Times and identifier at the head of a row, and what follows. */
interface RowHead {
  readonly id: string;
  readonly start: TimeText;
  readonly end: TimeText | null;
  readonly rest: string;
  /** Whether its times are numbers of seconds without brackets. */
  readonly isBareSeconds: boolean;
}

/** An identifier: letters and at least one digit (`f000001`, `12`, `12.`). */
const ID = /^(?=[^\s]*\d)([A-Za-z]{0,16}[-_]?\d{1,16})[.)]?\s+/;
const OPENING = /^\s*[[({<]?\s*/;
const CLOCK =
  /^(?:\d{1,4}\s?:\s?)?\d{1,4}\s?:\s?\d\d(?:[.,]\d{1,9}|[:;]\d{2,3})?(?!\d|:\d)|^\d{1,3};\d\d;\d\d;\d\d(?!\d)/;
const SECONDS = /^\d{1,9}[.,]\d{1,9}(?!\d|:\d)(?:\s?s\b)?|^\d{1,9}s\b/;
const CLOSING = /^\s?[\])}>]/;
const BETWEEN = /^\s*(?:-{1,3}>|[-–—~|/,;]|to\b)\s*[[({<]?\s*|^\s+/;
const BEHIND = /^(?:\s*[:|]+\s*|\s*[-–—>,;]\s+|\s+)/;
const BEHIND_BRACKET = /^:?\s*/;
const QUOTED = /^"(.*)"$/;
const ID_BEHIND = /^([A-Za-z]{1,16}[-_]?\d{1,16})\s+(?=")/;

/** The head of a row that begins with a time; `null` for any other line. */
export function parseRowHead(line: string): RowHead | null {
  return headAt(line, "") ?? headBehindId(line);
}

function headBehindId(line: string): RowHead | null {
  const id = ID.exec(line.trimStart());
  if (id?.[1] === undefined) return null;
  const head = headAt(line.trimStart().slice(id[0].length), id[1]);
  // A number before a lone time is more likely prose ("4 3:30 pm trains") than an identifier.
  return head?.end === null ? null : head;
}

function headAt(line: string, id: string): RowHead | null {
  const opening = OPENING.exec(line)?.[0] ?? "";
  const isBracketed = opening.trim() !== "";
  const first = timeAt(line, opening.length);
  if (first === null) return null;
  const close = isBracketed ? (CLOSING.exec(line.slice(first.end))?.[0].length ?? 0) : 0;
  const second = secondTime(line, first.end + close, close > 0 ? "" : shapeOf(first.text));
  if (first.isSeconds && second === null && !isBracketed) return null;
  const tail = line.slice(second?.end ?? first.end + close);
  const closed = isBracketed ? tail.replace(CLOSING, "") : tail;
  const isClosed = close > 0 || closed.length < tail.length;
  if (closed !== "" && !isClosed && !BEHIND.test(closed)) return null;
  const rest = closed.replace(isClosed ? BEHIND_BRACKET : BEHIND, "");
  const behind = isClosed ? null : ID_BEHIND.exec(rest);
  const name = id === "" ? (behind?.[1] ?? "") : id;
  const said = rest.slice(behind?.[0].length ?? 0);
  const isBareSeconds = first.isSeconds && !isBracketed;
  return {
    id: name,
    start: first.time,
    end: second?.time ?? null,
    rest: name === "" ? said : unquoted(said),
    isBareSeconds,
  };
}

/** A time found in a line; `end` is the position behind it. */
interface FoundTime {
  readonly time: TimeText;
  readonly text: string;
  readonly end: number;
  readonly isSeconds: boolean;
}

function timeAt(line: string, from: number): FoundTime | null {
  const tail = line.slice(from, from + 64);
  const clock = CLOCK.exec(tail)?.[0];
  const text = clock ?? SECONDS.exec(tail)?.[0];
  if (text === undefined) return null;
  const time = parseTimeText(text);
  return time === null ? null : { time, text, end: from + text.length, isSeconds: clock === undefined };
}

/** The second time of a row. Blanks alone part two times only if the second is written in the shape of the first. */
function secondTime(line: string, from: number, shape: string): FoundTime | null {
  const between = BETWEEN.exec(line.slice(from, from + 64))?.[0];
  if (between === undefined) return null;
  const second = timeAt(line, from + between.length);
  if (second === null) return null;
  return between.trim() !== "" || shapeOf(second.text) === shape ? second : null;
}

function shapeOf(time: string): string {
  return time.replace(/\d+/g, "0").replace(",", ".");
}

function unquoted(text: string): string {
  const inner = QUOTED.exec(text.trim())?.[1];
  return inner === undefined || inner.replaceAll('\\"', "").includes('"') ? text : inner.replaceAll('\\"', '"');
}

function rowText(parts: readonly string[]): string {
  return plainFromMarkup(parts.join("\n"));
}

/** Writes cues as rows `[HH:MM:SS.mmm - HH:MM:SS.mmm] text`. */
export function writePlainText(cues: readonly Cue[]): string {
  return cues
    .map((cue) => {
      const end = Math.max(cue.end, cue.start + TIMESTAMP_SECONDS);
      return `[${formatClockTime(cue.start)} - ${formatClockTime(end)}] ${escapeMarkup(cue.text)}\n`;
    })
    .join("");
}
