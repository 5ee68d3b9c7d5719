import { foldedWords } from "../../core/text.ts";
import { isCueTable, isCueTableHead } from "../table/cue-table.ts";
import { asText, writeDelimited } from "../table/delimited.ts";
import { attributeOf, childElements, localName, ownText, type XmlElement } from "../xml/xml-element.ts";
import { childrenOf, OfficeFault, OfficePackage } from "./office-package.ts";
import { sheetRows } from "./sheet-rows.ts";

/**
 * The text of a document of Word or Excel: rows of tables as lines, cells parted by tabs, paragraphs as lines. Of a workbook, the
 * sheets that hold cues; where none does, all of them.
 *
 * @throws OfficeFault for one that is damaged, holds more than is read, or is neither.
 */
export function officeText(bytes: Uint8Array): string {
  const office = new OfficePackage(bytes);
  const word = office.names.find((name) => name.startsWith("word/document"));
  const document = word === undefined ? null : office.root(word);
  if (document !== null) return textOfRows(wordRows(document));
  const sheets = sheetRows(office).map(textOfRows);
  if (sheets.length === 0) throw new OfficeFault("is neither a document of Word nor of Excel: give a .docx or .xlsx");
  const withCues = sheets.filter(holdsCues);
  return (withCues.length === 0 ? sheets : withCues).join("");
}

/** Rows looked at to tell whether a sheet holds cues. */
const PROBE_ROWS = 50;

function holdsCues(text: string): boolean {
  return text.split("\n", PROBE_ROWS).some((line) => line.includes("\t") && (isCueTableHead(line) || isCueTable(line)));
}

/** Rows as lines. A paragraph keeps its tabs, which part times from words; a cell is one line without any. */
function textOfRows(rows: readonly (readonly string[])[]): string {
  return rows
    .map((row) => {
      const [only, ...more] = row;
      if (only !== undefined && more.length === 0) return `${only.trimEnd()}\n`;
      // An apostrophe that stands there is one, where that of a spreadsheet's text would be taken off.
      const cells = row.map(foldedWords).map((cell) => (/^'/.test(cell) ? asText(cell) : cell));
      return `${writeDelimited(cells, "\t")}\n`;
    })
    .join("");
}

/** Elements whose words are not of the document as it reads: what was deleted or moved away, and the second form of a drawing. */
const SILENT: ReadonlySet<string> = new Set([
  "del",
  "moveFrom",
  "Fallback",
  "instrText",
  "pPr",
  "rPr",
  "tblPr",
  "tcPr",
]);

/** Elements that stand for characters (ECMA-376 part 1, 17.3.3). */
const CHARACTERS: Readonly<Record<string, string>> = { tab: "\t", br: "\n", cr: "\n", noBreakHyphen: "\u2011" };

/** Columns that a cell may span; Word has 63 (ECMA-376 part 1, 17.4.17). */
const MOST_COLUMNS = 63;

/** The rows of a Word document in order: a row of a table has its cells, a paragraph outside of tables is a row of one value. */
function wordRows(document: XmlElement): string[][] {
  return childrenOf(document, "body").flatMap(blocksOf);
}

/** Paragraphs and rows inside an element, through whatever wraps them: content controls, revisions. */
function blocksOf(parent: XmlElement): string[][] {
  return childElements(parent).flatMap((element) => {
    const name = localName(element.name);
    if (SILENT.has(name)) return [];
    if (name === "p")
      return textOf(element)
        .split("\n")
        .map((line) => [line]);
    return name === "tr" ? [cellsOf(element)] : blocksOf(element);
  });
}

function cellsOf(row: XmlElement): string[] {
  const before = childrenOf(childrenOf(row, "trPr")[0], "gridBefore")[0];
  const cells: string[] = emptyCells(before, 0);
  for (const cell of wrapped(row, "tc")) {
    const lines = blocksOf(cell).map((values) => values.join(" "));
    const span = childrenOf(childrenOf(cell, "tcPr")[0], "gridSpan")[0];
    cells.push(lines.join("\n").trim(), ...emptyCells(span, 1));
  }
  return cells;
}

/** As many empty values as an element states beyond those that are there. */
function emptyCells(element: XmlElement | undefined, there: number): string[] {
  const stated = element === undefined ? there : Number(attributeOf(element, "val") ?? "");
  const count = Number.isFinite(stated) ? Math.min(stated, MOST_COLUMNS) - there : 0;
  return Array.from({ length: Math.max(0, Math.floor(count)) }, () => "");
}

/** The elements of a name inside another, through whatever wraps them. */
function wrapped(parent: XmlElement, local: string): XmlElement[] {
  return childElements(parent).flatMap((element) => {
    if (SILENT.has(localName(element.name))) return [];
    return localName(element.name) === local ? [element] : wrapped(element, local);
  });
}

function textOf(element: XmlElement): string {
  if (localName(element.name) === "t") return ownText(element);
  return childElements(element)
    .map((child) => (SILENT.has(localName(child.name)) ? "" : (CHARACTERS[localName(child.name)] ?? textOf(child))))
    .join("");
}
