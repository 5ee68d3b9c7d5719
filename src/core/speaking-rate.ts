import { wordsPerMinute } from "./speaking-time.ts";

/** Largest speaking rate, relative to the voice's normal one (Audesia: at most 10 % faster; `field.md` 2.2). */
export const MAXIMUM_SPEAKING_RATE = 1.1;

/** Pace in words per minute beyond which no line is placed faster than its voice would speak it; slower ones may come up to it. */
export const MAXIMUM_WORDS_PER_MINUTE = 180;

/** The largest rate at which a text is placed, by the seconds that it takes at the voice's normal rate. */
export function highestRate(text: string, seconds: number): number {
  const pace = wordsPerMinute(text, seconds);
  return Math.max(1, Math.min(MAXIMUM_SPEAKING_RATE, pace > 0 ? MAXIMUM_WORDS_PER_MINUTE / pace : 1));
}
