import { type CharacterReference, characterOfCode } from "./character-reference.ts";
import { namedCharacter } from "./html-entities.ts";

/** Longest name HTML reads without a semicolon (`frac12`, `Aacute`). */
const LONGEST_BARE_NAME = 6;

/**
 * The reference that begins at `index`, where `text` has a `&`, by HTML's rules for text: the longest name counts, some
 * names stand without their semicolon, and numbers that are no character give U+FFFD. `null` when it is a plain `&`.
 */
export function htmlReferenceAt(text: string, index: number): CharacterReference | null {
  if (text.charCodeAt(index + 1) === 0x23) return numericReferenceAt(text, index);
  const name = nameAt(text, index + 1);
  if (name === "") return null;
  if (text.charCodeAt(index + 1 + name.length) === 0x3b) {
    const named = namedCharacter(name);
    if (named !== undefined) return { value: named.value, length: name.length + 2 };
  }
  for (let length = Math.min(LONGEST_BARE_NAME, name.length); length > 1; length--) {
    const named = namedCharacter(name.slice(0, length));
    if (named?.standsBare) return { value: named.value, length: length + 1 };
  }
  return null;
}

const NAME = /[A-Za-z0-9]{1,32}/y;

function nameAt(text: string, index: number): string {
  NAME.lastIndex = index;
  return NAME.exec(text)?.[0] ?? "";
}

const NUMBER = /&#(?:[xX]([0-9A-Fa-f]+)|([0-9]+));?/y;

function numericReferenceAt(text: string, index: number): CharacterReference | null {
  NUMBER.lastIndex = index;
  const match = NUMBER.exec(text);
  if (match === null) return null;
  const code = match[1] === undefined ? Number.parseInt(match[2] ?? "", 10) : Number.parseInt(match[1], 16);
  return { value: characterOfCode(code), length: match[0].length };
}
