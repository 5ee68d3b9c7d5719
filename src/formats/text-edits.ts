/** A stretch of a text and what takes its place; an insertion where `start` equals `end`. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** `text` with the edits made; all else stands as it was. Edits do not overlap; those at one place keep their order. */
export function applyTextEdits(text: string, edits: readonly TextEdit[]): string {
  const ordered = [...edits].sort((a, b) => a.start - b.start || a.end - b.end);
  let result = "";
  let from = 0;
  for (const edit of ordered) {
    result += text.slice(from, edit.start) + edit.text;
    from = Math.max(from, edit.end);
  }
  return result + text.slice(from);
}

/** White space at the beginning of the line that `offset` stands on. */
export function indentAt(text: string, offset: number): string {
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(lineStart, offset))?.[0] ?? "";
}

/** What parts the lines of a text: CR LF where its first line ends so, else LF. */
export function lineEndOf(text: string): "\r\n" | "\n" {
  const first = text.indexOf("\n");
  return first > 0 && text[first - 1] === "\r" ? "\r\n" : "\n";
}

/** Tells lines of offsets in one text. */
export class LineIndex {
  readonly #ends: number[] = [];

  constructor(text: string) {
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) this.#ends.push(at);
  }

  /** Line of an offset, counted from 1. */
  lineOf(offset: number): number {
    let low = 0;
    let high = this.#ends.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#ends[middle] ?? Number.POSITIVE_INFINITY) < offset) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  }
}
