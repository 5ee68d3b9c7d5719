import { isCueTable, isCueTableHead } from "../cue-table.ts";
import { asText, writeDelimited } from "../delimited.ts";
import { OfficeFault } from "./office-fault.ts";
import { OfficePackage } from "./office-package.ts";
import { sheetRows } from "./sheet-rows.ts";
import { wordRows } from "./word-rows.ts";

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
      const cells = row
        .map((cell) => cell.replace(/\s+/g, " ").trim())
        .map((cell) => (/^'/.test(cell) ? asText(cell) : cell));
      return `${writeDelimited(cells, "\t")}\n`;
    })
    .join("");
}
