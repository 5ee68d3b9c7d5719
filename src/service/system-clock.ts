import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "../core/objects.ts";
import type { Clock } from "../core/ports.ts";

/** The machine's own clock. */
export const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
  async sleep(milliseconds, signal) {
    try {
      await sleep(milliseconds, undefined, defined({ signal }));
    } catch (error) {
      // Node wraps the reason; callers wait for the reason itself.
      signal?.throwIfAborted();
      throw error;
    }
  },
};

/** Calls `act` after every so many milliseconds, until the signal aborts; resolves then. Does not wait for what it begins. */
export async function repeatedly(
  clock: Clock,
  milliseconds: number,
  signal: AbortSignal,
  act: () => void,
): Promise<void> {
  for (;;) {
    await clock.sleep(milliseconds, signal).catch(() => undefined);
    if (signal.aborted) return;
    act();
  }
}

/** A signal that aborts with a `TimeoutError` after so many milliseconds, unless `over` aborts before. */
export function deadline(clock: Clock, milliseconds: number, over: AbortSignal): AbortSignal {
  const late = new AbortController();
  const end = () => late.abort(new DOMException("it took longer than it may", "TimeoutError"));
  clock.sleep(milliseconds, over).then(end, () => undefined);
  return late.signal;
}
