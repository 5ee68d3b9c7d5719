/** What a queue runs. */
export interface Queue {
  /** How many tasks there are; they are known by their index. */
  readonly count: number;
  /** Most that run at once. */
  readonly atOnce: number;
  /** Earlier tasks that have to end before one may begin, however they end. */
  readonly after: (index: number) => readonly number[];
  /** Does one. `false`: no further one is begun. */
  readonly run: (index: number) => Promise<boolean>;
}

/**
 * Runs tasks, several at once, in their order as far as they need not wait for others.
 *
 * @throws The first error that a task raised, once all that were begun have ended.
 */
export async function runQueue({ count, atOnce, after, run }: Queue): Promise<void> {
  let waiting = Array.from({ length: count }, (_, index) => index);
  const running = new Map<number, Promise<void>>();
  const errors: unknown[] = [];
  const begin = async (index: number) => {
    try {
      if (!(await run(index))) waiting = [];
    } catch (error) {
      errors.push(error);
      waiting = [];
    } finally {
      running.delete(index);
    }
  };
  for (;;) {
    const next = waiting.find((index) => !after(index).some((one) => waiting.includes(one) || running.has(one)));
    if (next !== undefined && running.size < atOnce) {
      waiting = waiting.filter((index) => index !== next);
      running.set(next, begin(next));
    } else if (running.size > 0) await Promise.race(running.values());
    else break;
  }
  if (errors.length > 0) throw errors[0];
}
