/** Prints a line. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** One row of a table of Markdown. */
export function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

/** Prints one row of a table of Markdown. */
export function printRow(...cells: readonly string[]): void {
  print(row(cells));
}

/** Prints the head of a table of Markdown, with the line below it. */
export function printHead(...names: readonly string[]): void {
  printRow(...names);
  printRow(...names.map(() => "---"));
}
