import { element, type XmlNode } from "../xml/write-xml.ts";
import { packOffice, RELATIONS, type ScriptTable } from "./office-parts.ts";

const WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml";

/** A4 across, and its margins, in twentieths of a point. */
const PAGE = { width: 16838, height: 11906, margin: 850, top: 1300 };

/**
 * Writes a script as a document of Word (ECMA-376, WordprocessingML): a table on A4 across whose head comes again on each page, and
 * whose rows are never parted. Title and clock stand in the head of each page.
 */
export function writeWord(table: ScriptTable): Uint8Array {
  const { title, heading, language, columns, rows } = table;
  const width = PAGE.width - 2 * PAGE.margin;
  const all = columns.reduce((sum, column) => sum + column.width, 0);
  const widths = columns.map((column) => String(Math.floor((column.width * width) / all)));
  const rowOf = (values: readonly string[], properties: readonly XmlNode[], isHead: boolean) =>
    element("w:tr", {}, [
      element("w:trPr", {}, [element("w:cantSplit"), ...properties]),
      ...values.map((value, index) => cell(value, widths[index] ?? "0", isHead)),
    ]);
  const tableNode = element("w:tbl", {}, [
    element("w:tblPr", {}, [
      element("w:tblW", { "w:w": String(width), "w:type": "dxa" }),
      element("w:tblBorders", {}, ["top", "bottom", "insideH"].map(line)),
      element("w:tblLayout", { "w:type": "fixed" }),
      element("w:tblCellMar", {}, [element("w:top", SPACE), element("w:left", SPACE), element("w:bottom", SPACE)]),
      element("w:tblLook", { "w:firstRow": "1" }),
      element("w:tblCaption", { "w:val": title }),
    ]),
    element(
      "w:tblGrid",
      {},
      widths.map((one) => element("w:gridCol", { "w:w": one })),
    ),
    rowOf(
      columns.map((column) => column.title),
      [element("w:tblHeader")],
      true,
    ),
    ...rows.map((row) => rowOf(row, [], false)),
  ]);
  const section = element("w:sectPr", {}, [
    element("w:headerReference", { "w:type": "default", "r:id": "r2" }),
    element("w:pgSz", { "w:w": String(PAGE.width), "w:h": String(PAGE.height), "w:orient": "landscape" }),
    element("w:pgMar", margins()),
  ]);
  const document = element("w:document", { "xmlns:w": WORD, "xmlns:r": RELATIONS }, [
    // A document ends with a paragraph.
    element("w:body", {}, [tableNode, element("w:p"), section]),
  ]);
  const head = element("w:hdr", { "xmlns:w": WORD }, [paragraph(heading, false)]);
  return packOffice(
    [
      {
        path: "word/document.xml",
        type: `${TYPE}.document.main+xml`,
        root: document,
        relations: [
          ["styles.xml", "styles"],
          ["header1.xml", "header"],
        ],
      },
      { path: "word/styles.xml", type: `${TYPE}.styles+xml`, root: styles(language) },
      { path: "word/header1.xml", type: `${TYPE}.header+xml`, root: head },
    ],
    table,
  );
}

const SPACE = { "w:w": "60", "w:type": "dxa" };

function line(side: string): XmlNode {
  return element(`w:${side}`, { "w:val": "single", "w:sz": "4", "w:space": "0", "w:color": "808080" });
}

function margins(): Record<string, string> {
  const sides = ["right", "bottom", "left", "header", "footer"];
  const same = Object.fromEntries(sides.map((side) => [`w:${side}`, String(PAGE.margin)]));
  return { ...same, "w:top": String(PAGE.top), "w:gutter": "0" };
}

function cell(value: string, width: string, isHead: boolean): XmlNode {
  const properties = element("w:tcPr", {}, [element("w:tcW", { "w:w": width, "w:type": "dxa" })]);
  return element("w:tc", {}, [properties, paragraph(value, isHead)]);
}

function paragraph(text: string, isBold: boolean): XmlNode {
  const bold = isBold ? [element("w:rPr", {}, [element("w:b")])] : [];
  return element("w:p", {}, [element("w:r", {}, [...bold, element("w:t", { "xml:space": "preserve" }, text)])]);
}

/** One style for all: 11 points, in the language of the words. */
function styles(language: string): XmlNode {
  const run = element("w:rPr", {}, [
    element("w:rFonts", { "w:ascii": "Calibri", "w:hAnsi": "Calibri", "w:cs": "Calibri" }),
    element("w:sz", { "w:val": "22" }),
    element("w:lang", { "w:val": language, "w:eastAsia": language, "w:bidi": language }),
  ]);
  return element("w:styles", { "xmlns:w": WORD }, [
    element("w:docDefaults", {}, [element("w:rPrDefault", {}, [run])]),
    element("w:style", { "w:type": "paragraph", "w:default": "1", "w:styleId": "Normal" }, [
      element("w:name", { "w:val": "Normal" }),
    ]),
  ]);
}
