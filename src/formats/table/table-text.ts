import type { TimeText } from "../clock-time.ts";
import type { FormatProbe } from "../format.ts";
import { foldWhiteSpace } from "../plain-markup.ts";
import { timesOf } from "./cells.ts";
import {
  type Column,
  type ColumnChoice,
  columnOf,
  headColumns,
  isTitled,
  LONGEST_TITLE,
  PROBE_ROWS,
} from "./columns.ts";
import { type DelimitedRow, type Delimiter, parseDelimited } from "./delimited.ts";

const DELIMITERS: readonly Delimiter[] = ["\t", ",", ";", "|"];

/** Lines in which a table shows itself: titles may stand above it. */
const TABLE_LINES = 50;

/** How a text shows itself to be a table: by its head, above which stands no time; without one, by times in columns that something parts. */
export function tableShown(
  { lines }: FormatProbe,
  isOther: boolean,
): { readonly isTabbed: boolean; readonly confidence: number } {
  const probe = lines.slice(0, TABLE_LINES).filter((line) => line.trim() !== "");
  const row = probe.findIndex(isTableRow);
  const timed = probe.findIndex(hasTimeCell);
  const head = probe.slice(0, Math.max(1, timed)).find(isCueTableHead);
  if (head !== undefined) return { isTabbed: head.includes("\t"), confidence: 0.95 };
  const isTabbed = probe[row]?.includes("\t") ?? false;
  return { isTabbed, confidence: isOther || row === -1 ? 0 : isTabbed ? 0.95 : 0.8 };
}

/** Whether a line is a row of a table: the first, or one in which tabs part both times, words and more. */
function isTableRow(line: string, index: number): boolean {
  if (line.includes("\t")) return isCueTable(line, "\t");
  return index === 0 && /[,;|]/.test(line) && isCueTable(line);
}

/** Whether a line is the head of a table of cues: it names a start and a text. */
export function isCueTableHead(line: string): boolean {
  return DELIMITERS.some((delimiter) => headColumns(parseDelimited(line, delimiter)[0]) !== null);
}

/**
 * Whether rows hold times and text in columns that something parts. Tabs part plain text too: where they are asked for, there
 * has to be a column beyond in, out and words.
 */
export function isCueTable(text: string, delimiter?: "\t"): boolean {
  const rows = delimiter === undefined ? tableOf(text) : parseDelimited(text, delimiter);
  return rows.some((row) => {
    const timed = row.values.filter((value) => timesOf(value.trim()).length > 0).length;
    const isWide = row.values.length > (delimiter === undefined ? 2 : timed + 1);
    return isWide && times(row).length >= 2;
  });
}

/** Whether a line has a value that is a time and nothing else. */
export function hasTimeCell(line: string): boolean {
  return DELIMITERS.some((delimiter) => parseDelimited(line, delimiter).some((row) => times(row).length > 0));
}

/** The rows of a text, parted by what parts them most evenly. */
export function tableOf(text: string): DelimitedRow[] {
  const probe = text.split("\n", PROBE_ROWS).join("\n");
  const scored = DELIMITERS.map((delimiter) => {
    const rows = parseDelimited(probe, delimiter);
    const isHead = rows.some((row) => headColumns(row) !== null);
    return { delimiter, score: (isHead ? 1000 : 0) + rows.filter((row) => times(row).length > 0).length };
  });
  const best = scored.reduce((found, one) => (one.score > found.score ? one : found));
  return parseDelimited(text, best.delimiter);
}

/** The parts of a table: what stands above its head, its head, and what is below without the repetitions of the head. */
export interface TableParts {
  readonly title: readonly DelimitedRow[];
  readonly head: readonly Column[] | null;
  readonly body: readonly DelimitedRow[];
}

/** The head is the first row that is one, as long as no row with a time stands above it. */
export function partsOf(table: readonly DelimitedRow[], choice: ColumnChoice = {}): TableParts {
  const sample = table.slice(0, PROBE_ROWS);
  const timed = sample.findIndex((row) => times(row).length > 0);
  // A row with a title that a person named is a head, whatever else stands in it.
  const headOf = (row: DelimitedRow | undefined) =>
    headColumns(row) ?? columnsNamed((row?.values ?? []).map(columnOf), Object.values(choice));
  const at = sample.findIndex((row) => headOf(row) !== null);
  const head = headOf(table[at]);
  if (head === null || (timed !== -1 && timed < at)) return { title: [], head: null, body: table };
  const titleOf = (value: string) => foldWhiteSpace(value.slice(0, LONGEST_TITLE)).toLowerCase();
  const titles = head.map(({ title }) => title.toLowerCase());
  const isRepeated = ({ values }: DelimitedRow) =>
    titleOf(values[0] ?? "") === titles[0] && values.every((value, index) => titleOf(value) === titles[index]);
  return { title: table.slice(0, at), head, body: table.slice(at + 1).filter((row) => !isRepeated(row)) };
}

function columnsNamed(columns: readonly Column[], names: readonly string[]): readonly Column[] | null {
  return names.some((name) => columns.some(({ title }) => isTitled(title, name))) ? columns : null;
}

/** The values of a row as a person is shown them, on one line. */
export function shownRow({ values }: DelimitedRow): string {
  return values.filter((value) => value.trim() !== "").join(" ");
}

function times(row: DelimitedRow): TimeText[] {
  return row.values.flatMap((value) => timesOf(value.trim()));
}
