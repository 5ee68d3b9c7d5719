import fc from "fast-check";
import { expect, test } from "vitest";
import { runQueue } from "../../../../src/cli/commands/batch/run-batch.ts";
import { turns } from "../../../fakes/set-clock.ts";

/** Tasks that wait for earlier ones, how long each takes in turns, and how many may run at once. */
const QUEUES = fc
  .array(fc.record({ turns: fc.nat(4), after: fc.array(fc.nat(20), { maxLength: 3 }) }), { maxLength: 9 })
  .chain((tasks) =>
    fc.record({
      tasks: fc.constant(
        tasks.map(({ turns, after }, index) => ({ turns, after: index === 0 ? [] : after.map((one) => one % index) })),
      ),
      atOnce: fc.integer({ min: 1, max: 4 }),
    }),
  );

test("every task runs once, in order as far as it need not wait, never beside more than may run, nor before those it waits for", async () => {
  await fc.assert(
    fc.asyncProperty(QUEUES, async ({ tasks, atOnce }) => {
      const begun: number[] = [];
      const ended: number[] = [];
      await runQueue({
        count: tasks.length,
        atOnce,
        after: (index) => tasks[index]?.after ?? [],
        run: async (index) => {
          begun.push(index);
          expect(begun.length - ended.length).toBeLessThanOrEqual(atOnce);
          for (const one of tasks[index]?.after ?? []) expect(ended).toContain(one);
          await turns(tasks[index]?.turns ?? 0);
          ended.push(index);
          return true;
        },
      });
      expect(begun.toSorted((a, b) => a - b)).toEqual(tasks.map((_, index) => index));
      if (atOnce === 1) expect(begun).toEqual(tasks.map((_, index) => index));
    }),
  );
});

test("once a task says so, or fails, no further one begins, and those under way end first", async () => {
  for (const last of [async () => false, () => Promise.reject(new Error("no"))]) {
    const [begun, ended]: [number[], number[]] = [[], []];
    const running = runQueue({
      count: 6,
      atOnce: 3,
      after: () => [],
      run: async (index) => {
        begun.push(index);
        await turns(index === 1 ? 1 : 5);
        ended.push(index);
        return index === 1 ? last() : true;
      },
    });
    await running.catch(() => undefined);
    expect([begun, ended.toSorted()]).toEqual([
      [0, 1, 2],
      [0, 1, 2],
    ]);
  }
});

test("several may run at once, and do", async () => {
  let most = 0;
  let now = 0;
  const run = async () => {
    most = Math.max(most, ++now);
    await turns(1);
    now--;
    return true;
  };
  await runQueue({ count: 7, atOnce: 3, after: () => [], run });
  expect(most).toBe(3);
});
