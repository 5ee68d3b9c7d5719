import { describe, expect, test } from "vitest";
import { countWords, wordsPerMinute } from "../../src/core/speaking-time.ts";

describe("counting words", () => {
  test.each([
    ["It's a well-known man's 2.5 m wall.", 7],
    ["", 0],
    [" ... ", 0],
    // Vowel signs are marks, not letters: they part no word.
    ["वह दरवाज़ा खोलती है", 4],
    ["அவள் கதவைத் திறக்கிறாள்", 3],
    // An accent on its own, as some systems write it.
    ["Cafe\u0301 a\u0300 Paris", 3],
  ])("%j has %i", (text, words) => {
    expect(countWords(text)).toBe(words);
    expect(wordsPerMinute(text, 2)).toBe(30 * words);
  });
});
