import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { utf8Bytes } from "../../src/core/utf8.ts";
import { decodeUtf8 } from "../../src/formats/decode-text.ts";
import { decodeText, readCues } from "../../src/formats/index.ts";
import { corpusBytes, corpusPaths } from "../corpus/corpus-files.ts";

const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const codesOf = (bytes: Uint8Array) => decodeText(bytes).issues.map((issue) => issue.code);

test("decodes any bytes in UTF-8 as the Encoding Standard does", () => {
  const decoder = new TextDecoder("utf-8");
  const mark = new Uint8Array([0xef, 0xbb, 0xbf]);
  const pieces = fc.array(
    fc.oneof(
      fc.uint8Array({ maxLength: 6 }),
      fc.string({ unit: "binary" }).map((text) => new TextEncoder().encode(text)),
      fc
        .constantFrom(
          [0xed, 0xa0, 0x80],
          [0xf4, 0x90, 0x80, 0x80],
          [0xe0, 0x80, 0x80],
          [0xc0, 0xaf],
          [0xf0, 0x9f, 0x98],
        )
        .map((bytes) => Uint8Array.from(bytes)),
    ),
  );
  fc.assert(
    fc.property(pieces, (parts) => {
      const bytes = Uint8Array.from([...mark, ...parts.flatMap((part) => [...part])]);
      expect(decodeText(bytes).text).toBe(decoder.decode(bytes));
    }),
    { numRuns: 2000 },
  );
});

test.each(["utf-16le", "utf-16be"] as const)("decodes any bytes in %s as the Encoding Standard does", (encoding) => {
  const decoder = new TextDecoder(encoding);
  const mark = encoding === "utf-16le" ? [0xff, 0xfe] : [0xfe, 0xff];
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (rest) => {
      const bytes = Uint8Array.from([...mark, ...rest]);
      expect(decodeText(bytes)).toMatchObject({ text: decoder.decode(bytes), encoding });
    }),
    { numRuns: 1000 },
  );
});

test("decodes every file of the corpora that is UTF-8 or marked as the Encoding Standard does", () => {
  const paths = ["webvtt", "srt", "edl"].flatMap(corpusPaths);
  for (const path of paths) {
    const bytes = corpusBytes(path);
    const { text, encoding } = decodeText(bytes);
    expect({ path, text }).toEqual({ path, text: new TextDecoder(encoding).decode(bytes) });
  }
});

test("tells UTF-16 without a mark by its empty bytes", () => {
  const text = "1\n00:00:01,000 --> 00:00:02,000\nWörld ✓";
  const bytes = new Uint8Array(Uint16Array.from(text, (character) => character.charCodeAt(0)).buffer);
  expect(decodeText(bytes)).toMatchObject({ encoding: "utf-16le", text: expect.stringContaining("Wörld ✓") });
  expect(decodeText(bytes.map((_, index) => bytes[index ^ 1] ?? 0)).encoding).toBe("utf-16be");
});

test("takes what is not UTF-8 for Windows-1252, and says so", () => {
  const bytes = latin1("Caf\xe9 \x93quoted\x94 \x80 5");
  expect(decodeText(bytes)).toMatchObject({ encoding: "windows-1252", text: "Café “quoted” € 5" });
  expect(codesOf(bytes)).toEqual(["encoding"]);
});

test("takes mostly Cyrillic letters for Windows-1251", () => {
  const text = "Она открывает письмо и читает его вслух.";
  const bytes = Uint8Array.from(text, (character) => {
    const code = character.charCodeAt(0);
    return code >= 0x410 ? code - 0x410 + 0xc0 : code;
  });
  expect(decodeText(bytes)).toMatchObject({ encoding: "windows-1251", text });
});

test("keeps UTF-8 with a few broken bytes, and counts them", () => {
  const bytes = Uint8Array.from([...new TextEncoder().encode("äöüßéèàçñ "), 0xff, 0x41]);
  expect(decodeText(bytes)).toMatchObject({ encoding: "utf-8", text: "äöüßéèàçñ \ufffdA" });
  expect(codesOf(bytes)).toEqual(["bad-bytes"]);
});

test("the Hindi captions of the corpora, in UTF-16, read as cues", () => {
  const { text, encoding, issues } = decodeText(corpusBytes("webvtt/languages/video-introduction.hi.vtt"));
  expect([encoding, issues.map((issue) => issue.code)]).toEqual(["utf-16le", ["encoding"]]);
  expect(readCues(text).cues.length).toBeGreaterThan(40);
});

test("an empty file is empty text in UTF-8", () => {
  expect(decodeText(new Uint8Array())).toEqual({ text: "", encoding: "utf-8", issues: [] });
});

describe("UTF-8 alone", () => {
  test("reads back what was written, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(decodeUtf8(utf8Bytes(text)).text).toBe(text);
      }),
    );
  });

  test("is what the standard decoder makes of any bytes, a byte order mark among them", () => {
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }), (bytes) => {
        expect(decodeUtf8(bytes).text).toBe(decoder.decode(bytes));
      }),
    );
  });
});
