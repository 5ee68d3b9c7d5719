/** What parts the values of a row. */
export type Delimiter = "," | "\t" | ";" | "|";

/** A row of a table and the line it begins on. */
export interface DelimitedRow {
  readonly values: readonly string[];
  readonly line: number;
}

/**
 * Takes a table apart as spreadsheets write it (RFC 4180, any delimiter): values may stand in double quotes, hold the
 * delimiter and line breaks there, and double a quote. A quote that is never closed ends with its line. Empty rows are
 * left out.
 */
export function parseDelimited(text: string, delimiter: Delimiter): DelimitedRow[] {
  return new DelimitedReader(text, delimiter).rows();
}

class DelimitedReader {
  readonly #text: string;
  readonly #delimiter: Delimiter;
  #position = 0;
  #line = 1;
  /** Behind here no quote closes any more, so that none is searched for twice. */
  #lastQuote: number;

  constructor(text: string, delimiter: Delimiter) {
    this.#text = text;
    this.#delimiter = delimiter;
    this.#lastQuote = text.lastIndexOf('"');
  }

  rows(): DelimitedRow[] {
    const rows: DelimitedRow[] = [];
    while (this.#position < this.#text.length) {
      const line = this.#line;
      const values = this.#row();
      if (values.some((value) => value.trim() !== "")) rows.push({ values, line });
    }
    return rows;
  }

  #row(): string[] {
    const values: string[] = [];
    for (;;) {
      values.push(this.#value());
      const mark = this.#text[this.#position];
      this.#position += 1;
      if (mark !== this.#delimiter) break;
    }
    this.#line += 1;
    return values;
  }

  #value(): string {
    const start = this.#position;
    if (this.#text[start] === '"' && start < this.#lastQuote) {
      const quoted = this.#quoted();
      if (quoted !== null) return quoted;
    }
    this.#position = this.#plainEnd(start);
    return this.#text.slice(start, this.#position);
  }

  /** The value in quotes at the position; `null` when what follows its closing quote says that it is none. */
  #quoted(): string | null {
    const start = this.#position + 1;
    let end = this.#text.indexOf('"', start);
    let isDoubled = false;
    while (end !== -1 && this.#text[end + 1] === '"') {
      isDoubled = true;
      end = this.#text.indexOf('"', end + 2);
    }
    if (end === -1) return null;
    const next = this.#text[end + 1];
    if (next !== undefined && next !== this.#delimiter && next !== "\n") return null;
    const value = this.#text.slice(start, end);
    for (let at = value.indexOf("\n"); at !== -1; at = value.indexOf("\n", at + 1)) this.#line += 1;
    this.#position = end + 1;
    return isDoubled ? value.replaceAll('""', '"') : value;
  }

  #plainEnd(start: number): number {
    for (let at = start; at < this.#text.length; at++) {
      const mark = this.#text[at];
      if (mark === "\n" || mark === this.#delimiter) return at;
    }
    return this.#text.length;
  }
}

/**
 * What spreadsheets take for a formula, which may start programs or send cells away: OWASP, "CSV Injection". A value of ours
 * that begins so has an apostrophe before it, which spreadsheets take for "this is text"; one that has apostrophes there
 * already gets one more.
 */
const FORMULA = /^'*[=+\-@\t\r＝＋－＠]/;

/** A value as it is written to a table: nothing that a spreadsheet calculates. */
export function asText(value: string): string {
  return FORMULA.test(value) ? `'${value}` : value;
}

/** The value that was given to {@link asText}; any other value comes back as it is. */
export function fromText(value: string): string {
  return value.startsWith("'") && FORMULA.test(value) ? value.slice(1) : value;
}

/** A row as text. Values that hold the delimiter, a quote, a line break or white space at an end stand in quotes. */
export function writeDelimited(values: readonly string[], delimiter: Delimiter): string {
  const written = values.map((value) => {
    const needsQuotes = value.includes(delimiter) || /["\r\n]|^\s|\s$/.test(value);
    return needsQuotes ? `"${value.replaceAll('"', '""')}"` : value;
  });
  return written.join(delimiter);
}
