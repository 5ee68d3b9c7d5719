/** `text` without a byte order mark and with every line end (CR LF, CR, LF) as LF. */
export function normalizeLineEnds(text: string): string {
  const bare = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  return bare.includes("\r") ? bare.replace(/\r\n?/g, "\n") : bare;
}

/** The lines of a text, without their ends. */
export function linesOf(text: string): string[] {
  return normalizeLineEnds(text).split("\n");
}

/** Walks over the lines of a text with LF line ends, and knows of each whether it holds an arrow. */
export class LineCursor {
  readonly text: string;
  /** Offset of the current line. */
  start = 0;
  /** Offset of its end: its LF, or the end of the text. */
  end: number;
  /** Number of the current line, counted from 1. */
  number = 1;
  readonly #mark: string;
  /** Where the next arrow stands, so that no line is searched twice. */
  #arrow: number;

  /** `mark` is what counts as an arrow. */
  constructor(text: string, mark = "-->") {
    this.text = text;
    this.#mark = mark;
    this.end = this.#find("\n", text.length);
    this.#arrow = this.#find(this.#mark, Number.POSITIVE_INFINITY);
  }

  /** Whether the text is used up; the current line is empty then. */
  get isDone(): boolean {
    return this.start >= this.text.length;
  }

  get isBlank(): boolean {
    return this.start === this.end;
  }

  get hasArrow(): boolean {
    return this.#arrow < this.end;
  }

  /** The current line. */
  get line(): string {
    return this.text.slice(this.start, this.end);
  }

  /** Goes to the next line. */
  advance(): void {
    this.start = this.end < this.text.length ? this.end + 1 : this.text.length;
    this.number += 1;
    this.end = this.#find("\n", this.text.length);
    if (this.#arrow < this.start) this.#arrow = this.#find(this.#mark, Number.POSITIVE_INFINITY);
  }

  /** Goes past lines up to a blank one, which is passed too, a line with an arrow, or the end; returns where they end. */
  skipText(): number {
    let end = this.start;
    while (this.start < this.text.length && !this.hasArrow) {
      const isBlank = this.start === this.end;
      if (!isBlank) end = this.end;
      this.advance();
      if (isBlank) break;
    }
    return end;
  }

  #find(mark: string, otherwise: number): number {
    const at = this.text.indexOf(mark, this.start);
    return at === -1 ? otherwise : at;
  }
}
