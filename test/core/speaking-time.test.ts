import { describe, expect, test } from "vitest";
import {
  charactersForWords,
  countSpokenWords,
  countWords,
  estimateSpeakingSeconds,
  highestRate,
  isCountedInCharacters,
  wordsPerMinute,
} from "../../src/core/speaking-time.ts";

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

describe("the time that a text takes", () => {
  test("is a minute for 165 words, and a second for five signs of a script without spaces", () => {
    const words = (count: number) => Array.from({ length: count }, () => "word").join(" ");
    expect(estimateSpeakingSeconds(words(165))).toBeCloseTo(60, 9);
    expect(estimateSpeakingSeconds("彼は走る。")).toBeCloseTo(4 / 5, 9);
    expect(estimateSpeakingSeconds("")).toBe(0);
    // Signs part the words beside them.
    expect(estimateSpeakingSeconds("a走b")).toBeCloseTo(120 / 165 + 1 / 5, 9);
    for (const text of ["A dog runs.", "彼は走る", "a走b"]) {
      expect(countSpokenWords(text)).toBeCloseTo((estimateSpeakingSeconds(text) * 165) / 60, 9);
      // Said twice, it takes twice as long.
      expect(estimateSpeakingSeconds(`${text} ${text}`)).toBeCloseTo(2 * estimateSpeakingSeconds(text), 9);
    }
    expect(charactersForWords(33)).toBe(60);
    expect(charactersForWords(1)).toBe(1);
  });

  test("is counted in characters for the languages that part no words", () => {
    const counted = ["ja", "JA-jp", "cmn-Hans-CN", "yue", "zh", "th", "lo"];
    expect(counted.filter((language) => !isCountedInCharacters(language))).toEqual([]);
    expect(["en", "ko", "de-DE", "", "jav"].filter(isCountedInCharacters)).toEqual([]);
  });

  test.each([
    [1, 1.1],
    [163, 1.1],
    [164, 180 / 164],
    [179, 180 / 179],
    [180, 1],
    [181, 1],
    [0, 1],
  ])(
    "of %i words a minute may be said in %d times their pace: a tenth faster, and no faster than 180",
    (words, rate) => {
      const text = Array.from({ length: words }, () => "word").join(" ");
      expect(highestRate(text, 60)).toBeCloseTo(rate, 12);
      expect(highestRate(text, 0)).toBe(1);
    },
  );

  test("a cue without length has no pace", () => {
    expect([wordsPerMinute("Two words", 0), wordsPerMinute("Two words", -1)]).toEqual([0, 0]);
  });
});
