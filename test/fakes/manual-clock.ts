import type { Clock } from "../../src/core/ports.ts";

/**
 * A clock that moves only when everything else is idle: then the earliest sleeper wakes, and time is what it slept to.
 * `passed` holds the length of every sleep that ran its course, in order; sleeps cut short by their signal are not in it.
 */
export class ManualClock implements Clock {
  readonly passed: number[] = [];
  #now: number;
  #sleepers: { readonly at: number; readonly milliseconds: number; readonly wake: () => void }[] = [];
  #isArmed = false;

  constructor(now = Date.parse("2026-01-01T00:00:00Z")) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  /** Moves time without waking anybody. */
  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const sleeper = {
        at: this.#now + milliseconds,
        milliseconds,
        wake: () => {
          signal?.removeEventListener("abort", giveUp);
          resolve();
        },
      };
      const giveUp = () => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", giveUp, { once: true });
      this.#sleepers.push(sleeper);
      this.#arm();
    });
  }

  #arm(): void {
    if (this.#isArmed) return;
    this.#isArmed = true;
    // Three turns of the event loop: what still runs by promises alone has come to rest by then.
    setImmediate(() => setImmediate(() => setImmediate(() => this.#wakeEarliest())));
  }

  #wakeEarliest(): void {
    this.#isArmed = false;
    const [earliest] = this.#sleepers.toSorted((a, b) => a.at - b.at);
    if (earliest === undefined) return;
    this.#sleepers = this.#sleepers.filter((other) => other !== earliest);
    this.#now = Math.max(this.#now, earliest.at);
    this.passed.push(earliest.milliseconds);
    earliest.wake();
    if (this.#sleepers.length > 0) this.#arm();
  }
}
