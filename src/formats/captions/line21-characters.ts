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
export function basicCharacter(byte: number): string {
  const character = byte < 0x20 ? "" : String.fromCharCode(byte);
  return BASIC[character] ?? character;
}

/** The special character of a pair's second byte. */
export function specialCharacter(byte: number): string {
  return SPECIAL.charAt(byte - 0x30);
}

/** The extended character of a pair: its first byte is 0x12 or 0x13. */
export function extendedCharacter(first: number, second: number): string {
  return EXTENDED[first === 0x12 ? 0 : 1].charAt(second - 0x20);
}
