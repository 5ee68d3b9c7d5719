import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SeededRandom } from "../../fakes/seeded-random.ts";
import { thoroughTest } from "../../thorough/thorough-test.ts";
import { openTestRecords, type TestRecords } from "../records.ts";
import { type Behaviour, USELESS } from "./hostile-model.ts";
import { CEILINGS, faultsInBooks, randomBehaviour, runMoneyJob } from "./money-run.ts";

let records: TestRecords;
beforeAll(async () => {
  records = await openTestRecords();
});
afterAll(() => records.close());

describe("what a job costs", () => {
  thoroughTest(
    "never passes its ceiling, however often its process is killed, and its book says all of it",
    async () => {
      const run = await runMoneyJob(records, () => "good", { killAfterMs: [60, 60, 60] });
      expect(faultsInBooks(run, false)).toEqual([]);
      expect(run.job).toMatchObject({ status: "failed", error: "cost_limit_reached" });
      expect(run.book.requests).toBeGreaterThanOrEqual(10);
    },
    60_000,
  );

  test("is what its requests took, where nothing goes wrong", async () => {
    const run = await runMoneyJob(records, () => "good", { ceiling: CEILINGS.wide });
    expect(run).toMatchObject({ job: { status: "done" }, requests: 20, book: { requests: 20, uselessInARow: 0 } });
    expect(run.book.cost).toBeCloseTo(run.cost, 9);
  }, 60_000);

  test.each(USELESS)(
    "is three answers at a model that gives nothing but: %s",
    async (behaviour) => {
      const run = await runMoneyJob(records, () => behaviour);
      expect(faultsInBooks(run, true)).toEqual([]);
      expect(run.job.message).toMatch(/eyes-7b/);
      expect(run.job.message).toContain("ASIDE_VISION_MODEL");
    },
    60_000,
  );

  thoroughTest(
    "counts useless answers of runs that were killed too",
    async () => {
      const run = await runMoneyJob(records, () => "prose", { killAfterMs: [40, 40] });
      expect(faultsInBooks(run, true)).toEqual([]);
    },
    60_000,
  );

  test.each<[Behaviour, string, number]>([
    ["hangs", "model_unreachable", 2],
    ["closes at once", "model_unreachable", 6],
    ["wrong key (401)", "model_refused", 2],
    ["no credit (402)", "model_out_of_credit", 2],
    ["busy, says how long (429)", "model_rate_limited", 2],
    ["page in place of an answer", "model_refused", 2],
    ["answer without an end", "model_unusable", 2],
  ])(
    "a server that does this: %s, fails the job with %s after %i requests at the most",
    async (behaviour, code, most) => {
      const timeoutSeconds = behaviour === "hangs" ? 1 : 20;
      const { job, requests } = await runMoneyJob(records, () => behaviour, { timeoutSeconds });
      expect(job).toMatchObject({ status: "failed", error: code });
      expect(requests).toBeLessThanOrEqual(most);
      expect(job.message).not.toContain("secret-key");
    },
    60_000,
  );

  thoroughTest(
    "adds up, whatever the server does and whenever its process is killed",
    async () => {
      for (let seed = 1; seed <= 3; seed++) {
        const random = new SeededRandom(seed);
        const killAfterMs = Array.from({ length: random.below(3) }, () => random.below(300));
        const run = await runMoneyJob(records, randomBehaviour(random), { killAfterMs, timeoutSeconds: 1 });
        expect([seed, faultsInBooks(run, false)]).toEqual([seed, []]);
      }
    },
    120_000,
  );
});
