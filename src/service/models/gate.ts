import { setTimeout as sleep } from "node:timers/promises";

/** Lets a number of requests to one server go at the same time, and has all of them wait when the server asks for it. */
export class Gate {
  readonly #parallel: number;
  #under = 0;
  readonly #waiting: (() => void)[] = [];
  /** Until when nothing is sent, on the clock of `performance.now()`. */
  #closedUntil = 0;

  /** @param parallel Requests at the same time, at least 1. */
  constructor(parallel: number) {
    this.#parallel = parallel;
  }

  /**
   * Does the work as soon as there is room.
   *
   * @throws what the work throws; the signal's reason when it aborts before its turn.
   */
  async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    await this.#enter(signal);
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  /** Nothing is sent for so many milliseconds from now. */
  close(milliseconds: number): void {
    this.#closedUntil = Math.max(this.#closedUntil, performance.now() + milliseconds);
  }

  /**
   * Resolves once the server may be asked again.
   *
   * @throws the signal's reason.
   */
  async opened(signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const milliseconds = this.#closedUntil - performance.now();
      if (milliseconds <= 0) return;
      await sleep(Math.ceil(milliseconds), undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }

  async #enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#under < this.#parallel) {
      this.#under++;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const go = () => {
        signal.removeEventListener("abort", stop);
        // Who leaves hands its place on, so the number under way stays.
        resolve();
      };
      const stop = () => {
        this.#waiting.splice(this.#waiting.indexOf(go), 1);
        reject(signal.reason);
      };
      this.#waiting.push(go);
      signal.addEventListener("abort", stop, { once: true });
    });
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#under--;
    else next();
  }
}
