import { AudioDescriptionError } from "./error.ts";

/**
 * No answer arrived: the other side could not be reached, or the line broke before its reply was whole. Raised by
 * everything that speaks to a network, the client and the hosts' transfers alike.
 */
export class ConnectionError extends AudioDescriptionError<"connection_failed"> {
  /** `false` when it is certain that nothing of the request left this machine, so that sending it again repeats nothing. */
  readonly mayHaveArrived: boolean;

  constructor(message: string, context: { readonly mayHaveArrived: boolean; readonly cause?: unknown }) {
    super("connection_failed", message, { cause: context.cause });
    this.mayHaveArrived = context.mayHaveArrived;
  }
}
