import { AsyncLocalStorage } from "node:async_hooks";
import type { Arguments, Option } from "./command.ts";
import type { Output } from "./output.ts";

/** The option of every command that reads texts. */
export const ENCODING_OPTION = {
  encoding: { value: "NAME", help: "Encoding of texts that do not state theirs (default: told by their letters)." },
} as const satisfies Readonly<Record<string, Option>>;

/** How a command reads the texts that it is given, wherever in it they are read. */
interface TextReadingOptions {
  /** What its user says of their encoding; nothing where nothing was said. */
  readonly encoding: string | undefined;
  /** Tells the user what had to be assumed of a file, in a line. */
  tell(line: string): void;
}

const READING = new AsyncLocalStorage<TextReadingOptions>();

/** Does the work of a command, so that every text that it reads is in the encoding its user named, and every guess is told. */
export function readingTexts<Result>(
  { values }: Arguments,
  output: Output,
  work: () => Promise<Result>,
): Promise<Result> {
  const { encoding } = values;
  const reading = { encoding: typeof encoding === "string" ? encoding : undefined, tell: output.tell };
  return READING.run(reading, work);
}

/** How the command that runs reads texts; nothing outside of a command. */
export function textReading(): TextReadingOptions | undefined {
  return READING.getStore();
}
