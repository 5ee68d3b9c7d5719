import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isForLanguage, parseLexicon, replaceWords } from "../../../src/engine/voice/lexicon.ts";

describe("parseLexicon", () => {
  test("reads words, sections, comments and words left unsaid", () => {
    const { entries, issues } = parseLexicon(
      ["\uFEFF# names", "Siobhan = Shivawn", "[en-GB]", "Beauchamp = Beecham", "[*]", "(sic) =", "a = b = c"].join(
        "\r\n",
      ),
    );
    expect(entries).toEqual([
      { written: "Siobhan", spoken: "Shivawn" },
      { written: "Beauchamp", spoken: "Beecham", language: "en-GB" },
      { written: "(sic)", spoken: "" },
      { written: "a", spoken: "b = c" },
    ]);
    expect(issues).toEqual([]);
  });

  test("reports lines it cannot use and keeps the rest", () => {
    const { entries, issues } = parseLexicon("Siobhan Shivawn\n = nothing\nOK = okay\n[not a language]");
    expect(entries).toEqual([{ written: "OK", spoken: "okay" }]);
    expect(issues).toEqual([
      { line: 1, code: "no_equals_sign", text: "Siobhan Shivawn" },
      { line: 2, code: "empty_word", text: "= nothing" },
      { line: 4, code: "no_equals_sign", text: "[not a language]" },
    ]);
  });
});

describe("replaceWords", () => {
  const say = (text: string, words: Record<string, string>) => replaceWords(text, new Map(Object.entries(words)));

  test("replaces whole words only, in any script", () => {
    expect(say("art cart Art art's", { art: "ART" })).toBe("ART cart Art ART's");
    expect(say("ось, вось, осью", { ось: "X" })).toBe("X, вось, осью");
    expect(say("किताब किताबें", { किताब: "X" })).toBe("X किताबें");
  });

  test("prefers the longest and never looks at its own result again", () => {
    expect(say("New York Times", { "New York": "NY", "New York Times": "the Times" })).toBe("the Times");
    expect(say("a b", { a: "b", b: "a" })).toBe("b a");
  });

  test("takes no character of a word for a pattern", () => {
    expect(say("C++ (x) $5 a.b", { "C++": "C plus plus", "(x)": "ex", "a.b": "ab", $5: "five" })).toBe(
      "C plus plus ex five ab",
    );
    expect(say("axb", { "a.b": "no" })).toBe("axb");
  });
});

test("a language section counts for its family and not for another", () => {
  expect(isForLanguage("en", "en-US")).toBe(true);
  expect(isForLanguage("en-GB", "en-gb")).toBe(true);
  expect(isForLanguage("en-GB", "en-US")).toBe(false);
  expect(isForLanguage("e", "en-US")).toBe(false);
  expect(isForLanguage(undefined, "fi-FI")).toBe(true);
});

test("any word can be replaced: with hyphens, brackets, marks of patterns, in any script", () => {
  expect(
    replaceWords(
      "Jean-Luc und Müller-Lüdenscheidt",
      new Map([
        ["Jean-Luc", "Schanlück"],
        ["Müller-Lüdenscheidt", "M"],
      ]),
    ),
  ).toBe("Schanlück und M");
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }).filter((one) => /^\S+$/.test(one)),
      (word) => {
        expect(replaceWords(`  ${word}  `, new Map([[word, "x"]]))).toBe("  x  ");
      },
    ),
  );
});
