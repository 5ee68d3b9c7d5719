import { type CueDocument, CueListBuilder } from "./cue-list.ts";
import { IssueList } from "./parse-issue.ts";
import { foldWhiteSpace } from "./plain-markup.ts";
import { linesOf } from "./text-lines.ts";

const VALUE = /^\s*(xmin|xmax|text|mark|number|time|class)\s*=\s*(.*)$/;

/**
 * Reads the long text form of a Praat TextGrid: intervals of every interval tier, points of every point tier. Intervals
 * without text are silence and left out. Accepts any text.
 */
export function parseTextGrid(text: string): CueDocument {
  const issues = new IssueList();
  const builder = new CueListBuilder(issues);
  let start: number | null = null;
  let end: number | null = null;
  for (const [index, line] of linesOf(text).entries()) {
    const [, name = "", value = ""] = VALUE.exec(line) ?? [];
    if (name === "xmin" || name === "number" || name === "time") {
      start = numberOf(value);
      end = null;
    } else if (name === "xmax") end = numberOf(value);
    else if (name === "text" || name === "mark") {
      const words = foldWhiteSpace(unquoted(value));
      if (start === null) issues.add("bad-timing", index + 1, line);
      else if (words !== "") builder.add("", start, end, words, index + 1);
      start = null;
    }
  }
  return { cues: builder.finish(), issues: issues.finish() };
}

function numberOf(text: string): number | null {
  const value = Number(text.trim());
  return text.trim() === "" || !Number.isFinite(value) ? null : value;
}

/** A text in double quotes, a quote inside it doubled. */
function unquoted(text: string): string {
  return text.trim().replace(/^"|"$/g, "").replaceAll('""', '"');
}
