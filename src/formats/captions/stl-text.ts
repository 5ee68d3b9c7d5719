/** Marks of ISO 6937 that stand before their letter, as the combining characters that stand behind it; from 0xC1 on. */
const MARKS = "\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u0308\u030a\u0327\u0332\u030b\u0328\u030c";

/** ISO 6937 from 0xA0 to 0xBF, 0xD0 to 0xFF, as EBU Tech 3264 uses it; U+FFFD where it has nothing. */
const UPPER_A = "\u00a0¡¢£$¥#§¤‘“«←↑→↓°±²³×µ¶·÷’”»¼½¾¿";
const UPPER_D = "―¹®©™♪¬¦\ufffd\ufffd\ufffd\ufffd⅛⅜⅝⅞ΩÆĐªĦ\ufffdĲĿŁØŒºÞŦŊŉĸæđðħıĳŀłøœßþŧŋ\u00ad";

/** Characters from 0xA0 on in the tables of ISO 8859 that EBU Tech 3264 names, by the code of the table. */
const UPPER: Readonly<Record<string, (byte: number) => number>> = {
  // Cyrillic: 8859-5 follows Unicode but for the soft hyphen, the number sign and the section sign.
  "01": (byte) =>
    byte === 0xa0 || byte === 0xad ? byte : byte === 0xf0 ? 0x2116 : byte === 0xfd ? 0xa7 : byte + 0x360,
  // Arabic: 8859-6.
  "02": (byte) => (byte === 0xa0 || byte === 0xa4 || byte === 0xad ? byte : byte + 0x560),
  // Greek: 8859-7 follows Unicode from 0xB4 on but for the signs it shares with Latin.
  "03": (byte) =>
    byte === 0xa1
      ? 0x2018
      : byte === 0xa2
        ? 0x2019
        : byte < 0xb4 || byte === 0xb7 || byte === 0xbb || byte === 0xbd
          ? byte
          : byte + 0x2d0,
  // Hebrew: 8859-8.
  "04": (byte) => (byte >= 0xe0 && byte <= 0xfa ? byte + 0x4f0 : byte),
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
  const upper = UPPER[table];
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

function characterOf(byte: number, upper: ((byte: number) => number) | undefined): string {
  if (byte === LINE_BREAK || byte < 0x20) return " ";
  if (byte < 0x7f) return String.fromCharCode(byte);
  // Italics, underlining and boxes.
  if (byte < 0xa0) return "";
  if (upper !== undefined) return String.fromCharCode(upper(byte));
  return byte < 0xc0 ? UPPER_A.charAt(byte - 0xa0) : UPPER_D.charAt(byte - 0xd0) || "\ufffd";
}
