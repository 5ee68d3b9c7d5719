import { describe, expect, test } from "vitest";
import { labelTime } from "../../../src/formats/clock-time.ts";
import { TextRows } from "../../../src/formats/gate/text-rows.ts";
import { isWording, type WordSource, wordedRows } from "../../../src/formats/gate/wording.ts";

test.each([
  ...[
    "A door.",
    "door",
    "Dr. Who",
    "Nr 5 lives",
    "v2 is here",
    "Straße",
    "東京",
    "東京2020の街。",
    "ราคา 5.50",
    "It leaves at 12.30",
    "end.",
  ].map((text) => [text, true] as const),
  ...[
    "A036C010",
    "REEL.NEW",
    "a_b c",
    "the clip.3gp",
    "film.mov",
    "the film.mp4",
    "BL",
    "black",
    "AX",
    "12 34",
    "!",
    "",
    "INT/EXT",
    "/Volumes/Day 1",
    "AB_1",
  ].map((text) => [text, false] as const),
])("that %j may be meant to be spoken is %s", (text, isMeant) => {
  expect(isWording(text)).toBe(isMeant);
});

describe("of several kinds of rows", () => {
  const source = (holds: WordSource["holds"], ...texts: readonly string[]): WordSource => ({
    holds,
    rows: () =>
      texts.map((text, at) => ({
        ...{ id: "", start: labelTime("00:00:01:00"), end: null, text: text.replace(/^~/, ""), line: at + 1 },
        ...(text.startsWith("~") ? { hidden: "muted clip" } : {}),
      })),
  });
  const told = (...sources: readonly WordSource[]) => {
    const rows = new TextRows();
    const words = wordedRows(sources, rows).map(({ text }) => text);
    const { verdict, issues, receipt } = rows.document();
    const codes = issues.filter(({ code }) => code !== "no-cues").map(({ code, text }) => `${code} ${text}`.trim());
    return { words, codes, leftOut: receipt?.leftOut, isRefused: verdict?.kind === "does not fit" };
  };
  const PLAIN = { codes: [], leftOut: [], isRefused: false };

  test("the first counts that holds words, whole where it is said to hold nothing else", () => {
    expect(told(source("words"), source("words", "A_1", "", "b"), source("words", "c"))).toEqual({
      words: ["A_1", "b"],
      ...PLAIN,
    });
    const names = source("words, or names alone", "A_1", "B_2");
    expect(told(names, source("words", "c"))).toEqual({ words: ["c"], ...PLAIN });
    expect(told(source("words, or names alone", "A_1", "a door"), source("words", "c"))).toEqual({
      words: ["A_1", "a door"],
      ...PLAIN,
    });
  });

  test("names among words are left out and counted, and whatever is no sentence where sentences are asked for", () => {
    expect(told(source("words among names", "A_1", "a door", "", "B_2"))).toEqual({
      ...{ words: ["a door"], codes: ["name-not-words A_1"], leftOut: [], isRefused: false },
    });
    const named = source("sentences among names", "Nested Sequence 04", "A door opens.", "Harbour at dawn");
    expect(told({ ...named, areClipNames: true })).toEqual({
      ...{ words: ["A door opens."], leftOut: [], isRefused: false },
      codes: ["name-not-words Nested Sequence 04", "text-from-clip-name A door opens."],
    });
  });

  test("names of clips alone are refused; other names alone, and none at all, are not", () => {
    const names = source("words among names", "A_1");
    const clips = { ...names, areClipNames: true };
    expect([names, clips, { ...clips, rows: () => [] }].map((one) => told(one).isRefused)).toEqual([
      false,
      true,
      false,
    ]);
    expect(told(clips, source("words", "a door")).isRefused).toBe(false);
    expect(told({ ...source("words among names", ""), areClipNames: true }).isRefused).toBe(false);
  });

  test("what is not heard is left out and counted, and its kind counts all the same", () => {
    expect(told(source("words among names", "~a door", "a gate", "~A_1"), source("words", "c"))).toEqual({
      ...{ words: ["a gate"], codes: ["name-not-words A_1"], isRefused: false },
      leftOut: [{ what: "muted clip", count: 1, words: ["a door"] }],
    });
    expect(told(source("words", "~a door"), source("words", "c")).words).toEqual([]);
  });
});
