import { formatClockTime } from "../clock-time.ts";
import { ReceiptBuilder } from "../parse-issue.ts";
import { attributeOf, childElements, localName, ownText, type XmlElement } from "../xml/xml-element.ts";
import { childrenOf, type OfficePackage, type OfficeRow } from "./office-package.ts";

/** Columns that are read of a sheet; a script has ten. */
export const MOST_COLUMNS = 256;

/** Built-in formats of numbers that show a time of day (ECMA-376 part 1, 18.8.30). */
const TIME_FORMATS: ReadonlySet<number> = new Set([18, 19, 20, 21, 22, 45, 46, 47]);

/** The built-in format that counts hours past a day. */
const HOURS_FORMAT = 46;

/** What tells the words and times of cells. */
interface CellContext {
  readonly strings: readonly string[];
  readonly styles: readonly CellStyle[];
  /** Columns that are not shown. */
  readonly hidden: ReadonlySet<number>;
  readonly receipt: ReceiptBuilder;
}

/** How a cell shows what it holds. */
interface CellStyle {
  /** `hours`: a time that may pass a day; a pattern of digits otherwise: `00:00:00:00`. */
  readonly number: "number" | "time" | "hours" | { readonly pattern: string };
  readonly isStruck: boolean;
}

const PLAIN: CellStyle = { number: "number", isStruck: false };

/** A sheet by its name. */
export interface ShownSheet {
  readonly title: string;
  readonly rows: readonly OfficeRow[];
}

/**
 * The sheets of a workbook that are shown, in the order of its tabs. Times that Excel keeps as parts of a day are `HH:MM:SS.mmm`,
 * numbers that it shows as timecode are timecode. Rows that are hidden are read, because filters and groups hide rows for a while.
 *
 * @param receipt Is told of hidden sheets, columns and rows, and of what is struck out.
 */
export function workbookSheets(office: OfficePackage, receipt: ReceiptBuilder): ShownSheet[] {
  const strings = childrenOf(office.root("xl/sharedStrings.xml"), "si").map((string) => stringOf(string, receipt));
  const styles = stylesOf(office.root("xl/styles.xml"));
  return sheetParts(office).flatMap(({ title, part, isHidden }) => {
    if (isHidden) receipt.leaveOut(`hidden sheet "${title}"`);
    return isHidden ? [] : [{ title, rows: rowsOf(office.root(part), { strings, styles, receipt }) }];
  });
}

function rowsOf(sheet: XmlElement | null, given: Omit<CellContext, "hidden">): OfficeRow[] {
  const hidden = hiddenColumns(sheet);
  const rows = childrenOf(childrenOf(sheet, "sheetData")[0], "row");
  const continued = continuedRows(sheet);
  const unseen = rows.filter((row) => isTrue(attributeOf(row, "hidden")) && childElements(row).length > 0).length;
  tellUnseen(given.receipt, { columns: firstInHidden(rows, { ...given, hidden }), rows: unseen });
  return rows.map((row, index) => ({
    cells: cellsOf(row, { ...given, hidden }),
    isContinued: continued.has(Number(attributeOf(row, "r") ?? index + 1)),
  }));
}

/** What stands first in each column that is not shown and holds something. */
function firstInHidden(rows: readonly XmlElement[], context: CellContext): string[] {
  const first = new Map<number, XmlElement>();
  for (const row of context.hidden.size === 0 ? [] : rows) {
    for (const cell of childrenOf(row, "c")) {
      const column = columnOf(attributeOf(cell, "r") ?? "");
      if (column === null || !context.hidden.has(column) || first.has(column)) continue;
      if (childElements(cell).length > 0) first.set(column, cell);
    }
  }
  // What is struck out there is not told beside the column.
  return [...first.values()].map((cell) => shownValue(cell, PLAIN, { ...context, receipt: new ReceiptBuilder() }));
}

/** Tells of columns that are not shown, by what stands first in each, which are left out; and of rows, which are read. */
export function tellUnseen(
  receipt: ReceiptBuilder,
  { columns, rows }: { readonly columns: readonly string[]; readonly rows: number },
): void {
  receipt.leaveOut("hidden column", columns.length, columns);
  if (rows > 0) receipt.fact(`${rows} hidden ${rows === 1 ? "row was" : "rows were"} read too`);
}

function isTrue(value: string | undefined): boolean {
  return value === "1" || value === "true";
}

/** Columns that are not shown (ECMA-376 part 1, 18.3.1.13). */
function hiddenColumns(sheet: XmlElement | null): ReadonlySet<number> {
  const spans = childrenOf(childrenOf(sheet, "cols")[0], "col").filter((one) => isTrue(attributeOf(one, "hidden")));
  return new Set(
    spans.flatMap((one) => {
      const first = Number(attributeOf(one, "min") ?? "") - 1;
      const count = Math.min(Number(attributeOf(one, "max") ?? ""), MOST_COLUMNS) - first;
      return Array.from({ length: Math.max(0, Math.min(MOST_COLUMNS, count || 0)) }, (_, index) => first + index);
    }),
  );
}

/** Most rows that a merged cell reaches over and is followed; more are a layout of the whole sheet. */
const MOST_MERGED = 100;

/** Numbers of rows into which a cell of the row above reaches (ECMA-376 part 1, 18.3.1.55). */
function continuedRows(sheet: XmlElement | null): ReadonlySet<number> {
  const merged = childrenOf(childrenOf(sheet, "mergeCells")[0], "mergeCell");
  return new Set(
    merged.flatMap((one) => {
      const [, first, last] = /^[A-Z]+(\d+):[A-Z]+(\d+)$/.exec(attributeOf(one, "ref") ?? "") ?? [];
      const count = Math.min(MOST_MERGED, Number(last ?? 0) - Number(first ?? 0));
      return Array.from({ length: Math.max(0, count) }, (_, index) => Number(first) + 1 + index);
    }),
  );
}

/** The parts of the sheets with their names: as the workbook lists them, else as they lie there. */
function sheetParts(office: OfficePackage): { title: string; part: string; isHidden: boolean }[] {
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
    const part = target.startsWith("/") ? target.slice(1) : `xl/${target}`;
    const isHidden = /hidden$/i.test(attributeOf(sheet, "state") ?? "");
    return parts.includes(part) ? [{ title: attributeOf(sheet, "name") ?? part, part, isHidden }] : [];
  });
  return listed.length === 0 ? parts.map((part) => ({ title: part, part, isHidden: false })) : listed;
}

function cellsOf(row: XmlElement, context: CellContext): string[] {
  const cells: string[] = [];
  for (const [index, cell] of childrenOf(row, "c").entries()) {
    const column = columnOf(attributeOf(cell, "r") ?? "") ?? Math.max(index, cells.length);
    const value = context.hidden.has(column) ? "" : cellValue(cell, context);
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

function cellValue(cell: XmlElement, context: CellContext): string {
  const style = context.styles[Number(attributeOf(cell, "s") ?? "")] ?? PLAIN;
  const value = shownValue(cell, style, context);
  if (!style.isStruck || value.trim() === "") return value;
  context.receipt.leaveOut("struck-out cell", 1, [value]);
  return "";
}

function shownValue(cell: XmlElement, { number }: CellStyle, { strings, receipt }: CellContext): string {
  const type = attributeOf(cell, "t");
  const [inline] = childrenOf(cell, "is");
  if (inline !== undefined) return stringOf(inline, receipt);
  const [held] = childrenOf(cell, "v");
  const value = held === undefined ? "" : ownText(held);
  if (type === "s") return strings[Number(value)] ?? "";
  if (type === "str") return value;
  // A formula that failed says nothing.
  if (type === "e") return "";
  if (typeof number === "object") return /^\d{1,15}$/.test(value) ? inPattern(value, number.pattern) : value;
  const days = Number(value);
  if (number === "number" || value.trim() === "" || !(days >= 0 && days < 1e6)) return value;
  return formatClockTime((number === "hours" ? days : days % 1) * 86_400);
}

/** The words of a string, its runs together, without readings of Japanese and what is struck out. */
function stringOf(string: XmlElement, receipt: ReceiptBuilder): string {
  return childElements(string)
    .map((child): string => {
      if (localName(child.name) === "t") return ownText(child);
      if (localName(child.name) !== "r") return "";
      const text = childrenOf(child, "t").map(ownText).join("");
      const [strike] = childrenOf(childrenOf(child, "rPr")[0], "strike");
      if (strike === undefined || attributeOf(strike, "val") === "0" || text.trim() === "") return text;
      receipt.leaveOut("struck-out passage", 1, [text]);
      return "";
    })
    .join("");
}

function stylesOf(styles: XmlElement | null): CellStyle[] {
  const codes = new Map(
    childrenOf(childrenOf(styles, "numFmts")[0], "numFmt").map((one) => [
      Number(attributeOf(one, "numFmtId") ?? ""),
      attributeOf(one, "formatCode") ?? "",
    ]),
  );
  const struck = childrenOf(childrenOf(styles, "fonts")[0], "font").map((font) => {
    const [strike] = childrenOf(font, "strike");
    return strike !== undefined && attributeOf(strike, "val") !== "0" && attributeOf(strike, "val") !== "false";
  });
  return childrenOf(childrenOf(styles, "cellXfs")[0], "xf").map((style) => {
    const id = Number(attributeOf(style, "numFmtId") ?? "");
    return {
      number: shownNumber(id, codes.get(id)),
      isStruck: struck[Number(attributeOf(style, "fontId") ?? "")] === true,
    };
  });
}

function shownNumber(id: number, code: string | undefined): CellStyle["number"] {
  if (code === undefined) return id === HOURS_FORMAT ? "hours" : TIME_FORMATS.has(id) ? "time" : "number";
  if (/\[[hms]+\]/i.test(code)) return "hours";
  // What stands in quotes or behind a backslash is shown as it is: digits typed in a row become a timecode so.
  const pattern = code.replace(/"([^"]*)"|\\(.)/g, "$1$2");
  if (/^[0#]+(?:[:;][0#]+){1,3}$/.test(pattern)) return { pattern: pattern.replaceAll("#", "0") };
  // What stands in brackets is no part of a time.
  const shown = code.replace(/"[^"]*"|\\.|\[[^\]]*\]/g, "");
  return /[hs]/i.test(shown) && !/general/i.test(shown) ? "time" : "number";
}

/** Digits in the places of a pattern, from the right: 510 in `00:00:00:00` is `00:00:05:10`. */
function inPattern(digits: string, pattern: string): string {
  const rest = [...digits];
  const placed = [...pattern].reverse().map((sign) => (sign === "0" ? (rest.pop() ?? "0") : sign));
  return rest.join("") + placed.reverse().join("");
}
