import { expect, test } from "vitest";
import { languageName, lettersName, otherLanguageName } from "../../src/engine/language-name.ts";

test("a language is called as in English, those of the interface's own codes too", () => {
  const named = ["de", "de-AT", "cmn-CN", "cmn", "ar-XA", "pt-BR"].map(languageName);
  expect(named).toEqual([
    ...["German", "Austrian German", "Chinese (China)", "Chinese", "Arabic", "Brazilian Portuguese"],
  ]);
  expect(languageName("xq")).toBe("xq");
});

test("a text in another language is told by the language, or by the letters where nothing else is known", () => {
  expect(["fr", "Cyrillic", "Han"].map(otherLanguageName)).toEqual([
    "French",
    "Cyrillic letters",
    "Chinese characters",
  ]);
  expect(["Greek", "Han"].map(lettersName)).toEqual(["Greek letters", "Chinese characters"]);
});
