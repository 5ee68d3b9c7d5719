import { WINDOWS_1252_HIGH } from "./character-reference.ts";
import { IssueList, type ParseIssue } from "./parse-issue.ts";

/** Encodings that can be told apart by looking. */
export type TextEncodingName = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" | "windows-1251";

/** Bytes as text. */
export interface DecodedText {
  /** Without byte order mark. */
  readonly text: string;
  readonly encoding: TextEncodingName;
  readonly issues: readonly ParseIssue[];
}

/**
 * Decodes the bytes of a text file. A byte order mark decides; without one, text that is valid UTF-8 is UTF-8, every other
 * byte empty is UTF-16, and what is left is Windows-1252, or Windows-1251 where most letters lie in its Cyrillic half; both
 * are reported, since letters may be wrong. Bytes that are no character become U+FFFD. Needs no `TextDecoder`, which
 * Premiere's UXP does not have.
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  const issues = new IssueList();
  const { encoding, from, isStated } = detectEncoding(bytes);
  const { text, faults } = DECODERS[encoding](bytes, from);
  const isLegacy = encoding === "windows-1252" || encoding === "windows-1251";
  if (isLegacy) issues.add("encoding", 0, "", `${encoding} was assumed; save the file as UTF-8 if letters are wrong`);
  else if (encoding !== "utf-8") issues.add("encoding", 0, "", `${encoding}${isStated ? "" : " was assumed"}`);
  if (faults > 0) issues.add("bad-bytes", 0, "", String(faults));
  return { text, encoding, issues: issues.finish() };
}

interface Detection {
  readonly encoding: TextEncodingName;
  /** Length of the byte order mark. */
  readonly from: number;
  readonly isStated: boolean;
}

function detectEncoding(bytes: Uint8Array): Detection {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf)
    return { encoding: "utf-8", from: 3, isStated: true };
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { encoding: "utf-16le", from: 2, isStated: true };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { encoding: "utf-16be", from: 2, isStated: true };
  return { encoding: guessEncoding(bytes), from: 0, isStated: false };
}

/** Bytes looked at where nothing states the encoding. */
const PROBE_LENGTH = 256 * 1024;

/** Share of empty bytes on one side of each pair that text in UTF-16 reaches in any language with spaces and digits. */
const EMPTY_SHARE = 0.3;

function guessEncoding(bytes: Uint8Array): TextEncodingName {
  const probe = bytes.subarray(0, PROBE_LENGTH);
  const empty = [0, 0];
  let high = 0;
  for (const [index, byte] of probe.entries()) {
    if (byte === 0) empty[index & 1] = (empty[index & 1] ?? 0) + 1;
    if (byte >= 0x80) high += 1;
  }
  const [even = 0, odd = 0] = empty;
  const pairs = probe.length / 2;
  if (odd > pairs * EMPTY_SHARE && even < odd / 4) return "utf-16le";
  if (even > pairs * EMPTY_SHARE && odd < even / 4) return "utf-16be";
  if (high === 0) return "utf-8";
  const { faults, sequences } = decodeUtf8(probe, 0);
  // One sequence may be cut off by the end of the probe; a few bad bytes in a text full of good ones are bad bytes.
  if (faults <= 1 || sequences > faults * 4) return sequences > 0 ? "utf-8" : "windows-1252";
  return isCyrillic(probe) ? "windows-1251" : "windows-1252";
}

/** Whether letters are mostly those that Windows-1251 has in its upper half, and there mostly small ones. */
function isCyrillic(bytes: Uint8Array): boolean {
  let latin = 0;
  let high = 0;
  let letters = 0;
  let small = 0;
  for (const byte of bytes) {
    const lower = byte | 0x20;
    if (byte < 0x80) latin += lower >= 0x61 && lower <= 0x7a ? 1 : 0;
    else {
      high += 1;
      if (byte >= 0xc0) letters += 1;
      if (byte >= 0xe0) small += 1;
    }
  }
  return high > latin && letters > high * 0.95 && small > letters * 0.6;
}

interface Decoding {
  readonly text: string;
  /** Places where bytes were no character. */
  readonly faults: number;
  /** Characters of more than one byte; counted for UTF-8 only. */
  readonly sequences: number;
}

const DECODERS: Readonly<Record<TextEncodingName, (bytes: Uint8Array, from: number) => Decoding>> = {
  "utf-8": decodeUtf8,
  "utf-16le": (bytes, from) => decodeUtf16(bytes, from, 0),
  "utf-16be": (bytes, from) => decodeUtf16(bytes, from, 1),
  "windows-1252": (bytes, from) => decodeTable(bytes, from, WINDOWS_1252_HIGH),
  "windows-1251": (bytes, from) => decodeTable(bytes, from, WINDOWS_1251_HIGH),
};

/** The lower half of Windows-1251's upper half; from 192 on it is the Russian alphabet, U+0410 to U+044F. */
const WINDOWS_1251_HIGH =
  "\u0402\u0403\u201a\u0453\u201e\u2026\u2020\u2021\u20ac\u2030\u0409\u2039\u040a\u040c\u040b\u040f" +
  "\u0452\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u0098\u2122\u0459\u203a\u045a\u045c\u045b\u045f" +
  "\u00a0\u040e\u045e\u0408\u00a4\u0490\u00a6\u00a7\u0401\u00a9\u0404\u00ab\u00ac\u00ad\u00ae\u0407" +
  "\u00b0\u00b1\u0406\u0456\u0491\u00b5\u00b6\u00b7\u0451\u2116\u0454\u00bb\u0458\u0405\u0455\u0457";

/** Single-byte text: `high` has the characters from 128 on; those it does not reach follow the byte's own order. */
function decodeTable(bytes: Uint8Array, from: number, high: string): Decoding {
  const isCyrillicTable = high.length === 64;
  const codes = new Uint16Array(bytes.length - from);
  for (let index = from; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0;
    const inTable = byte >= 0x80 && byte - 0x80 < high.length;
    const beyond = isCyrillicTable && byte >= 0xc0 ? byte - 0xc0 + 0x410 : byte;
    codes[index - from] = inTable ? high.charCodeAt(byte - 0x80) : beyond;
  }
  return { text: textOfCodes(codes, codes.length), faults: 0, sequences: 0 };
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
  const endsInHalf = length > 0 && codes[length - 1] === 0xfffd && ((bytes[last] ?? 0) & 0xfc) === 0xd8;
  const hasHalf = (bytes.length - from) % 2 === 1 && !endsInHalf;
  if (hasHalf) codes[length] = 0xfffd;
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
