import type { Clock } from "../core/clock.ts";

/**
 * Does work that must end in time, and stops waiting for it as soon as the signal aborts or the deadline passes, also
 * where the work itself heeds neither: UXP's `fetch` may ignore its signal.
 *
 * @param timeout Makes the error to raise when `milliseconds` have passed.
 */
export async function withDeadline<T>(
  work: (signal: AbortSignal) => Promise<T>,
  options: {
    readonly clock: Clock;
    readonly milliseconds: number;
    readonly signal: AbortSignal;
    readonly timeout: () => Error;
  },
): Promise<T> {
  const { clock, milliseconds, signal, timeout } = options;
  signal.throwIfAborted();
  const controller = new AbortController();
  const forward = () => controller.abort(signal.reason);
  signal.addEventListener("abort", forward, { once: true });
  const deadline = clock.sleep(milliseconds, controller.signal).then((): never => {
    throw timeout();
  });
  try {
    return await Promise.race([(async () => work(controller.signal))(), deadline]);
  } finally {
    signal.removeEventListener("abort", forward);
    controller.abort(); // Ends whichever of the two is still under way.
  }
}
