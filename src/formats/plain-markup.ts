import { decodeCharacterReferences } from "./character-reference.ts";

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
  if (plain.includes("<")) plain = withoutTags(plain);
  if (plain.includes("{")) plain = plain.replace(OVERRIDE, "");
  if (plain.includes("&")) plain = decodeCharacterReferences(plain);
  return foldWhiteSpace(plain);
}

/**
 * Text without tags as SubRip files carry them: `<i>`, `</ i>`, `<font color="red">`, `<v Bob>`, `<00:00:01.000>`; `a < b`
 * stays. Written out, because in some files every cue has tags.
 */
function withoutTags(text: string): string {
  let plain = "";
  let from = 0;
  for (let at = text.indexOf("<"); at !== -1; at = text.indexOf("<", at)) {
    const end = tagEnd(text, at);
    if (end === -1) {
      at += 1;
      continue;
    }
    plain += text.slice(from, at);
    from = end;
    at = end;
  }
  return from === 0 ? text : plain + text.slice(from);
}

/** Where the tag that begins at an offset ends; -1 when none does. */
function tagEnd(text: string, start: number): number {
  let at = start + 1;
  if (isStampMark(text.charCodeAt(at))) {
    while (isStampMark(text.charCodeAt(at))) at += 1;
    return text.charCodeAt(at) === GREATER ? at + 1 : -1;
  }
  if (text.charCodeAt(at) === SLASH) at += 1;
  while (WIDE_SPACE.test(text.charAt(at))) at += 1;
  const letter = text.charCodeAt(at) | 0x20;
  if (!(letter >= 0x61 && letter <= 0x7a)) return -1;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === GREATER) return at + 1;
    if (code === LESS || code === LINE_FEED) return -1;
  }
  return -1;
}

const SLASH = 0x2f;
const LESS = 0x3c;
const GREATER = 0x3e;
const LINE_FEED = 0x0a;

/** Whether a character belongs to a timestamp: a digit, `:` or `.`. */
function isStampMark(code: number): boolean {
  return (code >= 0x30 && code <= 0x3a) || code === 0x2e;
}

/** Plain text on one line such that {@link plainFromMarkup} gives it back; untouched unless it looks like markup. */
export function escapeMarkup(text: string): string {
  const line = foldWhiteSpace(text);
  if (plainFromMarkup(line) === line) return line;
  return line.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll("{", "&#123;");
}
