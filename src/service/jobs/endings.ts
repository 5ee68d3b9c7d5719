/** Tells those who wait for jobs and verifications of this process that one is over. */
export class Endings {
  readonly #waiting = new Map<string, Set<() => void>>();
  #isClosed = false;

  /** Says that the job or upload of an id is over, and its records say so. */
  tell(id: string): void {
    for (const wake of this.#waiting.get(id) ?? []) wake();
  }

  /** Lets everybody go who waits, and whoever comes later. */
  close(): void {
    this.#isClosed = true;
    for (const wakes of this.#waiting.values()) for (const wake of wakes) wake();
  }

  /** Resolves at the end of a job, after a time, or when the signal aborts, whichever comes first. */
  async heard(id: string, milliseconds: number, signal: AbortSignal): Promise<void> {
    using ending = this.listen(id);
    await ending.within(milliseconds, signal);
  }

  /**
   * Begins to listen for the end of a job or upload, before its records are looked at: an end in between is heard. Dispose
   * of it when it is not needed any more.
   */
  listen(id: string): Ending {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (this.#isClosed) resolve();
    const wakes = this.#waiting.get(id) ?? new Set();
    this.#waiting.set(id, wakes.add(resolve));
    return {
      async within(milliseconds, signal) {
        const timer = setTimeout(resolve, milliseconds);
        const leave = () => resolve();
        signal.addEventListener("abort", leave, { once: true });
        await promise;
        clearTimeout(timer);
        signal.removeEventListener("abort", leave);
      },
      [Symbol.dispose]: () => {
        wakes.delete(resolve);
        if (wakes.size === 0) this.#waiting.delete(id);
      },
    };
  }
}

/** One listener for an end. */
export interface Ending extends Disposable {
  /** Resolves at the end, after a time, or when the signal aborts, whichever comes first. */
  within(milliseconds: number, signal: AbortSignal): Promise<void>;
}
