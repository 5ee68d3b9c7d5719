import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Client } from "../../src/client/client.ts";
import { API_KEY_HEADER, PATH_PREFIX } from "../../src/contract/routes.ts";
import { type RunningService, type RunningWorker, startService, startWorkerProcess } from "../../src/service/main.ts";
import { openPostgresDatabase } from "../../src/service/storage/postgres-database.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { uniqueClip } from "./clips.ts";
import { eventually } from "./eventually.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "./postgres-server.ts";
import { FAKE_TASKS } from "./service-fixture.ts";

describe.skipIf(!(await hasPostgres()))("records on a server that goes away and comes back", () => {
  let postgres: PostgresServer;
  let service: RunningService;
  let worker: RunningWorker;
  let client: Client;
  let mediaId = "";
  const ends: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    postgres = await startPostgres();
    ends.push(() => postgres.close());
    const options = { dataFolder: await temporaryFolder(), databaseUrl: postgres.url, tasks: FAKE_TASKS } as const;
    service = await startService({ ...options, worksOnJobs: false, log: { level: "silent" } });
    worker = await startWorkerProcess({ ...options, log: { level: "silent" } });
    ends.push(() => Promise.all([service.close(), worker.close()]));
    client = new Client({
      baseUrl: service.url,
      apiKey: (await service.administration.createKey()).key,
      fetch,
      clock: { now: () => Date.now(), sleep: (milliseconds, signal) => sleep(milliseconds, undefined, { signal }) },
    });
    const file = { filename: "film.mp4", contentType: "video/mp4", bytes: await uniqueClip() };
    mediaId = (await client.uploadMediaFile(file)).mediaId;
  }, 120_000);
  afterAll(async () => {
    for (const end of ends.reverse()) await end();
  });

  /** Orders a job as a client does that waits while the service cannot answer; gives it when it is done. */
  async function described(): Promise<string> {
    const { jobId } = await client.generateText({ type: "media_id", media_id: mediaId }, {});
    await eventually(async () => ((await client.getResults(jobId)).status === "done" ? true : undefined), 100);
    return jobId;
  }

  test("answers 503 with a time to wait meanwhile; a client that waits notices no more than that", async () => {
    const restart = postgres.restart(2_500);
    const poll = () =>
      fetch(`${service.url}${PATH_PREFIX}/get_results?job_id=x`, { headers: { [API_KEY_HEADER]: "aside_unknown" } });
    const refused = await eventually(async () => {
      const reply = await poll();
      return reply.status === 503 ? reply : undefined;
    });
    expect(refused.headers.get("retry-after")).toBe("2");
    expect(await refused.json()).toEqual({
      error: "service_unavailable",
      message: expect.stringContaining("Send the request again in a moment"),
      retry_after: 2,
    });
    const job = described();
    await restart;
    await job;
    expect((await poll()).status).toBe(401);
  }, 120_000);

  test("a clean restart in the middle of whatever goes on ends neither server nor worker", async () => {
    for (let restarts = 0; restarts < 3; restarts++) {
      const jobs = Promise.all([1, 2, 3, 4].map(described));
      await sleep(50 * restarts);
      await postgres.restart(300);
      await jobs;
    }
  }, 300_000);

  test("a connection that ends at any statement of a job costs the job nothing, and it is done once", async () => {
    const statements = await withTrap(null, described);
    expect(statements.counted).toBeGreaterThan(10);
    const jobs: string[] = [];
    for (let at = 1; at <= statements.counted; at++) jobs.push((await withTrap(at, described)).result);
    const database = openPostgresDatabase(postgres.url, () => undefined);
    const [counts] = await database.query(
      "SELECT count(*)::int AS done FROM aside.job WHERE id = ANY($1::uuid[]) AND status = 'done'",
      [jobs],
    );
    await database.close();
    expect(counts).toEqual({ done: jobs.length });
    expect(new Set(jobs).size).toBe(jobs.length);
  }, 600_000);

  /** Does work while statements are counted, and ends the connection of one of them, by its number, as it is sent. */
  async function withTrap<Result>(at: number | null, work: () => Promise<Result>) {
    const { query } = pg.Client.prototype;
    let counted = 0;
    const killer = new pg.Client(postgres.url);
    await killer.connect();
    pg.Client.prototype.query = function (this: pg.Client & { processID?: number }, ...given: unknown[]) {
      const send = () => Reflect.apply(query, this, given);
      if (this === killer || ++counted !== at) return send();
      return Reflect.apply(query, killer, ["SELECT pg_terminate_backend($1)", [this.processID]]).then(send);
    } as typeof query;
    try {
      return { result: await work(), counted };
    } finally {
      pg.Client.prototype.query = query;
      await killer.end();
    }
  }
});
