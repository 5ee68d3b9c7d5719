import type { Clock } from "../../src/core/ports.ts";

/** A clock that stands still until it is set on: whoever sleeps wakes when their time is there, in order, and not before. */
export class SetClock implements Clock {
  #now: number;
  #sleepers: { readonly at: number; readonly wake: () => void }[] = [];

  constructor(now = Date.parse("2026-01-01T00:00:00Z")) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const giveUp = () => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        reject(signal?.reason);
      };
      const wake = () => {
        signal?.removeEventListener("abort", giveUp);
        resolve();
      };
      const sleeper = { at: this.#now + milliseconds, wake };
      signal?.addEventListener("abort", giveUp, { once: true });
      this.#sleepers.push(sleeper);
    });
  }

  /** How many sleep. */
  get sleeping(): number {
    return this.#sleepers.length;
  }

  /** Lets so much time pass. What is woken on the way has done what it does by promises alone before the next one wakes. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    for (;;) {
      await turns();
      const [next] = this.#sleepers.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#sleepers = this.#sleepers.filter((other) => other !== next);
      this.#now = Math.max(this.#now, next.at);
      next.wake();
    }
    this.#now = end;
    await turns();
  }
}

/** Until what goes on by promises alone has come to rest. */
export async function turns(count = 4): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((next) => setImmediate(next));
}
