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

/** Why a command's signal aborted. Its message is what the command says at its end. */
export class Cancelled extends Error {
  override readonly name = "Cancelled";
  /** What can be done now, for people. */
  readonly next: string;
  /** Whether the person wants the work itself stopped: Ctrl-C says so. A terminal that is closed does not. */
  readonly stopsWork: boolean;

  constructor(
    message = "Cancelled.",
    next = "Run the same command to continue where it stopped.",
    { stopsWork = true }: { readonly stopsWork?: boolean } = {},
  ) {
    super(message);
    this.next = next;
    this.stopsWork = stopsWork;
  }
}

/** Two signals closer than this are one Ctrl-C that arrived by two ways: the terminal and a parent process. */
const ECHO_MS = 300;

/** How long a cancelled command may clean up before the process ends anyway, in milliseconds: within the second promised. */
const LIMIT_MS = 900;

/**
 * Turns Ctrl-C (and being told to end, and the death of the process that started this one) into an abort of the returned
 * signal. A second Ctrl-C, or too long a time spent on cleaning up, ends the process at once.
 *
 * @param limitMs How long cleaning up may take, in milliseconds.
 * @param onForcedEnd Called before the process is ended by force: the last chance to say something.
 */
export function abortOnCancel(onForcedEnd: () => void, limitMs = LIMIT_MS): AbortSignal {
  const controller = new AbortController();
  let cancelledAt: number | null = null;
  const force = () => {
    onForcedEnd();
    process.exit(EXIT.cancelled);
  };
  const cancel = (isCtrlC: boolean) => {
    const now = performance.now();
    if (cancelledAt === null) {
      cancelledAt = now;
      controller.abort(new Cancelled(undefined, undefined, { stopsWork: isCtrlC }));
      setTimeout(force, limitMs).unref();
    } else if (now - cancelledAt > ECHO_MS) {
      force();
    }
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => cancel(signal === "SIGINT"));
  if (process.connected) process.once("disconnect", () => cancel(false));
  return controller.signal;
}
