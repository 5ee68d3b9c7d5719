import fc from "fast-check";
import { expect, test } from "vitest";
import { escapeMarkup, foldWhiteSpace, plainFromMarkup } from "../../src/formats/plain-markup.ts";

const pieces = fc.array(
  fc.constantFrom(
    "<",
    ">",
    "/",
    " ",
    "\n",
    "\u00a0",
    "a",
    "z",
    "A",
    "Z",
    "`",
    "@",
    "[",
    "{",
    "0",
    ":",
    ".",
    ";",
    "!",
    "<i>",
    "</i>",
    "<00:01.000>",
  ),
  { maxLength: 12 },
);

test("tags and stamps go, everything else stays", () => {
  const TAG = /<[\d:.]+>|<\/?\s*[a-z][^<>\n]*>/gi;
  fc.assert(
    fc.property(pieces, (parts) => {
      const text = parts.join("");
      expect(plainFromMarkup(text)).toBe(text.replace(TAG, "").replace(/\s+/g, " ").trim());
    }),
    { numRuns: 2000 },
  );
});

test("white space is one blank between words, and none at the ends", () => {
  const spaces = fc.constantFrom(" ", "  ", "\t", "\n", "\u00a0", "\u2003", "\ufeff", "a", "\u0001", "ü");
  fc.assert(
    fc.property(fc.array(spaces, { maxLength: 8 }), (parts) => {
      expect(foldWhiteSpace(parts.join(""))).toBe(parts.join("").replace(/\s+/g, " ").trim());
    }),
    { numRuns: 500 },
  );
});

test("what is escaped is plain again, and is untouched where it is plain already", () => {
  const marks = fc.constantFrom("<b>", "</b>", "&amp;", "&lt;", "&", "<", "{i}", "{\\an8}", "{", "}", "word", " ");
  fc.assert(
    fc.property(fc.array(marks, { maxLength: 8 }), (parts) => {
      const text = foldWhiteSpace(parts.join(""));
      expect(plainFromMarkup(escapeMarkup(text))).toBe(text);
      if (plainFromMarkup(text) === text) expect(escapeMarkup(text)).toBe(text);
    }),
    { numRuns: 500 },
  );
});
