import { isRequestErrorCode, REQUEST_ERRORS } from "../contract/error-codes.ts";

/**
 * What a repeat of a request would do. `safe`: nothing. `only-if-refused`: it could start and bill a second job, unless
 * the answer says that the first was not accepted. `keyed`: the service knows the request by its key, so one whose answer
 * was lost may be sent again.
 */
export type Repeat = "safe" | "only-if-refused" | "keyed";

/** How one attempt failed. */
export type Failure =
  /** No answer arrived, or not in time. */
  | { readonly kind: "no-answer"; readonly mayHaveArrived: boolean }
  /** An answer arrived, with a code of the interface or one of the client's for unreadable ones. */
  | { readonly kind: "answer"; readonly status: number; readonly code: string; readonly retryAfterSeconds?: number };

/** What is known when the decision falls. */
export interface FailedAttempt {
  readonly failure: Failure;
  readonly repeat: Repeat;
  /** Attempts made so far, this one included. */
  readonly attempts: number;
  /** Milliseconds spent waiting between them so far. */
  readonly waitedMs: number;
  /** Attempts after which silence and server faults are given up; default 4, after about 3.5 s of waiting. */
  readonly maxAttempts?: number;
}

/** Attempts of a call: with the delays below, a server that is away is given up after about 3.5 s. */
const MAX_ATTEMPTS = 4;

/** Attempts of a transfer, which is costlier to begin anew: a line that is away is given up after about 45 s. */
export const MAX_TRANSFER_ATTEMPTS = 8;

/** First delay after silence or a server fault, doubled each time, in milliseconds. */
const FIRST_FAULT_DELAY_MS = 500;

/** First delay after "later, please" without a time of the server's own, growing by half, in milliseconds. */
const FIRST_REFUSAL_DELAY_MS = 2_000;

/** Longest delay of our own choosing, in milliseconds. */
const MAX_DELAY_MS = 15_000;

/** Longest time that is spent on "later, please" in all; a server that asks for more is left to a person. */
export const REFUSAL_BUDGET_MS = 15 * 60_000;

/** Share by which a delay of our own choosing is spread, so that many clients do not return at once. */
const JITTER = 0.25;

/**
 * Whether to send a request again, and after how many milliseconds; `null` means stop.
 *
 * The server's own time wins and gets no jitter. What the table marks `after-delay` is repeated whatever the request,
 * for it was not accepted. "Away, back in a moment" (503 with a time) is waited for, where a repeat is safe. Silence, gateways and server faults are repeated only where that is safe; of a keyed request,
 * all that leaves open what became of it.
 *
 * @param random 0 to 1.
 */
export function retryDelayMs(failed: FailedAttempt, random: () => number): number | null {
  const { failure } = failed;
  if (failure.kind === "answer" && isRefusedForNow(failure.code)) return refusalDelay(failed, failure, random);
  if (failure.kind === "answer" && failure.status === 503 && failure.retryAfterSeconds !== undefined) {
    return failed.repeat === "only-if-refused" ? null : refusalDelay(failed, failure, random);
  }
  if (failed.attempts >= (failed.maxAttempts ?? MAX_ATTEMPTS) || !isFault(failure)) return null;
  const isSafe =
    failed.repeat === "safe" ||
    (failure.kind === "no-answer" && !failure.mayHaveArrived) ||
    (failed.repeat === "keyed" && isAnswerLost(failure));
  return isSafe ? spread(Math.min(MAX_DELAY_MS, FIRST_FAULT_DELAY_MS * 2 ** (failed.attempts - 1)), random) : null;
}

function refusalDelay(
  failed: FailedAttempt,
  failure: Failure & { readonly kind: "answer" },
  random: () => number,
): number | null {
  const delayMs =
    failure.retryAfterSeconds === undefined
      ? spread(Math.min(MAX_DELAY_MS, FIRST_REFUSAL_DELAY_MS * 1.5 ** (failed.attempts - 1)), random)
      : Math.max(FIRST_FAULT_DELAY_MS, failure.retryAfterSeconds * 1000);
  return failed.waitedMs + delayMs > REFUSAL_BUDGET_MS ? null : delayMs;
}

/** Whether a code says "not accepted, later perhaps". */
function isRefusedForNow(code: string): boolean {
  return isRequestErrorCode(code) && REQUEST_ERRORS[code].retry === "after-delay";
}

/** Whether a failure may be gone by itself a moment later. A redirect or a refusal will not. */
function isFault(failure: Failure): boolean {
  if (failure.kind === "no-answer" || failure.status >= 500 || failure.status === 408) return true;
  return failure.code === "reply_unreadable" && failure.status >= 200 && failure.status < 300;
}

/** Whether what the service answered, if anything, did not arrive: a gateway spoke in its place, or the reply is no reply. */
function isAnswerLost(failure: Failure): boolean {
  return failure.kind === "no-answer" || failure.code === "service_unavailable" || failure.code === "reply_unreadable";
}

function spread(delayMs: number, random: () => number): number {
  return Math.round(delayMs * (1 - JITTER + 2 * JITTER * random()));
}
