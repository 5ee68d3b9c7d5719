/**
 * The root of every error this project raises on purpose.
 *
 * A caller tells errors apart by class first and by `code` second; `message` is a sentence for people that says what
 * happened, to what, and what to do next. It never holds an API key, a signed URL's query or a stack. The original is
 * kept as `cause`.
 */
export abstract class AudioDescriptionError<Code extends string = string> extends Error {
  /** Stable identifier, safe to match on, the same across releases. */
  readonly code: Code;

  constructor(code: Code, message: string, options?: { readonly cause?: unknown }) {
    super(message);
    // By hand: engines of before 2022 take no options.
    if (options !== undefined && "cause" in options) {
      Object.defineProperty(this, "cause", { value: options.cause, writable: true, configurable: true });
    }
    this.name = new.target.name;
    this.code = code;
  }
}

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
