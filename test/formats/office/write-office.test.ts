import { strFromU8, unzipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { frameRate } from "../../../src/core/frame-rate.ts";
import { convertToOffice, OFFICE_FORMATS, OfficeFault, readDocument } from "../../../src/formats/index.ts";
import { scriptTable } from "../../../src/formats/office/office-parts.ts";
import { officeText } from "../../../src/formats/office/office-text.ts";
import { writeWord } from "../../../src/formats/office/write-word.ts";
import { parseXml } from "../../../src/formats/xml/parse-xml.ts";

const GRID = { rate: frameRate(25), isDropFrame: false, startFrame: 900_000 };
const CUES = [
  { id: "a", start: 1, end: 2.52, text: '\'=SUM(A1) & <she> "waits"' },
  { id: "b", start: 4, end: 6, text: "- He leaves." },
];
const partsOf = (bytes: Uint8Array) =>
  Object.fromEntries(Object.entries(unzipSync(bytes)).map(([path, part]) => [path, strFromU8(part)]));

describe.each(OFFICE_FORMATS)("a script as %s", (format) => {
  const write = (more: object = {}) =>
    convertToOffice(
      { cues: CUES, title: "Ferry & Co", language: "en-GB", extras: [], ...more },
      { format, grid: GRID },
    );

  test("has timecodes of the grid, and the words to the sign", () => {
    const text = officeText(write().bytes);
    expect(text).toContain("1\t10:00:01:00\t10:00:02:13\t");
    expect(readDocument(text, { grid: GRID }).cues.map((cue) => [cue.start, cue.end, cue.text])).toEqual(
      CUES.map((cue) => [cue.start, cue.end, cue.text]),
    );
  });

  test("is whole: every part is XML, is named with its type, and every relation leads to one", () => {
    const parts = partsOf(write().bytes);
    for (const [path, text] of Object.entries(parts)) expect([path, parseXml(text).faults]).toEqual([path, []]);
    const types = [...(parts["[Content_Types].xml"] ?? "").matchAll(/PartName="\/([^"]+)"/g)].map(([, path]) => path);
    const named = Object.keys(parts).filter((path) => !/\.rels$|Content_Types/.test(path));
    expect(types.toSorted()).toEqual(named.toSorted());
    for (const [path, text] of Object.entries(parts).filter(([path]) => path.endsWith(".rels"))) {
      const folder = path.replace(/_rels\/[^/]*$/, "");
      for (const [, target] of text.matchAll(/Target="([^"]+)"/g))
        expect(Object.keys(parts)).toContain(folder + target);
    }
    expect(parts["docProps/core.xml"]).toContain("<dc:title>Ferry &amp; Co</dc:title>");
  });

  test("of the same cues is the same to the byte, and says what has no place in it", () => {
    expect(write().bytes).toEqual(write().bytes);
    expect(write().losses.map(({ code, count }) => [code, count])).toEqual([["identifiers", 2]]);
    const between = [{ id: "cue-1", start: 0.01, end: 2, text: "One." }];
    expect(write({ cues: between }).losses.map(({ code }) => code)).toEqual(["rounded"]);
  });
});

test("rows of a script in Word are parted by lines, from above the first to below the last", () => {
  const { bytes } = convertToOffice({ cues: CUES, extras: [] }, { format: "docx" });
  const [, borders = ""] = /<w:tblBorders>(.*?)<\/w:tblBorders>/s.exec(partsOf(bytes)["word/document.xml"] ?? "") ?? [];
  expect([...borders.matchAll(/<w:(\w+) w:val="single"/g)].map(([, side]) => side)).toEqual([
    "top",
    "bottom",
    "insideH",
  ]);
});

test("a script in Word fills the width of its page, each column as wide in every row", () => {
  const { bytes } = convertToOffice({ cues: CUES, extras: [] }, { format: "docx" });
  const text = partsOf(bytes)["word/document.xml"] ?? "";
  const grid = [...text.matchAll(/<w:gridCol w:w="(\d+)"/g)].map(([, width]) => Number(width));
  const cells = [...text.matchAll(/<w:tcW w:w="(\d+)"/g)].map(([, width]) => Number(width));
  expect(cells).toEqual(Array.from({ length: 1 + CUES.length }, () => grid).flat());
  const page = 16_838 - 2 * 850;
  const filled = grid.reduce((sum, width) => sum + width, 0);
  expect([grid.length, filled <= page, filled > page - grid.length]).toEqual([4, true, true]);
});

test("no cell of a workbook is a number or a formula", () => {
  const { bytes } = convertToOffice({ cues: CUES, extras: [] }, { format: "xlsx" });
  const sheet = partsOf(bytes)["xl/worksheets/sheet1.xml"] ?? "";
  expect(sheet.match(/<c /g)).toHaveLength(12);
  expect(sheet.match(/t="inlineStr"/g)).toHaveLength(12);
  expect(sheet).not.toMatch(/<f[ >]/);
});

test("words that no cell of Excel can hold are refused, not cut; Word holds them", () => {
  const cues = [{ id: "a", start: 0, end: 1, text: "word ".repeat(7_000).trim() }];
  expect(() => convertToOffice({ cues, extras: [] }, { format: "xlsx" })).toThrow(OfficeFault);
  const { bytes } = convertToOffice({ cues, extras: [] }, { format: "docx" });
  expect(readDocument(officeText(bytes)).cues[0]?.text).toBe(cues[0]?.text);
});

test("the dialogue before a cue has a column of its own, which is no description", () => {
  const table = scriptTable(CUES, { grid: GRID, dialogueBefore: new Map([["b", "Who is there?"]]) });
  expect(table.columns.map(({ title }) => title)).toEqual(["No.", "In", "Out", "Dialogue before", "Description"]);
  const read = readDocument(officeText(writeWord(table)), { grid: GRID });
  expect(read.cues.map(({ text }) => text)).toEqual(CUES.map(({ text }) => text));
  expect(read.extras).toEqual([{ name: "cells of dialogue", count: 1 }]);
});
