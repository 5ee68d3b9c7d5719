import type { Clock } from "../../core/ports.ts";

/** Timers that a {@link UxpClock} uses. */
export interface Timers {
  setTimeout(run: () => void, milliseconds: number): unknown;
  clearTimeout(timer: unknown): void;
}

/**
 * Time by the system's clock. All its timers end with {@link UxpClock.dispose}: one that fires after a plugin was
 * unloaded can take Premiere down.
 */
export class UxpClock implements Clock {
  readonly #timers: Timers;
  readonly #running = new Set<unknown>();
  #isDisposed = false;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  now(): number {
    return Date.now();
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const end = this.after(milliseconds, () => {
        signal?.removeEventListener("abort", abort);
        resolve();
      });
      const abort = () => {
        end();
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", abort, { once: true });
    });
  }

  /** Runs a function once, later. Returns a function that calls it off. */
  after(milliseconds: number, run: () => void): () => void {
    if (this.#isDisposed) return () => undefined;
    const timer = this.#timers.setTimeout(() => {
      this.#running.delete(timer);
      if (!this.#isDisposed) run();
    }, milliseconds);
    this.#running.add(timer);
    return () => {
      this.#running.delete(timer);
      this.#timers.clearTimeout(timer);
    };
  }

  /** Ends every timer; nothing runs any more, and what sleeps never wakes. */
  dispose(): void {
    this.#isDisposed = true;
    for (const timer of this.#running) this.#timers.clearTimeout(timer);
    this.#running.clear();
  }
}
