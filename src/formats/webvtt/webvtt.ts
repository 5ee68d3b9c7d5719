import type { Cue } from "../../core/cue.ts";
import { defined } from "../../core/objects.ts";
import { formatMilliseconds, millisecondsFrom, parseClockTime } from "../clock-time.ts";
import type { CueDocument } from "../cue-list.ts";
import type { FilmReading } from "../gate/film-reading.ts";
import { TextRows } from "../gate/text-rows.ts";
import { foldWhiteSpace, plainFromMarkup } from "../plain-markup.ts";
import { LineCursor, normalizeLineEnds } from "../text-lines.ts";
import { unrolled } from "./rolling.ts";

const ZERO = 0x30;
const COLON = 0x3a;
const STOP = 0x2e;

/** Reads WebVTT timestamps from a text, moving its own position. */
export class TimestampScanner {
  readonly text: string;
  position = 0;
  #end: number;

  constructor(text: string) {
    this.text = text;
    this.#end = text.length;
  }

  /** Turns to the stretch of the text from `start` up to `end`. */
  open(start: number, end: number): void {
    this.position = start;
    this.#end = end;
  }

  /**
   * The timestamp at the position, in seconds, by "collect a WebVTT timestamp" (WebVTT, section 6.3): hours may be left
   * out, minutes and seconds have two digits, milliseconds three. -1 when there is none.
   */
  timestamp(): number {
    const from = this.position;
    let first = this.#digits();
    if (this.position === from) return -1;
    const isHours = this.position - from !== 2 || first > 59;
    if (!this.#skip(COLON)) return -1;
    let minutes = this.#fixedDigits(2);
    if (minutes < 0) return -1;
    let seconds: number;
    if (isHours || this.text.charCodeAt(this.position) === COLON) {
      if (!this.#skip(COLON)) return -1;
      seconds = this.#fixedDigits(2);
      if (seconds < 0) return -1;
    } else {
      seconds = minutes;
      minutes = first;
      first = 0;
    }
    if (!this.#skip(STOP)) return -1;
    const milliseconds = this.#fixedDigits(3);
    if (milliseconds < 0 || minutes > 59 || seconds > 59) return -1;
    return (((first * 60 + minutes) * 60 + seconds) * 1000 + milliseconds) / 1000;
  }

  /** Moves past ASCII white space. */
  skipSpace(): void {
    while (this.position < this.#end && isAsciiSpace(this.text.charCodeAt(this.position))) this.position += 1;
  }

  /** Moves past `-->`; `false` when it does not stand here. */
  skipArrow(): boolean {
    if (!this.text.startsWith("-->", this.position)) return false;
    this.position += 3;
    return true;
  }

  #skip(code: number): boolean {
    if (this.position >= this.#end || this.text.charCodeAt(this.position) !== code) return false;
    this.position += 1;
    return true;
  }

  #digits(): number {
    let value = 0;
    for (; this.position < this.#end; this.position++) {
      const digit = this.text.charCodeAt(this.position) - ZERO;
      if (!(digit >= 0 && digit <= 9)) break;
      value = value * 10 + digit;
    }
    return value;
  }

  #fixedDigits(count: number): number {
    const from = this.position;
    const value = this.#digits();
    return this.position - from === count ? value : -1;
  }
}

/** Whether a UTF-16 code is ASCII white space: tab, LF, FF, CR, space. */
function isAsciiSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0c || code === 0x0d;
}

/** A cue as it stands in a WebVTT text. */
export interface WebVttBlock {
  /** Identifier; empty when it has none. */
  readonly id: string;
  /** Seconds on the programme clock. */
  readonly start: number;
  /** Seconds on the programme clock; may lie before `start`, as the standard allows. */
  readonly end: number;
  /** What stands behind the times. */
  readonly settings: string;
  /** The text as it stands, with markup and line breaks. */
  readonly text: string;
  /** Line of the times. */
  readonly line: number;
}

/** A style sheet, region or note of a WebVTT text. */
interface WebVttAside {
  readonly kind: "STYLE" | "REGION" | "NOTE";
  readonly text: string;
}

/** What a WebVTT text holds. */
export interface WebVttDocument extends CueDocument {
  /** The header's `Language`, where it states one. */
  readonly language?: string;
  /** Every cue in file order, those without text too. */
  readonly entries: readonly WebVttBlock[];
  readonly asides: readonly WebVttAside[];
}

/** How a WebVTT text is read. */
export interface WebVttReading {
  /**
   * Default `false`: a missing signature and times that are clear though not to the letter (`00:01,5 --> 00:03`) are
   * repaired and reported. `true`: what the standard's parser drops is dropped.
   */
  readonly isStrict?: boolean;
}

/**
 * Reads WebVTT by the W3C parsing algorithm (WebVTT, section 6.1). Accepts any text. The plain text of a cue leaves out
 * tags, voices and ruby readings. What only says how a cue is shown stays as it stands.
 */
export function parseWebVtt(
  text: string,
  { isStrict = false }: WebVttReading = {},
  film: FilmReading = {},
): WebVttDocument {
  return new WebVttParser(text, isStrict, film).parse();
}

const SIGNATURE = /^WEBVTT(?=[ \t\n]|$)/;

/** A language in the lines below the signature. */
const LANGUAGE = /^[ \t]*Language[ \t]*[:=][ \t]*(\S.*?)[ \t]*$/m;

/** A signature in other letters, as some services write it. */
const LOOSE_SIGNATURE = /^\s*WEBVTT\b/i;

/** A line of the header by which we say of a text of ours that it was understood already. */
const FILM_CLOCK = "Times: from the film's first frame";
const ON_FILM_CLOCK = new RegExp(`^${FILM_CLOCK}$`, "m");

/** Ruby readings repeat their base and would be spoken twice. */
const RUBY_READING = /<rt(?=[\s.>])[^<>]*>[^<]*(?:<\/rt[^<>]*>)?/g;

class WebVttParser {
  readonly #cursor: LineCursor;
  readonly #scanner: TimestampScanner;
  readonly #isStrict: boolean;
  readonly #rows: TextRows;
  readonly #entries: WebVttBlock[] = [];
  readonly #asides: WebVttAside[] = [];
  #header = "";
  /** A cue without text so far, which text behind a blank line may still belong to. */
  #waiting: WebVttBlock | null = null;

  constructor(text: string, isStrict: boolean, film: FilmReading) {
    this.#rows = new TextRows(film);
    const lines = normalizeLineEnds(text);
    const input = lines.includes("\0") ? lines.replaceAll("\0", "\ufffd") : lines;
    this.#cursor = new LineCursor(input);
    this.#scanner = new TimestampScanner(input);
    this.#isStrict = isStrict;
  }

  parse(): WebVttDocument {
    const cursor = this.#cursor;
    const hasSignature = SIGNATURE.test(cursor.text);
    if (hasSignature) this.#readHeader();
    else this.#rows.issues.add("missing-header", 1, cursor.line);
    if (hasSignature || !this.#isStrict) {
      if (!hasSignature) this.#skipLooseHeader();
      while (!cursor.isDone) this.#readBlock();
    }
    this.#finishWaiting();
    const rolled = unrolled(this.#entries, plainCueText);
    for (const { id, start, end, text, line } of rolled?.phrases ?? this.#entries) {
      this.#rows.add(id, start, end, plainCueText(text), line);
    }
    if (rolled !== null) {
      this.#rows.tell("rolling captions: each phrase once, at the times of its words");
      this.#rows.leaveOut("repetition of a phrase that rolls", rolled.repeated);
    }
    if (ON_FILM_CLOCK.test(this.#header)) this.#rows.clock = { counts: "seconds", isOnFilmClock: true };
    return {
      ...this.#rows.document(),
      ...defined({ language: LANGUAGE.exec(this.#header)?.[1] }),
      entries: this.#entries,
      asides: this.#asides,
    };
  }

  #readHeader(): void {
    const cursor = this.#cursor;
    cursor.advance();
    const from = cursor.start;
    this.#header = cursor.text.slice(from, cursor.skipText());
  }

  #skipLooseHeader(): void {
    const cursor = this.#cursor;
    if (!LOOSE_SIGNATURE.test(cursor.text)) return;
    while (cursor.line.trim() === "") cursor.advance();
    cursor.advance();
  }

  /** "Collect a WebVTT block", outside the header. */
  #readBlock(): void {
    const cursor = this.#cursor;
    if (cursor.hasArrow) {
      this.#readCue("");
      return;
    }
    if (cursor.isBlank) {
      cursor.advance();
      return;
    }
    const { start, number } = cursor;
    const first = cursor.line;
    cursor.advance();
    if (cursor.hasArrow) {
      this.#readCue(first);
      return;
    }
    const from = cursor.start;
    const end = cursor.skipText();
    const whole = end > from ? cursor.text.slice(start, end) : first;
    this.#readOtherBlock(first, cursor.text.slice(from, end), whole, number);
  }

  /** Reads the cue whose times stand on the current line. */
  #readCue(id: string): void {
    const cursor = this.#cursor;
    const scanner = this.#scanner;
    const { start: lineStart, end: lineEnd, number } = cursor;
    cursor.advance();
    const from = cursor.start;
    const text = cursor.text.slice(from, cursor.skipText());
    scanner.open(lineStart, lineEnd);
    scanner.skipSpace();
    const start = scanner.timestamp();
    scanner.skipSpace();
    const isWhole = start >= 0 && scanner.skipArrow();
    scanner.skipSpace();
    const end = isWhole ? scanner.timestamp() : -1;
    if (end >= 0) this.#addCue(id, start, end, cursor.text.slice(scanner.position, lineEnd), text, number);
    else this.#repairCue(id, cursor.text.slice(lineStart, lineEnd), text, number);
  }

  #repairCue(id: string, timing: string, text: string, line: number): void {
    const arrow = timing.indexOf("-->");
    const [, second = "", rest = ""] = SECOND_TIME.exec(timing.slice(arrow + 3)) ?? [];
    const start = parseClockTime(timing.slice(0, arrow));
    const end = parseClockTime(second);
    if (this.#isStrict || start === null || end === null || start < 0) {
      this.#rows.issues.add("bad-timing", line, timing);
      return;
    }
    this.#rows.issues.add("odd-time", line, timing);
    this.#addCue(id, start, end, rest, text, line);
  }

  #addCue(id: string, start: number, end: number, rest: string, text: string, line: number): void {
    this.#finishWaiting();
    const cue = { id, start, end, settings: rest.trim(), text, line };
    if (text === "" && !this.#isStrict) this.#waiting = cue;
    else this.#keep(cue);
  }

  #keep(cue: WebVttBlock): void {
    this.#entries.push(cue);
  }

  /** Ends the wait of a cue without text for a block of text behind a blank line. */
  #finishWaiting(): void {
    if (this.#waiting !== null) this.#keep(this.#waiting);
    this.#waiting = null;
  }

  /** A block without times: style sheet, region, note, or text that belongs to nothing. */
  #readOtherBlock(first: string, rest: string, whole: string, line: number): void {
    const isBeforeCues = this.#entries.length === 0 && this.#waiting === null;
    const keyword = (["STYLE", "REGION"] as const).find((word) => isKeyword(first, word));
    if (keyword !== undefined && isBeforeCues && rest !== "") this.#asides.push({ kind: keyword, text: rest });
    else if (/^NOTE(?=[ \t]|$)/.test(first)) {
      this.#asides.push({ kind: "NOTE", text: whole.slice("NOTE".length).trim() });
    } else if (keyword !== undefined) this.#rows.issues.add("stray-text", line, first);
    else if (this.#waiting !== null) {
      this.#rows.issues.add("blank-line-in-text", line - 1, first);
      const { text } = this.#waiting;
      this.#waiting = { ...this.#waiting, text: text === "" ? whole : `${text}\n${whole}` };
    } else this.#rows.issues.add("missing-timing", line, first);
  }
}

/** A clock time in any form and what follows it. */
const SECOND_TIME = /^\s*([\d:.,]+)(?=\s|$)(.*)$/;

function isKeyword(line: string, keyword: string): boolean {
  return line.startsWith(keyword) && line.slice(keyword.length).trim() === "";
}

/** The words of a cue's text: tags, voices and ruby readings left out, references replaced, white space folded. */
function plainCueText(text: string): string {
  return plainFromMarkup(text.includes("<rt") ? text.replace(RUBY_READING, "") : text);
}

/** What stands in a WebVTT file beside its cues. */
export interface WebVttWriting {
  /** BCP-47 code, written as `Language:` below the signature. */
  readonly language?: string;
  /** Written behind the signature. */
  readonly title?: string;
  /** Whether it is said in the header that the times count from the film's first frame: no reader of ours asks again. */
  readonly isOnFilmClock?: boolean;
}

/** Writes cues as WebVTT, in order, times rounded to the millisecond, each cue at least one millisecond long. */
export function writeWebVtt(cues: readonly Cue[], writing: WebVttWriting = {}): string {
  const title = inHeader(writing.title ?? "");
  const language = inHeader(writing.language ?? "");
  const header = [
    `WEBVTT${title === "" ? "" : ` ${title}`}\n`,
    writing.isOnFilmClock === true ? `${FILM_CLOCK}\n` : "",
    language === "" ? "" : `Kind: descriptions\nLanguage: ${language}\n`,
  ];
  const blocks = cues.map((cue) => {
    const start = millisecondsFrom(cue.start);
    const end = Math.max(start + 1, millisecondsFrom(cue.end));
    return `\n${identifier(cue.id)}${formatMilliseconds(start)} --> ${formatMilliseconds(end)}\n${escapeCueText(cue.text)}\n`;
  });
  return [...header, ...blocks].join("");
}

/**
 * Plain text as cue text: one line, with `&`, `<` and `>` as references, so that no `-->` can arise; `{` too where players
 * that take override blocks from SubRip would see one.
 */
function escapeCueText(text: string): string {
  const line = foldWhiteSpace(text);
  const escaped = line.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return escaped.includes("{") && plainFromMarkup(escaped) !== line ? escaped.replaceAll("{", "&#123;") : escaped;
}

/** A cue's id on a line of its own; nothing where it would be read as something else. */
function identifier(id: string): string {
  const line = id.replace(/[\r\n\0]+/g, " ");
  return line === "" || line.includes("-->") ? "" : `${line}\n`;
}

function inHeader(text: string): string {
  return text.replace(/\s+/g, " ").replaceAll("-->", "->").trim();
}
