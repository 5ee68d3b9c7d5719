import { foldedWords } from "../../core/text.ts";
import { ReceiptBuilder } from "../parse-issue.ts";
import { timesOf } from "../table/cells.ts";
import { asText, writeDelimited } from "../table/delimited.ts";
import { isCueTable, isCueTableHead } from "../table/table-text.ts";
import { OfficeFault, OfficePackage, type OfficeRow } from "./office-package.ts";
import { openDocumentSheets } from "./open-document-rows.ts";
import { workbookSheets } from "./sheet-rows.ts";
import { wordRows } from "./word-rows.ts";

/**
 * What is seen of a document of Word or Excel, or an OpenDocument spreadsheet: rows of tables as lines, cells parted by tabs, paragraphs as lines. Of a workbook, the
 * sheets that hold cues, and of two over the same times the first; where none holds cues, all of them.
 *
 * @param receipt Is told what is left out, because it is hidden, deleted, struck out or stands beside the text.
 * @throws OfficeFault for one that is damaged, holds more than is read, or is neither.
 */
export function officeText(bytes: Uint8Array, receipt = new ReceiptBuilder()): string {
  const office = new OfficePackage(bytes);
  const word = office.names.find((name) => name.startsWith("word/document"));
  const document = word === undefined ? null : office.root(word);
  if (document !== null) {
    const styles = office.names.find((name) => name.startsWith("word/styles"));
    return textOfRows(wordRows(document, styles === undefined ? null : office.root(styles), receipt));
  }
  const content = office.root("content.xml");
  const shown = content === null ? workbookSheets(office, receipt) : openDocumentSheets(content, receipt);
  const sheets = shown.map(({ title, rows }) => ({ title, text: textOfRows(rows) }));
  if (sheets.length === 0)
    throw new OfficeFault("is neither a document of Word nor a spreadsheet: give a .docx, .xlsx or .ods");
  const withCues = sheets.filter(({ text }) => holdsCues(text));
  return withoutVersions(withCues.length === 0 ? sheets : withCues, receipt)
    .map(({ text }) => text)
    .join("");
}

/** A sheet by its name, as text. */
interface SheetText {
  readonly title: string;
  readonly text: string;
}

/** Sheets without those that have most of their times from one before: another language, an older version. */
function withoutVersions(sheets: readonly SheetText[], receipt: ReceiptBuilder): SheetText[] {
  const kept: { readonly sheet: SheetText; readonly starts: ReadonlySet<string> }[] = [];
  for (const sheet of sheets) {
    const starts = new Set(sheet.text.split("\n").flatMap((line) => line.split("\t").find(isTime) ?? []));
    const shared = (other: ReadonlySet<string>) => [...starts].filter((start) => other.has(start)).length;
    const first = kept.find((one) => starts.size > 0 && shared(one.starts) * 2 > starts.size);
    if (first === undefined) kept.push({ sheet, starts });
    else receipt.leaveOut(`sheet "${sheet.title}" over the same times as "${first.sheet.title}"`);
  }
  return kept.map(({ sheet }) => sheet);
}

function isTime(cell: string): boolean {
  return timesOf(cell).length > 0;
}

/** Rows looked at to tell whether a sheet holds cues. */
const PROBE_ROWS = 50;

function holdsCues(text: string): boolean {
  return text.split("\n", PROBE_ROWS).some((line) => line.includes("\t") && (isCueTableHead(line) || isCueTable(line)));
}

/** Rows as lines. A paragraph keeps its tabs, which part times from words; a cell is one line without any. */
function textOfRows(rows: readonly OfficeRow[]): string {
  return joined(rows)
    .map((row) => {
      const [only, ...more] = row;
      if (only !== undefined && more.length === 0) return `${only.trimEnd()}\n`;
      // An apostrophe that stands there is one, where that of a spreadsheet's text would be taken off.
      const cells = row.map(foldedWords).map((cell) => (/^'/.test(cell) ? asText(cell) : cell));
      return `${writeDelimited(cells, "\t")}\n`;
    })
    .join("");
}

/** Rows whose times reach over several as one row, with the words of all. */
function joined(rows: readonly OfficeRow[]): (readonly string[])[] {
  const whole: (readonly string[])[] = [];
  for (const { cells, isContinued } of rows) {
    const above = whole.at(-1);
    if (!isContinued || above === undefined || cells.some((cell) => isTime(foldedWords(cell)))) whole.push(cells);
    else {
      const width = Math.max(above.length, cells.length);
      whole[whole.length - 1] = Array.from({ length: width }, (_, index) =>
        [above[index], cells[index]].filter(Boolean).join(" "),
      );
    }
  }
  return whole;
}
