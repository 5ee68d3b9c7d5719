import { abortOnCancel } from "./cancel.ts";
import { type Command, helpOf, parseArguments } from "./command.ts";
import { reportFailure } from "./failure.ts";
import { flushed, processOutput } from "./output.ts";
import { readingTexts } from "./text-reading.ts";
import { EXIT, type ExitCode } from "./usage-error.ts";

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
