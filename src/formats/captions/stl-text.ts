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
