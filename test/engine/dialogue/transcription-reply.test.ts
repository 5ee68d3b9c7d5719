import { describe, expect, test } from "vitest";
import { readTranscription } from "../../../src/engine/dialogue/ask-transcription.ts";

const word = (text: string, start: number, end: number) => ({ word: text, start, end });

describe("an answer about sound", () => {
  test("gives lines with words, whose signs are those of the line", () => {
    const answer = {
      text: "Who goes? A friend.",
      segments: [
        { start: 0.5, end: 1.5, text: " Who goes?" },
        { start: 2, end: 3, text: "A friend." },
      ],
      words: [word("Who", 0.5, 0.8), word("goes", 0.9, 1.4), word("A", 2, 2.1), word("friend", 2.2, 3)],
    };
    expect(readTranscription(answer, 10)).toEqual([
      {
        start: 0.5,
        end: 1.5,
        text: "Who goes?",
        words: [
          { text: "Who", start: 0.5, end: 0.8 },
          { text: "goes?", start: 0.9, end: 1.4 },
        ],
      },
      {
        start: 2,
        end: 3,
        text: "A friend.",
        words: [
          { text: "A", start: 2, end: 2.1 },
          { text: "friend.", start: 2.2, end: 3 },
        ],
      },
    ]);
  });

  test("joins the parts of words that whisper.cpp gives, and leaves out its marks", () => {
    const words = [
      word("[_BEG_]", 0, 0.1),
      word(" Hel", 0, 0.2),
      word("lo", 0.2, 0.5),
      word(",", 0.5, 0.6),
      word(" you", 0.7, 1),
    ];
    const lines = readTranscription({ segments: [{ start: 0, end: 1, text: " Hello, you", words }] }, 10);
    expect(lines?.[0]?.words).toEqual([
      { text: "Hello,", start: 0, end: 0.6 },
      { text: "you", start: 0.7, end: 1 },
    ]);
  });

  test("takes nanoseconds, and words under another name", () => {
    const words = [{ text: "Yes", start: 1e9, end: 1.5e9 }];
    expect(readTranscription({ segments: [{ start: 1e9, end: 2e9, text: "Yes", words }] }, 10)).toEqual([
      { start: 1, end: 2, text: "Yes", words: [{ text: "Yes", start: 1, end: 1.5 }] },
    ]);
  });

  test("takes all times for nanoseconds where one of them is beyond a million seconds", () => {
    const ends = (...given: readonly number[]) =>
      readTranscription({ segments: given.map((end, index) => ({ start: 0, end, text: `Line ${index}.` })) }, 10)?.map(
        ({ end }) => end,
      );
    expect(ends(900_000, 2e9)).toEqual([expect.closeTo(0.0009, 9), 2]);
    expect(ends(1e6)).toEqual([10]);
    expect(ends(1_000_001)?.[0]).toBeCloseTo(0.001, 5);
    const words = [{ word: "Yes", start: 1e9, end: 1.5e9 }];
    const segments = [{ start: 0, end: 900_000, text: "Yes" }];
    expect(readTranscription({ segments, words }, 10)?.[0]?.end).toBeCloseTo(0.0009, 9);
  });

  test("keeps who speaks", () => {
    const segments = [{ start: 0, end: 1, text: "Yes.", speaker: "A" }];
    expect(readTranscription({ segments }, 10)).toEqual([{ start: 0, end: 1, text: "Yes.", speaker: "A" }]);
  });

  test("loses what the model itself takes for nothing, what is said over and over, and what lies behind the sound", () => {
    const segments = [
      { start: 0, end: 1, text: "Thank you for watching.", no_speech_prob: 0.9, avg_logprob: -1.3 },
      { start: 1, end: 2, text: "Here.", no_speech_prob: 0.9, avg_logprob: -0.2 },
      ...[2, 3, 4, 5].map((start) => ({ start, end: start + 1, text: "No." })),
      { start: 9, end: 12, text: "Late." },
      { start: 11, end: 12, text: "Beyond." },
    ];
    expect(readTranscription({ segments }, 10)?.map(({ start, end, text }) => [start, end, text])).toEqual([
      [1, 2, "Here."],
      [2, 3, "No."],
      [3, 4, "No."],
      [9, 10, "Late."],
    ]);
  });

  test("is none without times", () => {
    for (const answer of [{ text: "Who goes?" }, null, "Who goes?", { segments: [{ text: "Who goes?" }] }])
      expect(readTranscription(answer, 10)).toBeNull();
  });
});
