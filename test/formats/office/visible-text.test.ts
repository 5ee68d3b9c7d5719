import { strToU8, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { officeText } from "../../../src/formats/office/office-text.ts";
import { rtfText } from "../../../src/formats/office/rtf-text.ts";
import { ReceiptBuilder } from "../../../src/formats/parse-issue.ts";

const packed = (parts: Readonly<Record<string, string>>) =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([path, text]) => [path, strToU8(text)])));

/** What is read of a document, and what is told of the rest: `2 hidden passage: x | y`. */
function seen(bytes: Uint8Array): { readonly text: string; readonly told: readonly string[] } {
  const receipt = new ReceiptBuilder();
  const text = officeText(bytes, receipt);
  return { text, told: toldOf(receipt) };
}

function toldOf(receipt: ReceiptBuilder): string[] {
  const { facts, leftOut } = receipt.finish();
  return [
    ...facts,
    ...leftOut.map(({ what, count, words }) => [`${count} ${what}`, ...(words ? [words.join(" | ")] : [])].join(": ")),
  ];
}

describe("of a document of Word what is seen is read, and the rest is counted", () => {
  const run = (text: string, properties = "") => `<w:r><w:rPr>${properties}</w:rPr><w:t>${text}</w:t></w:r>`;
  const paragraph = (...runs: readonly string[]) => `<w:p>${runs.join("")}</w:p>`;
  const styles =
    '<w:styles xmlns:w="w"><w:style w:styleId="Base"><w:rPr><w:vanish/></w:rPr></w:style><w:style w:styleId="Note"><w:basedOn w:val="Base"/></w:style><w:style w:styleId="Loop"><w:basedOn w:val="Loop"/></w:style></w:styles>';
  const word = (body: string) =>
    seen(
      packed({
        "word/document.xml": `<w:document xmlns:w="w"><w:body>${body}</w:body></w:document>`,
        "word/styles.xml": styles,
      }),
    );
  const box = "<w:pict><w:txbxContent><w:p><w:r><w:t>DRAFT</w:t></w:r></w:p></w:txbxContent></w:pict>";

  test.each([
    ["hidden words", run("x", "<w:vanish/>"), ["1 hidden passage: x"]],
    ["words that a style hides", run("x", '<w:rStyle w:val="Note"/>'), ["1 hidden passage: x"]],
    ["words that are struck out", run("x", "<w:strike/>"), ["1 struck-out passage: x"]],
    ["words that are struck out twice", run("x", '<w:dstrike w:val="true"/>'), ["1 struck-out passage: x"]],
    ["what was deleted", `<w:del>${run("x")}</w:del>`, ["1 tracked deletion: x"]],
    ["what was moved away", `<w:moveFrom>${run("x")}</w:moveFrom>`, ["1 tracked deletion: x"]],
    ["a text box", `<w:r>${box}</w:r>`, ["1 text box: DRAFT"]],
    ["a comment", '<w:r><w:commentReference w:id="0"/></w:r>', ["1 comment"]],
    ["a footnote", '<w:r><w:footnoteReference w:id="2"/></w:r>', ["1 footnote"]],
    [
      "a placeholder",
      `<w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent>${run("Click here.")}</w:sdtContent></w:sdt>`,
      [],
    ],
    ["a reading", `<w:r><w:ruby><w:rt>${run("x")}</w:rt><w:rubyBase>${run("")}</w:rubyBase></w:ruby></w:r>`, []],
  ])("%s", (_, other, told) => {
    expect(word(paragraph(run("A door "), other, run("opens.")))).toEqual({ text: "A door opens.\n", told });
  });

  test.each(['<w:vanish w:val="0"/>', '<w:strike w:val="false"/>', "<w:webHidden/>", '<w:rStyle w:val="Loop"/>'])(
    "words with %s are seen",
    (properties) => {
      expect(word(paragraph(run("A door.", properties)))).toEqual({ text: "A door.\n", told: [] });
    },
  );

  const cell = (text: string, properties = "") => `<w:tc><w:tcPr>${properties}</w:tcPr>${paragraph(run(text))}</w:tc>`;
  const row = (properties: string, ...cells: readonly string[]) =>
    `<w:tr><w:trPr>${properties}</w:trPr>${cells.join("")}</w:tr>`;

  test("rows that are hidden or deleted", () => {
    const rows = [
      row("<w:hidden/>", cell("a"), cell("b")),
      row("<w:del/>", cell("c"), cell("d")),
      row("", cell("e"), cell("f")),
    ];
    expect(word(`<w:tbl>${rows.join("")}</w:tbl>`)).toEqual({
      text: "e\tf\n",
      told: ["1 hidden row: a b", "1 deleted row: c d"],
    });
  });

  test("a table beside the words of a cell; one that is all of a cell is its words", () => {
    const inner = `<w:tbl>${row("", cell("pace"), cell("fast"))}</w:tbl>`;
    const outer = (words: string) => `<w:tbl>${row("", cell("0:01"), `<w:tc>${words}${inner}</w:tc>`)}</w:tbl>`;
    expect(word(outer(paragraph(run("A door."))))).toEqual({
      text: "0:01\tA door.\n",
      told: ["1 table inside a cell: pace fast"],
    });
    expect(word(outer(paragraph()))).toEqual({ text: "0:01\tpace fast\n", told: [] });
    // Deleted words beside it are none.
    const deleted = "<w:p><w:del><w:r><w:delText>old</w:delText></w:r></w:del></w:p>";
    expect(word(outer(deleted))).toEqual({ text: "0:01\tpace fast\n", told: ["1 tracked deletion: old"] });
  });

  test("a time that reaches over rows has the words of all, and a row with a time of its own stays one", () => {
    const start = cell("0:01", '<w:vMerge w:val="restart"/>');
    const more = cell("", "<w:vMerge/>");
    expect(word(`<w:tbl>${row("", start, cell("A door."))}${row("", more, cell("It shuts."))}</w:tbl>`).text).toBe(
      "0:01\tA door. It shuts.\n",
    );
    const scene = cell("Scene 1", '<w:vMerge w:val="restart"/>');
    const rows = [row("", scene, cell("0:01"), cell("a")), row("", more, cell("0:03"), cell("b"))];
    expect(word(`<w:tbl>${rows.join("")}</w:tbl>`).text).toBe("Scene 1\t0:01\ta\n\t0:03\tb\n");
  });
});

describe("of a workbook what is seen is read, and the rest is counted", () => {
  const text = (reference: string, words: string, style = 0) =>
    `<c r="${reference}" s="${style}" t="inlineStr"><is><t>${words}</t></is></c>`;
  const number = (reference: string, value: number, style: number) =>
    `<c r="${reference}" s="${style}"><v>${value}</v></c>`;
  const sheet = (rows: string, more = "") => `<worksheet>${more}<sheetData>${rows}</sheetData></worksheet>`;
  const styles =
    '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="00\\:00\\:00\\:00"/><numFmt numFmtId="165" formatCode="0&quot;:&quot;00"/></numFmts><fonts><font/><font><strike/></font></fonts><cellXfs><xf/><xf numFmtId="164"/><xf numFmtId="165"/><xf fontId="1"/></cellXfs></styleSheet>';
  const book = (...sheets: readonly (readonly [name: string, state: string, content: string])[]) =>
    seen(
      packed({
        "xl/styles.xml": styles,
        "xl/workbook.xml": `<workbook xmlns:r="r"><sheets>${sheets.map(([name, state], index) => `<sheet name="${name}" state="${state}" r:id="i${index}"/>`).join("")}</sheets></workbook>`,
        "xl/_rels/workbook.xml.rels": `<Relationships>${sheets.map((_, index) => `<Relationship Id="i${index}" Target="worksheets/s${index}.xml"/>`).join("")}</Relationships>`,
        ...Object.fromEntries(sheets.map(([, , content], index) => [`xl/worksheets/s${index}.xml`, content])),
      }),
    );
  const cue = (row: number, start: string, words: string) =>
    `<row r="${row}">${text(`A${row}`, start)}${text(`B${row}`, "0:09.5")}${text(`C${row}`, words)}</row>`;

  test("sheets that are hidden, wholly or from the list too", () => {
    const shown = sheet(cue(1, "0:01", "A door."));
    expect(
      book(["v1", "hidden", sheet(cue(1, "0:01", "OLD"))], ["AD", "visible", shown], ["v0", "veryHidden", shown]),
    ).toEqual({
      text: "0:01\t0:09.5\tA door.\n",
      told: ['1 hidden sheet "v1"', '1 hidden sheet "v0"'],
    });
  });

  test("sheets over the same times as one before; reels follow each other", () => {
    const reel = (start: string, words: string) => sheet(cue(1, start, words));
    const read = book(
      ["EN", "visible", reel("0:01", "A door.")],
      ["FR", "visible", reel("0:01", "Une porte.")],
      ["R2", "visible", reel("0:05", "Rain.")],
    );
    expect(read).toEqual({
      text: "0:01\t0:09.5\tA door.\n0:05\t0:09.5\tRain.\n",
      told: ['1 sheet "FR" over the same times as "EN"'],
    });
  });

  test("columns that are hidden and hold something; rows that a filter hides are read and told", () => {
    const cols = '<cols><col min="2" max="2" hidden="1"/><col min="9" max="16384" hidden="1"/></cols>';
    const rows = `<row r="1">${text("A1", "a")}${text("B1", "old")}${text("C1", "new")}</row><row r="2" hidden="1">${text("A2", "b")}</row>`;
    expect(book(["AD", "visible", sheet(rows, cols)])).toEqual({
      text: "a\t\tnew\nb\n",
      told: ["1 hidden row was read too", "1 hidden column: old"],
    });
  });

  test("a hidden column counts whatever stands first in it, and nothing else is told of it", () => {
    const cols = '<cols><col min="2" max="3" hidden="1"/></cols>';
    const struck = '<c r="B1" t="inlineStr"><is><r><rPr><strike/></rPr><t>old </t></r><r><t>new</t></r></is></c>';
    const rows = `<row r="1">${text("A1", "a")}${struck}<c r="C1" t="e"><v>#REF!</v></c></row>`;
    expect(book(["AD", "visible", sheet(rows, cols)]).told).toEqual(["2 hidden column: new"]);
    const apart =
      '<cols><col min="1" max="1"/><col min="2" max="2" hidden="1"/><col min="3" max="3" hidden="1"/></cols>';
    expect(book(["AD", "visible", sheet(rows, apart)]).told).toEqual(["2 hidden column: new"]);
    // Whichever row that is.
    const below = `<row r="1">${text("A1", "a")}</row><row r="2">${text("B2", "old")}</row><row r="3">${text("B3", "older")}${text("C3", "new")}</row>`;
    expect(book(["AD", "visible", sheet(below, cols)]).told).toEqual(["2 hidden column: old | new"]);
  });

  test("cells and words that are struck out", () => {
    const rich = '<c r="B1" t="inlineStr"><is><r><rPr><strike/></rPr><t>Two </t></r><r><t>A door.</t></r></is></c>';
    expect(book(["AD", "visible", sheet(`<row r="1">${text("A1", "x", 3)}${rich}</row>`)])).toEqual({
      text: "\tA door.\n",
      told: ["1 struck-out cell: x", "1 struck-out passage: Two"],
    });
  });

  test("numbers are read as they are shown", () => {
    const cells = [number("A1", 510, 1), number("B1", 1234567890, 1), number("C1", 130, 2), number("D1", 2.5, 1)];
    expect(book(["AD", "visible", sheet(`<row r="1">${cells.join("")}</row>`)]).text).toBe(
      "00:00:05:10\t1234:56:78:90\t1:30\t2.5\n",
    );
  });

  test("cells that reach over rows have the words of all", () => {
    const content = `<worksheet><sheetData>${cue(1, "0:01", "A door.")}<row r="2">${text("C2", "It shuts.")}</row></sheetData><mergeCells><mergeCell ref="A1:A2"/></mergeCells></worksheet>`;
    expect(book(["AD", "visible", content]).text).toBe("0:01\t0:09.5\tA door. It shuts.\n");
  });
});

describe("of RTF what is seen is read, and the rest is counted", () => {
  test.each([
    ["A {\\v x}door.", "A door.", ["1 hidden passage: x"]],
    ["A \\v x\\'e9\\u8364?{\\b y}\\v0 door.", "A door.", ["1 hidden passage: xé€y"]],
    ["A \\v x\\plain  door.", "A  door.", ["1 hidden passage: x"]],
    ["A {\\v\\v0 door}.", "A door.", []],
    ["A {\\v \\'e9\\'e8}door.", "A door.", ["1 hidden passage: éè"]],
    ["A {\\deleted x}door.", "A door.", ["1 tracked deletion: x"]],
    ["A {\\strike x}{\\striked1 y}door.", "A door.", ["1 struck-out passage: xy"]],
    ["{\\v a}b{\\v c}d", "bd", ["2 hidden passage: a | c"]],
    [
      "A{\\*\\annotation x}{\\footnote y}{\\shp{\\*\\shpinst{\\shptxt z}}} door.",
      "A door.",
      ["1 comment", "1 footnote", "1 text box"],
    ],
    ["{\\v a\\par }b", "b", ["1 hidden passage: a"]],
  ])("%s", (inner, text, told) => {
    const receipt = new ReceiptBuilder();
    const read = rtfText(`{\\rtf1 ${inner}}`, (bytes) => String.fromCharCode(...bytes), receipt);
    expect({ text: read, told: toldOf(receipt) }).toEqual({ text, told });
  });
});
