import { visibleText } from "../../core/text.ts";
import type { TextChoice } from "../../core/verdict.ts";
import type { ParseIssue } from "../../formats/parse-issue.ts";

/** Where a command writes to. Results go to standard output, everything about them to the error output. */
export interface Output {
  /** One line, or several, of a result. */
  print(text: string): void;
  /** One line, or several, for the person at the terminal. */
  tell(text: string): void;
}

/** The process's own streams. A reader that goes away (`aside … | head`) ends nothing. */
export function processOutput(): Output {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
  }
  return {
    // A file or a program gets results as they are.
    print: (text) => void process.stdout.write(`${process.stdout.isTTY ? visibleText(text) : text}\n`),
    tell: (text) => void process.stderr.write(`${visibleText(text)}\n`),
  };
}

/** Resolves when what was written has left the process: pipes may take it later. */
export async function flushed(): Promise<void> {
  const drain = (stream: NodeJS.WriteStream) =>
    new Promise<void>((resolve) => {
      stream.write("", () => resolve());
    });
  await Promise.all([drain(process.stdout), drain(process.stderr)]);
}

/** Rows as columns, each as wide as its widest cell; the last one is not padded. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => (row[column] ?? "").length)));
  return [head, ...rows]
    .map((row) =>
      row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0))).join("  "),
    )
    .map((line) => line.trimEnd())
    .join("\n");
}

/** Issues told one by one; the rest is counted. */
const ISSUES_TOLD = 20;

/** What a reader met in a text, a line each; a long list is cut off and counted. */
export function issueLines(issues: readonly ParseIssue[]): string[] {
  const lines = issues.slice(0, ISSUES_TOLD).map((issue) => {
    const place = issue.line > 0 ? `line ${issue.line}: ` : "";
    return `${place}${issue.message}${issue.text === "" ? "" : `: ${issue.text}`}`;
  });
  const rest = issues.length - lines.length;
  return rest > 0 ? [...lines, `... and ${rest} more; "aside convert --json" lists them all`] : lines;
}

/** The options that say what a person may say of a text. */
export function optionOf({ start, unit, rate, column }: TextChoice): string {
  const said = {
    "--text-start": start,
    "--text-unit": unit,
    "--text-rate": rate,
    "--columns": column && `text=${column}`,
  };
  return Object.entries(said)
    .flatMap(([option, value]) => (value === undefined ? [] : [`${option} ${value}`]))
    .join(" ");
}

/** Letters that may differ for a word to be meant: one in three, two at most. */
function mostDifferent(word: string): number {
  return Math.min(2, Math.ceil(word.length / 3));
}

/** ` Did you mean "describe"?`, with the nearest of the words that exist; empty where none is near. */
export function didYouMean(word: string, words: readonly string[]): string {
  const near = words
    .map((other) => ({ other, distance: editDistance(word.toLowerCase(), other.toLowerCase()) }))
    .filter(({ distance }) => distance <= mostDifferent(word))
    .sort((a, b) => a.distance - b.distance)[0];
  return near === undefined ? "" : ` Did you mean "${near.other}"?`;
}

/** How many letters have to be put in, taken out or changed to make one word another. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (const [index, letter] of [...a].entries()) {
    const next = [index + 1];
    for (let column = 1; column <= b.length; column++) {
      const changed = (row[column - 1] ?? 0) + (b[column - 1] === letter ? 0 : 1);
      next.push(Math.min(changed, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
