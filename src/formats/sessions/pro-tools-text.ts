import { frameRate } from "../../core/frame-rate.ts";
import { parseRateName, type TimecodeFormat } from "../../core/timecode.ts";
import { type LabelTime, labelTime, type TimeText } from "../clock-time.ts";
import type { CueDocument } from "../cue-list.ts";
import type { Format } from "../format.ts";
import type { FilmReading } from "../gate/film-reading.ts";
import { TextRows } from "../gate/text-rows.ts";
import { addTimedRows, type TimedRow } from "../gate/timed-rows.ts";
import { wordedRows } from "../gate/wording.ts";
import { foldWhiteSpace } from "../plain-markup.ts";
import { linesOf } from "../text-lines.ts";

/** Whether a text begins as Pro Tools exports a session's information. */
function isProToolsText(text: string): boolean {
  return /^\s*SESSION NAME:\t[^\n]*\n\s*SAMPLE RATE:/.test(text.slice(0, 2000).replaceAll("\r", ""));
}

/** A row of a table in the session: its values by the names of the columns. */
interface SessionRow {
  readonly values: ReadonlyMap<string, string>;
  readonly line: number;
}

/**
 * Reads the text that Pro Tools exports of a session. A cue is a marker: its comment, else its name. Where no marker holds words,
 * the names of clips count that do, which is reported. Times stand in timecode, in samples or in minutes and seconds; bars and
 * feet are refused, as the session does not say their length. Accepts any text.
 */
function parseProToolsText(text: string, reading: FilmReading = {}): CueDocument {
  const rows = new TextRows(reading);
  const session = new SessionReader(text);
  const { format, samplesPerSecond } = session;
  const rowOf = (row: SessionRow, start: string, end: string, words: string): TimedRow => {
    const time = (column: string) => timeIn(row.values.get(column) ?? "", row, samplesPerSecond);
    const shown = `${row.values.get(start) ?? ""} ${words}`.trim();
    return { id: "", start: time(start), end: end === "" ? null : time(end), text: words, shown, line: row.line };
  };
  const markers = session.markers.map((row) => {
    const words = spoken(row.values.get("COMMENTS")) || spoken(row.values.get("NAME"));
    return rowOf(row, "LOCATION", "", words);
  });
  const clips = session.clips.map((row) => ({
    ...rowOf(row, "START TIME", "END TIME", spoken(row.values.get("CLIP NAME"))),
    ...(/^muted$/i.test(row.values.get("STATE") ?? "") ? { hidden: "muted clip" } : {}),
  }));
  const words = wordedRows(
    [
      { holds: "words, or names alone", rows: () => markers },
      { holds: "words among names", areClipNames: true, rows: () => clips },
      { holds: "words", rows: () => markers },
    ],
    rows,
  );
  if (words.some(({ start, end }) => isCutOff(start) || isCutOff(end)))
    rows.issues.add("whole-seconds", 0, "", "export the text with Timecode or Samples");
  const start = labelIn(session.head.get("SESSION START TIMECODE") ?? "") ?? labelTime("00:00:00:00");
  addTimedRows(words, rows, {
    format,
    start: { label: start, from: "the session's start", hasLeader: true },
    isByTrack: true,
  });
  return rows.document();
}

/** Tags of spotting programs: `{Actor=Basil Rathbone}`, `$QN=GY106`, `[ADR]`. */
const TAGS = /\{[^{}]{0,200}\}|\$\w{1,20}=\S{0,60}|\[\w{1,20}\]/g;

/** The words of a name or a comment, without tags. */
function spoken(text = ""): string {
  return foldWhiteSpace(text.replace(TAGS, " "));
}

/** A label, with its hundredths of a frame where they are shown; `null` for what is none. */
function labelIn(text: string): LabelTime | null {
  const [, label, hundredths = "0"] = /^(\d{1,3}[:;]\d\d[:;]\d\d[:;]\d\d)(?:\.(\d\d))?/.exec(text.trim()) ?? [];
  return label === undefined ? null : { ...labelTime(label), further: Number(hundredths) / 100 };
}

/** A time of a row; `null` for bars, feet and what is none. */
function timeIn(text: string, { values }: SessionRow, samplesPerSecond: number): TimeText | null {
  const time = text.trim();
  const label = labelIn(time);
  if (label !== null) return label;
  // Markers carry their place in samples too, which are exact where minutes and seconds are cut off.
  const isSamples = /^samples$/i.test((values.get("UNITS") ?? "Samples").trim());
  const reference = /^\d+$/.test(time) ? time : isSamples ? (values.get("TIME REFERENCE") ?? "").trim() : "";
  if (/^\d{1,15}$/.test(reference)) return { kind: "elapsed", seconds: Number(reference) / samplesPerSecond };
  const [, minutes, seconds, parts] = /^(\d{1,4}):(\d\d)(\.\d{1,6})?$/.exec(time) ?? [];
  if (minutes === undefined) return null;
  const elapsed = Number(minutes) * 60 + Number(`${seconds}${parts ?? ""}`);
  return { kind: "elapsed", seconds: elapsed, ...(parts === undefined ? { isCutOff: true } : {}) };
}

function isCutOff(time: TimeText | null): boolean {
  return time?.kind === "elapsed" && time.isCutOff === true;
}

/** Takes the text of a session apart: its head, its markers, its clips. */
class SessionReader {
  readonly head = new Map<string, string>();
  readonly markers: SessionRow[] = [];
  readonly clips: SessionRow[] = [];

  constructor(text: string) {
    let columns: readonly string[] = [];
    let rows: SessionRow[] | null = null;
    for (const [index, line] of linesOf(text).entries()) {
      const cells = line.split("\t").map((cell) => cell.trim());
      const [first = "", second = ""] = cells;
      if (/^#$/.test(first) && cells.includes("LOCATION")) [columns, rows] = [cells, this.markers];
      else if (first === "CHANNEL" && cells.includes("CLIP NAME")) [columns, rows] = [cells, this.clips];
      else if (/^(?:[A-Z] ){3,}/.test(line) || first === "TRACK NAME:") rows = null;
      else if (rows === null && first.endsWith(":")) this.#take(first.slice(0, -1), second);
      else if (rows !== null && line.trim() !== "") this.#row(rows, columns, cells, index + 1);
    }
  }

  /** How the session's timecode counts: `29.97 Drop Frame`. */
  get format(): TimecodeFormat {
    const [rate = "", ...words] = (this.head.get("TIMECODE FORMAT") ?? "").split(" ");
    const isDropFrame = words.includes("Drop");
    return parseRateName(isDropFrame ? `${rate}df` : rate) ?? { rate: frameRate(25), isDropFrame: false };
  }

  get samplesPerSecond(): number {
    return Number(this.head.get("SAMPLE RATE")) || 48_000;
  }

  #take(name: string, value: string): void {
    if (!this.head.has(name)) this.head.set(name, value);
  }

  #row(rows: SessionRow[], columns: readonly string[], cells: readonly string[], line: number): void {
    if (/^\d+$/.test(cells[0] ?? "") && cells.length > 2) {
      rows.push({ values: new Map(columns.map((column, at) => [column, cells[at] ?? ""])), line });
      return;
    }
    // A line break inside a name or a comment: what follows belongs to the row above.
    const last = rows.pop();
    if (last === undefined) return;
    const [name = "", comment = ""] = cells.length > 1 ? [cells[0], cells.at(-1)] : ["", cells[0]];
    const joined = (column: string, more: string) => `${last.values.get(column) ?? ""} ${more}`.trim();
    const isOfName = cells.length > 1 || (last.values.get("COMMENTS") ?? "") === "";
    const values = new Map(last.values);
    if (cells.length > 1) {
      values.set("NAME", joined("NAME", name));
      values.set("COMMENTS", joined("COMMENTS", comment));
    } else values.set(isOfName ? "NAME" : "COMMENTS", joined(isOfName ? "NAME" : "COMMENTS", comment));
    rows.push({ values, line: last.line });
  }
}

/** Session text of Pro Tools. */
export const PRO_TOOLS = {
  title: "Session text of Pro Tools",
  endings: [],
  shows: ({ text }) => (isProToolsText(text) ? 1 : 0),
  read: parseProToolsText,
} as const satisfies Format;
