import { commonCharacter } from "./common-characters.ts";

/** What HTML puts for the control codes 128 to 159: the characters Windows-1252 has there (HTML, section 13.2.5.80). */
const WINDOWS_1252_HIGH =
  "\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f" +
  "\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178";

const REFERENCE = /&(?:([A-Za-z][A-Za-z0-9]{0,31})|#[xX]([0-9A-Fa-f]{1,8})|#([0-9]{1,8}));/g;

/**
 * `text` with the references of plain prose replaced: numbers, and the names of HTML 4, each with its semicolon. A bare
 * `&copy` and names that are none stay as they stand.
 */
export function decodeCharacterReferences(text: string): string {
  return text.replace(REFERENCE, (whole, name?: string, hexadecimal?: string, decimal?: string) => {
    if (name !== undefined) return commonCharacter(name) ?? whole;
    return characterOfCode(hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16));
  });
}

/** The character of a numeric reference by HTML's rules: what is no character gives U+FFFD. */
function characterOfCode(code: number): string {
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return "\ufffd";
  if (code >= 0x80 && code <= 0x9f) return WINDOWS_1252_HIGH.charAt(code - 0x80);
  return String.fromCodePoint(code);
}
