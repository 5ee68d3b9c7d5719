import { createInterface } from "node:readline/promises";

/** A terminal that is asked at. */
interface AskedTerminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/**
 * Asks a person at the terminal, who has to say yes; a question about what cannot be undone is answered with no by Enter.
 *
 * @param terminal Default: that of this process.
 * @throws the signal's reason when the command is cancelled meanwhile.
 */
export async function agrees(
  question: string,
  signal: AbortSignal,
  terminal: AskedTerminal = { input: process.stdin, output: process.stderr },
): Promise<boolean> {
  const asking = createInterface(terminal);
  // The terminal is in the hands of the question: Ctrl-C reaches it, not the process.
  asking.once("SIGINT", () => process.emit("SIGINT", "SIGINT"));
  try {
    return /^y(?:es)?$/i.test((await asking.question(`${question} [y/N] `, { signal })).trim());
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    asking.close();
  }
}
