import { decodeCharacterReferences } from "./character-reference.ts";

/** A tag as SubRip files carry them: `<i>`, `</ i>`, `<font color="red">`, `<v Bob>`, `<00:00:01.000>`; not `a < b`. */
const TAG = /<\/?\s*[a-z][^<>\n]*>|<[\d:.]+>/gi;

/** An override block of SubStation Alpha, which SubRip files carry too: `{\an8}`, `{b}`. */
const OVERRIDE = /\{\\[^{}\n]*\}|\{\/?[biusyc](?::[^{}\n]*)?\}/gi;

/** `text` on one line: runs of white space become one space, none at the ends. */
export function foldWhiteSpace(text: string): string {
  return isEven(text) ? text : text.replace(/\s+/g, " ").trim();
}

/** Whether a text has no white space but single blanks between words. A loop, because nearly every text passes. */
function isEven(text: string): boolean {
  let isBehindBlank = true;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code > 0x20 ? code >= 0xa0 && WIDE_SPACE.test(text.charAt(index)) : code !== 0x20 || isBehindBlank)
      return false;
    isBehindBlank = code === 0x20;
  }
  return !isBehindBlank || text === "";
}

const WIDE_SPACE = /\s/;

/** Text with SubRip's markup: tags and override blocks go, character references become characters, white space folds. */
export function plainFromMarkup(text: string): string {
  let plain = text;
  if (plain.includes("<")) plain = plain.replace(TAG, "");
  if (plain.includes("{")) plain = plain.replace(OVERRIDE, "");
  if (plain.includes("&")) plain = decodeCharacterReferences(plain);
  return foldWhiteSpace(plain);
}

/** Plain text on one line such that {@link plainFromMarkup} gives it back; untouched unless it looks like markup. */
export function escapeMarkup(text: string): string {
  const line = foldWhiteSpace(text);
  if (plainFromMarkup(line) === line) return line;
  return line.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll("{", "&#123;");
}
