import { AsyncLocalStorage } from "node:async_hooks";
import { defined } from "../../core/objects.ts";
import { parseRateName } from "../../core/timecode.ts";
import { START_LABEL, TIME_UNITS } from "../../core/verdict.ts";
import type { FilmReading } from "../../formats/gate/film-reading.ts";
import { COLUMN_NAMES, type ColumnChoice, columnsIn } from "../../formats/table/columns.ts";
import { type Arguments, type Command, type CommandContext, helpOf, type Option, parseArguments } from "./command.ts";
import { reportFailure } from "./failure.ts";
import { flushed, type Output, processOutput } from "./output.ts";
import { jobsOf } from "./running-jobs.ts";
import { abortOnCancel, Cancelled, EXIT, type ExitCode, UsageError } from "./usage-error.ts";

/** Where a command line runs: what it writes to, its variables, and how it hears that it is to stop. */
export interface Terminal extends Omit<CommandContext, "signal"> {
  /** A signal that aborts when the user cancels. @param stopLimitMs How long the command may then clean up, in milliseconds. */
  cancelled(stopLimitMs?: number): AbortSignal;
}

/** This process. */
function ownTerminal(): Terminal {
  const output = processOutput();
  const cancelled = (limitMs?: number) => {
    const signal = abortOnCancel(() => output.tell(jobsOf(signal).forced), limitMs);
    return signal;
  };
  return { output, screen: process.stderr, env: process.env, cancelled };
}

/** Runs one command to its end. Never throws: a failure is told. @returns Its exit code. */
export function runCommand(command: Command, args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  return toldEnd(args.includes("--json"), terminal, async () => {
    const { output } = terminal;
    const given = parseArguments(command, args);
    if (given.values["help"] === true) {
      output.print(await helpOf(command));
      return EXIT.done;
    }
    const signal = terminal.cancelled(command.stopLimitMs);
    try {
      return await readingTexts(given, output, () => command.run(given, { ...terminal, signal }));
    } catch (error) {
      if (!(error instanceof Cancelled)) throw error;
      const { sentence, next } = jobsOf(signal).words;
      throw new Cancelled(sentence, next);
    }
  });
}

/** Does some work, and tells of its failure. @returns The exit code. */
export async function toldEnd(
  isJson: boolean,
  { output, env }: Terminal,
  work: () => ExitCode | Promise<ExitCode>,
): Promise<ExitCode> {
  try {
    return await work();
  } catch (error) {
    return reportFailure(error, output, isJson, env);
  }
}

/** Does the work of this process in its own terminal, and ends it with the exit code. */
export async function endWith(work: (terminal: Terminal) => Promise<ExitCode>): Promise<never> {
  const code = await work(ownTerminal());
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
    help: "What times without colons count: s, ms, frames, samples, s.ff (4.22: 4 s, 22 frames).",
  },
  "text-rate": {
    value: "RATE",
    help: "Frame rate that the texts were made for, where it is not the film's: 25, 23.976.",
  },
} as const satisfies Readonly<Record<string, Option>>;

/** The option of every command that listens to a programme, or mixes with it. */
export const AUDIO_TRACK_OPTION = {
  "audio-track": {
    value: "TRACK",
    help: "Sound track of the dialogue: number from 1, language or title (default: where speech is).",
  },
} as const satisfies Readonly<Record<string, Option>>;

type ClockChoice = Pick<FilmReading, "startLabel" | "unit" | "textRate">;

/** How a command reads the texts that it is given, wherever in it they are read. */
interface TextReadingOptions {
  /** What its user says of their encoding; nothing where nothing was said. */
  readonly encoding: string | undefined;
  /** What its user says of the columns of tables. */
  readonly columns: ColumnChoice | undefined;
  /** What its user says that the times of texts count from, and what. */
  readonly clock: ClockChoice;
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

/** What `--columns` says. */
function columnChoice(list: string): ColumnChoice {
  const columns = columnsIn(list);
  if (columns !== null) return columns;
  const names = COLUMN_NAMES.join(", ");
  throw new UsageError(`--columns: "${list}" names no columns; write start=A,duration=C,text=E with ${names}`);
}

/** What `--text-start`, `--text-unit` and `--text-rate` say. */
function clockChoice({ "text-start": start, "text-unit": unit, "text-rate": rate }: Arguments["values"]): ClockChoice {
  if (typeof start === "string" && !START_LABEL.test(start))
    throw new UsageError(`--text-start: "${start}" is no timecode; write it as 10:00:00:00`);
  const known = TIME_UNITS.find((one) => one === unit);
  if (typeof unit === "string" && known === undefined)
    throw new UsageError(`--text-unit: there is no unit "${unit}"; give ${TIME_UNITS.join(", ")}`);
  const textRate = typeof rate === "string" ? parseRateName(rate)?.rate : undefined;
  if (typeof rate === "string" && textRate === undefined)
    throw new UsageError(`--text-rate: "${rate}" is no frame rate; give 25, 24, 23.976 or 29.97`);
  return { ...(typeof start === "string" ? { startLabel: start } : {}), ...defined({ unit: known, textRate }) };
}

/** What the user of the command that runs says of texts, for who reads a document: its columns, what its times count. */
export function chosenReading(): ClockChoice & { readonly columns?: ColumnChoice } {
  const reading = textReading();
  return { ...reading?.clock, ...defined({ columns: reading?.columns }) };
}

/** How the command that runs reads texts; nothing outside of a command. */
export function textReading(): TextReadingOptions | undefined {
  return READING.getStore();
}
