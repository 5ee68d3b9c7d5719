import { frameRate } from "../../core/frame-rate.ts";
import type { CueDocument } from "../cue-list.ts";
import type { Format } from "../format.ts";
import type { FilmReading } from "../gate/film-reading.ts";
import { TextRows } from "../gate/text-rows.ts";
import { foldWhiteSpace } from "../plain-markup.ts";

/** Lengths of the head and of each block behind it, in bytes (EBU Tech 3264, 3 and 5). */
const HEAD_LENGTH = 1024;
const BLOCK_LENGTH = 128;

/** Where a text stands in its block. */
const TEXT_AT = 16;

/** Number of the last block of a subtitle; those from 0xF0 on below it are reserved, or hold data of their maker (5.3). */
const LAST_BLOCK = 0xff;
const FIRST_RESERVED = 0xf0;

/** The code of a page, and of the format with its rate: `850STL25.01`. */
const HEAD = /^\d{3}STL(\d\d)\.\d\d/;

/** Whether a text whose characters are bytes is EBU STL. */
export function isEbuStl(text: string): boolean {
  return HEAD.test(text) && text.length >= HEAD_LENGTH;
}

/** A subtitle whose blocks are still coming. */
interface OpenSubtitle {
  readonly group: number;
  readonly number: number;
  readonly times: { readonly start: number; readonly end: number };
  readonly line: number;
  text: string;
}

/**
 * Reads subtitles of EBU STL (EBU Tech 3264), given as a text whose characters are the bytes of the file. Times count from the
 * programme's start that the head names. Comments and blocks of makers are left out and counted; so is what is never
 * shown. Never throws on a text.
 */
export function parseEbuStl(text: string, reading: FilmReading = {}): CueDocument {
  const rows = new TextRows(reading);
  const nominal = Number(HEAD.exec(text)?.[1] ?? 25);
  const format = { rate: frameRate(nominal === 30 ? 30 : 25), isDropFrame: false };
  const start = framesOf(digits(text, 256), nominal) ?? 0;
  rows.clock = { counts: "frames", format, stated: { count: start, from: "from the head" } };
  const blocks = Math.floor(Math.max(0, text.length - HEAD_LENGTH) / BLOCK_LENGTH);
  const stated = Number(text.slice(238, 243));
  if (stated !== blocks) rows.issues.add("block-count", 0, text.slice(238, 243), `${blocks} are there`);
  addSubtitles(text, blocks, nominal, rows);
  return rows.document();
}

function addSubtitles(text: string, blocks: number, nominal: number, rows: TextRows): void {
  const { issues } = rows;
  const table = text.slice(12, 14);
  const day = 86_400 * nominal;
  let open: OpenSubtitle | null = null;
  let others = 0;
  let shownUntil = -1;
  const close = (subtitle: OpenSubtitle) => {
    const { times, line } = subtitle;
    const words = foldWhiteSpace(subtitle.text);
    // Timecode is a clock of 24 hours: a subtitle may begin before midnight and end behind it.
    const length = (times.end - times.start + day) % day;
    if (length === 0 || length > day / 2) issues.add("never-shown", line, words);
    else if (words !== "") {
      if (times.start < shownUntil && times.start > shownUntil - day / 2) issues.add("overlap", line, words);
      shownUntil = Math.max(shownUntil, times.end);
      rows.add("", times.start, times.end, words, line);
    }
  };
  for (let index = 0; index < blocks; index++) {
    const block = text.slice(HEAD_LENGTH + index * BLOCK_LENGTH, HEAD_LENGTH + (index + 1) * BLOCK_LENGTH);
    const byte = (at: number) => block.charCodeAt(at) & 0xff;
    const time = (at: number) => framesOf([byte(at), byte(at + 1), byte(at + 2), byte(at + 3)], nominal);
    const [part, isComment] = [byte(3), byte(15) === 1];
    if ((part >= FIRST_RESERVED && part < LAST_BLOCK) || isComment) {
      others += 1;
      continue;
    }
    const [group, number] = [byte(0), byte(1) + 256 * byte(2)];
    const words = stlText(block.slice(TEXT_AT), table);
    const isMore: boolean = open !== null && open.group === group && open.number === number;
    if (open !== null && !isMore) {
      close(open);
      open = null;
    }
    if (open === null) {
      const [start, end] = [time(5), time(9)];
      // The file has no lines: an issue is about the whole.
      if (start === null || end === null) {
        issues.add("bad-timing", 0, foldWhiteSpace(words));
        continue;
      }
      open = { group, number, times: { start, end }, line: 0, text: words };
    } else open.text += ` ${words}`;
    if (part === LAST_BLOCK) {
      close(open);
      open = null;
    }
  }
  if (open !== null) close(open);
  if (others > 0) issues.add("stray-text", 0, "", `${others} blocks of comments or of the maker's data`);
  rows.leaveOut("block of comments or of the maker's data", others);
}

/** Four pairs of digits: a timecode of the head. */
function digits(text: string, at: number): number[] {
  return [0, 2, 4, 6].map((offset) => Number(text.slice(at + offset, at + offset + 2)));
}

/** Frames of a label; `null` for one that does not exist. */
function framesOf(parts: readonly number[], nominal: number): number | null {
  const [hours = Number.NaN, minutes = Number.NaN, seconds = Number.NaN, frames = Number.NaN] = parts;
  const exists = hours < 24 && minutes < 60 && seconds < 60 && frames < nominal;
  return exists ? ((hours * 60 + minutes) * 60 + seconds) * nominal + frames : null;
}

/** Subtitles of broadcasters (EBU Tech 3264). */
export const EBU_STL = {
  title: "EBU STL",
  endings: ["stl"],
  shows: ({ text }) => (isEbuStl(text) ? 1 : 0),
  read: parseEbuStl,
} as const satisfies Format;

/** Marks of ISO 6937 that stand before their letter, as the combining characters that stand behind it; from 0xC1 on. */
const MARKS = "\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u0308\u030a\u0327\u0332\u030b\u0328\u030c";

/** ISO 6937 from 0xA0 to 0xBF, 0xD0 to 0xFF, as EBU Tech 3264 uses it; U+FFFD where it has nothing. */
const UPPER_A = "\u00a0¡¢£$¥#§¤‘“«←↑→↓°±²³×µ¶·÷’”»¼½¾¿";
const UPPER_D = "―¹®©™♪¬¦\ufffd\ufffd\ufffd\ufffd⅛⅜⅝⅞ΩÆĐªĦ\ufffdĲĿŁØŒºÞŦŊŉĸæđðħıĳŀłøœßþŧŋ\u00ad";

/** A table of ISO 8859 from 0xA0 on: where its letters stand, how far from there to Unicode, its signs; the rest is as in Latin. */
interface Iso8859 {
  readonly letters: readonly [first: number, last: number];
  readonly offset: number;
  readonly signs: ReadonlyMap<number, string>;
}

/** The tables of ISO 8859 that EBU Tech 3264 names, by its code of the table: Cyrillic (5), Arabic (6), Greek (7), Hebrew (8). */
const ISO_8859: Readonly<Record<string, Iso8859>> = {
  "01": {
    letters: [0xa1, 0xff],
    offset: 0x360,
    signs: new Map([
      [0xad, "\u00ad"],
      [0xf0, "№"],
      [0xfd, "§"],
    ]),
  },
  "02": { letters: [0xa5, 0xff], offset: 0x560, signs: new Map([[0xad, "\u00ad"]]) },
  "03": {
    letters: [0xb4, 0xff],
    offset: 0x2d0,
    signs: new Map([
      [0xa1, "‘"],
      [0xa2, "’"],
      [0xaf, "―"],
      [0xb7, "·"],
      [0xbb, "»"],
      [0xbd, "½"],
    ]),
  },
  "04": {
    letters: [0xe0, 0xfa],
    offset: 0x4f0,
    signs: new Map([
      [0xaa, "×"],
      [0xba, "÷"],
      [0xdf, "‗"],
    ]),
  },
};

/** Line break, and the filler behind the end of a text (EBU Tech 3264, 5.4). */
const LINE_BREAK = 0x8a;
const UNUSED = 0x8f;

/**
 * The words of a text field: line breaks and codes of colour, size and place are blanks; the field ends at its filler.
 *
 * @param table Code of the character table: `00` Latin (ISO 6937), `01` Cyrillic, `02` Arabic, `03` Greek, `04` Hebrew.
 */
export function stlText(field: string, table: string): string {
  const upper = ISO_8859[table];
  let text = "";
  let mark = "";
  for (const character of field) {
    const byte = character.charCodeAt(0) & 0xff;
    if (byte === UNUSED) break;
    if (upper === undefined && byte >= 0xc1 && byte <= 0xcf) {
      mark = MARKS.charAt(byte - 0xc1);
      continue;
    }
    text += characterOf(byte, upper) + mark;
    mark = "";
  }
  return text.normalize("NFC");
}

function characterOf(byte: number, upper: Iso8859 | undefined): string {
  if (byte === LINE_BREAK || byte < 0x20) return " ";
  if (byte < 0x7f) return String.fromCharCode(byte);
  // Italics, underlining and boxes.
  if (byte < 0xa0) return "";
  if (upper !== undefined) {
    const { letters, offset, signs } = upper;
    return signs.get(byte) ?? String.fromCharCode(byte >= letters[0] && byte <= letters[1] ? byte + offset : byte);
  }
  return byte < 0xc0 ? UPPER_A.charAt(byte - 0xa0) : UPPER_D.charAt(byte - 0xd0) || "\ufffd";
}
