import { describe, expect, test } from "vitest";
import { isCertain, type ReadingMeans } from "../../../src/engine/ocr/certain-line.ts";
import { type InkPicture, inkOnCard, linesOfInk, paperShare } from "../../../src/engine/ocr/ink.ts";
import { hasMoreMarks } from "../../../src/engine/ocr/letter-marks.ts";
import { unreadText } from "../../../src/engine/ocr/read-key-frames.ts";
import { tellWriting, unreadWriting } from "../../../src/engine/ocr/tell-writing.ts";
import type { ReadLine } from "../../../src/engine/ocr/text-lines.ts";
import { likelihoods, STRIP_ROWS, WRITING_SYSTEMS } from "../../../src/engine/ocr/writing-net.ts";

const SIZE = { width: 640, height: 120 };
const NO_INK: InkPicture = { ...SIZE, ink: new Float32Array(SIZE.width * SIZE.height) };
const KNOWN = new Set("the end five years later years later bar in and".split(" "));

/** A line with a box of its own for each word. */
function line(text: string): ReadLine {
  const words = text.split(" ").map((word, at) => ({ text: word, confidence: 95, left: 90 * at, right: 90 * at + 80 }));
  return { words, left: 0, right: 90 * words.length, top: 40, bottom: 80, isUntreated: true };
}

function isRead(text: string, means: Partial<ReadingMeans> = {}): boolean {
  const one = line(text);
  const isKnown = (word: string) => KNOWN.has(word.toLowerCase());
  return isCertain(one, [one], { language: "en", readable: ["en"], isKnown, ink: NO_INK, isCard: false, ...means });
}

describe("a reading", () => {
  test("with letters that no language has which can be read is never certain", () => {
    for (const text of ["The Ende für", "Пять лет", "Straße", "THE ŞIŞLI", "五年后"])
      expect(isRead(text), text).toBe(false);
    expect(isRead("the end")).toBe(true);
    expect(isRead("Straße", { language: "de", readable: ["de", "en"], isKnown: () => true })).toBe(true);
  });

  test("of Cyrillic or Greek as the letters that look like them is not certain", () => {
    for (const text of ["MockBa", "MocKBa", "MOCKBA", "POCCHA", "BECHA", "CyTpa"])
      expect(isRead(text), text).toBe(false);
  });

  test("that no dictionary has is certain as a name alone", () => {
    for (const text of ["apres", "yil", "Cing ans", "Fanf Jahre spater", "Kuis Bar Nang Ogre"]) {
      expect(isRead(text), text).toBe(false);
    }
    for (const text of ["Sintel", "McAllister", "SINTEL", "the Sintel", "1927", "aside@film.org"])
      expect(isRead(text), text).toBe(true);
  });

  test("with the data of another language is certain where it can be that one alone", () => {
    const german = { language: "de", readable: ["en"] };
    expect(isRead("the end", german)).toBe(true);
    // "Bär" is read so.
    expect(isRead("Bar", german)).toBe(false);
    expect(isRead("later", german)).toBe(false);
  });
});

/** Ink of rectangles. */
function inkOf(...boxes: (readonly [left: number, top: number, width: number, height: number])[]): InkPicture {
  const ink = new Float32Array(SIZE.width * SIZE.height);
  for (const [left, top, width, height] of boxes) {
    for (let y = top; y < top + height; y++) ink.fill(1, y * SIZE.width + left, y * SIZE.width + left + width);
  }
  return { ...SIZE, ink };
}

describe("marks of letters", () => {
  const letters = [
    [10, 50, 14, 30],
    [34, 58, 12, 22],
    [54, 58, 12, 22],
  ] as const;
  const box = { left: 8, right: 70, top: 50, bottom: 80 };

  test("are more than a word has where an accent was left out", () => {
    const dots = [
      [35, 50, 3, 3],
      [41, 50, 3, 3],
    ] as const;
    expect(hasMoreMarks(inkOf(...letters), "Bar", box)).toBe(false);
    expect(hasMoreMarks(inkOf(...letters, ...dots), "Bar", box)).toBe(true);
    expect(hasMoreMarks(inkOf(...letters, ...dots), "Bär", box)).toBe(false);
    expect(hasMoreMarks(inkOf(...letters, [38, 50, 4, 3]), "Bir", box)).toBe(false);
  });

  test("stand below letters as well", () => {
    const cedilla = [38, 83, 4, 5] as const;
    expect(hasMoreMarks(inkOf(...letters, cedilla), "Bar", box)).toBe(true);
    expect(hasMoreMarks(inkOf(...letters, cedilla), "Bąr", box)).toBe(false);
  });
});

describe("a card", () => {
  const picture = (draw: (x: number, y: number) => number) => {
    const rows = Uint8Array.from({ length: SIZE.width * SIZE.height }, (_, at) =>
      draw(at % SIZE.width, Math.floor(at / SIZE.width)),
    );
    return { ...SIZE, stride: SIZE.width, rows };
  };

  test("is of one colour for the most part", () => {
    expect(paperShare(picture((x, y) => (x > 300 && x < 340 && y > 50 && y < 70 ? 240 : 16)))).toBeGreaterThan(0.95);
    expect(paperShare(picture((x, y) => (y < 70 ? 150 : x % 200)))).toBeLessThan(0.75);
  });

  test("has its ink measured by its letters, be they few and its paper noisy", () => {
    const { ink } = inkOnCard(
      picture((x, y) => (x > 300 && x < 306 && y > 50 && y < 60 ? 240 : 16 + ((x * 7 + y) % 5))),
    );
    expect(ink[55 * SIZE.width + 303]).toBeCloseTo(1, 1);
    expect(ink[10 * SIZE.width + 100]).toBeLessThan(0.05);
  });

  test("holds lines with the marks above and below them, cut at wide gaps", () => {
    const lines = linesOfInk(inkOf([10, 40, 60, 20], [20, 34, 5, 4], [300, 40, 60, 20]));
    expect(lines).toEqual([
      { left: 10, right: 70, top: 34, bottom: 60 },
      { left: 300, right: 360, top: 34, bottom: 60 },
    ]);
  });

  test("without ink holds no writing, and a box is none", () => {
    expect(unreadWriting(NO_INK, [], ["en"], true)).toBeNull();
    expect(tellWriting(NO_INK, [])).toBeNull();
    expect(unreadWriting(inkOf([0, 20, 640, 80]), [], ["en"], true)).toBeNull();
  });

  test("gives shares of 1 to each writing system, and to none", () => {
    const shares = likelihoods({ columns: 96, ink: new Float32Array(STRIP_ROWS * 96) });
    expect(shares).toHaveLength(WRITING_SYSTEMS.length + 1);
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 6);
  });
});

describe("what is said of text that was not read", () => {
  const say = async (
    language: string,
    system: Parameters<typeof unreadText>[0]["system"],
    readable: string[] = ["en"],
  ) =>
    await unreadText(
      { start: 1, end: 2, system },
      { language, canRead: async (other) => readable.includes(other.split("-")[0] ?? "") },
    );

  test("names the language, the data that is missing, and what to do", async () => {
    expect((await say("ru-RU", "Cyrillic")).message).toBe(
      "Russian text on screen cannot be read here: there is no language data for Russian (rus.traineddata, in a folder that ASIDE_OCR_DATA names). It is not spoken: add what it says",
    );
    expect(await say("en-US", "Cyrillic")).toMatchObject({
      letters: "Cyrillic letters",
      message: expect.stringMatching(/^Russian text on screen, or other text in Cyrillic letters, cannot be read here/),
    });
  });

  test("claims no more than is known", async () => {
    expect(await say("en-US", null)).toMatchObject({
      letters: null,
      message: expect.stringMatching(/^Text on screen could not/),
    });
    expect((await say("en-US", "Latin")).message).toMatch(
      /^Text on screen in Latin letters could not be read for certain\./,
    );
    expect((await say("en-US", "Han")).message).toMatch(/^Chinese or Japanese text/);
    expect((await say("en-US", "Georgian")).message).toMatch(/^Text on screen in Georgian letters cannot be read here/);
    expect((await say("en-US", "Cyrillic", ["en", "ru"])).message).toContain(
      "read in descriptions in its own language alone",
    );
  });
});
