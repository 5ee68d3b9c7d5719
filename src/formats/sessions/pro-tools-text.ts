import { frameRate, framesPerSecond } from "../../core/frame-rate.ts";
import { parseRateName, type TimecodeFormat } from "../../core/timecode.ts";
import { isWording } from "../cmx3600/edl-comment.ts";
import type { CueDocument } from "../cue-list.ts";
import type { Format } from "../format.ts";
import type { FilmReading, TextRow } from "../gate/film-reading.ts";
import { LabelClock } from "../gate/label-clock.ts";
import { TextRows } from "../gate/text-rows.ts";
import { IssueList } from "../parse-issue.ts";
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
  const issues = new IssueList();
  const session = new SessionReader(text);
  const times = new SessionTimes(session, issues);
  const rows = new TextRows(issues, reading);
  rows.clock = {
    counts: "frames",
    format: session.format,
    stated: { count: times.begin, from: "the session's start", hasLeader: true },
  };
  const markers = times.rowsOf(session.markers, "LOCATION", "", ({ values }) => {
    return spoken(values.get("COMMENTS")) || spoken(values.get("NAME"));
  });
  const isHeard = ({ values }: SessionRow) => !/^muted$/i.test(values.get("STATE") ?? "");
  const worded = session.clips.filter(({ values }) => isWording(spoken(values.get("CLIP NAME"))));
  const isFromClips = !markers.some((row) => isWording(row.text)) && worded.length > 0;
  const clips = isFromClips ? worded.filter(isHeard) : [];
  const named = times.rowsOf(clips, "START TIME", "END TIME", ({ values }) => spoken(values.get("CLIP NAME")));
  if (named[0] !== undefined) issues.add("text-from-clip-name", named[0].line, named[0].text);
  if (isFromClips) rows.leaveOut("muted clip", worded.length - clips.length);
  if (times.wholeSeconds > 0) issues.add("whole-seconds", 0, "", "export the text with Timecode or Samples");
  for (const row of (isFromClips ? named : markers).sort((a, b) => a.start - b.start)) {
    rows.add("", row.start, row.end, row.text, row.line);
  }
  return rows.document();
}

/** Tags of spotting programs: `{Actor=Basil Rathbone}`, `$QN=GY106`, `[ADR]`. */
const TAGS = /\{[^{}]{0,200}\}|\$\w{1,20}=\S{0,60}|\[\w{1,20}\]/g;

/** The words of a name or a comment, without tags. */
function spoken(text = ""): string {
  return foldWhiteSpace(text.replace(TAGS, " "));
}

/** Reads the times of a session's tables as frames of its timecode. */
class SessionTimes {
  /** Frame of the label of the session's start. */
  readonly begin: number;
  /** Times that were given in whole seconds alone. */
  wholeSeconds = 0;
  readonly #labels: LabelClock;
  readonly #issues: IssueList;
  readonly #framesPerSecond: number;
  readonly #samples: number;

  constructor({ format, head }: SessionReader, issues: IssueList) {
    this.#issues = issues;
    const { isDropFrame } = format;
    this.#labels = new LabelClock({ grid: { ...format, startFrame: 0 } }, { highestFrame: 0, isDropFrame }, issues);
    this.#framesPerSecond = framesPerSecond(format.rate);
    this.#samples = Number(head.get("SAMPLE RATE")) || 48_000;
    this.begin = this.#label(head.get("SESSION START TIMECODE") ?? "", 0) ?? 0;
  }

  /** Rows of a table with their times in the named columns; `end` is empty where a table has none. */
  rowsOf(table: readonly SessionRow[], start: string, end: string, wordsOf: (row: SessionRow) => string): TextRow[] {
    return table.flatMap((row): TextRow[] => {
      const text = wordsOf(row);
      const at = this.#frameOf(row.values.get(start) ?? "", row);
      if (at === null) this.#issues.add("bad-timing", row.line, `${row.values.get(start) ?? ""} ${text}`.trim());
      const stop = end === "" ? null : this.#frameOf(row.values.get(end) ?? "", row);
      return at === null || text === "" ? [] : [{ id: "", start: at, end: stop, text, line: row.line }];
    });
  }

  /** A label as a frame, with its hundredths of one where they are shown; `null` for what is none. */
  #label(text: string, line: number): number | null {
    const [, label, hundredths = "0"] = /^(\d{1,3}[:;]\d\d[:;]\d\d[:;]\d\d)(?:\.(\d\d))?/.exec(text.trim()) ?? [];
    const frame = label === undefined ? null : this.#labels.frame(label, this.#labels.grid, line);
    return frame === null ? null : frame + Number(hundredths) / 100;
  }

  /** A time as a frame, in parts of one where it is finer; `null` for bars, feet and what is none. */
  #frameOf(text: string, { values, line }: SessionRow): number | null {
    const time = text.trim();
    const label = this.#label(time, line);
    if (label !== null) return label;
    const fromStart = (seconds: number) => this.begin + seconds * this.#framesPerSecond;
    const clock = /^(\d{1,4}):(\d\d)(\.\d{1,6})?$/.exec(time);
    // Markers carry their place in samples too, which are exact where minutes and seconds are cut off.
    const isSamples = /^samples$/i.test((values.get("UNITS") ?? "Samples").trim());
    const reference = /^\d+$/.test(time) ? time : isSamples ? (values.get("TIME REFERENCE") ?? "").trim() : "";
    if (/^\d{1,15}$/.test(reference)) return fromStart(Number(reference) / this.#samples);
    if (clock === null) return null;
    if (clock[3] === undefined) this.wholeSeconds += 1;
    return fromStart(Number(clock[1]) * 60 + Number(`${clock[2]}${clock[3] ?? ""}`));
  }
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
