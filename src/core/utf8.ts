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
