import { describe, expect, test } from "vitest";
import { speechFromCaptions, sungRanges } from "../../src/core/dialogue.ts";

const WORDS = "This is the optical and science segment of the Webb";

describe("speech from captions", () => {
  test("GEN-34: counts a caption whose words were not heard as speech, whole", () => {
    const captions = [{ start: 10, end: 14, text: WORDS }];
    expect(speechFromCaptions([], captions)).toEqual([{ start: 10, end: 14 }]);
  });

  test("trusts what was heard inside a caption that lingers", () => {
    const heard = [{ start: 10.1, end: 12.9, confidence: 0.9 }];
    const captions = [{ start: 10, end: 14, text: WORDS }];
    expect(speechFromCaptions(heard, captions)).toEqual([{ start: 10.1, end: 12.9 }]);
  });

  test("keeps the times of a caption that is sung or lies over music, however much of it was heard", () => {
    const heard = [{ start: 10.1, end: 12.9, confidence: 0.9 }];
    const captions = [{ start: 10, end: 14, text: WORDS }];
    expect(speechFromCaptions(heard, captions, { music: [{ start: 5, end: 12.5 }] })).toEqual([{ start: 10, end: 14 }]);
    expect(speechFromCaptions(heard, captions, { music: [{ start: 5, end: 11 }] })).toEqual([
      { start: 10.1, end: 12.9 },
    ]);
    const sung = [{ start: 10, end: 14, text: `♪ ${WORDS} ♪` }];
    expect(speechFromCaptions(heard, sung)).toEqual([{ start: 10, end: 14 }]);
    expect(speechFromCaptions(heard, [{ start: 9, end: 14, text: "♪ ♪" }])).toEqual([{ start: 10.1, end: 12.9 }]);
  });

  test("tells songs by the music signs of their lines, and parts them at long pauses", () => {
    const line = (start: number, text: string) => ({ start, end: start + 3, text });
    const captions = [
      line(1, "Listen."),
      line(10, "♪ Row, row ♪"),
      line(20, "♪ your boat ♪"),
      line(60, "♫ Merrily"),
      line(70, "♪ ♪"),
    ];
    expect(sungRanges(captions)).toEqual([
      { start: 10, end: 23 },
      { start: 60, end: 63 },
    ]);
    // Lines up to 15 s apart are of one song.
    const songs = (second: number) => sungRanges([line(10, "♪ Row, row ♪"), line(second, "♪ your boat ♪")]).length;
    expect([songs(28), songs(28.5)]).toEqual([1, 2]);
  });

  test("counts what was heard without confidence wherever a caption has words, not at the first alone", () => {
    const heard = [5, 20, 40].map((start) => ({ start: start - 0.2, end: start + 3.2, confidence: 0.1 }));
    const captions = [5, 20].map((start) => ({ start, end: start + 3, text: WORDS }));
    expect(speechFromCaptions(heard, captions)).toEqual(heard.slice(0, 2).map(({ start, end }) => ({ start, end })));
  });

  test("keeps what was heard where no caption stands", () => {
    const heard = [{ start: 1, end: 2, confidence: 0.9 }];
    expect(speechFromCaptions(heard, [{ start: 5, end: 6, text: "Hello there" }])).toEqual([
      { start: 1, end: 2 },
      { start: 5, end: 6 },
    ]);
  });

  test("does not take captions of sounds for speech", () => {
    for (const text of ["[squawk]", "［静かな音楽］", "〔ドアの音〕", "♪～", "…"]) {
      expect(speechFromCaptions([], [{ start: 5, end: 6, text }]), text).toEqual([]);
    }
  });

  test("takes a sound like a voice for none, unless something is said there", () => {
    const heard = [{ start: 1, end: 4, confidence: 0.25 }];
    expect(speechFromCaptions(heard, [])).toEqual([]);
    expect(speechFromCaptions(heard, [{ start: 3.5, end: 5, text: "[yawns]" }])).toEqual([]);
    expect(speechFromCaptions(heard, [{ start: 3.5, end: 4.2, text: "Oh" }])).toEqual([{ start: 1, end: 4 }]);
    expect(speechFromCaptions([{ start: 1, end: 4, confidence: 0.5 }], [])).toEqual([{ start: 1, end: 4 }]);
  });

  test("frees what a whole transcript has no word in, where it was heard with doubt", () => {
    const heard = [
      { start: 1, end: 3, confidence: 0.7 },
      { start: 10, end: 12, confidence: 0.7 },
      { start: 20, end: 22, confidence: 0.85 },
    ];
    const words = [
      { text: "Who", start: 10.2, end: 10.4 },
      { text: "goes?", start: 10.4, end: 11 },
    ];
    const lines = [{ start: 10, end: 11, text: "Who goes?", words }];
    const sure = [
      { start: 10, end: 12 },
      { start: 20, end: 22 },
    ];
    expect(speechFromCaptions(heard, lines, { isWhole: true })).toEqual(sure);
    expect(speechFromCaptions(heard, lines)).toEqual([{ start: 1, end: 3 }, ...sure]);
  });

  test("counts a line that was not heard by its words, where their times are known", () => {
    const words = [
      { text: "Come", start: 5, end: 5.4 },
      { text: "in,", start: 5.5, end: 5.9 },
      { text: "quickly.", start: 8, end: 8.6 },
    ];
    expect(speechFromCaptions([], [{ start: 5, end: 9, text: "Come in, quickly.", words }])).toEqual([
      { start: 5, end: 5.9 },
      { start: 8, end: 8.6 },
    ]);
  });
});
