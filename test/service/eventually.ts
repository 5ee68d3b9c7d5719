import { setTimeout as sleep } from "node:timers/promises";

/**
 * Asks again until `read` gives something else than `undefined`; for states, which no event tells.
 *
 * @throws Error that names what was asked, once so many seconds are over.
 */
export async function eventually<Value>(read: () => Promise<Value | undefined>, seconds = 30): Promise<Value> {
  const deadline = performance.now() + seconds * 1000;
  for (;;) {
    const value = await read();
    if (value !== undefined) return value;
    if (performance.now() > deadline) {
      throw new Error(`nothing came of it within ${seconds} s: ${read.toString().replace(/\s+/g, " ").slice(0, 300)}`);
    }
    await sleep(20);
  }
}
