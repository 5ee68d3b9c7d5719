import type { Cue } from "../core/cue.ts";
import { framesFromSeconds } from "../core/frame-rate.ts";
import type { FrameGrid } from "../core/settings.ts";
import { formatTimecode } from "../core/timecode.ts";
import { formatMilliseconds, millisecondsFrom } from "./clock-time.ts";
import { type CueDocument, CueListBuilder } from "./cue-list.ts";
import { asText, type DelimitedRow, type Delimiter, fromText, parseDelimited, writeDelimited } from "./delimited.ts";
import type { LabelReading } from "./label-clock.ts";
import { IssueList } from "./parse-issue.ts";
import { escapeMarkup, foldWhiteSpace, plainFromMarkup } from "./plain-markup.ts";
import { normalizeLineEnds } from "./text-lines.ts";
import { parseTimeText, type TimeText } from "./time-text.ts";
import { addTimedRows, type TimedRow } from "./timed-rows.ts";

/** What a column of a table of cues holds. */
type Column = "id" | "start" | "end" | "duration" | "text" | "aside" | "name" | "detail";

/** Names of columns in small letters; Premiere's marker list has `Marker Name`, `Description`, `In`, `Out`, `Duration`. */
const COLUMN_NAMES: ReadonlyMap<string, Column> = new Map<string, Column>([
  ...columns("id", ["id", "cue", "cue id", "number", "no", "no.", "nr", "#", "index", "event"]),
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
  ...columns("end", ["end", "out", "stop", "end time", "end_time", "time out", "timecode out", "tc out", "out point"]),
  ...columns("end", ["end tc", "record out", "to"]),
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
  ...columns("detail", [
    "voice",
    "speaker",
    "character",
    "language",
    "speed",
    "codec",
    "resolution",
    "marker keywords",
  ]),
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
export function parseCueTable(text: string, reading: LabelReading = {}): CueDocument {
  const issues = new IssueList();
  const builder = new CueListBuilder(issues);
  const table = tableOf(normalizeLineEnds(text));
  const head = headOf(table[0]);
  const layout = head === null ? layoutOf(table) : withWords(head, table);
  const rows = (head === null ? table : table.slice(1)).flatMap((row) => timedRow(row, layout, issues));
  addTimedRows(rows, builder, issues, reading);
  return { cues: builder.finish(), issues: issues.finish() };
}

/** Whether a line is the head of a table of cues: it names a start and a text. */
export function isCueTableHead(line: string): boolean {
  return DELIMITERS.some((delimiter) => headOf(parseDelimited(line, delimiter)[0]) !== null);
}

/** Whether rows hold times and text in columns that a delimiter other than white space parts. */
export function isCueTable(text: string): boolean {
  return tableOf(text).some((row) => row.values.length > 2 && times(row).length >= 2);
}

/** Rows looked at to tell the delimiter. */
const PROBE_ROWS = 50;

function tableOf(text: string): DelimitedRow[] {
  const probe = text.split("\n", PROBE_ROWS).join("\n");
  const scored = DELIMITERS.map((delimiter) => {
    const rows = parseDelimited(probe, delimiter);
    const isHead = headOf(rows[0]) !== null;
    return { delimiter, score: (isHead ? 1000 : 0) + rows.filter((row) => times(row).length > 0).length };
  });
  const best = scored.reduce((found, one) => (one.score > found.score ? one : found));
  return parseDelimited(text, best.delimiter);
}

type Layout = ReadonlyMap<Column, number>;

function headOf(row: DelimitedRow | undefined): Layout | null {
  const found = new Map<Column, number>();
  for (const [index, value] of (row?.values ?? []).entries()) {
    const column = COLUMN_NAMES.get(value.trim().toLowerCase());
    if (column !== undefined && !found.has(column)) found.set(column, index);
  }
  const isWorded = found.has("text") || found.has("aside") || found.has("name");
  // A row of values may hold such words too, but then a time or a number beside them.
  const values = row?.values ?? [];
  const isTimed = found.has("end") && values.length > 2 && !values.some((value) => /\d/.test(value));
  return found.has("start") && (isWorded || isTimed) ? found : null;
}

/** Letters that stand together: what makes words of a value. */
const WORD = /\p{L}+/gu;

/**
 * The layout of a head with the column that holds words: of those whose name says that they are descriptions, else that they
 * are remarks, the first with anything in it; else a column of an unknown name that holds several words in a row, and more than the
 * names do.
 */
function withWords(head: Layout, table: readonly DelimitedRow[]): Layout {
  const titles = table[0]?.values ?? [];
  const sample = table.slice(1, PROBE_ROWS);
  const wordsIn = (index: number) =>
    sample.reduce((sum, { values }) => sum + (values[index]?.match(WORD)?.length ?? 0), 0);
  const columnOf = (index: number) => COLUMN_NAMES.get((titles[index] ?? "").trim().toLowerCase());
  const all = titles.map((_, index) => index);
  const filled = (index: number) => sample.filter(({ values }) => values[index]?.trim()).length;
  const holding = (column: Column) => all.find((index) => columnOf(index) === column && filled(index) > 0);
  const isProse = (index: number) => wordsIn(index) > 2 * filled(index);
  const other = all
    .filter((index) => columnOf(index) === undefined && titles[index]?.trim() !== "" && isProse(index))
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
    const timed = values.filter((value) => timeOf(value) !== null).length;
    const length = values.reduce((sum, value) => sum + value.length, 0);
    const isTime = timed * 2 > values.length && !(found.has("start") && found.has("end"));
    if (isTime) found.set(found.has("start") ? "end" : "start", index);
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
  return row.values.flatMap((value) => timeOf(value.trim()) ?? []);
}

/** A time as tables have it; an empty cell is none, nor a whole number alone, which counts rows. */
function timeOf(value: string): TimeText | null {
  return /^\d*$/.test(value)
    ? null
    : parseTimeText(value.includes(";") ? value.replaceAll(";", ":").replace(/:(\d+)$/, ";$1") : value);
}

function timedRow(row: DelimitedRow, layout: Layout, issues: IssueList): TimedRow[] {
  const cell = (column: Column) => fromText((row.values[layout.get(column) ?? -1] ?? "").trim());
  const start = timeOf(cell("start")) ?? parseTimeText(cell("start"));
  if (start === null) {
    issues.add("bad-timing", row.line, row.values.join(" "));
    return [];
  }
  const text = plainFromMarkup(cell("text")) || plainFromMarkup(cell("name"));
  const end = timeOf(cell("end")) ?? parseTimeText(cell("end")) ?? afterDuration(start, cell("duration"));
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
