import { frameRate } from "../../core/frame-rate.ts";
import { type LabelTime, labelTime } from "../clock-time.ts";
import type { CueDocument } from "../cue-list.ts";
import type { Format } from "../format.ts";
import type { FilmReading } from "../gate/film-reading.ts";
import { TextRows } from "../gate/text-rows.ts";
import { addTimedRows, type TimedRow } from "../gate/timed-rows.ts";
import { foldWhiteSpace } from "../plain-markup.ts";
import { linesOf } from "../text-lines.ts";

/** Whether a text begins as Scenarist's captions do. */
export function isScc(text: string): boolean {
  return /^\s*Scenarist_SCC\s+V\d/i.test(text.slice(0, 100));
}

const LINE = /^\s*(\d\d:\d\d:\d\d[:;]\d\d)\s+([\da-zA-Z].*)$/;

const PAIR = /^[\da-fA-F]{4}$/;

/** Frames until a command counts: those that it is sent in, as it is sent twice. */
const COMMAND_FRAMES = 2;

/**
 * Reads captions of line 21 in Scenarist's SCC: pop-on, paint-on and roll-up of the first channel, one pair of bytes a frame
 * at 29.97. A caption begins when it is shown and ends when it is taken away or replaced. Accepts any text.
 */
export function parseScc(text: string, reading: FilmReading = {}): CueDocument {
  const rows = new TextRows(reading);
  const { issues } = rows;
  const lines = linesOf(text);
  const isDropFrame = lines.some((line) => LINE.exec(line)?.[1]?.includes(";"));
  const decoder = new CaptionDecoder();
  for (const [index, line] of lines.entries()) {
    const [, label, pairs = ""] = LINE.exec(line.slice(0, LONGEST_LINE)) ?? [];
    if (label === undefined) {
      if (line.trim() !== "" && !isScc(line)) issues.add("unknown-line", index + 1, line);
      continue;
    }
    const words = pairs.trim().split(/\s+/);
    const broken = words.filter((word) => !PAIR.test(word));
    if (broken[0] !== undefined)
      issues.add("bad-entry", index + 1, broken[0], `${broken.length} are no pairs of bytes`);
    const sent = { ...labelTime(label), line: index + 1 };
    for (const [further, pair] of words.entries()) if (PAIR.test(pair)) decoder.take(pair, { ...sent, further });
  }
  addTimedRows(decoder.finish(), rows, { format: { rate: NTSC, isDropFrame } });
  if (decoder.otherChannels > 0) {
    issues.add("unknown-object", 0, "", `${decoder.otherChannels} pairs of another channel`);
  }
  rows.leaveOut("command of another channel", decoder.otherChannels);
  return rows.document();
}

/** Pairs of bytes a second. */
const NTSC = frameRate(30_000, 1001);

/** Longest line that is read, in characters: an hour of pairs is half of it. */
const LONGEST_LINE = 1_000_000;

/** How characters come onto the screen: made ready unseen, painted at once, or rolling up. */
type Mode = "pop-on" | "paint-on" | "roll-up";

/** When a pair is sent: frames behind the label of its line. */
interface Sent extends LabelTime {
  readonly further: number;
  readonly line: number;
}

/** Words, and when they began to be shown. */
interface Shown {
  readonly start: Sent;
  text: string;
}

/** Follows the control codes of the first channel (CTA-608, annex B), and keeps words alone, not where they stand. */
class CaptionDecoder {
  /** Pairs of control that are of a channel that is not read. */
  otherChannels = 0;
  readonly #rows: TimedRow[] = [];
  #mode: Mode = "pop-on";
  #hidden = "";
  #shown: Shown | null = null;
  #lastControl = "";
  #isOtherChannel = false;

  /** Takes a pair of bytes, as four hexadecimal digits. */
  take(pair: string, at: Sent): void {
    const first = Number.parseInt(pair.slice(0, 2), 16) & 0x7f;
    const second = Number.parseInt(pair.slice(2), 16) & 0x7f;
    if (first >= 0x10 && first <= 0x1f) {
      // Control codes are sent twice; the second one means nothing.
      const isRepeat = this.#lastControl === pair;
      this.#lastControl = isRepeat ? "" : pair;
      if (!isRepeat) this.#control(first, second, at);
      return;
    }
    this.#lastControl = "";
    if (this.#isOtherChannel) return;
    for (const byte of [first, second]) this.#write(basicCharacter(byte), at);
  }

  /** Everything that was shown; what is still on the screen has no end. */
  finish(): readonly TimedRow[] {
    if (this.#shown !== null) this.#add(this.#shown, null);
    this.#shown = null;
    return this.#rows;
  }

  #control(first: number, second: number, at: Sent): void {
    this.#isOtherChannel = first >= 0x18;
    if (this.#isOtherChannel) {
      this.otherChannels += 1;
      return;
    }
    if (first === 0x11 && second >= 0x30 && second <= 0x3f) this.#write(specialCharacter(second), at);
    else if ((first === 0x12 || first === 0x13) && second >= 0x20 && second <= 0x3f) {
      this.#takeBack();
      this.#write(extendedCharacter(first, second), at);
    } else if ((first === 0x14 || first === 0x15) && second >= 0x20 && second <= 0x2f) {
      this.#command(second, { ...at, further: at.further + COMMAND_FRAMES });
    } else if (second >= 0x40 || (first === 0x11 && second >= 0x20)) {
      // A new row, or a change of colour or slant inside one, which takes the place of a blank.
      this.#write(" ", at);
    }
  }

  #command(code: number, at: Sent): void {
    switch (code) {
      case 0x20:
        this.#mode = "pop-on";
        break;
      case 0x21:
        this.#takeBack();
        break;
      case 0x25:
      case 0x26:
      case 0x27:
        if (this.#mode !== "roll-up") this.#end(at);
        this.#mode = "roll-up";
        break;
      case 0x29:
        // What is painted anew takes the place of what was there.
        this.#end(at);
        this.#mode = "paint-on";
        break;
      case 0x2c:
        this.#end(at);
        break;
      case 0x2d:
        if (this.#mode === "roll-up") this.#end(at);
        break;
      case 0x2e:
        this.#hidden = "";
        break;
      case 0x2f:
        this.#end(at);
        this.#mode = "pop-on";
        this.#shown = { start: at, text: this.#hidden };
        this.#hidden = "";
        break;
    }
  }

  #write(character: string, at: Sent): void {
    if (this.#mode === "pop-on") this.#hidden += character;
    else if (this.#shown !== null) this.#shown.text += character;
    else if (character.trim() !== "") this.#shown = { start: at, text: character };
  }

  #takeBack(): void {
    if (this.#mode === "pop-on") this.#hidden = this.#hidden.slice(0, -1);
    else if (this.#shown !== null) this.#shown.text = this.#shown.text.slice(0, -1);
  }

  #end(at: Sent): void {
    if (this.#shown !== null) this.#add(this.#shown, at);
    this.#shown = null;
  }

  #add({ start, text }: Shown, end: Sent | null): void {
    const words = foldWhiteSpace(text);
    if (words !== "") this.#rows.push({ id: "", start, end, text: words, line: start.line });
  }
}

/** Captions of line 21, as Scenarist writes them. */
export const SCC = {
  title: "Scenarist closed captions",
  endings: ["scc"],
  shows: ({ text }) => (isScc(text) ? 1 : 0),
  read: parseScc,
} as const satisfies Format;

/** Characters of line 21 that stand where ASCII has others (CTA-608, table 50). */
const BASIC: Readonly<Record<string, string>> = {
  "*": "á",
  "\\": "é",
  "^": "í",
  _: "ó",
  "`": "ú",
  "{": "ç",
  "|": "÷",
  "}": "Ñ",
  "~": "ñ",
  "\x7f": "█",
};

/** Special characters, 0x30 to 0x3F (table 49); one is a blank that shows what lies below. */
const SPECIAL = "®°½¿™¢£♪à èâêîôû";

/** Extended characters of both tables, 0x20 to 0x3F each (tables 5 to 10): they replace the one before them. */
const EXTENDED = ["ÁÉÓÚÜü‘¡*'—©℠•“”ÀÂÇÈÊËëÎÏïÔÙùÛ«»", "ÃãÍÌìÒòÕõ{}\\^_|~ÄäÖöß¥¤│ÅåØø┌┐└┘"] as const;

/** The character of a byte without its parity; empty for none. */
function basicCharacter(byte: number): string {
  const character = byte < 0x20 ? "" : String.fromCharCode(byte);
  return BASIC[character] ?? character;
}

/** The special character of a pair's second byte. */
function specialCharacter(byte: number): string {
  return SPECIAL.charAt(byte - 0x30);
}

/** The extended character of a pair: its first byte is 0x12 or 0x13. */
function extendedCharacter(first: number, second: number): string {
  return EXTENDED[first === 0x12 ? 0 : 1].charAt(second - 0x20);
}
