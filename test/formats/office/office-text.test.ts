import { strToU8, zipSync } from "fflate";
import { expect, test } from "vitest";
import { readDocument } from "../../../src/formats/index.ts";
import { OfficeFault } from "../../../src/formats/office/office-package.ts";
import { officeText } from "../../../src/formats/office/office-text.ts";
import { corpusBytes } from "../../corpus/corpus-files.ts";

const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
const row = (...cells: readonly string[]) =>
  `<w:tr>${cells.map((cell) => `<w:tc>${cell.startsWith("<") ? cell : paragraph(cell)}</w:tc>`).join("")}</w:tr>`;
const word = (body: string) =>
  zipSync({ "word/document.xml": strToU8(`<w:document xmlns:w="w"><w:body>${body}</w:body></w:document>`) });
const sheet = (rows: string) =>
  zipSync({
    "xl/styles.xml": strToU8(
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[h]:mm:ss"/><numFmt numFmtId="165" formatCode="0&quot; s&quot;"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="21"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>',
    ),
    "xl/sharedStrings.xml": strToU8("<sst><si><r><t>A </t></r><r><t>dog.</t></r><rPh><t>reading</t></rPh></si></sst>"),
    "xl/worksheets/sheet1.xml": strToU8(`<worksheet><sheetData>${rows}</sheetData></worksheet>`),
  });
const cuesOf = (bytes: Uint8Array) =>
  readDocument(officeText(bytes)).cues.map(({ start, end, text }) => [start, end, text]);

test("a table of Word is read: what was deleted is not, what was inserted is", () => {
  const words =
    "<w:p><w:r><w:t>A </w:t></w:r><w:del><w:r><w:t>cat</w:t></w:r></w:del><w:ins><w:r><w:t>dog.</w:t></w:r></w:ins></w:p>";
  const table = `<w:tbl>${row("No.", "In", "Out", "Description (en)")}${row("1", "0:01.0", "0:02.0", words)}</w:tbl>`;
  expect(cuesOf(word(`${paragraph("The Ferry")}${table}`))).toEqual([[1, 2, "A dog."]]);
});

test("what stands above a table is said, its head is read once however often it comes", () => {
  const head = row("In", "Out", "Description");
  const table = `<w:tbl>${head}${row("0:01.0", "0:02.0", "One.")}${head}${row("0:03.0", "0:04.0", "Two.")}</w:tbl>`;
  const read = readDocument(officeText(word(`${paragraph("The Ferry")}${table}`)));
  expect(read.cues.map(({ text }) => text)).toEqual(["One.", "Two."]);
  expect(read.issues).toMatchObject([{ code: "bad-timing", line: 1, text: "The Ferry" }]);
});

test("two times in one cell are in and out, with a head and without", () => {
  const both = "<w:p><w:r><w:t>0:01.0</w:t><w:br/><w:t>0:02.5</w:t></w:r></w:p>";
  const cells = row(both, "She waits at the rail.", "slowly");
  expect(cuesOf(word(`<w:tbl>${cells}</w:tbl>`))).toEqual([[1, 2.5, "She waits at the rail."]]);
  const head = row("Time", "Description", "Speed");
  expect(cuesOf(word(`<w:tbl>${head}${cells}</w:tbl>`))).toEqual([[1, 2.5, "She waits at the rail."]]);
});

test("notes, dialogue before and speed are no descriptions, and what is lost of them is said", () => {
  const head = row("In", "Out", "Dialogue before", "Notes", "Speed", "Description");
  const cells = row("0:01.0", "0:02.0", "Who is there in the night?", "door creaks", "fast", "She hides.");
  const read = readDocument(officeText(word(`<w:tbl>${head}${cells}</w:tbl>`)));
  expect(read.cues.map(({ text }) => text)).toEqual(["She hides."]);
  expect(read.extras.map(({ name }) => name)).toEqual([
    "cells of dialogue",
    'cells of the column "Notes"',
    'cells of the column "Speed"',
  ]);
});

test("times that Excel keeps as parts of a day are times of day, or hours past a day where its format says so", () => {
  const at = (reference: string, style: number, value: number) =>
    `<c r="${reference}" s="${style}"><v>${value}</v></c>`;
  const words = (reference: string) => `<c r="${reference}" t="s"><v>0</v></c>`;
  const text = officeText(
    sheet(
      `<row>${at("A1", 1, 1.5)}${at("C1", 2, 1.5)}${words("D1")}</row><row>${at("A2", 3, 7)}${at("B2", 0, 0.5)}</row>`,
    ),
  );
  expect(text).toBe("12:00:00.000\t\t36:00:00.000\tA dog.\n7\t0.5\n");
});

test("a cell far outside is left out rather than reached by a million empty ones", () => {
  expect(officeText(sheet('<row><c r="XFD1" t="s"><v>0</v></c><c r="A2" t="s"><v>0</v></c></row>'))).toBe("A dog.\n");
});

test("of a workbook the sheets with cues are read", () => {
  expect(officeText(corpusBytes("exchange/documents/made-time-cells.xlsx"))).not.toContain("The Ferry\n");
});

test("what is damaged is refused, wherever it was cut off or changed", () => {
  const whole = corpusBytes("exchange/documents/made-table.docx");
  for (const length of [4, 100, 5_000, whole.length - 30]) {
    expect(() => officeText(whole.subarray(0, length))).toThrow(OfficeFault);
  }
  const text = strToU8("<w:document><w:body><w:p>");
  expect(() => officeText(zipSync({ "word/document.xml": text }))).toThrow(/damaged/);
  expect(() => officeText(zipSync({ "ppt/slides/slide1.xml": text }))).toThrow(/neither/);
});

test("an archive that unpacks to more than a script is refused before it is unpacked", () => {
  const bomb = zipSync({ "word/document.xml": new Uint8Array(40 * 1024 * 1024) });
  expect(bomb.length).toBeLessThan(100_000);
  expect(() => officeText(bomb)).toThrow(/holds more than a script/);
});
