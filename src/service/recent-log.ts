/** Lines that are remembered. */
const LINES = 300;

/** Passes the log on, and remembers its last lines, cleaned of secrets as they are. */
export class RecentLog {
  readonly #output: { write(line: string): void };
  readonly #lines: string[] = [];

  constructor(output: { write(line: string): void }) {
    this.#output = output;
  }

  /** Takes a line. */
  write(line: string): void {
    this.#lines.push(line.trimEnd());
    if (this.#lines.length > LINES) this.#lines.shift();
    this.#output.write(line);
  }

  /** The last lines, oldest first. */
  get lines(): readonly string[] {
    return this.#lines;
  }
}
