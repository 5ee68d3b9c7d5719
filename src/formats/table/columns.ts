import { foldWhiteSpace } from "../plain-markup.ts";
import { type CellUnit, kindOfCell, plainTitle, timesOf, unitOf, wordsIn } from "./cells.ts";
import type { DelimitedRow } from "./delimited.ts";
import { DESCRIPTION_WORDS, DIALOGUE_WORDS, HEAD_WORDS, OTHER_LISTS } from "./head-words.ts";

/** What a column of a table of cues holds, by its head. */
type ColumnRole = keyof typeof HEAD_WORDS;

/** A column by its head. */
export interface Column {
  readonly index: number;
  /** As it stands there, on one line; empty where nothing does. */
  readonly title: string;
  readonly role: ColumnRole | null;
  /** What its numbers count, where its head says so. */
  readonly unit: CellUnit | null;
}

/** Columns that a person names, each by its letter or its head. */
export type ColumnChoice = Readonly<Partial<Record<(typeof COLUMN_NAMES)[number], string>>>;

/** What a person can name a column for. */
export const COLUMN_NAMES = ["id", "start", "end", "duration", "text"] as const;

/**
 * Columns as a person names them, each by letter or head: `start=A,duration=C,text=E`; `null` for what is no such list. Heads may
 * hold commas and equals signs.
 */
export function columnsIn(list: string): ColumnChoice | null {
  const pairs = list.split(/,(?=\s*\w+\s*=)/).map((one) => /^\s*(\w+)\s*=\s*(.*\S)\s*$/.exec(one));
  const known: readonly string[] = COLUMN_NAMES;
  if (pairs.some((pair) => pair === null || !known.includes(pair[1] ?? ""))) return null;
  return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? "", pair?.[2] ?? ""]));
}

/** Which column of a table holds what. */
export interface Layout {
  readonly start: Column | null;
  readonly end: Column | null;
  readonly duration: Column | null;
  readonly id: Column | null;
  /** Minutes and seconds of a start in columns of their own. */
  readonly parts: readonly Column[];
  /** Where each row says how its times are written, as Audition does. */
  readonly format: Column | null;
  /** The words, one column; several where a person has to choose; none where no column holds any. */
  readonly texts: readonly Column[];
  /** Read where {@link texts} has nothing in a row. */
  readonly name: Column | null;
}

// The keys are the roles.
const ROLES = Object.keys(HEAD_WORDS) as readonly ColumnRole[];

/** Of a word with two meanings the first counts. */
const ROLE_OF: ReadonlyMap<string, ColumnRole> = new Map(
  [...ROLES].reverse().flatMap((role) => HEAD_WORDS[role].split("|").map((word) => [plainTitle(word), role] as const)),
);

const DIALOGUE = new RegExp(DIALOGUE_WORDS);
const DESCRIPTION = new RegExp(DESCRIPTION_WORDS);

/** Characters of a value that may be a title: words of a cell may be as long as they like. */
export const LONGEST_TITLE = 100;

/** What stands in brackets at the end of a title: a unit, a language, a version. */
const BRACKETS = /\s*[([（［]([^()[\]（）［］]*)[)\]）］]$/;

/** What stands behind a title without brackets. */
const VERSION = / (?:v ?\d{1,3}|\d{1,3}|[a-z]{2,3}|final|new|old|neu|alt|original)$/;

/** A column by its title. */
export function columnOf(title: string, index: number): Column {
  const shown = foldWhiteSpace(title.slice(0, LONGEST_TITLE));
  const inside = BRACKETS.exec(shown.replace(/ ?:$/, ""))?.[1];
  const plain = plainTitle(inside === undefined ? shown : shown.replace(/ ?:$/, "").replace(BRACKETS, ""));
  const role = roleOf(plain);
  const stated = inside === undefined ? null : unitOf(inside);
  if (role !== null) return { index, title: shown, role, unit: stated };
  const words = plain.split(" ");
  for (const [unit, rest] of [
    [words.at(-1), words.slice(0, -1)],
    [words[0], words.slice(1)],
  ] as const) {
    const own = unitOf(unit ?? "");
    const named = own === null ? undefined : ROLE_OF.get(rest.join(" "));
    if (named === "start" || named === "end" || named === "duration")
      return { index, title: shown, role: named, unit: own };
  }
  return { index, title: shown, role: roleOf(plain.replace(VERSION, "")) === "text" ? "text" : null, unit: stated };
}

function roleOf(plain: string): ColumnRole | null {
  if (plain === "") return null;
  return ROLE_OF.get(plain) ?? (DIALOGUE.test(plain) ? "dialogue" : DESCRIPTION.test(plain) ? "text" : null);
}

/** Columns of the widest table of cues; Excel's sheets are read as far. */
const MOST_COLUMNS = 256;

/** What no title of a column holds. */
const LABEL = /\d:\d\d/;

/** The columns of a row that is the head of a table of cues: it says where they start and what is said; `null` for any other row. */
export function headColumns(row: DelimitedRow | undefined): readonly Column[] | null {
  const values = row?.values ?? [];
  if (values.length > MOST_COLUMNS) return null;
  if (values.some((value) => LABEL.test(value.slice(0, LONGEST_TITLE)))) return null;
  const columns = values.map(columnOf);
  const has = (...roles: readonly ColumnRole[]) => roles.some((role) => columns.some((column) => column.role === role));
  const isTimed = has("end") && values.length > 2 && !values.some((value) => /\d/.test(value));
  const starts = has("start") || (has("minutes") && has("seconds"));
  return starts && (isTimed || has("text", "aside", "name", "dialogue")) ? columns : null;
}

/** What a table is by titles that no list of descriptions has, where none says that it describes; `null` for any other. */
export function otherList(columns: readonly Column[]): string | null {
  if (columns.some(({ role }) => role === "text")) return null;
  const titles = new Set(columns.map(({ title }) => plainTitle(title)));
  return OTHER_LISTS.find((list) => list.titles.every((title) => titles.has(title)))?.what ?? null;
}

/** Rows looked at to tell what columns hold. */
export const PROBE_ROWS = 50;

/** What the cells of each column show, over the first rows. */
export class TableCells {
  readonly #rows: readonly DelimitedRow[];

  constructor(body: readonly DelimitedRow[]) {
    this.#rows = body.slice(0, PROBE_ROWS);
  }

  get width(): number {
    return Math.min(
      MOST_COLUMNS,
      this.#rows.reduce((most, { values }) => Math.max(most, values.length), 0),
    );
  }

  filled({ index }: Column): readonly string[] {
    return this.#rows.map(({ values }) => (values[index] ?? "").trim()).filter((value) => value !== "");
  }

  /** How many times stand in most cells of a column: 0, 1, or in and out together. */
  times(column: Column): number {
    const counts = this.filled(column).map((value) => timesOf(value).length);
    const timed = counts.filter((count) => count > 0).length;
    if (timed * 2 <= this.#rows.length) return 0;
    return counts.filter((count) => count === 2).length * 2 > timed ? 2 : 1;
  }

  /** Whether most cells of a column hold words, and not numbers, times, files or codes. */
  isWorded(column: Column): boolean {
    const values = this.filled(column);
    return values.filter((value) => wordsIn(value) > 0).length * 2 > values.length;
  }

  /** Whether they hold several words in a row. */
  isProse(column: Column): boolean {
    const values = this.filled(column);
    // What stands in every row is said of the list, and of no picture.
    if (values.length > 1 && new Set(values).size === 1) return false;
    return this.isWorded(column) && values.reduce((sum, value) => sum + wordsIn(value), 0) > 1.5 * values.length;
  }

  /** Whether there is nothing in a column but files and codes. */
  isFiles(column: Column): boolean {
    const kinds = this.filled(column).map(kindOfCell);
    return kinds.length > 0 && kinds.every((kind) => kind === "file" || kind === "code");
  }
}

/** The layout of a table by its head and its cells; without a head, by its cells alone. */
export function tableLayout(
  head: readonly Column[] | null,
  body: readonly DelimitedRow[],
  choice: ColumnChoice = {},
): Layout {
  const cells = new TableCells(body);
  const width = Math.max(cells.width, head?.length ?? 0);
  const columns = head ?? Array.from({ length: width }, (_, index) => columnOf("", index));
  const chosen = (name: keyof ColumnChoice) => chosenColumn(columns, choice[name]);
  const of = (role: ColumnRole) => columns.filter((column) => column.role === role);
  const timed = head === null ? columns.filter((column) => cells.times(column) > 0) : [];
  const starts =
    head === null ? timed : of("start").sort((a, b) => cells.times(b) - cells.times(a) || a.index - b.index);
  const start = chosen("start") ?? starts[0] ?? null;
  const isPair = start !== null && cells.times(start) === 2;
  const end =
    chosen("end") ?? (isPair ? start : head === null ? timed.find((column) => column !== start) : of("end")[0]) ?? null;
  const parts =
    start === null ? [...of("hours").slice(0, 1), ...of("minutes").slice(0, 1), ...of("seconds").slice(0, 1)] : [];
  const text = chosen("text");
  // Without a head, what numbers the rows is no word of them.
  const numbers = columns.filter(
    (column) => head === null && column.index === 0 && cells.filled(column).every(isRowName),
  );
  const texts = text === null ? textColumns(columns, cells, [start, end, ...parts, ...numbers]) : [text];
  const named = of("name").find((column) => !cells.isFiles(column)) ?? null;
  return {
    start,
    end,
    duration: chosen("duration") ?? of("duration")[0] ?? null,
    id: chosen("id") ?? (head === null ? idColumn(columns, cells, [start, ...texts]) : (of("id")[0] ?? null)),
    parts,
    format: of("detail").find(({ title }) => plainTitle(title) === "time format") ?? null,
    texts,
    name: text === null && texts.length === 1 ? named : null,
  };
}

/** The column that a person named: by its head, else by its letter. */
export function chosenColumn(columns: readonly Column[], name: string | undefined): Column | null {
  if (name === undefined) return null;
  const titled = columns.find(({ title }) => isTitled(title, name));
  return titled ?? columns.find(({ index }) => columnLetter(index) === name.trim().toUpperCase()) ?? null;
}

/** Whether a title is the one that a person named. */
export function isTitled(title: string, name: string): boolean {
  return title !== "" && plainTitle(title) === plainTitle(name);
}

/** The letter of a column as spreadsheets have it: `A`, `Z`, `AA`. */
export function columnLetter(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : columnLetter(Math.floor(index / 26) - 1) + last;
}

/** The columns that may hold the words: one where head and cells tell it. */
function textColumns(
  columns: readonly Column[],
  cells: TableCells,
  taken: readonly (Column | null)[],
): readonly Column[] {
  const free = columns.filter((column) => !taken.includes(column) && cells.filled(column).length > 0);
  const of = (role: ColumnRole | null) => free.filter((column) => column.role === role);
  const [described] = of("text");
  if (described !== undefined) return [described];
  const unknown = of(null).filter((column) => cells.isWorded(column));
  const prose = unknown.filter((column) => cells.isProse(column));
  const remarks = of("aside").filter((column) => cells.isWorded(column));
  // A name that nobody knows may say that it is the description, beside remarks and names.
  if (prose.length > 0) return [...prose, ...remarks.filter((column) => cells.isProse(column))];
  if (remarks.length > 0) return remarks.slice(0, 1);
  const names = of("name").filter((column) => !cells.isFiles(column));
  return names.length > 0 ? names.slice(0, 1) : unknown;
}

const ID = /^[\w.-]{1,64}$/;

function isRowName(value: string): boolean {
  return ID.test(value) && /\d/.test(value);
}

function idColumn(columns: readonly Column[], cells: TableCells, taken: readonly (Column | null)[]): Column | null {
  const [first] = columns;
  if (first === undefined || taken.includes(first)) return null;
  return ID.test(cells.filled(first)[0] ?? "") ? first : null;
}
