import { describe, expect, test } from "vitest";
import { JobLookup } from "../../../src/service/http/service-parts.ts";
import type { Queries } from "../../../src/service/storage/database.ts";

const OURS = "11111111-1111-4111-8111-111111111111";
const THEIRS = "22222222-2222-4222-8222-222222222222";
const GONE = "33333333-3333-4333-8333-333333333333";

/** Records that answer only when told to, and note what they were asked for. */
class SlowRecords implements Queries {
  readonly asked: (readonly string[])[] = [];
  readonly rows = [
    { id: OURS, teamId: "ours", status: "queued" },
    { id: THEIRS, teamId: "theirs", status: "queued" },
  ];
  #answers: PromiseWithResolvers<void>[] = [];

  async query<Row extends object>(_statement: string, values: readonly unknown[] = []): Promise<Row[]> {
    const ids = values[0] as string[];
    this.asked.push(ids);
    const answer = Promise.withResolvers<void>();
    this.#answers.push(answer);
    await answer.promise;
    return this.rows.filter(({ id }) => ids.includes(id)).map((row) => ({ ...row })) as object[] as Row[];
  }

  /** Resolves when it is being asked. */
  async answerable(): Promise<void> {
    while (this.#answers.length === 0) await new Promise(setImmediate);
  }

  async answer(error?: Error): Promise<void> {
    await this.answerable();
    const answer = this.#answers.shift();
    if (error === undefined) answer?.resolve();
    else answer?.reject(error);
    await new Promise(setImmediate);
  }
}

describe("JobLookup", () => {
  test("a hundred questions during a look share the next one", async () => {
    const records = new SlowRecords();
    const jobs = new JobLookup(records);
    const first = jobs.find("ours", OURS);
    await records.answerable();
    const others = Array.from({ length: 100 }, (_, index) => jobs.find("ours", index % 2 === 0 ? OURS : GONE));
    await records.answer();
    await records.answer();
    expect((await first)?.id).toBe(OURS);
    expect((await Promise.all(others)).map((job) => job?.id ?? null)).toEqual(
      others.map((_, index) => (index % 2 === 0 ? OURS : null)),
    );
    expect(records.asked).toEqual([[OURS], [OURS, GONE]]);
  });

  test("an answer is never older than its question", async () => {
    const records = new SlowRecords();
    const jobs = new JobLookup(records);
    const before = jobs.find("ours", OURS);
    await records.answerable();
    const [row] = records.rows;
    const during = jobs.find("ours", OURS);
    await records.answer();
    if (row !== undefined) row.status = "done";
    await records.answer();
    expect([(await before)?.status, (await during)?.status]).toEqual(["queued", "done"]);
  });

  test("another team's job is no job", async () => {
    const records = new SlowRecords();
    const jobs = new JobLookup(records);
    const all = Promise.all([jobs.find("ours", OURS), jobs.find("ours", THEIRS), jobs.find("theirs", THEIRS)]);
    await records.answer();
    expect((await all).map((job) => job?.id ?? null)).toEqual([OURS, null, THEIRS]);
  });

  test("records that fail are told to everybody who asked, and the next question is looked up again", async () => {
    const records = new SlowRecords();
    const jobs = new JobLookup(records);
    const fault = new Error("the records are away");
    const failing = Promise.allSettled([jobs.find("ours", OURS), jobs.find("theirs", THEIRS)]);
    await records.answer(fault);
    const refused = { status: "rejected", reason: fault };
    expect(await failing).toEqual([refused, refused]);
    const again = jobs.find("ours", OURS.toUpperCase());
    await records.answer();
    expect((await again)?.id).toBe(OURS);
  });
});
