/** How long a service may take to end requests and put jobs back once it is told to stop, in milliseconds. */
export const STOP_LIMIT_MS = 10_000;

/** Resolves when a signal aborts. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
