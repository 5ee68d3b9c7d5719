import { strToU8, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { OfficeFault } from "../../../src/formats/office/office-package.ts";
import { officeText } from "../../../src/formats/office/office-text.ts";

const packed = (parts: Readonly<Record<string, string>>) =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([path, text]) => [path, strToU8(text)])));

describe("Word", () => {
  const textOf = (body: string) =>
    officeText(packed({ "word/document.xml": `<w:document><w:body>${body}</w:body></w:document>` }));
  const p = (inner: string) => `<w:p>${inner}</w:p>`;
  const r = (text: string) => `<w:r><w:t>${text}</w:t></w:r>`;

  test.each([
    [p(r("a") + r("b")), "ab\n"],
    [p(`${r("a")}<w:r><w:br/></w:r>${r("b")}`) + p(r("c")), "a\nb\nc\n"],
    [p(`${r("a")}<w:r><w:tab/></w:r>${r("b  ")}`), "a\tb\n"],
    [p(`${r("a")}<w:r><w:noBreakHyphen/></w:r>${r("b")}<w:r><w:cr/></w:r>${r("c")}`), "a\u2011b\nc\n"],
    [
      p("<w:pPr><w:t>no</w:t></w:pPr><w:r><w:rPr><w:t>no</w:t></w:rPr><w:instrText>no</w:instrText><w:t>a</w:t></w:r>"),
      "a\n",
    ],
    [p(`<w:moveFrom>${r("no")}</w:moveFrom><w:ins>${r("a")}</w:ins><w:hyperlink>${r("b")}</w:hyperlink>`), "ab\n"],
    [`<w:sdt><w:sdtContent>${p(r("a"))}</w:sdtContent></w:sdt><w:del>${p(r("no"))}</w:del>`, "a\n"],
    [
      `<mc:AlternateContent><mc:Choice>${p(r("a"))}</mc:Choice><mc:Fallback>${p(r("no"))}</mc:Fallback></mc:AlternateContent>`,
      "a\n",
    ],
    ["", ""],
  ])("%s", (body, text) => {
    expect(textOf(body)).toBe(text);
  });

  const cell = (text: string, properties = "") => `<w:tc><w:tcPr>${properties}</w:tcPr>${p(r(text))}</w:tc>`;
  const row = (cells: string, properties = "") => `<w:tbl><w:tr><w:trPr>${properties}</w:trPr>${cells}</w:tr></w:tbl>`;

  test.each([
    [row(cell("a") + cell(" b  c ")), "a\tb c\n"],
    [row(cell("a", '<w:gridSpan w:val="3"/>') + cell("b")), "a\t\t\tb\n"],
    [row(cell("a", '<w:gridSpan w:val="x"/>') + cell("b")), "a\tb\n"],
    [row(cell("a", '<w:gridSpan w:val="999"/>') + cell("b")), `a${"\t".repeat(63)}b\n`],
    [row(cell("a") + cell("b"), '<w:gridBefore w:val="2"/>'), "\t\ta\tb\n"],
    [row(`<w:sdt><w:sdtContent>${cell("a")}</w:sdtContent></w:sdt><w:del>${cell("no")}</w:del>${cell("b")}`), "a\tb\n"],
    [row(`<w:tc>${p(r("a"))}${p(r("b"))}</w:tc>${cell("c")}`), "a b\tc\n"],
    [row(cell("'=a") + cell("'b")), "''=a\t'b\n"],
    [row(`<w:tc>${row(cell("a") + cell("b"))}</w:tc>${cell("c")}`), "a b\tc\n"],
  ])("%s", (table, text) => {
    expect(textOf(table)).toBe(text);
  });
});

describe("Excel", () => {
  const sheet = (rows: string) => `<worksheet><sheetData>${rows}</sheetData></worksheet>`;
  const s = (text: string) => `<row><c t="inlineStr"><is><t>${text}</t></is></c></row>`;
  const CUES = '<row><c t="str"><v>in</v></c><c t="str"><v>out</v></c><c t="str"><v>description</v></c></row>';

  test("sheets come in the order of their tabs, by the workbook's relations; where none is named, as they lie there", () => {
    const parts = {
      "xl/workbook.xml": '<workbook><sheets><sheet r:id="r2"/><sheet r:id="r1"/><sheet r:id="r9"/></sheets></workbook>',
      "xl/_rels/workbook.xml.rels":
        '<Relationships><Relationship Id="r1" Target="/xl/worksheets/Sheet1.xml"/><Relationship Id="r2" Target="worksheets/sheet2.xml"/></Relationships>',
      "xl/worksheets/sheet1.xml": sheet(s("one")),
      "xl/worksheets/sheet2.xml": sheet(s("two")),
    };
    expect(officeText(packed(parts))).toBe("two\none\n");
    expect(officeText(packed({ ...parts, "xl/workbook.xml": "<workbook/>" }))).toBe("one\ntwo\n");
    const cues = { ...parts, "xl/worksheets/sheet1.xml": sheet(s("one") + CUES) };
    expect(officeText(packed(cues))).toBe("one\nin\tout\tdescription\n");
  });

  const styles =
    '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="[mm]:ss"/><numFmt numFmtId="171" formatCode="hh:mm:ss.000"/><numFmt numFmtId="172" formatCode="General"/><numFmt numFmtId="173" formatCode="0.0\\s[$-h]"/></numFmts>' +
    '<cellXfs><xf numFmtId="0"/><xf numFmtId="46"/><xf numFmtId="45"/><xf numFmtId="170"/><xf numFmtId="171"/><xf numFmtId="172"/><xf numFmtId="173"/></cellXfs></styleSheet>';
  const cellOf = (cell: string) =>
    officeText(
      packed({
        "xl/styles.xml": styles,
        "xl/sharedStrings.xml":
          "<sst><si><t>a</t></si><si><r><t>b</t></r><r><t>c</t></r><rPh><t>no</t></rPh></si></sst>",
        "xl/worksheets/sheet1.xml": sheet(`<row>${cell}</row>`),
      }),
    ).replace(/\n$/, "");

  test.each([
    ['<c t="s"><v>1</v></c>', "bc"],
    ['<c t="s"><v>7</v></c>', ""],
    ['<c t="str"><f>x</f><v>said</v></c>', "said"],
    ['<c t="e"><v>#N/A</v></c>', ""],
    ["<c><v>1.5</v></c>", "1.5"],
    ['<c s="9"><v>1.5</v></c>', "1.5"],
    ['<c s="1"><v>1.5</v></c>', "36:00:00.000"],
    ['<c s="2"><v>1.5</v></c>', "12:00:00.000"],
    ['<c s="3"><v>1.5</v></c>', "36:00:00.000"],
    ['<c s="4"><v>0.5</v></c>', "12:00:00.000"],
    ['<c s="5"><v>0.5</v></c>', "0.5"],
    ['<c s="6"><v>0.5</v></c>', "0.5"],
    ['<c s="4"><v>-0.5</v></c>', "-0.5"],
    ['<c s="4"><v>1000000</v></c>', "1000000"],
    ['<c s="4"><v>x</v></c>', "x"],
    ['<c s="4"><v></v></c>', ""],
    ['<c s="4"/>', ""],
    ['<c r="C1"><v>3</v></c><c><v>4</v></c>', "\t\t3\t4"],
    ['<c r="AA1"><v>3</v></c>', `${"\t".repeat(26)}3`],
  ])("%s", (cell, text) => {
    expect(cellOf(cell)).toBe(text);
  });
});

test("an archive that is no document of either is refused, and one whose part is no XML", () => {
  expect(() => officeText(packed({ "a.txt": "x" }))).toThrow(OfficeFault);
  expect(() => officeText(packed({ "word/document.xml": "no XML" }))).toThrow(/damaged/);
  expect(() => officeText(packed({ "xl/worksheets/sheet1.xml": "<a><b></a>" }))).toThrow(/damaged/);
});
