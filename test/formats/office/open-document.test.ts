import fc from "fast-check";
import { strToU8, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { OfficeFault } from "../../../src/formats/office/office-package.ts";
import { officeText } from "../../../src/formats/office/office-text.ts";
import { ReceiptBuilder } from "../../../src/formats/parse-issue.ts";
import { readFile } from "../../../src/formats/read-file.ts";

const MEDIA_TYPE = "application/vnd.oasis.opendocument.spreadsheet";

/** A spreadsheet as Calc saves it: the media type first and unpacked. */
function spreadsheet(tables: string, styles = "", mediaType = MEDIA_TYPE): Uint8Array {
  const content = `<office:document-content><office:automatic-styles>${styles}</office:automatic-styles>
    <office:body><office:spreadsheet>${tables}</office:spreadsheet></office:body></office:document-content>`;
  return zipSync({ mimetype: [strToU8(mediaType), { level: 0 }], "content.xml": strToU8(content) });
}

const table = (rows: string, attributes = "") => `<table:table table:name="AD" ${attributes}>${rows}</table:table>`;
const row = (cells: string, attributes = "") => `<table:table-row ${attributes}>${cells}</table:table-row>`;
const cell = (text: string, attributes = "") =>
  `<table:table-cell ${attributes}><text:p>${text}</text:p></table:table-cell>`;
const time = (iso: string, shown: string) => cell(shown, `office:value-type="time" office:time-value="${iso}"`);

function textOf(rows: string, styles = ""): string {
  return officeText(spreadsheet(table(rows), styles));
}

describe("a spreadsheet of Calc", () => {
  test("is read as a list of cues, with times as exact as they are kept and words as they are shown", () => {
    const rows = [
      row(["In", "Out", "Description"].map((word) => cell(word)).join("")),
      row(time("PT00H00M01.480S", "00:00:01") + time("PT00H00M03S", "00:00:03") + cell("A door &lt;opens&gt;.")),
      row(time("PT01H00M05,5S", "01:00:05") + time("PT01H00M08S", "01:00:08") + cell("Rain.")),
    ];
    const read = readFile(spreadsheet(table(rows.join(""))), "script.ods", {});
    expect(read.cues.map(({ start, end, text }) => [start, end, text])).toEqual([
      [1.48, 3, "A door <opens>."],
      [3605.5, 3608, "Rain."],
    ]);
  });

  test.each([
    [
      "cells and rows that stand for several",
      row(cell("a", 'table:number-columns-repeated="2"') + cell("b")),
      "a\ta\tb\n",
    ],
    ["rows alike", row(cell("a") + cell("b"), 'table:number-rows-repeated="2"'), "a\tb\na\tb\n"],
    [
      "rows in heads and groups",
      `<table:table-header-rows>${row(cell("a") + cell("b"))}</table:table-header-rows><table:table-row-group>${row(cell("c") + cell("d"))}</table:table-row-group>`,
      "a\tb\nc\td\n",
    ],
    [
      "the end of a sheet, which is a million empty rows",
      row(cell("a") + cell("b")) + row("<table:table-cell/>", 'table:number-rows-repeated="1048575"'),
      "a\tb\n\n",
    ],
    [
      "a number as it is kept, and as timecode where it is shown so",
      row(
        cell("1,50", 'office:value-type="float" office:value="1.5"') +
          cell("00:00:05:10", 'office:value-type="float" office:value="510"'),
      ),
      "1.5\t00:00:05:10\n",
    ],
    [
      "blanks, breaks and links",
      row(cell('a<text:s text:c="2"/>b<text:line-break/><text:a>c</text:a>') + cell("d")),
      "a b c\td\n",
    ],
    [
      "a covered cell, which is empty",
      row(`${cell("a")}<table:covered-table-cell><text:p>no</text:p></table:covered-table-cell>${cell("b")}`),
      "a\t\tb\n",
    ],
    [
      "comments, which are no words",
      row(
        `<table:table-cell><office:annotation><text:p>no</text:p></office:annotation><text:p>a<office:annotation><text:p>no</text:p></office:annotation></text:p></table:table-cell>${cell("b")}`,
      ),
      "a\tb\n",
    ],
  ])("%s", (_what, rows, text) => {
    expect(textOf(rows)).toBe(text);
  });

  test("a cell that reaches over several rows takes the words of all in", () => {
    const over = 'table:number-rows-spanned="2"';
    const rows = row(cell("00:00:01", over) + cell("One")) + row(`<table:covered-table-cell/>${cell("two.")}`);
    expect(textOf(rows + row(cell("00:00:05") + cell("Three.")))).toBe("00:00:01\tOne two.\n00:00:05\tThree.\n");
  });

  test("what is hidden or struck out is left out and told; hidden rows are read and told", () => {
    const styles = `<style:style style:name="ta2"><style:table-properties table:display="false"/></style:style>
      <style:style style:name="off"><style:text-properties style:text-line-through-style="solid"/></style:style>
      <style:style style:name="on"><style:text-properties style:text-line-through-style="none"/></style:style>`;
    const rows =
      '<table:table-column/><table:table-column table:visibility="collapse"/><table:table-column/>' +
      row(cell("a") + cell("no") + cell("b", 'table:style-name="on"')) +
      row(cell("c") + cell("") + cell("no", 'table:style-name="off"')) +
      row(
        `${cell("d")}${cell("")}${cell('e<text:span text:style-name="off">no</text:span>')}`,
        'table:visibility="filter"',
      );
    const hidden = `<table:table table:name="Old" table:style-name="ta2">${row(cell("no"))}</table:table>`;
    const receipt = new ReceiptBuilder();
    expect(officeText(spreadsheet(table(rows) + hidden, styles), receipt)).toBe("a\t\tb\nc\nd\t\te\n");
    const { facts, leftOut } = receipt.finish();
    expect(facts).toEqual(["1 hidden row was read too"]);
    expect(leftOut.map(({ what, words }) => [what, words?.join()])).toEqual(
      expect.arrayContaining([
        ["hidden column", "no"],
        ["struck-out cell", "no"],
        ["struck-out passage", "no"],
      ]),
    );
    expect(new Map(leftOut.map(({ what, count }) => [what, count]))).toEqual(
      new Map([
        ["struck-out cell", 1],
        ["struck-out passage", 1],
        ["hidden column", 1],
        ['hidden sheet "Old"', 1],
      ]),
    );
  });

  test("each style that hides a sheet or strikes out words does so, wherever it stands among the styles", () => {
    const style = (name: string, properties: string) =>
      `<style:style style:name="${name}"><style:${properties}/></style:style>`;
    const hiding = ["h1", "h2"].map((name) => style(name, 'table-properties table:display="false"'));
    const striking = ["s1", "s2"].map((name) => style(name, 'text-properties style:text-line-through-style="solid"'));
    const plain = [style("p", 'table-properties table:display="true"'), style("q", "text-properties")];
    const styles = [...hiding, ...striking, ...plain];
    const named = (name: string) => `table:style-name="${name}"`;
    const cells = row(cell("a", named("s1")) + cell("b", named("q")) + cell("c", named("s2")) + cell("d"));
    const tables = table(row(cell("x")), named("h1")) + table(cells, named("p")) + table(row(cell("y")), named("h2"));
    fc.assert(
      fc.property(fc.shuffledSubarray(styles, { minLength: styles.length }), (order) => {
        const receipt = new ReceiptBuilder();
        expect(officeText(spreadsheet(tables, order.join("")), receipt)).toBe("\tb\t\td\n");
        expect(receipt.finish().leftOut.map(({ what, count }) => [what, count])).toEqual([
          ['hidden sheet "AD"', 2],
          ["struck-out cell", 2],
        ]);
      }),
      { numRuns: 20 },
    );
  });

  test("one that is damaged is refused, and a document of Writer is told what to save as", () => {
    const damaged = zipSync({ mimetype: [strToU8(MEDIA_TYPE), { level: 0 }], "content.xml": strToU8("<a><b></a>") });
    expect(() => officeText(damaged)).toThrow(OfficeFault);
    const writer = spreadsheet("", "", "application/vnd.oasis.opendocument.text");
    expect(readFile(writer, "script.odt", {}).verdict).toMatchObject({
      kind: "does not fit",
      why: expect.stringContaining("save it as .docx"),
    });
  });
});
