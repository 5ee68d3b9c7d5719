/** The 64 digits, in order of their value (RFC 4648, 4). */
const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

const VALUES = new Int8Array(128).fill(-1);
for (let value = 0; value < DIGITS.length; value++) VALUES[DIGITS.charCodeAt(value)] = value;

/**
 * The bytes that a text in Base64 stands for; `null` for anything else, white space and missing padding included. By hand,
 * because not every host has `atob`.
 */
export function bytesFromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const digits = text.length - padding;
  if (text.length % 4 !== 0) return null;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  let bits = 0;
  let at = 0;
  for (let index = 0; index < digits; index++) {
    const value = VALUES[text.charCodeAt(index)] ?? -1;
    if (value < 0) return null;
    bits = (bits << 6) | value;
    // Of four digits the first fills no byte.
    if (index % 4 !== 0) bytes[at++] = bits >> (6 - 2 * (index % 4));
  }
  return bytes;
}

/** Bytes as Base64, by hand like {@link bytesFromBase64}: not every host has `btoa`. */
export function base64FromBytes(bytes: Uint8Array): string {
  const pieces: string[] = [];
  // A text that grows by one character at a time is slow to make.
  for (let from = 0; from < bytes.length; from += 3072) {
    let piece = "";
    for (let at = from; at < Math.min(bytes.length, from + 3072); at += 3) {
      const [first = 0, second, third] = bytes.subarray(at, at + 3);
      const bits = (first << 16) | ((second ?? 0) << 8) | (third ?? 0);
      piece += `${DIGITS[bits >> 18]}${DIGITS[(bits >> 12) & 63]}`;
      piece += second === undefined ? "=" : DIGITS[(bits >> 6) & 63];
      piece += third === undefined ? "=" : DIGITS[bits & 63];
    }
    pieces.push(piece);
  }
  return pieces.join("");
}

/**
 * A text as UTF-8 bytes; a surrogate without its partner becomes U+FFFD. Stands in for `TextEncoder`, which most builds
 * of Premiere's UXP lack.
 */
export function utf8Bytes(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(utf8Length(text));
  let at = 0;
  for (const character of text) {
    const point = scalarValue(character);
    if (point < 0x80) {
      bytes[at++] = point;
    } else if (point < 0x800) {
      bytes[at++] = 0xc0 | (point >> 6);
      bytes[at++] = continuation(point);
    } else if (point < 0x10000) {
      bytes[at++] = 0xe0 | (point >> 12);
      bytes[at++] = continuation(point >> 6);
      bytes[at++] = continuation(point);
    } else {
      bytes[at++] = 0xf0 | (point >> 18);
      bytes[at++] = continuation(point >> 12);
      bytes[at++] = continuation(point >> 6);
      bytes[at++] = continuation(point);
    }
  }
  return bytes;
}

/** Length of a text in UTF-8 bytes. */
export function utf8Length(text: string): number {
  let length = 0;
  for (const character of text) {
    const point = scalarValue(character);
    length += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return length;
}

/** U+FFFD, which stands for what is not a character. */
const REPLACEMENT = 0xfffd;

function scalarValue(character: string): number {
  const point = character.codePointAt(0) ?? REPLACEMENT;
  return point >= 0xd800 && point <= 0xdfff ? REPLACEMENT : point;
}

function continuation(bits: number): number {
  return 0x80 | (bits & 0x3f);
}

const OFFSET_LOW = 0x84222325;
const OFFSET_HIGH = 0xcbf29ce4;
const PRIME_LOW = 0x1b3;

/**
 * A cheap identity of some bytes or texts, 16 hexadecimal digits: FNV-1a in 64 bits over all of them, each preceded by
 * its length, so that where one ends and the next begins counts too. Tells things apart that differ by accident; it is
 * no protection against somebody who wants two things to look alike.
 */
export function fingerprintOf(...parts: readonly (string | Uint8Array)[]): string {
  let low = OFFSET_LOW;
  let high = OFFSET_HIGH;
  for (const part of parts) {
    const bytes = typeof part === "string" ? utf8Bytes(part) : part;
    for (const run of [utf8Bytes(`${bytes.length}:`), bytes]) {
      for (const byte of run) {
        low = (low ^ byte) >>> 0;
        // 64-bit product with the prime 2^40 + 0x1b3, by 32-bit halves: 2^40 shifts the low half into the high one.
        const product = low * PRIME_LOW;
        high = (Math.imul(high, PRIME_LOW) + (low << 8) + Math.floor(product / 0x1_0000_0000)) >>> 0;
        low = product >>> 0;
      }
    }
  }
  return `${high.toString(16).padStart(8, "0")}${low.toString(16).padStart(8, "0")}`;
}
