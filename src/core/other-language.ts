import WORDS from "./function-words.json" with { type: "json" };
import { hasLetter, lettersByScript, scriptsOf } from "./scripts.ts";

/** Small words of languages, which stand in nearly every sentence, and what descriptions are full of. */
const FUNCTION_WORDS = new Map(
  Object.entries(WORDS).map(([language, words]) => [language, new Set(words.split(" "))] as const),
);

const NONE: ReadonlySet<string> = new Set();

/** Words that stand in nearly every sentence of a language, by its first subtag; none where they are not known. */
export function functionWordsOf(language: string): ReadonlySet<string> {
  return FUNCTION_WORDS.get(language) ?? NONE;
}

/** Languages so like each other that their small words do not tell them apart. */
const ALIKE = [
  ["da", "nb", "sv"],
  ["cs", "sk"],
  ["hr", "sl", "sr"],
  ["hi", "mr"],
];

/** Share of letters of another script from which a sentence is not in its own: names and abbreviations stay below. */
const FOREIGN_SHARE = 0.7;

/** Letters of a text below which nothing is said of its language. */
const LEAST_LETTERS = 4;

/** Small words that another language must have more of than the one ordered. */
const MORE_WORDS = 2;

/** Scripts of which one letter says as much as two of others. */
const SYLLABLES: ReadonlySet<string> = new Set(["Han", "Hiragana", "Katakana", "Hangul"]);

/** Han characters in a row of sentences without any kana: Japanese has none so long. */
const WITHOUT_KANA = 8;

/** Words in quotation marks or behind a colon: what stands on screen may be in any language. */
const QUOTED = /"[^"]*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|‹[^›]*›|「[^」]*」|『[^』]*』|《[^》]*》|‘[^’]*’|[:：].*$/gsu;

/**
 * What language or script a sentence is in rather than in the one that was ordered; `null` where it may well be in that one. It goes by
 * scripts, and by small words among the languages of one script, so a short sentence may pass.
 *
 * @returns A language's first subtag, or the name of a script.
 */
export function otherLanguage(text: string, language: string): string | null {
  const own = language.split("-")[0] ?? "";
  const said = text.replace(QUOTED, " ");
  return otherScript(said, own) ?? otherWords(said, own);
}

function otherScript(text: string, own: string): string | null {
  const letters = lettersByScript(text);
  const scripts = scriptsOf(own);
  const count = (some: readonly string[]) =>
    some.reduce((sum, script) => sum + (SYLLABLES.has(script) ? 2 : 1) * (letters.get(script) ?? 0), 0);
  const all = count([...letters.keys()]);
  if (scripts.length === 0 || all < LEAST_LETTERS) return null;
  const kana = count(["Hiragana", "Katakana"]);
  if (own === "ja" && kana === 0 && (letters.get("Han") ?? 0) >= WITHOUT_KANA) return "cmn";
  if ((own === "cmn" || own === "yue") && kana > 2) return "ja";
  // Hanja stand beside hangul, not alone.
  if (own === "ko" && count(["Hangul"]) === 0 && count(["Han"]) === all) return "cmn";
  if (all - count(scripts) < FOREIGN_SHARE * all) return null;
  if (kana > 0) return "ja";
  const [most = null] =
    [...letters].filter(([script]) => !scripts.includes(script)).sort((a, b) => b[1] - a[1])[0] ?? [];
  return most;
}

function otherWords(text: string, own: string): string | null {
  if (!FUNCTION_WORDS.has(own)) return null;
  const words = new Set(text.match(/[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)?/gu) ?? []);
  // Names keep the letters of where they come from.
  const strange = [...words].filter((word) => !/^\p{Lu}/u.test(word)).filter((word) => isStrange(word, own));
  const small = new Set([...words].map((word) => word.toLocaleLowerCase(own).replaceAll("’", "'")));
  const smallIn = (language: string) => [...small].filter((word) => functionWordsOf(language).has(word)).length;
  const alike = ALIKE.find((group) => group.includes(own)) ?? [own];
  const mine = Math.max(...alike.map(smallIn));
  const scripts = scriptsOf(own);
  let [other, most]: [string | null, number] = [null, mine + MORE_WORDS - 1];
  for (const language of FUNCTION_WORDS.keys()) {
    if (alike.includes(language) || !scriptsOf(language).some((script) => scripts.includes(script))) continue;
    const count = smallIn(language) + strange.filter((word) => !isStrange(word, language)).length;
    if (count > most) [other, most] = [language, count];
  }
  return other;
}

/** Whether a word has a letter that a language has not. */
function isStrange(word: string, language: string): boolean {
  return [...word.normalize("NFC")].some((letter) => hasLetter(language, letter) === false && /\p{L}/u.test(letter));
}
