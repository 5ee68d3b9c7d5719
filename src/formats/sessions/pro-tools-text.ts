import { frameRate, framesPerSecond } from "../../core/frame-rate.ts";
import { parseRateName, type TimecodeFormat } from "../../core/timecode.ts";
import { isWording } from "../cmx3600/edl-comment.ts";
import { type CueDocument, CueListBuilder } from "../cue-list.ts";
import type { Format } from "../format.ts";
import { LabelClock, type LabelReading, onOwnGrid } from "../label-clock.ts";
import { IssueList } from "../parse-issue.ts";
import { foldWhiteSpace } from "../plain-markup.ts";
import { linesOf } from "../text-lines.ts";
import { addFrameRows, type FrameRow } from "../timed-rows.ts";

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
function parseProToolsText(text: string, reading: LabelReading = {}): CueDocument {
  const issues = new IssueList();
  const builder = new CueListBuilder(issues);
  const session = new SessionReader(text);
  const own = session.format;
  const onOwn = onOwnGrid(reading, own, null);
  const clock = new LabelClock(onOwn, { highestFrame: 0, isDropFrame: own.isDropFrame }, issues);
  const begin = clock.frame(session.head.get("SESSION START TIMECODE") ?? "", own, 0) ?? 0;
  const samples = Number(session.head.get("SAMPLE RATE")) || 48_000;
  const frames = { perSecond: framesPerSecond(own.rate), begin, samples };
  const rowsOf = (rows: readonly SessionRow[], start: string, end: string, wordsOf: (row: SessionRow) => string) =>
    rows.flatMap((row): FrameRow[] => {
      const words = wordsOf(row);
      const at = frameOf(row.values.get(start) ?? "", row, clock, frames);
      if (at === null) issues.add("bad-timing", row.line, `${row.values.get(start) ?? ""} ${words}`.trim());
      const stop = end === "" ? null : frameOf(row.values.get(end) ?? "", row, clock, frames);
      return at === null || words === "" ? [] : [{ start: at, end: stop, text: words, line: row.line }];
    });
  const markers = rowsOf(
    session.markers,
    "LOCATION",
    "",
    ({ values }) => spoken(values.get("COMMENTS")) || spoken(values.get("NAME")),
  );
  const clips = session.clips.filter(({ values }) => isWording(spoken(values.get("CLIP NAME"))));
  const isFromClips = !markers.some((row) => isWording(row.text)) && clips.length > 0;
  const named = isFromClips
    ? rowsOf(clips, "START TIME", "END TIME", ({ values }) => spoken(values.get("CLIP NAME")))
    : [];
  if (named[0] !== undefined) issues.add("text-from-clip-name", named[0].line, named[0].text);
  const rows = isFromClips ? named : markers;
  addFrameRows(
    [...rows].sort((a, b) => a.start - b.start),
    clock,
    builder,
    onOwn,
  );
  return { cues: builder.finish(), issues: issues.finish() };
}

/** Tags of spotting programs: `{Actor=Basil Rathbone}`, `$QN=GY106`, `[ADR]`. */
const TAGS = /\{[^{}]{0,200}\}|\$\w{1,20}=\S{0,60}|\[\w{1,20}\]/g;

/** The words of a name or a comment, without tags. */
function spoken(text = ""): string {
  return foldWhiteSpace(text.replace(TAGS, " "));
}

/** A time of a table as a frame of the session's timecode; `null` for bars, feet and what is none. */
function frameOf(
  text: string,
  { values, line }: SessionRow,
  clock: LabelClock,
  session: { readonly perSecond: number; readonly begin: number; readonly samples: number },
): number | null {
  const time = text.trim();
  const label = /^\d{1,3}[:;]\d\d[:;]\d\d[:;]\d\d/.exec(time)?.[0];
  if (label !== undefined) return clock.frame(label, clock.grid, line);
  const fromStart = (seconds: number) => session.begin + Math.round(seconds * session.perSecond);
  const clockTime = /^(\d{1,4}):(\d\d(?:\.\d{1,6})?)$/.exec(time);
  if (clockTime !== null) return fromStart(Number(clockTime[1]) * 60 + Number(clockTime[2]));
  const isSamples = /^samples$/i.test((values.get("UNITS") ?? "Samples").trim());
  const reference = /^\d+$/.test(time) ? time : isSamples ? (values.get("TIME REFERENCE") ?? "").trim() : "";
  return /^\d{1,15}$/.test(reference) ? fromStart(Number(reference) / session.samples) : null;
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
