import { VERSION } from "../service/version.ts";
import { BACKUP, DOCTOR, RESTORE, VERIFY } from "./commands/backup.ts";
import { BATCH } from "./commands/batch/batch.ts";
import { CHECK } from "./commands/check.ts";
import { COMPANION } from "./commands/companion/companion.ts";
import { CONFORM } from "./commands/conform/conform.ts";
import { CONVERT } from "./commands/convert.ts";
import { DELIVER } from "./commands/deliver/deliver.ts";
import { DESCRIBE } from "./commands/describe/describe.ts";
import { DESCRIBERS } from "./commands/describers.ts";
import { GAPS } from "./commands/gaps.ts";
import { JOBS } from "./commands/jobs.ts";
import { KEYS } from "./commands/keys.ts";
import { MODELS } from "./commands/models.ts";
import { PAGE } from "./commands/page.ts";
import { REVOICE } from "./commands/revoice/revoice.ts";
import { SERVE, WORKER } from "./commands/serve.ts";
import { SETTINGS_COMMAND } from "./commands/settings.ts";
import { VOICES_COMMAND } from "./commands/voices.ts";
import { type Command, helpOf } from "./shell/command.ts";
import { didYouMean } from "./shell/output.ts";
import { ownCommand } from "./shell/own-command.ts";
import { runCommand, type Terminal, toldEnd } from "./shell/run-command.ts";
import { EXIT, type ExitCode, UsageError } from "./shell/usage-error.ts";

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
  MODELS,
  COMPANION,
  SERVE,
  PAGE,
  WORKER,
  KEYS,
  SETTINGS_COMMAND,
  JOBS,
  VERIFY,
  BACKUP,
  RESTORE,
  DOCTOR,
];

/** Runs a whole command line to its end. Never throws: a failure is told. @returns Its exit code. */
export function runCommandLine(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [name, ...rest] = args;
  const command = commandNamed(name);
  if (command !== undefined) return runCommand(command, rest, terminal);
  return toldEnd(rest.includes("--json"), terminal, async () => {
    const { output } = terminal;
    if (name === undefined || name === "--help" || name === "-h" || name === "help") {
      const topic = name === "help" ? commandNamed(rest[0]) : undefined;
      output.print(topic === undefined ? overview() : await helpOf(topic));
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
    ...(ownCommand() === "aside" ? [] : [`Here, "aside" is called: ${ownCommand()}`]),
  ].join("\n");
}
