import { expect, test } from "vitest";
import { readLines } from "../../../src/service/ocr/text-lines.ts";

const linesOf = (tsv: string) => readLines(tsv).lines;

/** A row of a word as Tesseract writes it. */
function word(line: number, confidence: number, text: string): string {
  return ["5", "1", "1", "1", line, "1", "0", "0", "10", "10", confidence, text].join("\t");
}

test("gives lines in reading order, their words with one space between", () => {
  expect(linesOf([word(1, 96, "THE"), word(1, 91, "HARBOUR"), word(2, 88, "1927")].join("\n"))).toEqual([
    "THE HARBOUR",
    "1927",
  ]);
});

test("leaves out a line with a doubtful word as a whole", () => {
  expect(linesOf([word(1, 95, "DOCTOR"), word(1, 40, "HAEEBOLE"), word(2, 95, "presents")].join("\n"))).toEqual([
    "presents",
  ]);
});

test("leaves out lines that are doubtful as a whole, specks, and rows of signs", () => {
  expect(linesOf([word(1, 70, "maybe"), word(1, 60, "this")].join("\n"))).toEqual([]);
  expect(linesOf([word(1, 99, "a"), word(2, 99, "|"), word(3, 99, "=~ab—_-")].join("\n"))).toEqual([]);
});

test("counts no sign between words as a doubtful word", () => {
  expect(linesOf([word(1, 95, "Tom"), word(1, 20, "&"), word(1, 95, "Eve")].join("\n"))).toEqual(["Tom & Eve"]);
});

test("reads nothing out of rows that are no words", () => {
  expect(linesOf("1\t1\t0\t0\t0\t0\t0\t0\t640\t360\t-1\t\n\ngarbage")).toEqual([]);
});

test("tells whether there is more that cannot be trusted, and takes no speck for words", () => {
  const isPartial = (...rows: string[]) => readLines(rows.join("\n")).isPartial;
  expect(isPartial(word(1, 96, "MEET"), word(1, 93, "ME"))).toBe(false);
  expect(isPartial(word(1, 96, "MEET"), word(2, 89, "AT"), word(2, 26, "MOOH"))).toBe(true);
  expect(isPartial(word(1, 40, "lil"), word(2, 99, "|"), word(3, 30, "~a"))).toBe(false);
});

test("keeps apart what may be text and cannot be trusted, and takes no speck for it", () => {
  const rows = [word(1, 96, "MEET"), word(2, 40, "AT"), word(2, 26, "MOOH"), word(3, 90, "il"), word(4, 12, "leaf")];
  expect(readLines(rows.join("\n"))).toEqual({ lines: ["MEET"], doubtful: ["AT MOOH"], isPartial: true });
});
