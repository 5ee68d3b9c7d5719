import { afterAll, beforeAll, expect, test } from "vitest";
import type { PaidPlan } from "../../../src/engine/index.ts";
import { knownCost } from "../../../src/engine/outgoing/ledger.ts";
import { findJobs } from "../../../src/service/storage/job-records.ts";
import { JobLedger, readCost, readPaid, sweepPaid } from "../../../src/service/storage/paid-requests.ts";
import { openTestRecords, type TestRecords } from "../records.ts";

let records: TestRecords;
beforeAll(async () => {
  records = await openTestRecords();
});
afterAll(() => records.close());

const PLAN: PaidPlan = { cost: 1, ceiling: null, most: 100, price: { input: 1, output: 1 } };

let months = 0;

/** The book of a job of its own, in a month of its own where none is said. */
async function book(costPerMonth: number | null = null, period = `2030-${++months}`) {
  const jobId = await records.job();
  const owner = { jobId, teamId: records.team.id, period: () => period, costPerMonth: async () => costPerMonth };
  return { jobId, period, ledger: new JobLedger(records.database, owner) };
}

test("what is under way counts as reserved, what was answered as charged, what was refused as nothing", async () => {
  const { jobId, period, ledger } = await book();
  const names = [
    await ledger.reserve("model", PLAN),
    await ledger.reserve("model", PLAN),
    await ledger.reserve("model", PLAN),
  ];
  expect(await readPaid(records.database, jobId)).toMatchObject({ requests: 3, cost: 3 });
  const [answered = "", refused = ""] = names.map(String);
  await ledger.settle(answered, { status: 200, tokens: { input: 7, output: 2 }, cost: 0.25 });
  await ledger.settle(refused, { status: 429, tokens: null, cost: null });
  expect(await ledger.totals()).toEqual({ requests: 2, inputTokens: 7, outputTokens: 2, cost: 1.25, uselessInARow: 0 });
  expect(await readCost(records.database, records.team.id, period)).toBe(1.25);
});

test("a request that would pass the ceiling does not leave, and a line that broke is counted as reserved", async () => {
  const { ledger } = await book();
  const plan = { ...PLAN, ceiling: 2.5 };
  const first = await ledger.reserve("model", plan);
  await ledger.settle(String(first), { status: null, tokens: null, cost: null });
  await ledger.reserve("model", plan);
  expect(await ledger.reserve("model", plan)).toMatchObject({
    why: "ceiling",
    message: expect.stringContaining("2.5"),
  });
  expect(await ledger.reserve("voice", null)).toEqual(expect.any(String));
});

test("what a voice or a transcription is stated to cost counts to the job's ceiling and the team's month, whatever comes of it", async () => {
  const { jobId, period, ledger } = await book();
  await ledger.reserve("model", { ...PLAN, ceiling: 2 });
  const voice = (cost: number) => ledger.reserve("voice", knownCost(cost) ?? null);
  const first = await voice(0.5);
  await ledger.settle(String(first), { status: 200, tokens: null, cost: null });
  expect(await readPaid(records.database, jobId)).toMatchObject({ cost: 1.5 });
  expect(await voice(0.6)).toMatchObject({ why: "ceiling" });
  expect(await voice(0.5)).toEqual(expect.any(String));
  expect(await readCost(records.database, records.team.id, period)).toBe(2);
  const month = await book(1);
  expect(await month.ledger.reserve("transcription", knownCost(0.7) ?? null)).toEqual(expect.any(String));
  expect(await month.ledger.reserve("voice", knownCost(0.7) ?? null)).toMatchObject({ why: "ceiling" });
  // What costs nothing, or nobody knows what, is never held back.
  expect(await month.ledger.reserve("voice", knownCost(null) ?? null)).toEqual(expect.any(String));
});

test("of requests that come at once no more leave than the ceiling takes", async () => {
  const { ledger } = await book();
  const all = await Promise.all(Array.from({ length: 8 }, () => ledger.reserve("model", { ...PLAN, ceiling: 3 })));
  expect(all.filter((one) => typeof one === "string")).toHaveLength(3);
});

test("three useless answers since the last useful one end it, and so does asking too often", async () => {
  const { ledger } = await book();
  const judge = async (isUseful: boolean) => ledger.judge(String(await ledger.reserve("model", PLAN)), isUseful);
  for (const isUseful of [false, false, true, false, false]) await judge(isUseful);
  expect(await ledger.totals()).toMatchObject({ uselessInARow: 2 });
  await judge(false);
  expect(await ledger.reserve("model", PLAN)).toMatchObject({ why: "given-up" });
  const other = (await book()).ledger;
  await other.reserve("model", { ...PLAN, most: 1 });
  expect(await other.reserve("model", { ...PLAN, most: 1 })).toMatchObject({ why: "given-up" });
});

test("what models may cost a team in a month holds over its jobs, and only for what costs something", async () => {
  const one = await book(2.5);
  const other = await book(2.5, one.period);
  await one.ledger.reserve("model", PLAN);
  await other.ledger.reserve("model", PLAN);
  expect(await other.ledger.reserve("model", PLAN)).toMatchObject({
    why: "ceiling",
    message: expect.stringContaining("ASIDE_COST_PER_MONTH"),
  });
  expect(await other.ledger.reserve("model", { ...PLAN, cost: 0, price: null })).toEqual(expect.any(String));
  expect(await (await book(2.5)).ledger.reserve("model", PLAN)).toEqual(expect.any(String));
});

test("a status says what was spent and is reserved, and of requests without a price how many they are", async () => {
  const { jobId, ledger } = await book();
  const costOf = async () => (await findJobs(records.database, [jobId]))[0]?.cost;
  expect(await costOf()).toBeNull();
  const refused = String(await ledger.reserve("voice", null));
  await ledger.settle(refused, { status: 429, tokens: null, cost: null });
  expect(await costOf()).toBeNull();
  const voice = String(await ledger.reserve("voice", null));
  await ledger.settle(voice, { status: 200, tokens: null, cost: null });
  const unpriced = { requests: 1, useless: 0, unpriced: 1, spent: null, reserved: null, ceiling: null };
  expect(await costOf()).toEqual(unpriced);
  const answered = String(await ledger.reserve("model", { ...PLAN, ceiling: 9 }));
  await ledger.settle(answered, { status: 200, tokens: { input: 7, output: 2 }, cost: 0.25 });
  await ledger.judge(answered, false);
  await ledger.reserve("model", { ...PLAN, ceiling: 5 });
  expect(await costOf()).toEqual({ requests: 3, useless: 1, unpriced: 1, spent: 0.25, reserved: 1, ceiling: 5 });
});

test("rows go once no month's sum needs them, except those of a job that may go on", async () => {
  const [open, over, young] = [await book(), await book(), await book()];
  for (const { ledger } of [open, over, young]) await ledger.reserve("model", PLAN);
  const { database } = records;
  await database.query("UPDATE aside.paid_request SET reserved_at = now() - interval '63 days' WHERE job_id <> $1", [
    young.jobId,
  ]);
  await database.query("UPDATE aside.job SET status = 'queued'");
  await database.query("UPDATE aside.job SET status = 'failed', finished_at = now() WHERE id <> $1", [open.jobId]);
  await sweepPaid(database);
  const left = await Promise.all([open, over, young].map(async ({ jobId }) => (await readPaid(database, jobId)).cost));
  expect(left).toEqual([1, 0, 1]);
});
