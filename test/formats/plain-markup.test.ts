import fc from "fast-check";
import { expect, test } from "vitest";
import {
  foldWhiteSpace,
  fromSpareReferences,
  plainFromMarkup,
  withSpareReferences,
} from "../../src/formats/plain-markup.ts";

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

test("references that nobody types stand for characters, and words that look like them come back", () => {
  const marks = fc.constantFrom(
    "&amp;",
    "amp;",
    "&",
    "&lt;",
    "lt;b>",
    "&nbsp;",
    "nbsp;",
    "&#38;",
    "&#x41;",
    "b",
    " ",
    "<i>",
  );
  fc.assert(
    fc.property(fc.array(marks, { maxLength: 8 }), (parts) => {
      const text = parts.join("");
      expect(fromSpareReferences(withSpareReferences(text))).toBe(text);
    }),
    { numRuns: 500 },
  );
  expect(fromSpareReferences("&#65;&nbsp;&lt;b> &lt;3 R&amp;B")).toBe("A\u00a0<b> &lt;3 R&amp;B");
});
