import { describe, expect, test } from "vitest";
import { countSpokenWords } from "../../../../src/core/speaking-time.ts";
import { isFilmTalk, shortenToSentences, tidyWording } from "../../../../src/engine/describe/vision/wording.ts";

describe("a tidy wording", () => {
  test.each([
    ["  a  dog\nbarks ", "en-US", "A dog barks."],
    ["A dog barks!", "en-US", "A dog barks!"],
    ['He reads "Go."', "en-US", 'He reads "Go."'],
    ["We see a woman at a door", "en-US", "A woman at a door."],
    ["The camera pans to a door", "en-US", "A door."],
    ["This scene depicts a door", "en-US", "A door."],
    ["ışık yanar", "tr-TR", "Işık yanar."],
    ["istanbul", "tr-TR", "İstanbul."],
    ["一个男人走着", "cmn-CN", "一个男人走着。"],
    ["कुत्ता भौंकता है", "hi-IN", "कुत्ता भौंकता है।"],
    ["कुत्रा भुंकतो", "mr-IN", "कुत्रा भुंकतो."],
    ["สุนัขเห่า", "th-TH", "สุนัขเห่า"],
    ["کتا بھونکتا ہے", "ur-PK", "کتا بھونکتا ہے۔"],
    ["...", "en-US", ""],
    [" - ", "en-US", ""],
    ["", "en-US", ""],
  ])("of %j in %s is %j", (wording, language, tidy) => {
    expect(tidyWording(wording, language)).toBe(tidy);
    expect(tidyWording(tidy, language)).toBe(tidy);
  });

  test("film talk is what talks about the film, not what happens to show a camera", () => {
    expect(isFilmTalk(" we can see a dog")).toBe(true);
    expect(isFilmTalk("A man holds the camera")).toBe(false);
    expect(isFilmTalk("The camera lies on the floor")).toBe(false);
  });
});

test("a wording is cut to whole sentences, not at abbreviations or inside numbers", () => {
  const cut = (text: string, words: number) => shortenToSentences(text, words, countSpokenWords);
  const text = "Mr. and Mrs. Ames wait. Dr. Jones pours them 3.5 litres. They drink.";
  expect(cut(text, 100)).toBe(text);
  expect(cut(text, 11.5)).toBe("Mr. and Mrs. Ames wait. Dr. Jones pours them 3.5 litres.");
  expect(cut(text, 6)).toBe("Mr. and Mrs. Ames wait.");
  expect(cut(text, 3)).toBe("");
});
