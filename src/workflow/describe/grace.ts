import type { Clock } from "../../core/clock.ts";

/** A signal that follows another one later, and how to let go of it. */
export interface Grace {
  readonly signal: AbortSignal;
  release(): void;
}

/**
 * A signal that aborts `milliseconds` after the given one does: time for an answer that is on its way. To be released
 * when it is not needed any more.
 */
export function graceAfter(signal: AbortSignal, milliseconds: number, clock: Clock): Grace {
  const late = new AbortController();
  const released = new AbortController();
  const begin = () => {
    const abort = () => late.abort(signal.reason);
    clock.sleep(milliseconds, released.signal).then(abort, () => undefined);
  };
  if (signal.aborted) begin();
  else signal.addEventListener("abort", begin);
  return {
    signal: late.signal,
    release() {
      signal.removeEventListener("abort", begin);
      released.abort();
    },
  };
}
