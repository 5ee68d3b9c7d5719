import { spokenText } from "./direction.ts";
import { foldedWords } from "./text.ts";

/** Words of a text that are spoken, for languages that part them by spaces: runs of letters, their marks and digits with inner apostrophes. */
export function countWords(text: string): number {
  return spokenText(text).match(/[\p{L}\p{M}\p{N}]+(?:['’\-.][\p{L}\p{M}\p{N}]+)*/gu)?.length ?? 0;
}

/** Pace of a cue in words per minute; 0 for a cue without words or without length. */
export function wordsPerMinute(text: string, durationSeconds: number): number {
  return durationSeconds > 0 ? (countWords(text) * 60) / durationSeconds : 0;
}

/**
 * Pace at which {@link estimateSpeakingSeconds} counts, in words per minute: between the 150 of DCMP and AWS and the 180
 * of Microsoft's pipeline (`field.md` 2.2); human describers were measured at 162 to 198.
 */
export const ESTIMATED_WORDS_PER_MINUTE = 165;

/** Characters per second assumed for scripts that do not part words by spaces (Han, Kana, Thai, ...). */
export const UNSPACED_CHARACTERS_PER_SECOND = 5;

const UNSPACED_SCRIPTS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}]/gu;

/** Whether a language parts no words by spaces, so that its texts are counted in characters. */
export function isCountedInCharacters(language: string): boolean {
  return ["cmn", "yue", "zh", "ja", "th", "lo"].includes(language.toLowerCase().split("-")[0] ?? "");
}

/** Characters of such a language that are spoken in the time of so many words. */
export function charactersForWords(words: number): number {
  return Math.floor(((words * 60) / ESTIMATED_WORDS_PER_MINUTE) * UNSPACED_CHARACTERS_PER_SECOND);
}

/** Words of any script, characters of those that do not part words counted as the words that take as long. */
export function countSpokenWords(text: string): number {
  return (estimateSpeakingSeconds(text) * ESTIMATED_WORDS_PER_MINUTE) / 60;
}

/**
 * Guesses how long a text takes to say, in seconds, where no voice can be asked. A measured duration always wins over
 * this; it serves estimates before a voice exists and files that bring text without an end.
 */
export function estimateSpeakingSeconds(text: string): number {
  const spoken = spokenText(text);
  const unspaced = spoken.match(UNSPACED_SCRIPTS)?.length ?? 0;
  const words = countWords(spoken.replace(UNSPACED_SCRIPTS, " "));
  return (words * 60) / ESTIMATED_WORDS_PER_MINUTE + unspaced / UNSPACED_CHARACTERS_PER_SECOND;
}

/** Largest speaking rate, relative to the voice's normal one (Audesia: at most 10 % faster; `field.md` 2.2). */
export const MAXIMUM_SPEAKING_RATE = 1.1;

/** Pace in words per minute beyond which no line is placed faster than its voice would speak it; slower ones may come up to it. */
export const MAXIMUM_WORDS_PER_MINUTE = 180;

/** The largest rate at which a text is placed, by the seconds that it takes at the voice's normal rate. */
export function highestRate(text: string, seconds: number): number {
  const pace = wordsPerMinute(text, seconds);
  return Math.max(1, Math.min(MAXIMUM_SPEAKING_RATE, pace > 0 ? MAXIMUM_WORDS_PER_MINUTE / pace : 1));
}

/**
 * Words of a text as they are heard: in lower case, without punctuation. Two descriptions with the same ones say the same.
 * Letters keep their marks: without vowel signs, different words of many scripts would look alike.
 */
export function spokenWords(text: string): string {
  return foldedWords(
    spokenText(text)
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}'’-]+/gu, " "),
  );
}
