import { COMMANDS } from "../../src/cli/command-line.ts";
import { helpOf, parseArguments } from "../../src/cli/shell/command.ts";
import { reportFailure } from "../../src/cli/shell/failure.ts";
import type { Output } from "../../src/cli/shell/output.ts";
import { EXIT } from "../../src/cli/shell/usage-error.ts";
import type { Ended } from "./run-aside.ts";

/** What a command is run with beside its arguments. */
interface InProcessOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/**
 * Runs a command in this process, as `runCommand` does but for the end of the process: for what a command decides. What
 * belongs to its process (signals, pipes, encodings) is asked of `aside()`.
 */
export async function runHere(args: readonly string[], { env = {}, signal }: InProcessOptions = {}): Promise<Ended> {
  const [name, ...rest] = args;
  const command = COMMANDS.find((one) => one.name === name);
  if (command === undefined) throw new Error(`there is no command "${name}"`);
  const texts = { stdout: "", stderr: "" };
  const output: Output = {
    print: (text) => {
      texts.stdout += `${text}\n`;
    },
    tell: (text) => {
      texts.stderr += `${text}\n`;
    },
  };
  const work = async () => {
    const given = parseArguments(command, rest);
    if (given.values["help"] === true) {
      output.print(await helpOf(command));
      return EXIT.done;
    }
    return command.run(given, { output, env, signal: signal ?? new AbortController().signal });
  };
  const code = await work().catch((error: unknown) => reportFailure(error, output, rest.includes("--json")));
  return { code, ...texts };
}
