import { describe, expect, test } from "vitest";
import { phraseEnds, type SpokenWord, type TranscriptLine } from "../../src/core/dialogue.ts";

const word = (text: string, start: number, end: number): SpokenWord => ({ text, start, end });
const line = (words: readonly SpokenWord[]): TranscriptLine => ({
  start: words[0]?.start ?? 0,
  end: words.at(-1)?.end ?? 0,
  text: words.map(({ text }) => text).join(" "),
  words,
});

describe("ends of phrases", () => {
  test("lie in the pause behind a sign, and nowhere else", () => {
    const said = line([
      word("Well,", 0, 0.4),
      word("look", 0.6, 0.9),
      word("at", 1.3, 1.4),
      word("that.", 1.4, 1.8),
      word("Now", 1.9, 2.2),
      word("go!”", 2.2, 2.6),
    ]);
    // After "look" nothing ends, however long the pause; after "that." there is none.
    expect(phraseEnds([said])).toEqual([0.5, 3.1]);
  });

  test("are not where somebody else still speaks", () => {
    const one = line([word("Stop.", 0.5, 1), word("Please.", 3, 3.5)]);
    const other = line([word("Never", 0, 2)]);
    expect(phraseEnds([one, other])).toEqual([2.5, 4]);
  });

  test("come soon after the word, however long the pause", () => {
    expect(phraseEnds([line([word("Yes.", 1, 1.5), word("No.", 20, 20.5)])])).toEqual([2, 21]);
  });

  test("of a line without times of words are its own end; lines that follow at once have none", () => {
    const captions = [
      { start: 0, end: 2, text: "I said no." },
      { start: 2, end: 4, text: "And I meant it." },
      { start: 5, end: 6, text: "[door slams]" },
    ];
    expect(phraseEnds(captions)).toEqual([4.5]);
  });
});
