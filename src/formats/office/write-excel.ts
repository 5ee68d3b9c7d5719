import { element, type XmlNode } from "../xml/write-xml.ts";
import { OfficeFault } from "./office-package.ts";
import { packOffice, RELATIONS, type ScriptColumn, type ScriptTable } from "./office-parts.ts";

const SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/** Styles of cells, by their places in the list of the document. */
const STYLE = { head: "1", words: "2" } as const;

/**
 * Writes a script as a workbook of Excel (ECMA-376, SpreadsheetML) with one sheet. All values are text: none is a formula, and a
 * timecode stays what it is. The head stays in sight and comes again on each page, which has title and clock above it.
 *
 * @throws OfficeFault for a text that no cell can hold.
 */
export function writeExcel(table: ScriptTable): Uint8Array {
  const { heading, columns, rows } = table;
  if (rows.some((row) => row.some(({ length }) => length > LONGEST_CELL)))
    throw new OfficeFault("has a text that is too long for a cell of Excel: write a .docx");
  const head = columns.map((column) => column.title);
  const widths = columns.map(({ width }, index) => {
    const place = String(index + 1);
    return element("col", { min: place, max: place, width: String(width), customWidth: "1" });
  });
  const sheet = element("worksheet", { xmlns: SHEET }, [
    element("sheetPr", {}, [element("pageSetUpPr", { fitToPage: "1" })]),
    element("sheetViews", {}, [
      element("sheetView", { workbookViewId: "0" }, [
        element("pane", { ySplit: "1", topLeftCell: "A2", activePane: "bottomLeft", state: "frozen" }),
      ]),
    ]),
    element("cols", {}, widths),
    element(
      "sheetData",
      {},
      [head, ...rows].map((values, index) => rowOf(values, index, heightOf(values, columns))),
    ),
    // Height 0 is as many pages as it takes; 9 is A4.
    element("pageSetup", { paperSize: "9", orientation: "landscape", fitToHeight: "0" }),
    // "&" begins a command there.
    element("headerFooter", {}, [
      element("oddHeader", {}, `&L${heading.replaceAll("&", "&&")}`),
      element("oddFooter", {}, "&R&P / &N"),
    ]),
  ]);
  const workbook = element("workbook", { xmlns: SHEET, "xmlns:r": RELATIONS }, [
    element("sheets", {}, [element("sheet", { name: SHEET_NAME, sheetId: "1", "r:id": "r1" })]),
    element("definedNames", {}, [
      element("definedName", { name: "_xlnm.Print_Titles", localSheetId: "0" }, `'${SHEET_NAME}'!$1:$1`),
    ]),
  ]);
  return packOffice(
    [
      {
        path: "xl/workbook.xml",
        type: `${TYPE}.sheet.main+xml`,
        root: workbook,
        relations: [
          ["worksheets/sheet1.xml", "worksheet"],
          ["styles.xml", "styles"],
        ],
      },
      { path: "xl/worksheets/sheet1.xml", type: `${TYPE}.worksheet+xml`, root: sheet },
      { path: "xl/styles.xml", type: `${TYPE}.styles+xml`, root: styles() },
    ],
    table,
  );
}

/** Characters that a cell holds at most. */
const LONGEST_CELL = 32_767;

const SHEET_NAME = "Audio description";

/** Points of a line of 11-point words. */
const LINE_HEIGHT = 15;

/** Height in points of a row whose words go on below: not every program finds it by itself. */
function heightOf(values: readonly string[], columns: readonly ScriptColumn[]): number {
  const lines = values.map((value, index) => {
    const width = [...value].reduce((sum, sign) => sum + (WIDE.test(sign) ? 2 : 1), 0);
    return Math.ceil(width / ((columns[index]?.width ?? 1) * FILLED));
  });
  return LINE_HEIGHT * Math.max(1, ...lines);
}

/** Signs that take the room of two digits. */
const WIDE = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{Extended_Pictographic}]/u;

/** Letters in the room of a digit, less what stays empty where a word goes below. */
const FILLED = 1.1;

function rowOf(values: readonly string[], index: number, height: number): XmlNode {
  const row = String(index + 1);
  const cells = values.map((value, column) =>
    element("c", { r: `${"ABCDEFGH"[column]}${row}`, t: "inlineStr", s: index === 0 ? STYLE.head : STYLE.words }, [
      element("is", {}, [element("t", { "xml:space": "preserve" }, value)]),
    ]),
  );
  return element("row", { r: row, ht: String(height) }, cells);
}

/** The least that a workbook needs, a bold style, and one whose words begin at the top and go on below. */
function styles(): XmlNode {
  const font = (...more: readonly XmlNode[]) =>
    element("font", {}, [...more, element("sz", { val: "11" }), element("name", { val: "Calibri" })]);
  const fill = (patternType: string) => element("fill", {}, [element("patternFill", { patternType })]);
  const sides = ["left", "right", "top", "bottom", "diagonal"].map((side) => element(side));
  const plain = { numFmtId: "0", fontId: "0", fillId: "0", borderId: "0" };
  const wrapped = [element("alignment", { vertical: "top", wrapText: "1" })];
  // 49 is the number format of text.
  const text = { ...plain, numFmtId: "49", applyNumberFormat: "1", xfId: "0" };
  return element("styleSheet", { xmlns: SHEET }, [
    element("fonts", { count: "2" }, [font(), font(element("b"))]),
    element("fills", { count: "2" }, [fill("none"), fill("gray125")]),
    element("borders", { count: "1" }, [element("border", {}, sides)]),
    element("cellStyleXfs", { count: "1" }, [element("xf", plain)]),
    element("cellXfs", { count: "3" }, [
      element("xf", { ...plain, xfId: "0" }),
      element("xf", { ...text, fontId: "1", applyFont: "1" }),
      element("xf", { ...text, applyAlignment: "1" }, wrapped),
    ]),
    element("cellStyles", { count: "1" }, [element("cellStyle", { name: "Normal", xfId: "0", builtinId: "0" })]),
  ]);
}
