import { defined } from "../../core/objects.ts";
import { literalPattern } from "../../core/text.ts";

/** How one word or phrase is to be pronounced. */
export interface LexiconEntry {
  /** As it stands in a description: matched as a whole word, in this very case. */
  readonly written: string;
  /** What the voice is given in its place, in ordinary spelling. */
  readonly spoken: string;
  /** Language the entry is for, as a code (`en-GB`) or its first part (`en`); absent: every language. */
  readonly language?: string;
}

/** A line of a lexicon file that could not be used. */
export interface LexiconIssue {
  /** Counted from 1. */
  readonly line: number;
  /** `no_equals_sign`: not of the form `written = spoken`. `empty_word`: nothing stands before the sign. */
  readonly code: "no_equals_sign" | "empty_word";
  readonly text: string;
}

/**
 * Reads a pronunciation lexicon: one `written = spoken` per line, `#` starts a comment line, `[en-GB]` sets the language of
 * the lines below it, `[*]` every language. Nothing after the sign means that the word is left unsaid.
 */
export function parseLexicon(text: string): { readonly entries: LexiconEntry[]; readonly issues: LexiconIssue[] } {
  const entries: LexiconEntry[] = [];
  const issues: LexiconIssue[] = [];
  let language: string | undefined;
  for (const [index, raw] of text
    .replace(/^\uFEFF/, "")
    .split(/\r\n|\r|\n/)
    .entries()) {
    const line = raw.trim();
    if (line === "" || line.startsWith("#")) continue;
    const section = /^\[([A-Za-z]{2,3}(?:-[A-Za-z0-9]+)*|\*)\]$/.exec(line)?.[1];
    if (section !== undefined) {
      language = section === "*" ? undefined : section;
      continue;
    }
    const sign = line.indexOf("=");
    const written = line.slice(0, Math.max(0, sign)).trim();
    if (sign < 0) issues.push({ line: index + 1, code: "no_equals_sign", text: line });
    else if (written === "") issues.push({ line: index + 1, code: "empty_word", text: line });
    else entries.push({ written, spoken: line.slice(sign + 1).trim(), ...defined({ language }) });
  }
  return { entries, issues };
}

/** Whether an entry or rule for `entryLanguage` counts for a text in `language`. */
export function isForLanguage(entryLanguage: string | undefined, language: string): boolean {
  if (entryLanguage === undefined) return true;
  const wanted = entryLanguage.toLowerCase();
  const actual = language.toLowerCase();
  return actual === wanted || actual.startsWith(`${wanted}-`);
}

const patterns = new WeakMap<ReadonlyMap<string, string>, RegExp>();

/**
 * Replaces whole words, the longest first, in one pass: what was put in is not looked at again. A word that begins or
 * ends with a letter or digit matches only where none adjoins it. A map used again is not to be changed.
 */
export function replaceWords(text: string, words: ReadonlyMap<string, string>): string {
  if (words.size === 0) return text;
  let pattern = patterns.get(words);
  if (pattern === undefined) {
    const longestFirst = [...words.keys()].sort((a, b) => b.length - a.length);
    pattern = new RegExp(longestFirst.map(wholeWordPattern).join("|"), "gu");
    patterns.set(words, pattern);
  }
  return text.replace(pattern, (found) => words.get(found) ?? found);
}

const WORD_CHARACTER = "[\\p{L}\\p{M}\\p{N}]";

function wholeWordPattern(word: string): string {
  const escaped = literalPattern(word);
  const isWordCharacter = new RegExp(`^${WORD_CHARACTER}$`, "u");
  const first = [...word].at(0) ?? "";
  const last = [...word].at(-1) ?? "";
  const before = isWordCharacter.test(first) ? `(?<!${WORD_CHARACTER})` : "";
  const after = isWordCharacter.test(last) ? `(?!${WORD_CHARACTER})` : "";
  return `${before}${escaped}${after}`;
}
