import { foldedWords } from "../core/text.ts";

/** An override block of SubStation Alpha, which SubRip files carry too: `{\an8}`, `{b}`. */
const OVERRIDE = /\{\\[^{}\n]*\}|\{\/?[biusyc](?::[^{}\n]*)?\}/gi;

/** `text` on one line: runs of white space become one space, none at the ends. */
export function foldWhiteSpace(text: string): string {
  return isEven(text) ? text : foldedWords(text);
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

/**
 * Words of a text with the markup of WebVTT: tags and override blocks go, character references become
 * characters, white space folds.
 */
export function plainFromMarkup(text: string): string {
  let plain = text;
  if (plain.includes("<")) plain = withoutTags(plain);
  if (plain.includes("{")) plain = plain.replace(OVERRIDE, "");
  if (plain.includes("&")) plain = decodeCharacterReferences(plain);
  return foldWhiteSpace(plain);
}

/**
 * Text without tags: `<i>`, `</ i>`, `<font color="red">`, `<v Bob>`, `<00:00:01.000>`; `a < b`
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

/**
 * References that a person does not type and files of captions hold, in which any other `&` is a word: numbers, `&nbsp;`, and
 * `&lt;` before one of their tags. With `amp;` behind its `&` one stands for itself.
 */
const SPARE_REFERENCE = /&((?:amp;)*)(#[xX][0-9A-Fa-f]{1,8};|#[0-9]{1,8};|nbsp;|lt;(?=\/?\s*(?:i|b|u|s|font)[\s>]))/gi;

/** A text of captions without markup of its own, with the few references that such files hold as the characters they stand for. */
export function fromSpareReferences(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(SPARE_REFERENCE, (_whole, levels: string, name: string) =>
    levels === "" ? decodeCharacterReferences(`&${name}`) : `&${levels.slice("amp;".length)}${name}`,
  );
}

/** Words as {@link fromSpareReferences} gives them back: untouched but where such a reference stands in them. */
export function withSpareReferences(text: string): string {
  return text.includes("&") ? text.replace(SPARE_REFERENCE, "&amp;$1$2") : text;
}

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

/** Signs by their names. */
const SIGNS: ReadonlyMap<string, string> = new Map([
  ["quot", '"'],
  ["amp", "&"],
  ["apos", "'"],
  ["lt", "<"],
  ["gt", ">"],
  ["nbsp", "\u00a0"],
  ["iexcl", "¡"],
  ["cent", "¢"],
  ["pound", "£"],
  ["yen", "¥"],
  ["sect", "§"],
  ["copy", "©"],
  ["ordf", "ª"],
  ["laquo", "«"],
  ["shy", "\u00ad"],
  ["reg", "®"],
  ["deg", "°"],
  ["sup2", "²"],
  ["sup3", "³"],
  ["para", "¶"],
  ["middot", "·"],
  ["sup1", "¹"],
  ["ordm", "º"],
  ["raquo", "»"],
  ["frac14", "¼"],
  ["frac12", "½"],
  ["frac34", "¾"],
  ["iquest", "¿"],
  ["AElig", "Æ"],
  ["ETH", "Ð"],
  ["times", "×"],
  ["Oslash", "Ø"],
  ["THORN", "Þ"],
  ["szlig", "ß"],
  ["aelig", "æ"],
  ["eth", "ð"],
  ["divide", "÷"],
  ["oslash", "ø"],
  ["thorn", "þ"],
  ["OElig", "Œ"],
  ["oelig", "œ"],
  ["thinsp", "\u2009"],
  ["zwnj", "\u200c"],
  ["zwj", "\u200d"],
  ["lrm", "\u200e"],
  ["rlm", "\u200f"],
  ["ndash", "–"],
  ["mdash", "—"],
  ["lsquo", "‘"],
  ["rsquo", "’"],
  ["sbquo", "‚"],
  ["ldquo", "“"],
  ["rdquo", "”"],
  ["bdquo", "„"],
  ["bull", "•"],
  ["hellip", "…"],
  ["prime", "′"],
  ["Prime", "″"],
  ["lsaquo", "‹"],
  ["rsaquo", "›"],
  ["euro", "€"],
  ["trade", "™"],
  ["larr", "←"],
  ["rarr", "→"],
  ["minus", "−"],
]);

/** Names of accents behind a letter's, each with the combining accent. */
const ACCENTS: ReadonlyMap<string, string> = new Map([
  ["grave", "\u0300"],
  ["acute", "\u0301"],
  ["circ", "\u0302"],
  ["tilde", "\u0303"],
  ["uml", "\u0308"],
  ["ring", "\u030a"],
  ["caron", "\u030c"],
  ["cedil", "\u0327"],
]);

const ACCENTED = /^([A-Za-z])([a-z]+)$/;

/**
 * The character a name of HTML (without `&` and `;`) stands for: letters with accents and the signs that occur in captions.
 * The whole list of HTML is ten times as long.
 */
function commonCharacter(name: string): string | undefined {
  const sign = SIGNS.get(name);
  if (sign !== undefined) return sign;
  const [, letter = "", accentName = ""] = ACCENTED.exec(name) ?? [];
  const accent = ACCENTS.get(accentName);
  const composed = `${letter}${accent}`.normalize("NFC");
  return accent === undefined || composed.length > 1 ? undefined : composed;
}
