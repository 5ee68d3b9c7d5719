import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { DEFAULT_SETTINGS } from "../../../src/core/settings.ts";
import type { JobKind } from "../../../src/engine/index.ts";
import { configurationFrom, planOfTeam } from "../../../src/service/configuration.ts";
import { type Submission, type SubmitParts, submitJob } from "../../../src/service/jobs/submit-job.ts";
import { WorkQueue } from "../../../src/service/jobs/work-queue.ts";
import { beginRun, failJob, finishJob } from "../../../src/service/storage/job-records.ts";
import { getMedia } from "../../../src/service/storage/media-records.ts";
import { JobLedger } from "../../../src/service/storage/paid-requests.ts";
import { ensureTeam, type KeyedRequest, readUsage } from "../../../src/service/storage/team-records.ts";
import { SetClock } from "../../fakes/set-clock.ts";
import { openTestRecords, SlowPorts, type TestRecords } from "../records.ts";

const LEASE = "5fa6a3d1-6ef1-4f0b-8a63-3fb2a6d4c5b1";

let records: TestRecords;
let parts: SubmitParts;
let team: Submission["team"];
let teams = 0;
let clock: SetClock;
let woken = 0;
beforeAll(async () => {
  records = await openTestRecords();
  const { database, objects, folders } = records;
  const queue = new WorkQueue(database, () => undefined);
  await queue.start();
  queue.onWake("run-job", () => woken++);
  parts = { database, queue, objects, folders, clock: new SetClock() };
});
afterAll(async () => {
  await parts.queue.stop();
  await records.close();
});
beforeEach(async () => {
  team = await teamWith({});
  clock = new SetClock(Date.parse("2026-01-31T23:59:59Z"));
  parts = { ...parts, clock };
  woken = 0;
});

async function teamWith(plan: object): Promise<Submission["team"]> {
  const { id, name } = await ensureTeam(records.database, `team ${++teams}`);
  return { id, plan: planOfTeam(configurationFrom({ plans: { default: plan } }, "/"), name) };
}

/** Asks for a job of a programme of one minute. */
async function submit(more: Partial<Submission> = {}): Promise<string> {
  const media = more.media ?? (await getMedia(records.database, await records.media()));
  if (media === null) throw new Error("no media");
  const settings = DEFAULT_SETTINGS;
  const asked = { team, media, settings, kind: "video", track: "mixed", resolution: "source", keyed: null } as const;
  return (await submitJob(parts, { ...asked, ...more })).id;
}
const jobs = async () =>
  (await records.database.query("SELECT id FROM aside.job WHERE team_id = $1", [team.id])).map(({ id }) => id);
const keyed = (key: string, fingerprint = "x"): KeyedRequest => ({ teamId: team.id, endpoint: "/e", key, fingerprint });

async function end(id: string, isWell: boolean): Promise<void> {
  const { database } = records;
  await beginRun(database, id, LEASE);
  if (isWell) await finishJob(database, id, LEASE, { text: null, artifacts: [] });
  else await failJob(database, id, LEASE, { code: "internal_error", message: "no" });
}

test("a job that is accepted is noted in every respect by then, and is not there at all where any of it fails", async () => {
  const media = await getMedia(records.database, await records.media());
  if (media === null) throw new Error("no media");
  const ports = new SlowPorts();
  const whole = parts;
  const tried = async (failing: number) => {
    Object.assign(ports, { failing, asked: 0 });
    parts = { ...whole, database: ports.wrap(records.database) };
    const outcome = await submit({ media, keyed: keyed(`slow ${failing}`) }).catch(() => null);
    expect([failing, ports.underWay]).toEqual([failing, 0]);
    return outcome;
  };
  const id = await tried(-1);
  const { asked } = ports;
  expect([await jobs(), asked > 6]).toEqual([[id], true]);
  expect((await readUsage(records.database, team.id, "2026-01")).reservedMinutes).toBe(1);
  for (let failing = 0; failing < asked; failing++) expect([failing, await tried(failing)]).toEqual([failing, null]);
  expect(await jobs()).toEqual([id]);
  expect(woken).toBe(1);
});

describe("the minutes of a month", () => {
  test("may be spent to the last, and not beyond; what is reserved counts, and what failed is given back", async () => {
    team = await teamWith({ minutes_per_month: 2 });
    const [first, second] = [await submit(), await submit()];
    await expect(submit()).rejects.toMatchObject({
      code: "plan_limit_exceeded",
      message: expect.stringContaining("0 are spent and 2 reserved"),
    });
    await end(first, true);
    await end(second, false);
    await submit();
    await expect(submit()).rejects.toMatchObject({ message: expect.stringContaining("1 are spent and 1 reserved") });
    expect(await readUsage(records.database, team.id, "2026-01")).toEqual({ spentMinutes: 1, reservedMinutes: 1 });
  });

  test.each([
    ["text", 0.5],
    ["audio", 0.75],
    ["video", 1],
  ] as const)("count a %s job by its weight", async (kind: JobKind, minutes) => {
    await submit({ kind });
    expect((await readUsage(records.database, team.id, "2026-01")).reservedMinutes).toBe(minutes);
  });

  test("begin anew with the month, by the clock of the service", async () => {
    team = await teamWith({ minutes_per_month: 1 });
    await submit();
    await expect(submit()).rejects.toMatchObject({ code: "plan_limit_exceeded" });
    await clock.pass(1_000);
    await submit();
  });

  test("where there are none take no job, not even one that costs nothing", async () => {
    team = await teamWith({ minutes_per_month: 0, minute_weights: { text: 0, audio: 0, video: 0 } });
    await expect(submit()).rejects.toMatchObject({ code: "plan_limit_exceeded" });
    expect(await jobs()).toEqual([]);
  });
});

test("where models have cost a team all that they may in a month, jobs with a script alone are taken", async () => {
  team = await teamWith({ cost_per_month: 2 });
  const owner = { jobId: await submit(), teamId: team.id, period: () => "2026-01", costPerMonth: async () => null };
  const plan = { cost: 2, ceiling: null, most: 9, price: { input: 1, output: 1 } };
  await new JobLedger(records.database, owner).reserve("model", plan);
  await expect(submit()).rejects.toMatchObject({
    code: "plan_limit_exceeded",
    message: expect.stringContaining("ASIDE_COST_PER_MONTH"),
  });
  await submit({ settings: { ...DEFAULT_SETTINGS, script: "00:01 A door." } });
  await clock.pass(1_000);
  await submit();
});

describe("the jobs that may wait", () => {
  test("are as many as the plan says, waiting and running together; each that ends makes room for one", async () => {
    team = await teamWith({ queued_jobs: 2 });
    const [first] = [await submit(), await submit()];
    await beginRun(records.database, first, LEASE);
    await expect(submit()).rejects.toMatchObject({
      code: "queue_limit_exceeded",
      fields: { headers: { "retry-after": "15" } },
    });
    await end(first, false);
    await submit();
    await expect(submit()).rejects.toMatchObject({ code: "queue_limit_exceeded" });
    expect(await jobs()).toHaveLength(3);
  });

  test("are counted while the team is held, so that no other process counts at the same time", async () => {
    const { database } = records;
    const statements: string[] = [];
    const noted: typeof database = {
      ...database,
      transaction: (work) =>
        database.transaction((queries) =>
          work({
            query: (statement, values) => {
              statements.push(statement);
              return queries.query(statement, values);
            },
          }),
        ),
    };
    const { database: _, ...rest } = parts;
    parts = { ...rest, database: noted };
    await submit({ keyed: keyed("held") });
    parts = { ...rest, database };
    expect(statements[0]).toMatch(/FROM aside\.team WHERE id = \$1 FOR UPDATE/);
    expect(statements.some((statement) => statement.includes("count(*)"))).toBe(true);
  });

  test("are never more, however many are asked for at once", async () => {
    team = await teamWith({ queued_jobs: 3 });
    const asked = await Promise.allSettled(Array.from({ length: 8 }, () => submit()));
    expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    expect(await jobs()).toHaveLength(3);
  });
});

describe("a job that is asked for", () => {
  test("stands in the queue once, and the lanes are woken after that", async () => {
    const id = await submit();
    const queued = await records.database.query("SELECT state FROM pgboss.job WHERE data->>'id' = $1", [id]);
    expect([queued.length, woken]).toEqual([1, 1]);
  });

  test("again with its key is the same one; with the key of another endpoint or team it is another", async () => {
    const first = await submit({ keyed: keyed("k") });
    expect(await submit({ keyed: keyed("k") })).toBe(first);
    expect([(await jobs()).length, woken]).toEqual([1, 1]);
    await expect(submit({ keyed: keyed("k", "y") })).rejects.toMatchObject({ code: "invalid_input" });
    expect(await submit({ keyed: { ...keyed("k"), endpoint: "/other" } })).not.toBe(first);
    const other = await teamWith({});
    expect(await submit({ team: other, keyed: { ...keyed("k"), teamId: other.id } })).not.toBe(first);
  });

  test("with one key many times at once is one job", async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, () => submit({ keyed: keyed("at once") })));
    expect([new Set(ids).size, (await jobs()).length]).toEqual([1, 1]);
  });

  test("of media that were just removed is refused, and leaves nothing", async () => {
    const id = await records.media();
    const media = await getMedia(records.database, id);
    if (media === null) throw new Error("no media");
    await records.database.query("UPDATE aside.media SET removed_at = now() WHERE id = $1", [id]);
    await expect(submit({ media })).rejects.toMatchObject({ code: "not_found" });
    expect([await jobs(), woken]).toEqual([[], 0]);
  });

  test("keeps its media from being swept", async () => {
    const id = await records.media();
    await records.database.query("UPDATE aside.media SET updated_at = now() - interval '40 days' WHERE id = $1", [id]);
    await submit({ media: (await getMedia(records.database, id)) ?? undefined } as Partial<Submission>);
    const [row] = await records.database.query(
      "SELECT updated_at > now() - interval '1 minute' AS young FROM aside.media WHERE id = $1",
      [id],
    );
    expect(row).toEqual({ young: true });
  });

  test.each(["refused", "sent again"])(
    "leaves no long settings of its own in the store where it is %s",
    async (how) => {
      team = await teamWith({ queued_jobs: 1 });
      const settings = { ...DEFAULT_SETTINGS, script: `[00:01.000] A door opens. ${randomUUID()}\n`.repeat(2_000) };
      const stored = async () =>
        (await records.stored()).filter((key) => key.includes(team.id) && key.includes("/jobs/"));
      await submit({ settings, keyed: keyed("k") });
      expect(await stored()).toHaveLength(1);
      if (how === "refused") await expect(submit({ settings })).rejects.toMatchObject({ code: "queue_limit_exceeded" });
      else await submit({ settings, keyed: keyed("k") });
      expect(await stored()).toHaveLength(1);
    },
  );

  test("whose outcome nobody knows, for the records went away at its end, keeps its settings", async () => {
    const settings = { ...DEFAULT_SETTINGS, script: "[00:01.000] A door opens.\n".repeat(4_000) };
    const { database } = records;
    const away = new Error("terminated");
    const asked = submitJob(
      {
        ...parts,
        database: {
          ...database,
          async transaction(work) {
            await database.transaction(work);
            throw away;
          },
        },
      },
      {
        team,
        media: (await getMedia(database, await records.media())) as Submission["media"],
        settings,
        kind: "text",
        track: "mixed",
        resolution: "source",
        keyed: null,
      },
    );
    await expect(asked).rejects.toBe(away);
    const [id] = await jobs();
    expect((await records.stored()).some((key) => key.includes(String(id)))).toBe(true);
  });
});
