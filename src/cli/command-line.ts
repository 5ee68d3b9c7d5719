import { BATCH } from "./batch/batch.ts";
import { abortOnCancel } from "./cancel.ts";
import { CHECK } from "./check.ts";
import { type Command, helpOf, parseArguments } from "./command.ts";
import { CONFORM } from "./conform/conform.ts";
import { CONVERT } from "./convert.ts";
import { DELIVER } from "./deliver/deliver.ts";
import { DESCRIBE } from "./describe/describe.ts";
import { DESCRIBERS } from "./describers/describers.ts";
import { reportFailure } from "./failure.ts";
import { GAPS } from "./gaps.ts";
import { didYouMean } from "./nearest-word.ts";
import { flushed, processOutput } from "./output.ts";
import { REVOICE } from "./revoice/revoice.ts";
import { BACKUP, RESTORE } from "./serve/backup.ts";
import { DOCTOR } from "./serve/doctor.ts";
import { JOBS } from "./serve/jobs.ts";
import { KEYS } from "./serve/keys.ts";
import { SERVE } from "./serve/serve.ts";
import { VERIFY } from "./serve/verify.ts";
import { WORKER } from "./serve/worker.ts";
import { EXIT, type ExitCode, UsageError } from "./usage-error.ts";
import { VERSION } from "./version.ts";
import { VOICES_COMMAND } from "./voices.ts";

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  DESCRIBE,
  BATCH,
  REVOICE,
  CONVERT,
  CONFORM,
  CHECK,
  DELIVER,
  GAPS,
  VOICES_COMMAND,
  DESCRIBERS,
  SERVE,
  WORKER,
  KEYS,
  JOBS,
  VERIFY,
  BACKUP,
  RESTORE,
  DOCTOR,
];

const output = processOutput();

/** Runs the command line and ends the process with its exit code. */
export async function runCommandLine(args: readonly string[]): Promise<never> {
  const [name, ...rest] = args;
  const command = commandNamed(name);
  if (command !== undefined) return runCommand(command, rest);
  return endWith(rest.includes("--json"), () => {
    if (name === undefined || name === "--help" || name === "-h" || name === "help") {
      const topic = name === "help" ? commandNamed(rest[0]) : undefined;
      output.print(topic === undefined ? overview() : helpOf(topic));
      return name === undefined ? EXIT.usage : EXIT.done;
    }
    if (name === "--version" || name === "-v") {
      output.print(`aside ${VERSION}`);
      return EXIT.done;
    }
    const meant = didYouMean(
      name,
      COMMANDS.map((one) => one.name),
    );
    throw new UsageError(`there is no command "${name}".${meant} See "aside --help".`);
  });
}

/** Runs one command and ends the process with its exit code. */
export async function runCommand(command: Command, args: readonly string[]): Promise<never> {
  return endWith(args.includes("--json"), async () => {
    const given = parseArguments(command, args);
    if (given.values["help"] === true) {
      output.print(helpOf(command));
      return EXIT.done;
    }
    const signal = abortOnCancel(() => output.tell("Stopped before everything was put away."), command.stopLimitMs);
    return command.run(given, { output, env: process.env, signal });
  });
}

async function endWith(isJson: boolean, work: () => ExitCode | Promise<ExitCode>): Promise<never> {
  let code: ExitCode;
  try {
    code = await work();
  } catch (error) {
    code = reportFailure(error, output, isJson);
  }
  await flushed();
  process.exit(code);
}

function commandNamed(name: string | undefined): Command | undefined {
  return COMMANDS.find((command) => command.name === name);
}

function overview(): string {
  const rows = COMMANDS.map(({ name, summary }) => `  ${name.padEnd(12)}${summary}`);
  return [
    "Usage: aside <command> [options]",
    "",
    "Audio description for film editors.",
    "",
    "Commands:",
    ...rows,
    "",
    'See "aside <command> --help" for the options of a command, "aside --version" for the version.',
  ].join("\n");
}
