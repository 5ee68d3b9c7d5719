import { formatClockTime } from "../clock-time.ts";
import { attributeOf, childElements, localName, ownText, type XmlElement } from "../xml/xml-element.ts";
import { childrenOf, type OfficePackage } from "./office-package.ts";

/** Columns that are read of a sheet; a script has ten. */
const MOST_COLUMNS = 256;

/** Built-in formats of numbers that show a time of day (ECMA-376 part 1, 18.8.30). */
const TIME_FORMATS: ReadonlySet<number> = new Set([18, 19, 20, 21, 22, 45, 46, 47]);

/** The built-in format that counts hours past a day. */
const HOURS_FORMAT = 46;

/** What tells the words and times of cells. */
interface CellContext {
  readonly strings: readonly string[];
  /** How each style of a cell shows a number. */
  readonly styles: readonly NumberStyle[];
}

/** `hours`: a time that may pass a day. */
type NumberStyle = "number" | "time" | "hours";

/** The rows of each sheet of a workbook, in the order of its tabs. Times that Excel keeps as parts of a day are `HH:MM:SS.mmm`. */
export function sheetRows(office: OfficePackage): string[][][] {
  const strings = childrenOf(office.root("xl/sharedStrings.xml"), "si").map(stringOf);
  const context = { strings, styles: stylesOf(office.root("xl/styles.xml")) };
  return sheetNames(office).map((name) => {
    const [data] = childrenOf(office.root(name), "sheetData");
    return childrenOf(data, "row").map((row) => cellsOf(row, context));
  });
}

/** Names of the sheets' parts: as the workbook lists them, else as they lie there. */
function sheetNames(office: OfficePackage): string[] {
  const parts = office.names.filter((name) => name.startsWith("xl/worksheets/"));
  const targets = new Map(
    childrenOf(office.root("xl/_rels/workbook.xml.rels"), "Relationship").map((one) => [
      attributeOf(one, "Id") ?? "",
      (attributeOf(one, "Target") ?? "").toLowerCase(),
    ]),
  );
  const [sheets] = childrenOf(office.root("xl/workbook.xml"), "sheets");
  const listed = childrenOf(sheets, "sheet").flatMap((sheet) => {
    const id = [...sheet.attributes].find(([name]) => name.endsWith(":id"))?.[1] ?? "";
    const target = targets.get(id) ?? "";
    const name = target.startsWith("/") ? target.slice(1) : `xl/${target}`;
    return parts.includes(name) ? [name] : [];
  });
  return listed.length === 0 ? parts : listed;
}

function cellsOf(row: XmlElement, context: CellContext): string[] {
  const cells: string[] = [];
  for (const cell of childrenOf(row, "c")) {
    const column = columnOf(attributeOf(cell, "r") ?? "") ?? cells.length;
    const value = cellValue(cell, context);
    if (column >= MOST_COLUMNS || value === "") continue;
    while (cells.length < column) cells.push("");
    cells[column] = value;
  }
  return cells;
}

/** Index of a column from a reference such as `AB12`; `null` where there is none. */
function columnOf(reference: string): number | null {
  const letters = /^[A-Z]{1,3}(?=\d)/.exec(reference)?.[0];
  if (letters === undefined) return null;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function cellValue(cell: XmlElement, { strings, styles }: CellContext): string {
  const type = attributeOf(cell, "t");
  const [inline] = childrenOf(cell, "is");
  if (inline !== undefined) return stringOf(inline);
  const [held] = childrenOf(cell, "v");
  const value = held === undefined ? "" : ownText(held);
  if (type === "s") return strings[Number(value)] ?? "";
  if (type === "str") return value;
  // A formula that failed says nothing.
  if (type === "e") return "";
  const style = styles[Number(attributeOf(cell, "s") ?? "")] ?? "number";
  const days = Number(value);
  if (style === "number" || value.trim() === "" || !(days >= 0 && days < 1e6)) return value;
  return formatClockTime((style === "hours" ? days : days % 1) * 86_400);
}

/** The words of a string, its runs together, without readings of Japanese. */
function stringOf(string: XmlElement): string {
  return childElements(string)
    .filter(({ name }) => localName(name) === "t" || localName(name) === "r")
    .flatMap((child) => (localName(child.name) === "t" ? [child] : childrenOf(child, "t")))
    .map(ownText)
    .join("");
}

function stylesOf(styles: XmlElement | null): NumberStyle[] {
  const codes = new Map(
    childrenOf(childrenOf(styles, "numFmts")[0], "numFmt").map((one) => [
      Number(attributeOf(one, "numFmtId") ?? ""),
      attributeOf(one, "formatCode") ?? "",
    ]),
  );
  return childrenOf(childrenOf(styles, "cellXfs")[0], "xf").map((style) => {
    const id = Number(attributeOf(style, "numFmtId") ?? "");
    const code = codes.get(id);
    if (code === undefined) return id === HOURS_FORMAT ? "hours" : TIME_FORMATS.has(id) ? "time" : "number";
    if (/\[[hms]+\]/i.test(code)) return "hours";
    // What stands in quotes, behind a backslash or in brackets is no part of a time.
    const shown = code.replace(/"[^"]*"|\\.|\[[^\]]*\]/g, "");
    return /[hs]/i.test(shown) && !/general/i.test(shown) ? "time" : "number";
  });
}
