import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { configurationFrom, planOfTeam } from "../../../src/service/configuration.ts";
import type { Caller } from "../../../src/service/http/authenticate.ts";
import { Metrics } from "../../../src/service/http/metrics.ts";
import { RequestRate } from "../../../src/service/http/request-rate.ts";
import { TextThreads } from "../../../src/service/http/text-threads.ts";
import { ensureTeam } from "../../../src/service/storage/team-records.ts";
import { SetClock } from "../../fakes/set-clock.ts";
import { openTestRecords, SlowPorts, type TestRecords } from "../records.ts";

// Parts of the interface that need no service around them.

describe("texts that are read in threads", () => {
  const longText = (seed: string) => ({
    chunks: [Buffer.from(JSON.stringify(seed.repeat(20_000)))],
    sizeBytes: 20_002,
  });

  test("are read whole, of one team after the other, and of several teams beside each other", async () => {
    const threads = new TextThreads();
    const teams = ["a", "a", "b", "c"];
    expect(await Promise.all(teams.map((team) => threads.json(team, longText(team))))).toEqual(
      teams.map((team) => team.repeat(20_000)),
    );
    await threads.close();
  });

  test("have no thread left once they are closed", async () => {
    const before = process.getActiveResourcesInfo().filter((name) => name === "MessagePort").length;
    const threads = new TextThreads();
    await Promise.all(["a", "b"].map((team) => threads.json(team, longText(team))));
    await threads.close();
    expect(process.getActiveResourcesInfo().filter((name) => name === "MessagePort").length).toBeLessThanOrEqual(
      before,
    );
  });
});

describe("with records", () => {
  let records: TestRecords;
  beforeAll(async () => {
    records = await openTestRecords();
  });
  afterAll(() => records.close());

  test("a team's requests of a minute are counted over all processes, and noted before one goes through", async () => {
    const clock = new SetClock(60_000_000);
    const plan = planOfTeam(configurationFrom({ plans: { default: { requests_per_minute: 100 } } }, "/"), "any");
    const callers = await Promise.all(
      ["few", "many"].map(async (name): Promise<Caller> => {
        const team = await ensureTeam(records.database, name);
        return { ...team, plan, role: "program" } as unknown as Caller;
      }),
    );
    const [few, many] = callers;
    if (few === undefined || many === undefined) throw new Error("two teams");
    const ports = [new SlowPorts(), new SlowPorts()];
    const processes = ports.map((port) => new RequestRate(port.wrap(records.database), clock));
    const take = async (team: Caller, index: number) => {
      const outcome = await processes[index]?.take(team).catch((error: { code: string }) => error.code);
      expect(ports[index]?.underWay).toBe(0);
      return outcome;
    };
    expect(await take(few, 0)).toEqual({ limit: 100, remaining: 99, reset: 60_060 });
    const outcomes: unknown[] = [];
    for (let index = 0; index < 101; index++) outcomes.push(await take(many, index % 2));
    expect(outcomes.filter((one) => one === "rate_limit_exceeded")).toHaveLength(1);
    expect(await take(few, 1)).toMatchObject({ limit: 100 });
    await clock.pass(60_000);
    expect(await take(many, 0)).toEqual({ limit: 100, remaining: 99, reset: 60_120 });
  });

  test("every stage of a job is counted, and what is ended by its kind and outcome", async () => {
    const metrics = new Metrics(records.database);
    const job = { jobId: randomUUID(), kind: "text" } as const;
    metrics.countJob({ ...job, type: "started" });
    metrics.countJob({
      ...job,
      type: "done",
      seconds: 30,
      programmeSeconds: 60,
      stageSeconds: { listen: 2, describe: 5 },
    });
    metrics.countJob({ ...job, type: "failed", seconds: 1 });
    const text = await metrics.registry.metrics();
    for (const line of [
      'aside_stage_seconds_sum{stage="listen"} 2',
      'aside_stage_seconds_sum{stage="describe"} 5',
      'aside_jobs_ended_total{kind="text",outcome="done"} 1',
      'aside_jobs_ended_total{kind="text",outcome="failed"} 1',
      'aside_realtime_factor_sum{kind="text"} 0.5',
      'aside_realtime_factor_count{kind="text"} 1',
    ]) {
      expect(text).toContain(line);
    }
    expect(text).not.toContain('outcome="started"');
  });
});
