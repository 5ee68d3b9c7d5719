import type { Cue } from "../core/cue.ts";
import type { TimeRange } from "../core/time-range.ts";
import { formatClockTime, millisecondsFrom, parseClockTime } from "./clock-time.ts";
import type { CueDocument } from "./cue-list.ts";
import type { Format } from "./format.ts";
import type { FilmReading } from "./gate/film-reading.ts";
import { TextRows } from "./gate/text-rows.ts";
import { foldWhiteSpace, fromSpareReferences, withSpareReferences } from "./plain-markup.ts";
import { linesOf } from "./text-lines.ts";

const LIKE_TIMES = /^\s*\d+:\d.*,\s*\d+:\d/;

/** What SubViewer has and YouTube's SBV does not: headers in square brackets, times in hundredths. */
const SUBVIEWER =
  /^\s*\[(?:INFORMATION|SUBTITLE|TITLE|COLF)\]|(?:^|\n)\d{1,2}:\d\d:\d\d\.\d\d,\d{1,2}:\d\d:\d\d\.\d\d[ \t]*\r?(?:\n|$)/;

/**
 * Reads YouTube's SBV and SubViewer: `in,out` on a line, the text below it up to a blank line; of SubViewer, `[br]` for a line
 * break and headers in square brackets. Accepts any text.
 */
export function parseSbv(text: string, film: FilmReading = {}): CueDocument {
  const rows = new TextRows(film);
  let times: { start: number; end: number; line: number } | null = null;
  let words: string[] = [];
  let isStray = false;
  const isSubViewer = SUBVIEWER.test(text);
  const finish = () => {
    const said = words.join("\n");
    const plain = foldWhiteSpace(fromSpareReferences(isSubViewer ? said.replaceAll("[br]", " ") : said));
    if (times !== null) rows.add("", times.start, times.end, plain, times.line);
    times = null;
    words = [];
  };
  for (const [index, line] of linesOf(text).entries()) {
    const timing = parseTiming(line);
    if (timing !== null) {
      finish();
      times = { ...timing, line: index + 1 };
    } else if (line.trim() === "") {
      if (words.length > 0) finish();
      isStray = false;
    } else if (LIKE_TIMES.test(line)) {
      finish();
      rows.issues.add("bad-timing", index + 1, line);
      isStray = true;
    } else if (times !== null) words.push(line);
    else if (!isStray && !/^\s*\[/.test(line)) {
      rows.issues.add("missing-timing", index + 1, line);
      isStray = true;
    }
  }
  finish();
  return rows.document();
}

function parseTiming(line: string): TimeRange | null {
  const comma = line.indexOf(",");
  if (comma === -1) return null;
  const start = parseClockTime(line.slice(0, comma));
  const end = start === null ? null : parseClockTime(line.slice(comma + 1));
  return start === null || end === null ? null : { start, end };
}

/** Writes cues as SBV, times rounded to the millisecond, each cue at least one millisecond long. */
export function writeSbv(cues: readonly Cue[]): string {
  const blocks = cues.map((cue) => {
    const end = Math.max(millisecondsFrom(cue.end), millisecondsFrom(cue.start) + 1) / 1000;
    const times = `${formatClockTime(cue.start, { hourDigits: 1 })},${formatClockTime(end, { hourDigits: 1 })}`;
    return `${times}\n${sbvText(cue.text)}\n`;
  });
  return blocks.join("\n");
}

/** Words on one line as they are; references only where a reader would take them for times. */
function sbvText(text: string): string {
  const line = withSpareReferences(foldWhiteSpace(text));
  return parseTiming(line) !== null || LIKE_TIMES.test(line) ? line.replaceAll(":", "&#58;") : line;
}

const SBV_LINE = /^\d{1,3}:\d\d:\d\d\.\d{1,3},\d{1,3}:\d\d:\d\d\.\d{1,3}\s*$/;

/** SBV and SubViewer. Their times may be words of a cue that stands below an arrow, so between equals the arrow counts. */
export const SBV = {
  title: "SBV and SubViewer",
  endings: ["sbv", "sub"],
  shows: ({ lines }) => (lines.some((line) => SBV_LINE.test(line)) ? 0.95 : 0),
  read: parseSbv,
  write: ({ cues }) => writeSbv(cues),
  lacks: { ids: true, language: true },
} as const satisfies Format;
