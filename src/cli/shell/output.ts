import { visibleText } from "../../core/visible-text.ts";

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
