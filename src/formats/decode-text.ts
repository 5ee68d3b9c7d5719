import type { Receipt } from "../core/verdict.ts";
import { IssueList, type ParseIssue } from "./parse-issue.ts";

/** Bytes as text. */
export interface DecodedText {
  /** Without byte order mark. */
  readonly text: string;
  /** Label of the Encoding Standard, or `utf-32le`, `utf-32be`, which it leaves out. */
  readonly encoding: string;
  readonly issues: readonly ParseIssue[];
  /** What of a document of Word or Excel, or of RTF, was left out, because nobody sees it there. */
  readonly receipt?: Receipt;
}

/**
 * Decodes the bytes of a text file in Unicode. A byte order mark decides; without one, text that is valid UTF-8 is UTF-8, and
 * where bytes are empty on one side of the pairs it is UTF-16, which is reported. Bytes that are no character become U+FFFD.
 * Needs no `TextDecoder`, which Premiere's UXP does not have.
 *
 * @returns `null` for bytes in another encoding: `decodeFile` of the command line tells those apart.
 */
export function decodeText(bytes: Uint8Array): DecodedText | null {
  if (isStl(bytes)) return { text: decodeBytes(bytes), encoding: "binary", issues: [] };
  const issues = new IssueList();
  const found = markedEncoding(bytes) ?? guessedEncoding(bytes);
  if (found === null) return null;
  const { encoding, from } = found;
  const { text, faults } = DECODERS[encoding](bytes, from);
  if (encoding !== "utf-8" && from === 0) issues.add("encoding", 0, "", `${encoding} was assumed`);
  if (faults > 0) issues.add("bad-bytes", 0, "", String(faults));
  return { text, encoding, issues: issues.finish() };
}

type UnicodeEncoding = "utf-8" | "utf-16le" | "utf-16be" | "utf-32le" | "utf-32be";

interface FoundEncoding {
  readonly encoding: UnicodeEncoding;
  /** Length of the byte order mark. */
  readonly from: number;
}

/** Byte order marks; that of UTF-32 begins with that of UTF-16. */
const MARKS: readonly (readonly [UnicodeEncoding, readonly number[]])[] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-32le", [0xff, 0xfe, 0, 0]],
  ["utf-32be", [0, 0, 0xfe, 0xff]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

function markedEncoding(bytes: Uint8Array): FoundEncoding | null {
  const found = MARKS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte));
  return found === undefined ? null : { encoding: found[0], from: found[1].length };
}

/** Whether bytes are EBU STL, which has its own tables of characters: its text is its bytes, each the character of its number. */
function isStl(bytes: Uint8Array): boolean {
  return bytes.length >= 1024 && /^\d{3}STL\d\d\.\d\d$/.test(decodeBytes(bytes.subarray(0, 11)));
}

function decodeBytes(bytes: Uint8Array): string {
  return textOfCodes(Uint16Array.from(bytes), bytes.length);
}

/** Whether bytes begin with the byte order mark of an encoding of Unicode. */
export function isMarked(bytes: Uint8Array): boolean {
  return markedEncoding(bytes) !== null;
}

/** Bytes looked at where nothing states the encoding. */
const PROBE_LENGTH = 256 * 1024;

/** Share of empty bytes on one side of each pair that text in UTF-16 reaches in any language with spaces and digits. */
const EMPTY_SHARE = 0.3;

/** The same where the bytes are no UTF-8: line ends alone reach it. */
const LEAST_EMPTY_SHARE = 0.01;

function guessedEncoding(bytes: Uint8Array): FoundEncoding | null {
  const probe = bytes.subarray(0, PROBE_LENGTH);
  const count = (isCounted: (byte: number, index: number) => boolean) => probe.filter(isCounted).length;
  const even = count((byte, index) => byte === 0 && index % 2 === 0);
  const odd = count((byte, index) => byte === 0 && index % 2 === 1);
  const wide = wideEncoding(even, odd, (probe.length / 2) * EMPTY_SHARE);
  if (wide !== null) return { encoding: wide, from: 0 };
  if (probe.every((byte) => byte < 0x80)) return { encoding: "utf-8", from: 0 };
  const { faults, sequences } = decodeUtf8(probe, 0);
  // One sequence may be cut off by the end of the probe; a few bad bytes in a text full of good ones are bad bytes.
  if (sequences > 0 && (faults <= 1 || sequences > faults * 4)) return { encoding: "utf-8", from: 0 };
  const sparse = wideEncoding(even, odd, Math.max(1, (probe.length / 2) * LEAST_EMPTY_SHARE));
  return sparse === null || DECODERS[sparse](probe, 0).faults > 0 ? null : { encoding: sparse, from: 0 };
}

/** UTF-16 by the side of each pair that has empty bytes, at least `least` of them. */
function wideEncoding(even: number, odd: number, least: number): "utf-16le" | "utf-16be" | null {
  if (odd > least && even < odd / 4) return "utf-16le";
  return even > least && odd < even / 4 ? "utf-16be" : null;
}

interface Decoding {
  readonly text: string;
  /** Places where bytes were no character. */
  readonly faults: number;
  /** Characters of more than one byte; counted for UTF-8 only. */
  readonly sequences: number;
}

const DECODERS: Readonly<Record<UnicodeEncoding, (bytes: Uint8Array, from: number) => Decoding>> = {
  "utf-8": decodeUtf8,
  "utf-16le": (bytes, from) => decodeUtf16(bytes, from, 0),
  "utf-16be": (bytes, from) => decodeUtf16(bytes, from, 1),
  "utf-32le": (bytes, from) => decodeUtf32(bytes, from, true),
  "utf-32be": (bytes, from) => decodeUtf32(bytes, from, false),
};

function decodeUtf32(bytes: Uint8Array, from: number, isLittleEndian: boolean): Decoding {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const characters: string[] = [];
  let faults = (bytes.length - from) % 4 === 0 ? 0 : 1;
  for (let at = from; at + 4 <= bytes.length; at += 4) {
    const point = view.getUint32(at, isLittleEndian);
    const isNone = point > 0x10ffff || (point >= 0xd800 && point < 0xe000);
    characters.push(isNone ? "\ufffd" : String.fromCodePoint(point));
    if (isNone) faults += 1;
  }
  if ((bytes.length - from) % 4 !== 0) characters.push("\ufffd");
  return { text: characters.join(""), faults, sequences: 0 };
}

function decodeUtf16(bytes: Uint8Array, from: number, highByte: 0 | 1): Decoding {
  const length = (bytes.length - from) >> 1;
  const codes = new Uint16Array(length + 1);
  let faults = 0;
  for (let index = 0; index < length; index++) {
    const at = from + index * 2;
    const [first = 0, second = 0] = [bytes[at], bytes[at + 1]];
    codes[index] = highByte === 1 ? (first << 8) | second : (second << 8) | first;
  }
  for (let index = 0; index < length; index++) {
    const code = codes[index] ?? 0;
    const next = codes[index + 1] ?? 0;
    const isHigh = code >= 0xd800 && code < 0xdc00;
    if (isHigh && index + 1 < length && next >= 0xdc00 && next < 0xe000) index += 1;
    else if (code >= 0xd800 && code < 0xe000) {
      codes[index] = 0xfffd;
      faults += 1;
    }
  }
  // A lone byte behind the half of a pair is one fault with it (Encoding Standard, shared UTF-16 decoder, end-of-queue).
  const last = from + length * 2 - 2 + (highByte === 1 ? 0 : 1);
  const endsInHalf = ((bytes[last] ?? 0) & 0xfc) === 0xd8;
  const hasHalf = bytes.length % 2 === 1 && !endsInHalf;
  codes[length] = 0xfffd;
  return { text: textOfCodes(codes, hasHalf ? length + 1 : length), faults: faults + (hasHalf ? 1 : 0), sequences: 0 };
}

/**
 * UTF-8 as the Encoding Standard decodes it, from an offset on: each maximal part of a broken sequence is one U+FFFD. A byte
 * order mark is a character like others.
 */
export function decodeUtf8(bytes: Uint8Array, from = 0): Decoding {
  const codes = new Uint16Array(bytes.length - from);
  let length = 0;
  let faults = 0;
  let sequences = 0;
  let index = from;
  while (index < bytes.length) {
    const byte = bytes[index] ?? 0;
    index += 1;
    if (byte < 0x80) {
      codes[length++] = byte;
      continue;
    }
    let needed =
      byte >= 0xc2 && byte <= 0xdf ? 1 : byte >= 0xe0 && byte <= 0xef ? 2 : byte >= 0xf0 && byte <= 0xf4 ? 3 : 0;
    let point = needed === 0 ? -1 : byte & (0x3f >> needed);
    // The second byte is what keeps overlong forms, surrogates and points past U+10FFFF out.
    let lowest = byte === 0xe0 ? 0xa0 : byte === 0xf0 ? 0x90 : 0x80;
    let highest = byte === 0xed ? 0x9f : byte === 0xf4 ? 0x8f : 0xbf;
    for (; needed > 0; needed--) {
      const next = bytes[index] ?? 0;
      if (next < lowest || next > highest) {
        point = -1;
        break;
      }
      [lowest, highest] = [0x80, 0xbf];
      point = (point << 6) | (next & 0x3f);
      index += 1;
    }
    if (point === -1) {
      faults += 1;
      codes[length++] = 0xfffd;
    } else {
      sequences += 1;
      if (point > 0xffff) codes[length++] = 0xd800 + ((point - 0x10000) >> 10);
      codes[length++] = point > 0xffff ? 0xdc00 + ((point - 0x10000) & 0x3ff) : point;
    }
  }
  return { text: textOfCodes(codes, length), faults, sequences };
}

/** Codes handed to `String.fromCharCode` at once; more would not fit the stack. */
const CHUNK = 8192;

function textOfCodes(codes: Uint16Array, length: number): string {
  const parts: string[] = [];
  for (let at = 0; at < length; at += CHUNK) {
    parts.push(String.fromCharCode(...codes.subarray(at, Math.min(at + CHUNK, length))));
  }
  return parts.join("");
}
