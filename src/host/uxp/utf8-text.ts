/**
 * Text of UTF-8 bytes; what is not UTF-8 becomes U+FFFD. Stands in for `TextDecoder`, which most builds of Premiere's UXP
 * lack. For short texts: keys and replies of storage.
 */
export function textFromUtf8(bytes: Uint8Array): string {
  let text = "";
  let at = 0;
  while (at < bytes.length) {
    const { point, length } = characterAt(bytes, at);
    text += String.fromCodePoint(point);
    at += length;
  }
  return text;
}

const REPLACEMENT = 0xfffd;

/** One character, after the table of well-formed byte sequences (Unicode 15, table 3-7). */
function characterAt(bytes: Uint8Array, at: number): { readonly point: number; readonly length: number } {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return { point: first, length: 1 };
  const length =
    first >= 0xf0 && first <= 0xf4 ? 4 : first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xc2 && first < 0xe0 ? 2 : 1;
  if (length === 1) return { point: REPLACEMENT, length: 1 };
  let point = first & (0xff >> (length + 1));
  for (let index = 1; index < length; index++) {
    const next = bytes[at + index] ?? 0;
    if ((next & 0xc0) !== 0x80) return { point: REPLACEMENT, length: index };
    point = (point << 6) | (next & 0x3f);
  }
  const isShort = point < (length === 4 ? 0x10000 : length === 3 ? 0x800 : 0x80);
  const isNone = point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff);
  return isShort || isNone ? { point: REPLACEMENT, length: 1 } : { point, length };
}
