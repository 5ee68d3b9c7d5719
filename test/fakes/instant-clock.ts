import type { Clock } from "../../src/core/ports.ts";

/** A clock whose sleeps take no time but advance it, so that what waits can be tested without waiting. */
export class InstantClock implements Clock {
  /** Every sleep asked for, in milliseconds, in order. */
  readonly sleeps: number[] = [];
  #now: number;

  constructor(now = 0) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  /** Resolves in a later macrotask, so that whatever else is under way can go on. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    this.sleeps.push(milliseconds);
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      setTimeout(() => {
        this.#now += milliseconds;
        if (signal?.aborted) reject(signal.reason);
        else resolve();
      }, 0);
    });
  }

  /** Lets time pass. */
  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }
}
