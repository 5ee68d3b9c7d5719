import { formatClockTime } from "../clock-time.ts";
import type { ReceiptBuilder } from "../parse-issue.ts";
import { attributeOf, childElements, localName, type XmlElement } from "../xml/xml-element.ts";
import { childrenOf, type OfficeRow } from "./office-package.ts";
import { MOST_COLUMNS, type ShownSheet, tellUnseen } from "./sheet-rows.ts";

/** Rows alike that one element may stand for, and that are read: a sheet ends with a million empty ones. */
const MOST_REPEATED = 1000;

/** Names of styles that hide a sheet or strike out words. */
interface Styles {
  readonly hiding: ReadonlySet<string>;
  readonly striking: ReadonlySet<string>;
}

/**
 * The sheets of an OpenDocument spreadsheet that are shown, in the order of its tabs (OpenDocument 1.3 part 3, 9). Times are
 * `HH:MM:SS.mmm`, as long as they count; other cells are what they show. Rows that are hidden are read, as those of Excel are.
 *
 * @param content The part `content.xml`.
 * @param receipt Is told of hidden sheets, columns and rows, and of what is struck out.
 */
export function openDocumentSheets(content: XmlElement, receipt: ReceiptBuilder): ShownSheet[] {
  const styles = stylesOf(content);
  const spreadsheet = childrenOf(childrenOf(content, "body")[0], "spreadsheet")[0];
  return childrenOf(spreadsheet, "table").flatMap((table, index) => {
    const title = attributeOf(table, "name") ?? `${index + 1}`;
    const isHidden = styles.hiding.has(attributeOf(table, "style-name") ?? "");
    if (isHidden) receipt.leaveOut(`hidden sheet "${title}"`);
    return isHidden ? [] : [{ title, rows: rowsOf(table, styles, receipt) }];
  });
}

function stylesOf(content: XmlElement): Styles {
  const styles = childrenOf(childrenOf(content, "automatic-styles")[0], "style");
  const named = (some: readonly XmlElement[]) => new Set(some.map((style) => attributeOf(style, "name") ?? ""));
  return {
    hiding: named(
      styles.filter((style) =>
        childrenOf(style, "table-properties").some((one) => attributeOf(one, "display") === "false"),
      ),
    ),
    striking: named(
      styles.filter((style) =>
        childrenOf(style, "text-properties").some(
          (one) => (attributeOf(one, "text-line-through-style") ?? "none") !== "none",
        ),
      ),
    ),
  };
}

function rowsOf(table: XmlElement, styles: Styles, receipt: ReceiptBuilder): OfficeRow[] {
  const hidden = hiddenColumns(table);
  const dropped = new Map<number, string>();
  const rows: OfficeRow[] = [];
  let unseen = 0;
  let reaches = 0;
  for (const row of grouped(table, "table-row")) {
    const { cells, reach } = cellsOf(row, styles, receipt);
    for (const column of hidden) {
      const value = cells[column] ?? "";
      if (value === "") continue;
      if (!dropped.has(column)) dropped.set(column, value);
      cells[column] = "";
    }
    while (cells.at(-1) === "") cells.pop();
    if (cells.length > 0 && isUnseen(row)) unseen++;
    const times = cells.length === 0 ? 1 : repeated(row, "number-rows-repeated", MOST_REPEATED);
    for (let time = 0; time < times; time++) rows.push({ cells, isContinued: reaches > 0 });
    reaches = Math.max(reaches - 1, reach - 1);
  }
  tellUnseen(receipt, { columns: [...dropped.values()], rows: unseen });
  return rows;
}

/** Rows or columns of a table, also those that stand in groups and heads. */
function grouped(table: XmlElement, name: "table-row" | "table-column"): XmlElement[] {
  const group = new RegExp(`^table-(?:(?:header-)?${name.slice(6)}s|${name.slice(6)}-group)$`);
  return childElements(table).flatMap((child) => {
    const local = localName(child.name);
    return local === name ? [child] : group.test(local) ? grouped(child, name) : [];
  });
}

function hiddenColumns(table: XmlElement): number[] {
  let at = 0;
  return grouped(table, "table-column").flatMap((column) => {
    const from = at;
    at += repeated(column, "number-columns-repeated", MOST_COLUMNS);
    return isUnseen(column) ? Array.from({ length: at - from }, (_, index) => from + index) : [];
  });
}

function isUnseen(element: XmlElement): boolean {
  return /^(?:collapse|filter)$/.test(attributeOf(element, "visibility") ?? "");
}

function repeated(element: XmlElement, attribute: string, most: number): number {
  const count = Number(attributeOf(element, attribute) ?? 1);
  return Number.isInteger(count) && count > 0 ? Math.min(count, most) : 1;
}

/** The values of a row, and over how many rows the one reaches that reaches furthest. */
function cellsOf(row: XmlElement, styles: Styles, receipt: ReceiptBuilder): { cells: string[]; reach: number } {
  const cells: string[] = [];
  let reach = 1;
  for (const cell of childElements(row)) {
    if (!/^(?:covered-)?table-cell$/.test(localName(cell.name))) continue;
    const isCovered = localName(cell.name) !== "table-cell";
    const value = isCovered ? "" : cellValue(cell, styles, receipt);
    reach = Math.max(reach, Math.min(MOST_REPEATED, Number(attributeOf(cell, "number-rows-spanned") ?? 1) || 1));
    const times = repeated(cell, "number-columns-repeated", MOST_COLUMNS - cells.length);
    for (let time = 0; time < times; time++) cells.push(value);
    if (cells.length >= MOST_COLUMNS) break;
  }
  return { cells, reach };
}

function cellValue(cell: XmlElement, styles: Styles, receipt: ReceiptBuilder): string {
  const shown = childrenOf(cell, "p")
    .map((paragraph) => textOf(paragraph, styles, receipt))
    .join("\n");
  if (shown.trim() === "") return shown;
  if (styles.striking.has(attributeOf(cell, "style-name") ?? "")) {
    receipt.leaveOut("struck-out cell", 1, [shown]);
    return "";
  }
  const seconds = secondsOf(attributeOf(cell, "time-value") ?? "");
  if (seconds !== null) return formatClockTime(seconds);
  // A number that is shown as timecode is timecode; any other is as exact as it is kept.
  const number = attributeOf(cell, "value-type") === "float" ? attributeOf(cell, "value") : undefined;
  return number === undefined || /[:;]/.test(shown) ? shown : number;
}

/** Seconds of a duration such as `PT01H02M03.5S`; `null` for another text. */
function secondsOf(duration: string): number | null {
  const [, hours, minutes = "0", seconds = "0"] = /^PT(\d+)H(?:(\d+)M)?(?:(\d+(?:[.,]\d+)?)S)?$/.exec(duration) ?? [];
  if (hours === undefined) return null;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds.replace(",", "."));
}

/** The words of a paragraph, without comments, readings of Japanese and what is struck out. */
function textOf(element: XmlElement, styles: Styles, receipt: ReceiptBuilder): string {
  return element.content
    .map((part): string => {
      if (typeof part === "string") return part;
      switch (localName(part.name)) {
        case "s":
          return " ".repeat(repeated(part, "c", 1000));
        case "tab":
          return "\t";
        case "line-break":
          return "\n";
        case "annotation":
        case "note":
        case "ruby-text":
          return "";
        default: {
          const text = textOf(part, styles, receipt);
          if (!styles.striking.has(attributeOf(part, "style-name") ?? "") || text.trim() === "") return text;
          receipt.leaveOut("struck-out passage", 1, [text]);
          return "";
        }
      }
    })
    .join("");
}
