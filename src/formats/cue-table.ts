import type { Cue } from "../core/cue.ts";
import { framesFromSeconds } from "../core/frame-rate.ts";
import type { FrameGrid } from "../core/settings.ts";
import { formatTimecode } from "../core/timecode.ts";
import { formatMilliseconds, millisecondsFrom, parseTimeText, type TimeText } from "./clock-time.ts";
import type { CueDocument } from "./cue-list.ts";
import { asText, type DelimitedRow, type Delimiter, fromText, parseDelimited, writeDelimited } from "./delimited.ts";
import type { Format, FormatProbe } from "./format.ts";
import type { FilmReading } from "./gate/film-reading.ts";
import { TextRows } from "./gate/text-rows.ts";
import { IssueList } from "./parse-issue.ts";
import { escapeMarkup, foldWhiteSpace, plainFromMarkup } from "./plain-markup.ts";
import { normalizeLineEnds } from "./text-lines.ts";
import { addTimedRows, type TimedRow } from "./timed-rows.ts";
import type { DocumentExtra } from "./timeline-document.ts";

/** What a column of a table of cues holds. */
type Column = "id" | "start" | "end" | "duration" | "text" | "aside" | "direction" | "name" | "detail";

/** Names of columns in small letters; Premiere's marker list has `Marker Name`, `Description`, `In`, `Out`, `Duration`. */
const COLUMN_NAMES: ReadonlyMap<string, Column> = new Map<string, Column>([
  ...columns("id", ["id", "cue", "cue id", "number", "no", "no.", "nr", "#", "index", "event"]),
  ...columns("id", ["line number", "line no", "line no.", "line", "cue no", "cue no.", "cue number", "cue #", "ad no"]),
  ...columns("start", [
    "start",
    "in",
    "begin",
    "start time",
    "start_time",
    "time in",
    "timecode in",
    "tc in",
    "in point",
  ]),
  ...columns("start", ["start tc", "time", "timecode", "tc", "record in", "from", "timestamp"]),
  ...columns("start", ["in time", "tcr in", "in cue time", "in timecode", "cue in", "start timecode"]),
  ...columns("end", ["end", "out", "stop", "end time", "end_time", "time out", "timecode out", "tc out", "out point"]),
  ...columns("end", ["end tc", "record out", "to", "out time", "tcr out", "out timecode", "cue out", "end timecode"]),
  ...columns("duration", ["duration", "length", "dur"]),
  ...columns("text", [
    "audio description",
    "description",
    "ad",
    "ad text",
    "script",
    "narration",
    "text",
    "transcript",
    "description text",
    "audio description script",
    "ad script",
    "ad line",
  ]),
  ...columns("aside", ["caption", "subtitle", "comment", "comments", "note", "notes", "marker comment", "dialogue"]),
  ...columns("detail", [
    "marker type",
    "type",
    "time format",
    "color",
    "colour",
    "keywords",
    "track",
    "track name",
    "reel",
  ]),
  ...columns("direction", [
    "speed",
    "dialogue before",
    "preceding dialogue",
    "dialogue cue",
    "dialogue after",
    "cue line",
    "in cue",
  ]),
  ...columns("direction", [
    "on screen note",
    "pace",
    "delivery",
    "reading speed",
    "seconds",
    "words",
    "max words",
    "status",
  ]),
  ...columns("detail", ["voice", "speaker", "character", "language", "codec", "resolution", "marker keywords"]),
  ...columns("name", ["marker name", "name", "title", "marker", "clip name"]),
]);

function columns(column: Column, names: readonly string[]): [string, Column][] {
  return names.map((name) => [name, column]);
}

const DELIMITERS: readonly Delimiter[] = ["\t", ",", ";", "|"];

/**
 * Reads a table of cues: Premiere's marker list, what spreadsheets write, tables without a head. The delimiter is the one
 * that parts the rows most evenly. The text is the description, else the name. Accepts any text.
 */
export function parseCueTable(text: string, reading: FilmReading = {}): CueDocument {
  const issues = new IssueList();
  const gathered = new TextRows(issues, reading);
  const { title, head, body } = partsOf(tableOf(normalizeLineEnds(text)));
  for (const row of title) issues.add("bad-timing", row.line, shown(row));
  const layout = head === null ? layoutOf(body) : withWords(head, body);
  const rows = body.flatMap((row) => timedRow(row, layout, issues));
  addTimedRows(rows, gathered, issues, reading);
  return gathered.document();
}

/** What a table says for its readers, by column: notes, dialogue before, speed. A cue has no place for it. */
export function tableExtras(text: string): DocumentExtra[] {
  const { head, body } = partsOf(tableOf(normalizeLineEnds(text)));
  if (head === null) return [];
  const words = withWords(head, body).get("text");
  return head.titles.flatMap((title, index) => {
    const column = COLUMN_NAMES.get(title) ?? "direction";
    if (title === "" || index === words || (column !== "aside" && column !== "direction")) return [];
    const count = body.filter(({ values }) => values[index]?.trim()).length;
    return count === 0 ? [] : [{ name: `values of the column "${title}"`, count }];
  });
}

/** Lines in which a table shows itself: titles may stand above it. */
const TABLE_LINES = 50;

/** How a text shows itself to be a table: by its head, above which stands no time; without one, by times in columns that something parts. */
function tableShown(
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
  return DELIMITERS.some((delimiter) => headOf(parseDelimited(line, delimiter)[0]) !== null);
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

/** Rows looked at to tell the delimiter. */
const PROBE_ROWS = 50;

function tableOf(text: string): DelimitedRow[] {
  const probe = text.split("\n", PROBE_ROWS).join("\n");
  const scored = DELIMITERS.map((delimiter) => {
    const rows = parseDelimited(probe, delimiter);
    const isHead = rows.some((row) => headOf(row) !== null);
    return { delimiter, score: (isHead ? 1000 : 0) + rows.filter((row) => times(row).length > 0).length };
  });
  const best = scored.reduce((found, one) => (one.score > found.score ? one : found));
  return parseDelimited(text, best.delimiter);
}

/** The parts of a table: what stands above its head, its head, and what is below without the repetitions of the head. */
interface TableParts {
  readonly title: readonly DelimitedRow[];
  readonly head: Head | null;
  readonly body: readonly DelimitedRow[];
}

/** A head with its titles in small letters. */
interface Head {
  readonly layout: Layout;
  readonly titles: readonly string[];
}

/** The head is the first row that is one, as long as no row with a time stands above it. */
function partsOf(table: readonly DelimitedRow[]): TableParts {
  const sample = table.slice(0, PROBE_ROWS);
  const timed = sample.findIndex((row) => times(row).length > 0);
  const at = sample.findIndex((row) => headOf(row) !== null);
  const layout = headOf(table[at]);
  if (layout === null || (timed !== -1 && timed < at)) return { title: [], head: null, body: table };
  const titles = table[at]?.values.map(columnTitle) ?? [];
  const isRepeated = ({ values }: DelimitedRow) =>
    columnTitle(values[0] ?? "") === titles[0] && values.every((value, index) => columnTitle(value) === titles[index]);
  const body = table.slice(at + 1).filter((row) => !isRepeated(row));
  return { title: table.slice(0, at), head: { layout, titles }, body };
}

/** Characters of a value that may be a title: words of a cell may be as long as they like. */
const LONGEST_TITLE = 100;

/** A title of a column as {@link COLUMN_NAMES} has it: without what stands in brackets behind it, such as a language. */
function columnTitle(value: string): string {
  return foldWhiteSpace(value.slice(0, LONGEST_TITLE))
    .toLowerCase()
    .replace(/ ?[([][^)\]]*[)\]]$| ?:$/, "");
}

function shown({ values }: DelimitedRow): string {
  return values.filter((value) => value.trim() !== "").join(" ");
}

type Layout = ReadonlyMap<Column, number>;

function headOf(row: DelimitedRow | undefined): Layout | null {
  const found = new Map<Column, number>();
  for (const [index, value] of (row?.values ?? []).entries()) {
    const column = COLUMN_NAMES.get(columnTitle(value));
    if (column !== undefined && !found.has(column)) found.set(column, index);
  }
  const isWorded = found.has("text") || found.has("aside") || found.has("name");
  // A row of values may hold such words too, but then a time or a number beside them.
  const values = row?.values ?? [];
  if (values.some((value) => LABEL.test(value.slice(0, LONGEST_TITLE)))) return null;
  const isTimed = found.has("end") && values.length > 2 && !values.some((value) => /\d/.test(value));
  return found.has("start") && (isWorded || isTimed) ? found : null;
}

/** What no title of a column holds. */
const LABEL = /\d:\d\d/;

/** Letters that stand together: what makes words of a value. */
const WORD = /\p{L}+/gu;

/**
 * The layout of a head with the column that holds words: of those whose name says that they are descriptions, else that they
 * are remarks, the first with anything in it; else a column of an unknown name that holds several words in a row, and more than the
 * names do.
 */
function withWords({ layout: head, titles }: Head, body: readonly DelimitedRow[]): Layout {
  const sample = body.slice(0, PROBE_ROWS);
  const wordsIn = (index: number) =>
    sample.reduce((sum, { values }) => sum + (values[index]?.match(WORD)?.length ?? 0), 0);
  const columnOf = (index: number) => COLUMN_NAMES.get(titles[index] ?? "");
  const all = titles.map((_, index) => index);
  const filled = (index: number) => sample.filter(({ values }) => values[index]?.trim()).length;
  const holding = (column: Column) => all.find((index) => columnOf(index) === column && filled(index) > 0);
  const isProse = (index: number) => wordsIn(index) > 2 * filled(index);
  const other = all
    .filter((index) => columnOf(index) === undefined && titles[index] !== "" && isProse(index))
    .reduce((best, index) => (wordsIn(index) > wordsIn(best) ? index : best), head.get("name") ?? -1);
  const named = head.get("text") ?? head.get("aside") ?? -1;
  const text = holding("text") ?? holding("aside") ?? (other === -1 ? named : other);
  return new Map([...head, ["text", text]]);
}

/** Columns of a table without a head: the first times are in and out, the longest other column is the text. */
function layoutOf(table: readonly DelimitedRow[]): Layout {
  const sample = table.slice(0, PROBE_ROWS);
  const width = sample.reduce((most, row) => Math.max(most, row.values.length), 0);
  const found = new Map<Column, number>();
  let longest = -1;
  for (let index = 0; index < width; index++) {
    const values = sample.map((row) => (row.values[index] ?? "").trim());
    const timed = values.filter((value) => timesOf(value).length > 0).length;
    const paired = values.filter((value) => timesOf(value).length === 2).length;
    const length = values.reduce((sum, value) => sum + value.length, 0);
    const isTime = timed * 2 > values.length && !(found.has("start") && found.has("end"));
    if (isTime && !found.has("start") && paired * 2 > timed) found.set("start", index).set("end", index);
    else if (isTime) found.set(found.has("start") ? "end" : "start", index);
    else if (length > longest) {
      longest = length;
      found.set("text", index);
    }
  }
  const first = (sample[0]?.values[0] ?? "").trim();
  if (found.get("text") !== 0 && found.get("start") !== 0 && ID.test(first)) found.set("id", 0);
  return found;
}

const ID = /^[\w.-]{1,64}$/;

function times(row: DelimitedRow): TimeText[] {
  return row.values.flatMap((value) => timesOf(value.trim()));
}

/** A time as tables have it; an empty cell is none, nor a whole number alone, which counts rows. */
function timeOf(value: string): TimeText | null {
  return /^\d*$/.test(value) ? null : parseTimeText(value);
}

/** What may stand between the two times of a cell that holds both. */
const BETWEEN_TIMES = /\s*(?:-->|→|[-–—/]|\bto\b)\s*|\s+/;

/** The times of a cell: one, or in and out together. */
function timesOf(value: string): TimeText[] {
  const one = timeOf(value);
  if (one !== null) return [one];
  // Words are no times, however they begin.
  if (!/^\d/.test(value) || value.length > 40) return [];
  const parts = value.split(BETWEEN_TIMES).map(timeOf);
  const [start, end] = parts;
  return parts.length === 2 && start && end ? [start, end] : [];
}

function timedRow(row: DelimitedRow, layout: Layout, issues: IssueList): TimedRow[] {
  const cell = (column: Column) => fromText((row.values[layout.get(column) ?? -1] ?? "").trim());
  const [first, second] = timesOf(cell("start"));
  const start = first ?? parseTimeText(cell("start"));
  if (start === null) {
    issues.add("bad-timing", row.line, shown(row));
    return [];
  }
  const text = plainFromMarkup(cell("text")) || plainFromMarkup(cell("name"));
  const end = second ?? timeOf(cell("end")) ?? parseTimeText(cell("end")) ?? afterDuration(start, cell("duration"));
  return [{ id: foldWhiteSpace(cell("id")), start, end, text, line: row.line }];
}

function afterDuration(start: TimeText, duration: string): TimeText | null {
  const length = timeOf(duration);
  if (length?.kind !== "clock" || start.kind !== "clock") return null;
  return { kind: "clock", seconds: start.seconds + length.seconds };
}

/** Writes cues as a table for spreadsheets: `id,start,end,text`, times as `HH:MM:SS.mmm`. */
export function writeCsv(cues: readonly Cue[]): string {
  const rows = cues.map((cue) => {
    const start = millisecondsFrom(cue.start);
    const end = Math.max(start + 1, millisecondsFrom(cue.end));
    return [asText(cue.id), formatMilliseconds(start), formatMilliseconds(end), asText(escapeMarkup(cue.text))];
  });
  return [["id", "start", "end", "text"], ...rows].map((row) => `${writeDelimited(row, ",")}\n`).join("");
}

/** Writes cues as Premiere writes its marker list: six columns parted by tabs, timecode of the grid. */
export function writeMarkerList(cues: readonly Cue[], grid: FrameGrid): string {
  // Premiere puts `;` between all parts of a drop-frame label.
  const label = (frame: number) => {
    const text = formatTimecode(frame, grid);
    return grid.isDropFrame ? text.replaceAll(":", ";") : text;
  };
  const rows = cues.map((cue) => {
    const start = framesFromSeconds(cue.start, grid.rate);
    const end = Math.max(start + 1, framesFromSeconds(cue.end, grid.rate));
    const place = [label(start + grid.startFrame), label(end + grid.startFrame), label(end - start)];
    return [asText(foldWhiteSpace(cue.id)), asText(escapeMarkup(cue.text)), ...place, "Comment"];
  });
  const head = ["Marker Name", "Description", "In", "Out", "Duration", "Marker Type"];
  return [head, ...rows].map((row) => `${writeDelimited(row, "\t")}\n`).join("");
}

/** What tables have no place for. */
export const TABLE_LACKS = { language: true } as const;

/** Tables of spreadsheets, with or without a head, and any delimiter but tabs. */
export const CSV = {
  title: "Table of a spreadsheet",
  endings: ["csv"],
  shows(probe, isOther) {
    const { isTabbed, confidence } = tableShown(probe, isOther);
    return isTabbed ? 0 : confidence;
  },
  read: parseCueTable,
  details: (text) => ({ extras: tableExtras(text) }),
  write: ({ cues }) => writeCsv(cues),
  lacks: TABLE_LACKS,
} as const satisfies Format;

/** Tables parted by tabs; written as Premiere's marker list. */
export const TSV = {
  title: "Premiere's marker list",
  endings: ["tsv"],
  shows(probe, isOther) {
    const { isTabbed, confidence } = tableShown(probe, isOther);
    return isTabbed ? confidence : 0;
  },
  read: parseCueTable,
  details: (text) => ({ extras: tableExtras(text) }),
  write: ({ cues }, grid) => (grid === undefined ? "" : writeMarkerList(cues, grid)),
  countsFrames: "always",
  lacks: TABLE_LACKS,
} as const satisfies Format;
