import type { Arguments, Option } from "../shell/command.ts";
import { UsageError } from "../shell/usage-error.ts";

const LEVELS = ["error", "warn", "info", "debug"] as const;

/** Option of commands that run a service. */
export const LOG_OPTION: Readonly<Record<"log", Option>> = {
  log: { value: "LEVEL", help: "What is written to the error output: error, warn, info or debug (default: warn)." },
};

/** The log that is asked for. @throws UsageError for a level that is none. */
export function logFrom({ values }: Arguments): { readonly level: (typeof LEVELS)[number] } {
  const word = values["log"] ?? "warn";
  const level = LEVELS.find((one) => one === word);
  if (level === undefined) throw new UsageError(`--log cannot be "${word}"; choose one of ${LEVELS.join(", ")}`);
  return { level };
}
