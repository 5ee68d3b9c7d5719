import { createInterface } from "node:readline/promises";

/**
 * Asks a person at the terminal, who has to say yes; a question about what cannot be undone is answered with no by Enter.
 *
 * @throws the signal's reason when the command is cancelled meanwhile.
 */
export async function agrees(question: string, signal: AbortSignal): Promise<boolean> {
  const asking = createInterface({ input: process.stdin, output: process.stderr });
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
