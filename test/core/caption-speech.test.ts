import { describe, expect, test } from "vitest";
import { speechFromCaptions, spokenWords } from "../../src/core/caption-speech.ts";

const WORDS = "This is the optical and science segment of the Webb";

describe("speech from captions", () => {
  test("GEN-34: counts a caption whose words were not heard as speech, whole", () => {
    const captions = [{ id: "1", start: 10, end: 14, text: WORDS }];
    expect(speechFromCaptions([], captions)).toEqual([{ start: 10, end: 14 }]);
  });

  test("trusts what was heard inside a caption that lingers", () => {
    const heard = [{ start: 10.1, end: 12.9, confidence: 0.9 }];
    const captions = [{ id: "1", start: 10, end: 14, text: WORDS }];
    expect(speechFromCaptions(heard, captions)).toEqual([{ start: 10.1, end: 12.9 }]);
  });

  test("keeps what was heard where no caption stands", () => {
    const heard = [{ start: 1, end: 2, confidence: 0.9 }];
    expect(speechFromCaptions(heard, [{ id: "1", start: 5, end: 6, text: "Hello there" }])).toEqual([
      { start: 1, end: 2 },
      { start: 5, end: 6 },
    ]);
  });

  test("does not take captions of sounds for speech", () => {
    expect(speechFromCaptions([], [{ id: "1", start: 5, end: 6, text: "[squawk]" }])).toEqual([]);
    expect(spokenWords("SINBAD: (laughs) ♪ I am Sinbad ♪")).toBe("I am Sinbad");
  });
});
