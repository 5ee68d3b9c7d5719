import { AudioDescriptionError } from "../../core/error.ts";

/** Exit codes of every command. `findings`: it was done, and what was checked breaks its limits. */
export const EXIT = { done: 0, failed: 1, usage: 2, findings: 3, cancelled: 130 } as const;

/** One of {@link EXIT}. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** A command was called in a way it does not know; nothing was done. Ends with exit code 2. */
export class UsageError extends AudioDescriptionError<"usage"> {
  constructor(message: string) {
    super("usage", message);
  }
}
