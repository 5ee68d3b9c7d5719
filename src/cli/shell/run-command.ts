import { AsyncLocalStorage } from "node:async_hooks";
import { defined } from "../../core/objects.ts";
import type { FilmReading } from "../../formats/gate/film-reading.ts";
import type { ColumnChoice } from "../../formats/table/columns.ts";
import { type Arguments, type Command, helpOf, type Option, parseArguments } from "./command.ts";
import { reportFailure } from "./failure.ts";
import { flushed, type Output, processOutput } from "./output.ts";
import { abortOnCancel, EXIT, type ExitCode, UsageError } from "./usage-error.ts";

/** Output of this process. */
export const OUTPUT = processOutput();

/** Runs one command and ends the process with its exit code. */
export async function runCommand(command: Command, args: readonly string[]): Promise<never> {
  return endWith(args.includes("--json"), async () => {
    const given = parseArguments(command, args);
    if (given.values["help"] === true) {
      OUTPUT.print(await helpOf(command));
      return EXIT.done;
    }
    const signal = abortOnCancel(() => OUTPUT.tell("Stopped before everything was put away."), command.stopLimitMs);
    return readingTexts(given, OUTPUT, () => command.run(given, { output: OUTPUT, env: process.env, signal }));
  });
}

/** Does the work of a command, tells of its failure, and ends the process with the exit code. */
export async function endWith(isJson: boolean, work: () => ExitCode | Promise<ExitCode>): Promise<never> {
  let code: ExitCode;
  try {
    code = await work();
  } catch (error) {
    code = reportFailure(error, OUTPUT, isJson);
  }
  await flushed();
  process.exit(code);
}

/** The options of every command that reads texts. */
export const TEXT_OPTIONS = {
  encoding: { value: "NAME", help: "Encoding of texts that do not state theirs (default: told by their letters)." },
  columns: {
    value: "LIST",
    help: "Columns of a table, by letter or head: start=A,duration=C,text=E (default: by their heads).",
  },
  "text-start": {
    value: "TIMECODE",
    help: "What the film's first frame is called in the texts, where they leave it open: 10:00:00:00.",
  },
  "text-unit": {
    value: "UNIT",
    help: "What times without colons count, where a text leaves it open: s, ms, frames or samples.",
  },
} as const satisfies Readonly<Record<string, Option>>;

/** How a command reads the texts that it is given, wherever in it they are read. */
interface TextReadingOptions {
  /** What its user says of their encoding; nothing where nothing was said. */
  readonly encoding: string | undefined;
  /** What its user says of the columns of tables. */
  readonly columns: ColumnChoice | undefined;
  /** What its user says that the times of texts count from, and what. */
  readonly clock: Pick<FilmReading, "startLabel" | "unit">;
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
  const { encoding, columns } = values;
  const reading = {
    clock: clockChoice(values),
    encoding: typeof encoding === "string" ? encoding : undefined,
    columns: typeof columns === "string" ? columnChoice(columns) : undefined,
    tell: output.tell,
  };
  return READING.run(reading, work);
}

/** What `--columns` says: `start=A,duration=C,text=E`. Heads may hold commas and equals signs. */
function columnChoice(list: string): ColumnChoice {
  const named = list.split(/,(?=\s*\w+\s*=)/).map((one) => /^\s*(\w+)\s*=\s*(.*\S)\s*$/.exec(one));
  const pairs = named.flatMap((one) => (one === null ? [] : [[one[1] ?? "", one[2] ?? ""] as const]));
  const wrong = pairs.length < named.length || pairs.some(([name]) => !COLUMN_NAMES.includes(name));
  if (wrong)
    throw new UsageError(
      `--columns: "${list}" names no columns; write start=A,duration=C,text=E with ${COLUMN_NAMES.join(", ")}`,
    );
  return Object.fromEntries(pairs);
}

const COLUMN_NAMES: readonly string[] = ["id", "start", "end", "duration", "text"];

/** What `--text-start` and `--text-unit` say. */
function clockChoice({
  "text-start": start,
  "text-unit": unit,
}: Arguments["values"]): Pick<FilmReading, "startLabel" | "unit"> {
  if (typeof start === "string" && !/^\d{1,3}[:;]\d\d[:;]\d\d(?:[:;]\d{2,3}|[.,]\d{1,3})?$/.test(start))
    throw new UsageError(`--text-start: "${start}" is no timecode; write it as 10:00:00:00`);
  const known = TIME_UNITS.find((one) => one === unit);
  if (typeof unit === "string" && known === undefined)
    throw new UsageError(`--text-unit: there is no unit "${unit}"; give ${TIME_UNITS.join(", ")}`);
  return { ...(typeof start === "string" ? { startLabel: start } : {}), ...defined({ unit: known }) };
}

const TIME_UNITS = ["s", "ms", "frames", "samples"] as const;

/** What the user of the command that runs says of texts, for who reads a document: its columns, what its times count. */
export function chosenReading(): Pick<FilmReading, "startLabel" | "unit"> & { readonly columns?: ColumnChoice } {
  const reading = textReading();
  return { ...reading?.clock, ...defined({ columns: reading?.columns }) };
}

/** How the command that runs reads texts; nothing outside of a command. */
export function textReading(): TextReadingOptions | undefined {
  return READING.getStore();
}
