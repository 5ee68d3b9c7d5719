import { expect, test } from "vitest";
import { detectEncoding, encodingLabel } from "../../src/formats/detect-encoding.ts";
import { corpusBytes, corpusJson, corpusPaths } from "../corpus/corpus-files.ts";

/** Long texts in an encoding that is none of Unicode. */
const LONG = corpusPaths("exchange/encodings").filter(
  (path) => path.endsWith(".txt") && !path.includes("utf-") && corpusBytes(path).length > 300,
);

test.each(LONG)("the letters of %s tell its encoding", (path) => {
  const { first_text: first } = corpusJson<{ first_text: string }>(`${path}.truth.json`);
  const text = new TextDecoder(detectEncoding(corpusBytes(path)) ?? "ascii").decode(corpusBytes(path));
  expect(text.slice(0, first.length)).toBe(first);
});

test("letters of English are told as Windows has them, and bytes of no text as nothing", () => {
  const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
  expect(detectEncoding(bytes("It\x92s late, and they\x92re here. \x93Who\x92s there?\x94 asked Ann.\n"))).toBe(
    "windows-1252",
  );
  expect(detectEncoding(bytes("\x00\xff\x00\xfe\x01\x80"))).toBeNull();
});

test("encodings are known by the names that people give them", () => {
  expect(["cp932", " Mac-Roman ", "Windows-1250", "TIS-620", "UTF-8"].map(encodingLabel)).toEqual([
    "shift_jis",
    "macintosh",
    "windows-1250",
    "windows-874",
    "utf-8",
  ]);
});

test.each(LONG)("lines of times and numbers around those of %s say nothing, however many there are", (path) => {
  const bytes = corpusBytes(path);
  const found = detectEncoding(bytes);
  const times = new TextEncoder().encode("00:00:01,000 --> 00:00:02,000 and, by the way, 100 % of them\n".repeat(3000));
  expect(detectEncoding(Buffer.concat([times, bytes, Buffer.from("\n"), times]))).toBe(found);
  // More than is looked at, of the same.
  expect(detectEncoding(Buffer.concat(Array.from({ length: Math.ceil(90_000 / bytes.length) }, () => bytes)))).toBe(
    found,
  );
});
