import { ABBREVIATIONS } from "./abbreviations.ts";
import { spellEnglishForms } from "./english-forms.ts";
import { isForLanguage, type LexiconEntry, replaceWords } from "./lexicon.ts";

/**
 * What a voice is given to say a description: plain words, with nothing in it that an engine could take for a command.
 *
 * In this order: the user's lexicon (its result is final), marks of formatting and pictographs taken out, abbreviations
 * and units written out, and in English money, years, dates, ranges and Roman numerals. Text that needs nothing of it
 * comes back as it was.
 */
export function spokenForm(text: string, language: string, lexicon: readonly LexiconEntry[] = []): string {
  const held: string[] = [];
  const own = new Map<string, string>();
  for (const entry of lexicon) {
    if (isForLanguage(entry.language, language)) own.set(entry.written.normalize("NFC"), entry.spoken);
  }
  let spoken = plainCharacters(text);
  spoken = replaceWords(spoken, new Map([...own].map(([written, words]) => [written, hold(words, held)])));
  spoken = plainMarks(spoken);
  const family = language.toLowerCase().split("-")[0] ?? "";
  const short = SHORT_FORMS.get(family);
  if (short !== undefined) {
    spoken = replaceWords(spoken, short.words);
    spoken = spoken.replace(short.unitPattern, (_, unit: string) => ` ${short.units[unit] ?? unit}`);
  }
  if (family === "en") spoken = spellEnglishForms(spoken, language.toUpperCase() === "EN-US");
  spoken = joinInitials(spoken);
  return letGo(spoken, held).replace(/\s+/g, " ").trim();
}

/** The abbreviations of each language, ready for use. */
const SHORT_FORMS = new Map(
  Object.entries(ABBREVIATIONS).map(([family, { words, units }]) => [
    family,
    { words: new Map(Object.entries(words)), units, unitPattern: unitPattern(Object.keys(units)) },
  ]),
);

/** A unit behind a number, with the point of an abbreviation that does not end a sentence. */
function unitPattern(units: readonly string[]): RegExp {
  const longestFirst = [...units].sort((a, b) => b.length - a.length).map((unit) => unit.replace(/[/.]/g, "\\$&"));
  return new RegExp(`(?<=\\d)[ \\u00a0]?(${longestFirst.join("|")})(?:\\.(?= \\p{Ll}))?(?![\\p{L}\\p{N}/])`, "gu");
}

/** First of the private-use characters that stand for lexicon words while the rules run; such input is dropped. */
const HOLD_BASE = 0xf0000;
const HOLD_PATTERN = /[\u{F0000}-\u{FFFFD}]/gu;

function hold(words: string, held: string[]): string {
  held.push(words);
  return String.fromCodePoint(HOLD_BASE + held.length - 1);
}

function letGo(text: string, held: readonly string[]): string {
  return text.replace(HOLD_PATTERN, (character) => held[(character.codePointAt(0) ?? 0) - HOLD_BASE] ?? " ");
}

/**
 * Composed characters, one kind of quotation mark, and none that are invisible. The joiners that Indic and Arabic
 * scripts spell with stay.
 */
function plainCharacters(text: string): string {
  return text
    .normalize("NFC")
    .replace(/[\p{Cc}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu, " ")
    .replace(/(?![\u200c\u200d])\p{Cf}/gu, "")
    .replace(/\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u{FE0F}|\u{20E3}/gu, " ")
    .replace(/[‘’ʼ]/g, "'")
    .replace(/[“”„«»]/g, '"');
}

/** Without tags and the marks of formatting, which engines would name; a dash between words is a short rest. */
function plainMarks(text: string): string {
  return text
    .replace(/<\/?[a-z][^<>]*>/gi, " ")
    .replace(/\s+[-–—]+\s+|\s*—\s*/g, ", ")
    .replace(/…/g, "...")
    .replace(/[*_~|<>{}[\]\\^`•·■□●○◆►▶™®©]/g, " ")
    .replace(/(?<=\p{L})\/(?=\p{L}{2})/gu, (slash, at: number) => (/\bkm$|\bm$/.test(text.slice(0, at)) ? slash : " "));
}

/** `U.S.A.` without its points, which engines take for the ends of sentences. */
function joinInitials(text: string): string {
  return text.replace(/(?<![\p{L}.])(?:\p{Lu}\.){2,}/gu, (initials, at: number, whole: string) => {
    const letters = [...initials.replaceAll(".", "")].join(" ");
    return at + initials.length >= whole.trimEnd().length ? `${letters}.` : letters;
  });
}
