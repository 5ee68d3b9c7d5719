import { setTimeout as sleep } from "node:timers/promises";

const LONGEST_PAUSE_MS = 250;

/**
 * Asks again until `read` gives something else than `undefined`; for states, which no event tells.
 *
 * @throws Error that names what was asked, once so many seconds are over.
 */
export async function eventually<Value>(read: () => Promise<Value | undefined>, seconds = 50): Promise<Value> {
  const start = performance.now();
  const deadline = start + seconds * 1000;
  for (;;) {
    const value = await read();
    if (value !== undefined) return value;
    if (performance.now() > deadline) {
      throw new Error(`nothing came of it within ${seconds} s: ${read.toString().replace(/\s+/g, " ").slice(0, 300)}`);
    }
    // What takes long is asked seldom: each question takes time from what it waits for.
    await sleep(Math.min(LONGEST_PAUSE_MS, Math.max(20, (performance.now() - start) / 10)));
  }
}
