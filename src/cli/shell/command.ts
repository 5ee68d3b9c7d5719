import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import type { OpenAdministration, RecordsOptions } from "../../service/admin/open-administration.ts";
import type { RunningService, ServiceOptions } from "../../service/main.ts";
import type { ModelOffer } from "../../service/models/model-store.ts";
import { didYouMean, type Output } from "./output.ts";
import type { ProgressStream } from "./progress.ts";
import { type ExitCode, UsageError } from "./usage-error.ts";

/** One option of a command. */
export interface Option {
  /** Name of its value in the help; absent for a switch. */
  readonly value?: string;
  readonly help: string;
}

/** What a command is run with. */
export interface CommandContext {
  readonly output: Output;
  /** Where progress is shown. */
  readonly screen: ProgressStream;
  readonly env: NodeJS.ProcessEnv;
  /** Models that can be ordered, and for which computer. Default: those of the catalog, for this one. */
  readonly models?: Partial<ModelOffer>;
  /** Opens the administration of the records that are meant. Default: that of a service, whether it runs or not. */
  readonly openAdministration?: (records: RecordsOptions) => Promise<OpenAdministration>;
  /** Starts a service that listens. Default: in this process. */
  readonly startService?: (options: ServiceOptions) => Promise<RunningService>;
  /** Opens a file in the user's browser. Default: by the system. */
  readonly openFile?: (path: string) => Promise<void>;
  /** Aborts when the user cancels. */
  readonly signal: AbortSignal;
}

/** Arguments of a command, as parsed. */
export interface Arguments {
  readonly values: Readonly<Record<string, string | true>>;
  readonly positionals: readonly string[];
}

/** One command of `aside`. */
export interface Command {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** What follows the name: `<media> [options]`. */
  readonly synopsis: string;
  /** Paragraphs below the options in the command's help. */
  readonly notes: readonly string[];
  /** Notes that follow from tables which are loaded when the help is asked for. */
  readonly derivedNotes?: () => Promise<readonly string[]>;
  readonly options: Readonly<Record<string, Option>>;
  /** How long it may clean up once the user has cancelled it, in milliseconds; default: within the second. */
  readonly stopLimitMs?: number;
  run(given: Arguments, context: CommandContext): Promise<ExitCode>;
}

/** Every command takes these. */
const SHARED: Readonly<Record<string, Option>> = { help: { help: "Show this help." } };

/**
 * Parses a command's arguments strictly.
 *
 * @throws UsageError naming what is not understood.
 */
export function parseArguments(command: Pick<Command, "name" | "options">, args: readonly string[]): Arguments {
  const options: ParseArgsOptionsConfig = {};
  for (const [name, option] of Object.entries({ ...command.options, ...SHARED })) {
    options[name] = { type: option.value === undefined ? "boolean" : "string" };
  }
  try {
    const parsed = parseArgs({
      args: withJoinedNegatives(args, options),
      options,
      strict: true,
      allowPositionals: true,
    });
    // Options without `multiple` give a text, or `true` for a switch.
    const values = parsed.values as Record<string, string | true>;
    return { values, positionals: parsed.positionals };
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split(". ")[0] ?? "").replace(/\.$/, "") : "";
    const [, unknown] = /^Unknown option '--([^']+)'/.exec(reason) ?? [];
    const names = Object.keys(options).map((name) => `--${name}`);
    const meant = unknown === undefined ? "" : didYouMean(`--${unknown}`, names);
    throw new UsageError(`${reason}.${meant} See "aside ${command.name} --help".`);
  }
}

/** Help of one command. */
export async function helpOf(command: Command): Promise<string> {
  const rows = Object.entries({ ...command.options, ...SHARED }).map(([name, option]) => {
    const head = `  --${name}${option.value === undefined ? "" : ` ${option.value}`}`;
    return head.length > 26 ? `${head}\n${" ".repeat(28)}${option.help}` : `${head.padEnd(28)}${option.help}`;
  });
  const derived = (await command.derivedNotes?.()) ?? [];
  const notes = [...derived, ...command.notes].map((note) => `\n${note}\n`).join("");
  return `Usage: aside ${command.name} ${command.synopsis}\n\n${command.summary}\n\nOptions:\n${rows.join("\n")}\n${notes}`.trimEnd();
}

/**
 * What a command with several actions is asked to do, and with what: its first word, and at most one more.
 *
 * @param takesName The actions that need one more word: an id.
 * @throws UsageError when there is no such action, or a word is missing or too many.
 */
export function actionOf<Action extends string>(
  command: Pick<Command, "name">,
  given: Arguments,
  actions: readonly Action[],
  takesName: readonly Action[],
): { readonly action: Action; readonly id: string } {
  const [word, id, ...rest] = given.positionals;
  const action = actions.find((one) => one === word);
  if (action === undefined) {
    const asked = word === undefined ? "" : `, not "${word}"`;
    throw new UsageError(`say what to do: aside ${command.name} ${actions.join("|")}${asked}`);
  }
  if (takesName.includes(action)) {
    if (id === undefined) throw new UsageError(`name one: aside ${command.name} ${action} ID`);
    if (rest.length > 0) throw new UsageError(`aside ${command.name} ${action} takes no "${rest[0]}"`);
    return { action, id };
  }
  if (id !== undefined) throw new UsageError(`aside ${command.name} ${action} takes no "${id}"`);
  return { action, id: "" };
}

/** Makes `--level -6` one argument: the parser takes a word with a dash for an option of its own. */
function withJoinedNegatives(args: readonly string[], options: ParseArgsOptionsConfig): string[] {
  const joined: string[] = [];
  for (const word of args) {
    const last = joined.at(-1);
    const takesValue = last?.startsWith("--") === true && options[last.slice(2)]?.type === "string";
    if (takesValue && /^-\.?\d/.test(word)) joined[joined.length - 1] = `${last}=${word}`;
    else joined.push(word);
  }
  return joined;
}
