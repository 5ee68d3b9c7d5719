import { foldedWords } from "../../core/text.ts";
import { ABBREVIATIONS } from "./abbreviations.ts";
import { spellEnglishForms } from "./english-forms.ts";
import { spellGermanForms } from "./german-forms.ts";
import { isForLanguage, type LexiconEntry, replaceWords } from "./lexicon.ts";
import { spellNumberForms } from "./number-forms.ts";
import { spellFrenchForms, spellSpanishForms } from "./romance-forms.ts";

/**
 * What a voice is given to say a description: plain words, with nothing in it that an engine could take for a command.
 *
 * In this order: the user's lexicon (its result is final), addresses and telephone numbers read out, marks of formatting
 * and pictographs taken out, fractions, money, dates, ranges, ordinals and Roman numerals as the language says them,
 * abbreviations and units written out. Text that needs nothing of it comes back as it was.
 */
export function spokenForm(text: string, language: string, lexicon: readonly LexiconEntry[] = []): string {
  const held: string[] = [];
  const own = new Map<string, string>();
  for (const entry of lexicon) {
    if (isForLanguage(entry.language, language)) own.set(entry.written.normalize("NFC"), plainCharacters(entry.spoken));
  }
  let spoken = plainCharacters(text);
  spoken = replaceWords(spoken, new Map([...own].map(([written, words]) => [written, hold(words, held)])));
  const family = language.toLowerCase().split("-")[0] ?? "";
  const marks = MARK_WORDS[family];
  if (marks !== undefined) spoken = spellTelephones(spellAddresses(spoken, marks), marks);
  spoken = plainMarks(spoken);
  if (marks !== undefined) spoken = spellNumberForms(spoken, family, marks.to);
  spoken = OTHER_FORMS[family]?.(spoken) ?? spoken;
  const short = SHORT_FORMS.get(family);
  if (short !== undefined) {
    spoken = replaceWords(spoken, short.words);
    spoken = spoken.replace(short.beforeNumberPattern, (written) => short.beforeNumbers[written] ?? written);
    spoken = spoken.replace(short.unitPattern, (_, unit: string, at: number, whole: string) => {
      const words = short.units[unit] ?? unit;
      const isOne = /(?<![\d.,])1$/.test(whole.slice(0, at));
      return ` ${typeof words === "string" ? words : words[isOne ? 0 : 1]}`;
    });
  }
  if (family === "en") spoken = spellEnglishForms(spoken, language.toUpperCase() === "EN-US");
  spoken = joinInitials(spoken);
  return foldedWords(letGo(spoken, held));
}

/** What a language says differently from how it is written, beside numbers; English comes last, on its own. */
const OTHER_FORMS: Readonly<Record<string, (text: string) => string>> = {
  de: spellGermanForms,
  fr: spellFrenchForms,
  es: spellSpanishForms,
};

/** The abbreviations of each language, ready for use. */
const SHORT_FORMS = new Map(
  Object.entries(ABBREVIATIONS).map(([family, { words, beforeNumbers = {}, units }]) => [
    family,
    {
      words: new Map(Object.entries(words)),
      beforeNumbers,
      beforeNumberPattern: beforeNumberPattern(Object.keys(beforeNumbers)),
      units,
      unitPattern: unitPattern(Object.keys(units)),
    },
  ]),
);

/** An abbreviation before a number. */
function beforeNumberPattern(words: readonly string[]): RegExp {
  if (words.length === 0) return /(?!)/g;
  return new RegExp(
    `(?<![\\p{L}\\p{N}.])(?:${words.map((word) => word.replace(/[.]/g, "\\$&")).join("|")})(?= ?\\d)`,
    "gu",
  );
}

/** A unit behind a number that is no sum of money, with the point of an abbreviation that does not end a sentence. */
function unitPattern(units: readonly string[]): RegExp {
  const longestFirst = [...units].sort((a, b) => b.length - a.length).map((unit) => unit.replace(/[/.]/g, "\\$&"));
  return new RegExp(
    `(?<=(?<![$£€¥][\\d.,]*)\\d)[ \\u00a0]?(${longestFirst.join("|")})(?:\\.(?= \\p{Ll}))?(?![\\p{L}\\p{N}/])`,
    "gu",
  );
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

/** Words for what stands in addresses, numbers and ranges, in one language. */
interface MarkWords {
  readonly dot: string;
  readonly slash: string;
  readonly at: string;
  readonly hashtag: string;
  readonly plus: string;
  /** Between the ends of a range of numbers. */
  readonly to: string;
}

/** By first part of the language code; languages that are not here keep the marks. */
const MARK_WORDS: Readonly<Record<string, MarkWords>> = {
  en: { dot: "dot", slash: "slash", at: "at", hashtag: "hashtag", plus: "plus", to: "to" },
  de: { dot: "Punkt", slash: "Schrägstrich", at: "at", hashtag: "Hashtag", plus: "plus", to: "bis" },
  fr: { dot: "point", slash: "slash", at: "arobase", hashtag: "hashtag", plus: "plus", to: "à" },
  es: { dot: "punto", slash: "barra", at: "arroba", hashtag: "hashtag", plus: "más", to: "a" },
  it: { dot: "punto", slash: "barra", at: "chiocciola", hashtag: "hashtag", plus: "più", to: "a" },
  pt: { dot: "ponto", slash: "barra", at: "arroba", hashtag: "hashtag", plus: "mais", to: "a" },
  nl: { dot: "punt", slash: "slash", at: "apenstaartje", hashtag: "hashtag", plus: "plus", to: "tot" },
};

const DOMAIN =
  "[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]*[\\p{L}\\p{N}])?(?:\\.[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]*[\\p{L}\\p{N}])?)+";
const WEB_ADDRESS = new RegExp(
  `(?:https?:\\/\\/|(?<![\\p{L}\\p{N}@.])www\\.)(${DOMAIN})((?:[/?#][^\\s,;"'()<>]*)?)`,
  "giu",
);
const MAIL_ADDRESS = new RegExp(`(?<![\\p{L}\\p{N}])([\\p{L}\\p{N}._+-]+)@(${DOMAIN})`, "gu");
const HASHTAG = /(?<![\p{L}\p{N}&#])#(?=[\p{L}_]*\p{L})([\p{L}\p{N}_]+)/gu;

/** Addresses of pages and of mail, and hashtags, in the words that people read them out with. */
function spellAddresses(text: string, words: MarkWords): string {
  const dotted = (name: string) => name.split(".").join(` ${words.dot} `);
  return text
    .replace(MAIL_ADDRESS, (_, name: string, domain: string) => `${dotted(name)} ${words.at} ${dotted(domain)}`)
    .replace(WEB_ADDRESS, (found: string, domain: string, rest: string) => {
      const www = /^(?:https?:\/\/)?www\./i.test(found) && !/^www\./i.test(domain) ? `www ${words.dot} ` : "";
      // A point at its end is the sentence's; nobody reads out what a page is asked.
      const end = /[.!?:]+$/.exec(rest)?.[0].replace(/[^.!?]/g, "") ?? "";
      const path = rest.replace(/[?#].*$/, "").replace(/[.!?:]+$/, "");
      const parts = path.split("/").filter((part) => part !== "");
      return `${www}${dotted(domain)}${parts.map((part) => ` ${words.slash} ${dotted(part)}`).join("")}${end}`;
    })
    .replace(
      HASHTAG,
      (_, tag: string) => `${words.hashtag} ${tag.replaceAll("_", " ").replace(/(?<=\p{Ll})(?=\p{Lu})/gu, " ")}`,
    );
}

/** Numbers of telephones: with a country's code, in brackets, after a word that says so, or as films make them up. */
const TELEPHONE = [
  /(?<![\p{L}\d+.,])\+\d{1,3}(?:[ -]?\(?\d{1,5}\)?){2,6}(?![\d,.]\d|\d)/gu,
  /(?<![\d-])(?:1-)?(?:\(\d{3}\) ?|\d{3}-)\d{3}-\d{4}(?![\d-])/g,
  /(?<![\d-])555-\d{4}(?![\d-])/g,
  /(?<=\b(?:call|dial|phone|ring|tel|telephone|Telefon|Tel)[.:]? )\d{2,5}(?:[ /-]\d{2,8})+(?!\d)/giu,
  /(?<![\d.,:/-])0\d{2,4}[ /-]\d{3,8}(?:[ -]\d{3,8})*(?![\d.,:/-]\d|\d)/g,
];

/** Telephone numbers digit by digit, with a rest between their groups. */
function spellTelephones(text: string, words: MarkWords): string {
  return TELEPHONE.reduce(
    (spoken, pattern) =>
      spoken.replace(pattern, (number) => {
        const groups = number.match(/\d+/g) ?? [];
        const said = groups.map((group) => [...group].join(" ")).join(", ");
        return number.startsWith("+") ? `${words.plus} ${said}` : said;
      }),
    text,
  );
}
