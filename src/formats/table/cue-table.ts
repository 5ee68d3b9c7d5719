import type { Cue } from "../../core/cue.ts";
import { framesFromSeconds } from "../../core/frame-rate.ts";
import type { FrameGrid } from "../../core/settings.ts";
import { formatTimecode } from "../../core/timecode.ts";
import type { Verdict } from "../../core/verdict.ts";
import { formatMilliseconds, millisecondsFrom, type TimeText } from "../clock-time.ts";
import type { CueDocument } from "../cue-list.ts";
import type { Format } from "../format.ts";
import type { FilmReading } from "../gate/film-reading.ts";
import { TextRows } from "../gate/text-rows.ts";
import { addTimedRows, type TimedRow } from "../gate/timed-rows.ts";
import { foldWhiteSpace } from "../plain-markup.ts";
import { normalizeLineEnds } from "../text-lines.ts";
import type { DocumentExtra } from "../timeline-document.ts";
import { cellTime, kindOfCell, type NoWords, statedRate, timesOf } from "./cells.ts";
import {
  type Column,
  type ColumnChoice,
  chosenColumn,
  columnLetter,
  columnOf,
  type Layout,
  otherList,
  TableCells,
  tableLayout,
} from "./columns.ts";
import { asText, type DelimitedRow, fromText, writeDelimited } from "./delimited.ts";
import { partsOf, shownRow, type TableParts, tableOf, tableShown } from "./table-text.ts";

/** How a table is read. */
export interface TableReading extends FilmReading {
  /** The columns that a person chose; all others are told by their heads and cells. */
  readonly columns?: ColumnChoice;
}

/**
 * Reads a table of cues: Premiere's marker list, what spreadsheets write, tables without a head. The delimiter is the one
 * that parts the rows most evenly. Which column holds what is told by heads and cells together; where several may hold the
 * descriptions, none is read before somebody chooses. Accepts any text.
 */
export function parseCueTable(text: string, reading: TableReading = {}): CueDocument {
  const table = partsOf(tableOf(normalizeLineEnds(text)), reading.columns);
  const layout = tableLayout(table.head, table.body, reading.columns);
  const rows = new TextRows(reading);
  const refusal = whyNoCues(table, layout, reading);
  const [words, ...others] = layout.texts;
  if (refusal !== null) rows.refuse(refusal.why, refusal.mend);
  else if (others.length > 0) {
    const columns = layout.texts.map((column) => {
      const inColumn = new TextRows(reading);
      addRows({ ...table, title: [] }, { ...layout, texts: [column] }, inColumn);
      return { label: nameOf(column), choice: { column: columnLetter(column.index) }, rows: inColumn };
    });
    rows.ask("Which column holds the descriptions?", columns);
  } else {
    addRows(table, layout, rows);
    if (words !== undefined) rows.countAs({ where: `from ${nameOf(words)}`, isColumn: true });
    for (const { what, cells } of columnsLeftOut(table, layout)) rows.leaveOut(what, cells.length, cells);
  }
  return rows.document();
}

function nameOf({ title, index }: Column): string {
  return title === "" ? `column ${columnLetter(index)}` : `the column "${title}"`;
}

/** Why a table holds no cue that can be read, where its columns say so; `null` where they do not. */
function whyNoCues(
  { head, body }: TableParts,
  layout: Layout,
  { grid, columns = {} }: TableReading,
): Pick<Extract<Verdict, { readonly kind: "does not fit" }>, "why" | "mend"> | null {
  const cells = new TableCells(body);
  const all = head ?? Array.from({ length: cells.width }, (_, index) => columnOf("", index));
  const missing = Object.values(columns).find((name) => chosenColumn(all, name) === null);
  if (missing !== undefined)
    return { why: `it has no column "${missing}": ${all.map(nameOf).join(", ")}`, mend: "column" };
  const other = columns.text === undefined ? otherList(all) : null;
  if (other !== null) return { why: `it is ${other}; if it holds descriptions, say in which column`, mend: "column" };
  if (grid === undefined && [layout.start, layout.end].some((column) => column?.unit === "frames"))
    return { why: "its times are frames, and nothing says of which rate", mend: "rate" };
  if (layout.texts.length > 0 || layout.name !== null || body.length === 0) return null;
  const holds = (kind: NoWords) => (column: Column) => cells.filled(column).some((value) => kindOfCell(value) === kind);
  const what = all.some(({ role }) => role === "dialogue")
    ? "dialogue and no descriptions"
    : all.some(holds("file"))
      ? "names of files and no words"
      : all.some(holds("code"))
        ? "names of shots and no words"
        : "no column of words";
  const shown = all.filter((column) => cells.filled(column).length > 0).map(nameOf);
  return shown.length === 0
    ? null
    : {
        why: `it holds ${what} (${shown.join(", ")}): export the descriptions too, or say in which column they are`,
        mend: "column",
      };
}

function addRows({ title, body }: TableParts, layout: Layout, rows: TextRows): void {
  for (const row of title) rows.issues.add("bad-timing", row.line, shownRow(row));
  addTimedRows(
    body.map((row) => timedRow(row, layout, rows.film.grid)),
    rows,
  );
}

/** What a table says beside its cues, by column: dialogue, notes, other wordings. A cue has no place for it. */
function columnsLeftOut(
  { head, body }: TableParts,
  { texts, parts }: Layout,
): { readonly what: string; readonly cells: readonly string[] }[] {
  return (head ?? []).flatMap((column) => {
    const { index, title, role } = column;
    const isSaid = role === null || ["aside", "dialogue", "direction", "seconds", "minutes", "text"].includes(role);
    if (title === "" || !isSaid || texts.includes(column) || parts.includes(column)) return [];
    const cells = body.map(({ values }) => values[index] ?? "").filter((cell) => cell.trim() !== "");
    const what = role === "dialogue" ? "cell of dialogue" : `cell of ${nameOf(column)}`;
    return cells.length === 0 ? [] : [{ what, cells }];
  });
}

/** What a table says for its readers, by column: notes, dialogue before, speed. A cue has no place for it. */
export function tableExtras(text: string, { columns }: TableReading = {}): DocumentExtra[] {
  const table = partsOf(tableOf(normalizeLineEnds(text)), columns);
  return columnsLeftOut(table, tableLayout(table.head, table.body, columns)).map(({ what, cells }) => ({
    name: what.replace(/^cell/, "cells"),
    count: cells.length,
  }));
}

/** Samples a second where a list counts them and does not say how many. */
const ASSUMED_SAMPLES = 48_000;

function timedRow(row: DelimitedRow, layout: Layout, grid: FrameGrid | undefined): TimedRow {
  const cell = (column: Column | null | undefined) => fromText((row.values[column?.index ?? -1] ?? "").trim());
  const format = cell(layout.format);
  const ownRate = /samples/i.test(format) ? ASSUMED_SAMPLES : statedRate(format);
  const time = (column: Column | null) => cellTime(cell(column), { unit: column?.unit ?? null, grid, ownRate });
  const [first, second] = timesOf(cell(layout.start));
  const start =
    layout.parts.length > 0
      ? timeOfParts(layout.parts.map((column) => [column, cell(column)]))
      : second === undefined
        ? time(layout.start)
        : (first ?? null);
  const text = foldWhiteSpace(cell(layout.texts[0])) || foldWhiteSpace(cell(layout.name));
  const end = second ?? (layout.end === layout.start ? null : time(layout.end));
  const duration = end === null ? time(layout.duration) : null;
  const id = foldWhiteSpace(cell(layout.id));
  return { id, start, end, duration, text, shown: shownRow(row), line: row.line };
}

/** A start whose hours, minutes and seconds stand in cells of their own; `null` where one of them is no number. */
function timeOfParts(parts: readonly (readonly [Column, string])[]): TimeText | null {
  const weights = { hours: 3600, minutes: 60 } as const;
  let seconds = 0;
  for (const [{ role }, value] of parts) {
    if (!/^\d{1,4}(?:[.,]\d{1,9})?$/.test(value)) return null;
    seconds += Number(value.replace(",", ".")) * (role === "hours" || role === "minutes" ? weights[role] : 1);
  }
  return { kind: "clock", seconds };
}

/** Writes cues as a table for spreadsheets: `id,start,end,text`, times as `HH:MM:SS.mmm`. */
export function writeCsv(cues: readonly Cue[]): string {
  const rows = cues.map((cue) => {
    const start = millisecondsFrom(cue.start);
    const end = Math.max(start + 1, millisecondsFrom(cue.end));
    return [asText(cue.id), formatMilliseconds(start), formatMilliseconds(end), asText(foldWhiteSpace(cue.text))];
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
    return [asText(foldWhiteSpace(cue.id)), asText(foldWhiteSpace(cue.text)), ...place, "Comment"];
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
  details: (text, reading) => ({ extras: tableExtras(text, reading) }),
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
  details: (text, reading) => ({ extras: tableExtras(text, reading) }),
  write: ({ cues }, grid) => (grid === undefined ? "" : writeMarkerList(cues, grid)),
  countsFrames: "always",
  lacks: TABLE_LACKS,
} as const satisfies Format;
