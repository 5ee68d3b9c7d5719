import { functionWordsOf } from "../../core/other-language.ts";
import { hasLetter, lettersByScript, scriptsOf } from "../../core/scripts.ts";
import { type InkPicture, linesOfInk } from "./ink.ts";
import { hasMoreMarks } from "./letter-marks.ts";
import { LIKE_LATIN, tellWriting, unreadWriting } from "./tell-writing.ts";
import type { ReadLine } from "./text-lines.ts";

/** What a line is read with. */
export interface ReadingMeans {
  /** First subtag of the language of the programme's descriptions. */
  readonly language: string;
  /** Those of the languages whose data it is read with; the dictionary is that of the first. */
  readonly readable: readonly string[];
  /** Whether a word is in the dictionary of the data. */
  readonly isKnown: (word: string) => boolean;
  /** The ink of the picture. */
  readonly ink: InkPicture;
  /** Whether there is no other ink than that of letters. */
  readonly isCard: boolean;
}

/** Letters of scripts with capitals: in others, marks are letters themselves. */
const WITH_CAPITALS = /[\p{Lu}\p{Ll}]/u;

/** Words of letters that look the same in Cyrillic, or in Greek. */
const LOOKALIKES = /^(?:[ABCEHIKMOPTXY]{3,}|[ABEHIKMNOPTXYZ]{3,}|[ABCEHIKMOPTXY]?[aceikmoptxy]{3,})$/;

/** Names with a capital inside, as they are written. */
const INNER_CAPITAL = /^(?:Mc|Mac|De|Di|Du|Da|Del|La|Le|Van|Von|Fitz|O['’]|D['’]|L['’])\p{Lu}\p{Ll}+$/u;

/** How sure the net must be that a line is in letters that cannot be read, for its reading to be wrong; and in its own, for a name. */
const SURE = { other: 0.9, own: 0.6 };

/**
 * Whether a line was read for certain: its data reads whatever it is shown as the letters that it knows, and says that it is sure. So
 * each word has to be one of a language that can be read, with no mark in the picture that the word has not.
 */
export function isCertain(line: ReadLine, all: readonly ReadLine[], means: ReadingMeans): boolean {
  const { language, readable, ink } = means;
  const words = line.words.map(({ text }) => bareWord(text)).filter((word) => /\p{L}/u.test(word));
  if (words.length === 0) return true;
  if (!words.every((word) => mayBeRead(word, means)) || areMostlyNames(words, means)) return false;
  if (means.isCard && isPartOfRow(line, all, ink)) return false;
  // Where the data of the programme's own language is missing, English alone is certain, and only where it can be nothing else.
  if (!readable.includes(language) && !isEnglish(words, means)) return false;
  const isMarked = ({ text, left, right }: ReadLine["words"][number]) =>
    WITH_CAPITALS.test(text) && hasMoreMarks(ink, text, { ...line, left, right });
  if (line.words.some(isMarked)) return false;
  const areKnown = words.every(means.isKnown);
  if (!areKnown && means.isCard && !isWholeCard(all, ink)) return false;
  return isInItsLetters(line, areKnown, ink);
}

/** Whether there is no writing on a card beside the lines that were read: a name says nothing of a card that is not read otherwise. */
function isWholeCard(all: readonly ReadLine[], ink: InkPicture): boolean {
  return unreadWriting(ink, all, [], true) === null;
}

/** Whether most of several words are in no English dictionary: no line is nothing but names that nobody has heard of. */
function areMostlyNames(words: readonly string[], { readable, isKnown }: ReadingMeans): boolean {
  if (readable[0] !== "en" || words.length === 1) return false;
  const unknown = words.filter((word) => !isKnown(word)).length;
  return words.length === 2 ? unknown === 2 : 2 * unknown >= words.length;
}

/** Heights of a line that the ink of its row may go on beside it: more is another word. */
const BESIDE = 1;

/** Whether the ink of a line goes on where nothing was read. */
function isPartOfRow({ left, right, top, bottom }: ReadLine, all: readonly ReadLine[], ink: InkPicture): boolean {
  const middle = (top + bottom) / 2;
  const row = linesOfInk(ink).find(
    (box) => box.top < middle && box.bottom > middle && box.left < right && box.right > left,
  );
  if (row === undefined) return false;
  const beside = all.filter((other) => other.top < row.bottom && other.bottom > row.top);
  const [first, last] = [Math.min(...beside.map((one) => one.left)), Math.max(...beside.map((one) => one.right))];
  const most = BESIDE * (bottom - top);
  return first - row.left > most || row.right - last > most;
}

function bareWord(word: string): string {
  return word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{M}\p{N}]+$/gu, "");
}

function mayBeRead(word: string, { readable, isKnown }: ReadingMeans): boolean {
  const scripts = [...lettersByScript(word).keys()];
  const own = readable.filter((language) => scripts.every((script) => scriptsOf(language).includes(script)));
  if (own.length === 0) return false;
  // Addresses and numbers are in no dictionary.
  if (/[\p{N}@./\\]/u.test(word) || isKnown(word)) return true;
  const isWritten = (language: string) =>
    [...word].every((sign) => hasLetter(language, sign) !== false || !/\p{L}/u.test(sign));
  if (!own.some(isWritten)) return false;
  if (LOOKALIKES.test(word) || (/\p{Ll}\p{Lu}/u.test(word) && !INNER_CAPITAL.test(word))) return false;
  return readable[0] !== "en" || isCapitalised(word);
}

/** A word that no English dictionary has may be a name. */
function isCapitalised(word: string): boolean {
  return /^\p{Lu}/u.test(word);
}

/** Whether words can be nothing but English: all are, and one is of those that stand in every sentence and not in the other language. */
function isEnglish(words: readonly string[], { language, readable, isKnown }: ReadingMeans): boolean {
  if (!readable.includes("en")) return false;
  const [english, own] = [functionWordsOf("en"), functionWordsOf(language)];
  const isSmall = (word: string) => english.has(word.toLowerCase()) && !own.has(word.toLowerCase());
  return words.some(isSmall) && words.every((word) => isKnown(word) || isCapitalised(word));
}

/**
 * Whether a line looks like the letters that it was read as. Of words that the dictionary has, letters that are like others say
 * nothing; a name must look like its own letters more than like any others.
 */
function isInItsLetters(line: ReadLine, areKnown: boolean, ink: InkPicture): boolean {
  const told = tellWriting(ink, [line]);
  if (told === null || (areKnown && (told.certainty < SURE.other || LIKE_LATIN.includes(told.system)))) return true;
  const scripts = [...lettersByScript(line.words.map(({ text }) => text).join("")).keys()];
  const seen: readonly string[] = told.system === "Japanese" ? ["Hiragana", "Katakana", "Han"] : [told.system];
  if (scripts.length === 0) return true;
  return scripts.some((script) => seen.includes(script)) && (areKnown || told.certainty >= SURE.own);
}
