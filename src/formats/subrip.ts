import type { Cue } from "../core/cue.ts";
import { formatMilliseconds, millisecondsFrom, parseClockTime } from "./clock-time.ts";
import type { CueDocument } from "./cue-list.ts";
import type { Format } from "./format.ts";
import type { FilmReading } from "./gate/film-reading.ts";
import { TextRows } from "./gate/text-rows.ts";
import { decodeCharacterReferences, foldWhiteSpace, fromSpareReferences, withSpareReferences } from "./plain-markup.ts";
import { LineCursor, normalizeLineEnds } from "./text-lines.ts";

/** Times of a SubRip cue: two clock times, an arrow between them, anything behind. */
interface Timing {
  readonly start: number;
  readonly end: number;
  /** Whether they stand exactly as `HH:MM:SS,mmm --> HH:MM:SS,mmm`. */
  readonly isExact: boolean;
}

const ARROW = /-{1,3}>/;
const LEADING_TIME = /^\s*([-\d:.,]+)(?=\s|$)/;
const ARROW_AT = /-{1,3}>/y;

/**
 * Reads SubRip as it is found: numbers missing or wrong, `.` for `,`, short or no milliseconds, coordinates behind the
 * times, markup, character references, blank lines inside a text. Accepts any text. Numbers are positions, not
 * identities, so ids are given anew.
 */
export function parseSubRip(text: string, film: FilmReading = {}): CueDocument {
  return new SubRipParser(normalizeLineEnds(text), film).parse();
}

/** A line by its place in the text. */
interface SubRipLine {
  readonly start: number;
  readonly end: number;
  readonly number: number;
}

class SubRipParser {
  readonly #cursor: LineCursor;
  readonly #rows: TextRows;
  /** Times of the cue whose text is being gathered; `null` between cues. */
  #timing: Timing | null = null;
  #timingLine = 0;
  /** Where the text gathered begins and ends. */
  #textStart = 0;
  #textEnd = 0;
  #isAfterBlank = false;
  /** Whether the text met belongs to nothing and has been reported. */
  #isStray = false;
  /** A number whose next line says whether it is a cue's number or its text. */
  #number: SubRipLine | null = null;

  /** Whether the file was written as if it were HTML, and every `&` in it begins a reference. */
  readonly #isEscaped: boolean;

  constructor(text: string, film: FilmReading) {
    this.#rows = new TextRows(film);
    this.#cursor = new LineCursor(text, "->");
    this.#isEscaped = ESCAPED.test(text);
    if (this.#isEscaped) this.#rows.issues.add("escaped-text", 0);
  }

  parse(): CueDocument {
    const cursor = this.#cursor;
    for (; !cursor.isDone; cursor.advance()) {
      if (cursor.hasArrow) this.#readArrow(cursor.line, cursor.number);
      else if (cursor.isBlank || isBlank(cursor)) {
        this.#settleNumber();
        this.#isAfterBlank = true;
      } else this.#readLine({ start: cursor.start, end: cursor.end, number: cursor.number });
    }
    this.#settleNumber();
    this.#end();
    return this.#rows.document();
  }

  #readArrow(line: string, number: number): void {
    const timing = parseTiming(line);
    if (timing === null && !hasTimesAround(line)) {
      this.#readLine({ start: this.#cursor.start, end: this.#cursor.end, number });
      return;
    }
    this.#number = null;
    this.#end();
    if (timing === null) {
      this.#rows.issues.add("bad-timing", number, line);
      this.#isStray = true;
      return;
    }
    if (!timing.isExact) this.#rows.issues.add("odd-time", number, line);
    this.#timing = timing;
    this.#timingLine = number;
    this.#textStart = this.#cursor.end;
    this.#textEnd = this.#cursor.end;
  }

  #readLine(line: SubRipLine): void {
    this.#settleNumber();
    if (isNumber(this.#cursor.text, line)) this.#number = line;
    else this.#readText(line, false);
  }

  /** What follows a number is no timing, so the number is text. */
  #settleNumber(): void {
    const line = this.#number;
    this.#number = null;
    if (line !== null) this.#readText(line, true);
  }

  #readText({ start, end, number }: SubRipLine, isNumber: boolean): void {
    // Behind a blank line a number begins the next cue; other text can only be more of this one.
    if (this.#isAfterBlank && isNumber) this.#end();
    if (this.#timing === null) {
      if (!this.#isStray) this.#rows.issues.add("missing-timing", number, this.#cursor.text.slice(start, end));
      this.#isStray = true;
      return;
    }
    if (this.#isAfterBlank && this.#textEnd > this.#textStart) {
      this.#rows.issues.add("blank-line-in-text", number - 1, this.#cursor.text.slice(start, end));
    }
    this.#isAfterBlank = false;
    this.#textEnd = end;
  }

  #end(): void {
    const timing = this.#timing;
    if (timing !== null) {
      const text = plainFromSubRip(this.#cursor.text.slice(this.#textStart + 1, this.#textEnd), this.#isEscaped);
      this.#rows.add("", timing.start, timing.end, text, this.#timingLine);
    }
    this.#timing = null;
    this.#isAfterBlank = false;
    this.#isStray = false;
  }
}

/** Whether the cursor's line holds white space only; most lines show at their first character that they do not. */
function isBlank(cursor: LineCursor): boolean {
  const first = cursor.text.charCodeAt(cursor.start);
  return (first <= 0x20 || first >= 0xa0) && cursor.line.trim() === "";
}

const NUMBER = /^\s*\d+\s*$/;

function isNumber(text: string, { start, end }: SubRipLine): boolean {
  const last = text.charCodeAt(end - 1);
  return (last <= 0x20 || (last >= 0x30 && last <= 0x39)) && NUMBER.test(text.slice(start, end));
}

/** Whether digits stand on both sides of the first arrow of a line that has one: meant as times, even if they cannot be read. */
function hasTimesAround(line: string): boolean {
  ARROW_AT.lastIndex = line.indexOf("-");
  if (!ARROW_AT.test(line)) return false;
  const behind = ARROW_AT.lastIndex;
  const next = line.indexOf(">", behind);
  return /\d/.test(line.slice(0, line.indexOf("-"))) && /\d/.test(line.slice(behind, next === -1 ? undefined : next));
}

/** Whether a line holds times, or is meant to. */
function isLikeTiming(line: string): boolean {
  return line.includes("->") && (parseTiming(line) !== null || hasTimesAround(line));
}

function parseTiming(line: string): Timing | null {
  const exactStart = exactSeconds(line, 0);
  if (exactStart >= 0 && line.length === EXACT_LENGTH && line.startsWith(" --> ", 12)) {
    const exactEnd = exactSeconds(line, 17);
    if (exactEnd >= 0) return { start: exactStart, end: exactEnd, isExact: true };
  }
  const arrow = ARROW.exec(line);
  if (arrow === null) return null;
  const start = parseClockTime(line.slice(0, arrow.index));
  const end = parseClockTime(LEADING_TIME.exec(line.slice(arrow.index + arrow[0].length))?.[1] ?? "");
  return start === null || end === null ? null : { start, end, isExact: false };
}

/** Length of `HH:MM:SS,mmm --> HH:MM:SS,mmm`. */
const EXACT_LENGTH = 29;

/** Seconds of `HH:MM:SS,mmm` at an offset; -1 when it does not stand there to the letter. */
function exactSeconds(line: string, at: number): number {
  const isShaped =
    line.charCodeAt(at + 2) === 0x3a && line.charCodeAt(at + 5) === 0x3a && line.charCodeAt(at + 8) === 0x2c;
  const hours = twoDigits(line, at);
  const minutes = twoDigits(line, at + 3);
  const seconds = twoDigits(line, at + 6);
  const tens = twoDigits(line, at + 9);
  const ones = line.charCodeAt(at + 11) - 0x30;
  if (!isShaped || hours < 0 || minutes < 0 || minutes > 59 || seconds < 0 || seconds > 59) return -1;
  if (tens < 0 || !(ones >= 0 && ones <= 9)) return -1;
  return (((hours * 60 + minutes) * 60 + seconds) * 1000 + tens * 10 + ones) / 1000;
}

/** The number of two digits at an offset; -1 when there are none. */
function twoDigits(line: string, at: number): number {
  const tens = line.charCodeAt(at) - 0x30;
  const ones = line.charCodeAt(at + 1) - 0x30;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : -1;
}

/** Writes cues as SubRip, numbered from 1, times rounded to the millisecond, each cue at least one millisecond long. */
export function writeSubRip(cues: readonly Cue[]): string {
  const blocks = cues.map((cue, index) => {
    const start = millisecondsFrom(cue.start);
    const end = Math.max(start + 1, millisecondsFrom(cue.end));
    const times = `${formatMilliseconds(start, COMMA)} --> ${formatMilliseconds(end, COMMA)}`;
    return `${index + 1}\n${times}\n${subRipText(cue.text)}\n`;
  });
  return blocks.join("\n");
}

const COMMA = { decimal: "," } as const;

/** SubRip's tags; any other word in angle brackets is a word. */
const TAG = /<(?=\/?\s*(?:i|b|u|s|font)(?:\s[^<>\n]*)?>)[^>]*>/gi;

/** A block of SubStation Alpha, which SubRip files carry too: `{\an8}`. */
const OVERRIDE = /\{(?=\\[^{}\n]*\})[^}]*\}/g;

/** References that nobody types, and that are never written here: who wrote them escaped all the rest too. */
const ESCAPED = /&(?:nbsp|#0?3[49]|#160|#x27);/i;

/**
 * The words of a cue: SubRip's own tags and blocks go, white space folds.
 *
 * @param isEscaped Whether every `&` in the text begins a reference.
 */
export function plainFromSubRip(text: string, isEscaped = false): string {
  const untagged = text.includes("<") ? text.replace(TAG, "") : text;
  const plain = untagged.includes("{") ? untagged.replace(OVERRIDE, "") : untagged;
  return foldWhiteSpace(isEscaped ? decodeCharacterReferences(plain) : fromSpareReferences(plain));
}

/** Words on one line as they are; references only where a reader would take them for markup or times. */
function subRipText(text: string): string {
  const line = withSpareReferences(foldWhiteSpace(text))
    .replace(TAG, (tag) => `&lt;${tag.slice(1)}`)
    .replace(OVERRIDE, (block) => `&#123;${block.slice(1)}`);
  return isLikeTiming(line) ? line.replaceAll("->", "-&#62;") : line;
}

/** SubRip: numbers above its times, and commas in them. */
export const SUBRIP = {
  title: "SubRip",
  endings: ["srt"],
  shows({ arrows }) {
    if (arrows === null) return 0;
    const { hasComma, isNumbered } = arrows;
    return hasComma && isNumbered ? 0.95 : hasComma || isNumbered ? 0.8 : 0.6;
  },
  read: parseSubRip,
  write: ({ cues }) => writeSubRip(cues),
  lacks: { ids: true, language: true },
} as const satisfies Format;
