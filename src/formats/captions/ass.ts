import { parseClockTime } from "../clock-time.ts";
import type { CueDocument } from "../cue-list.ts";
import type { Format } from "../format.ts";
import type { FilmReading } from "../gate/film-reading.ts";
import { TextRows } from "../gate/text-rows.ts";
import { foldWhiteSpace } from "../plain-markup.ts";
import { linesOf } from "../text-lines.ts";

/** Columns of an event where the file does not say them (SubStation Alpha 4). */
const USUAL_COLUMNS = "Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text";

/** Whether a text begins as SubStation Alpha does: with a section, perhaps behind remarks. */
export function isAss(text: string): boolean {
  return /^(?:[;!][^\n]*\n|\s)*\[(?:Script Info|V4\+? Styles|Events)\]/i.test(text.slice(0, 2000));
}

/**
 * Reads the dialogue lines of SubStation Alpha and Advanced SubStation Alpha, by the columns that the file names. Drawings and
 * lines that are switched off as comments are left out and counted. Accepts any text.
 */
export function parseAss(text: string, film: FilmReading = {}): CueDocument {
  const rows = new TextRows(film);
  let section = "";
  let columns = columnsOf(USUAL_COLUMNS);
  let comments = 0;
  for (const [index, line] of linesOf(text).entries()) {
    const heading = /^\s*\[([^\]]*)\]/.exec(line)?.[1];
    if (heading !== undefined) section = heading.trim().toLowerCase();
    if (section !== "events") continue;
    const [, key = "", rest = ""] = /^\s*(Format|Dialogue|Comment)\s*:(.*)$/i.exec(line) ?? [];
    if (/^format$/i.test(key)) columns = columnsOf(rest);
    else if (/^comment$/i.test(key)) comments += 1;
    else if (key !== "") addDialogue(rest, columns, rows, index + 1);
  }
  if (comments > 0) rows.issues.add("unknown-object", 0, "", `${comments} lines that are switched off as comments`);
  rows.leaveOut("comment", comments);
  return rows.document();
}

function columnsOf(format: string): string[] {
  return format.split(",").map((name) => name.trim().toLowerCase());
}

function addDialogue(rest: string, columns: readonly string[], rows: TextRows, line: number): void {
  // The text is the last column and may hold commas.
  const values = rest.split(",");
  const value = (name: string) => {
    const at = columns.indexOf(name);
    return at === columns.length - 1 ? values.slice(at).join(",") : (values[at] ?? "");
  };
  const [start, end] = [parseClockTime(value("start").trim()), parseClockTime(value("end").trim())];
  const words = assText(value("text"));
  if (start === null) rows.issues.add("bad-timing", line, words);
  else rows.add("", start, end, words, line);
}

/** What is spoken of a text: without drawings, tags in braces, and with blanks for its line breaks. */
export function assText(text: string): string {
  let isDrawing = false;
  let words = "";
  for (let at = 0; at < text.length; ) {
    const open = text.indexOf("{", at);
    const close = open === -1 ? -1 : text.indexOf("}", open);
    const until = close === -1 ? text.length : open;
    if (!isDrawing) words += text.slice(at, until);
    if (close === -1) break;
    const scale = /\\p(\d{1,4})/.exec(text.slice(open, close))?.[1];
    if (scale !== undefined) isDrawing = Number(scale) > 0;
    at = close + 1;
  }
  return foldWhiteSpace(words.replace(/\\[Nnh]/g, " "));
}

/** Advanced SubStation Alpha, and its forerunner. */
export const ASS = {
  title: "Advanced SubStation Alpha",
  endings: ["ass", "ssa"],
  shows: ({ text }) => (isAss(text) ? 1 : 0),
  read: parseAss,
} as const satisfies Format;
