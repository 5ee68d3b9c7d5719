import { readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { API_KEY_HEADER, PATH_PREFIX } from "../../src/contract/routes.ts";
import { type OpenAdministration, openAdministration } from "../../src/service/admin/open-administration.ts";
import { type RunningService, type RunningWorker, startService, startWorkerProcess } from "../../src/service/main.ts";
import { createPairingCode, takePairingCode } from "../../src/service/storage/key-records.ts";
import { openPostgresDatabase } from "../../src/service/storage/postgres-database.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { uniqueClip } from "./clips.ts";
import { eventually } from "./eventually.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "./postgres-server.ts";
import { type S3Server, startS3 } from "./s3-server.ts";
import { FAKE_TASKS, form, type Reply } from "./service-fixture.ts";

describe.skipIf(!(await hasPostgres()))("several processes over one Postgres and one S3-compatible store", () => {
  let postgres: PostgresServer;
  let s3: S3Server;
  let folder = "";
  let servers: RunningService[] = [];
  let workers: RunningWorker[] = [];
  /** What is to be ended, the last first. */
  const ends: (() => Promise<unknown>)[] = [];
  let administration: OpenAdministration;
  let key = "";

  beforeAll(async () => {
    folder = await temporaryFolder();
    postgres = await startPostgres();
    ends.push(() => postgres.close());
    s3 = await startS3();
    ends.push(() => s3.close());
    ends.push(() => Promise.all([...servers, ...workers].map((process) => process.close())));
    const options = {
      dataFolder: folder,
      databaseUrl: postgres.url,
      storage: s3.storage,
      tasks: FAKE_TASKS,
      log: { level: "silent" },
    } as const;
    await writeFile(join(folder, "aside.json"), JSON.stringify({ teams: { limited: { requests_per_minute: 6 } } }));
    // Two servers and two workers at once on empty records: they also race to make the tables.
    servers = await Promise.all([1, 2].map(() => startService({ ...options, worksOnJobs: false })));
    workers = await Promise.all([1, 2].map(() => startWorkerProcess(options)));
    administration = await openAdministration(options);
    ends.push(() => administration.close());
    key = (await administration.createKey({ name: "scaled" })).key;
  }, 120_000);
  afterAll(async () => {
    for (const end of ends.reverse()) await end();
  });

  /** Sends a request to one of the servers. */
  async function send(index: number, method: string, path: string, body?: unknown): Promise<Reply> {
    const isForm = body instanceof FormData || body === undefined;
    const response = await fetch(`${servers[index]?.url}${PATH_PREFIX}/${path}`, {
      method,
      headers: { [API_KEY_HEADER]: key, ...(isForm ? {} : { "Content-Type": "application/json" }) },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
  }

  const finished = (index: number, jobId: string) =>
    eventually(async () => {
      const { body } = await send(index, "GET", `get_results?job_id=${jobId}`);
      return body.status === "done" || body.status === "failed" ? body : undefined;
    });

  test("the whole flow goes over any server: signed upload to the store, verification and jobs by workers", async () => {
    const clip = await uniqueClip();
    const { body: upload } = await send(0, "POST", "upload_media", {
      input: { type: "signed_url", filename: "film.mp4", content_type: "video/mp4" },
    });
    expect(upload.upload_url.startsWith(s3.endpoint)).toBe(true);
    expect(upload).not.toHaveProperty("resumable_url");
    const put = await fetch(upload.upload_url, {
      method: "PUT",
      headers: { "Content-Type": upload.content_type },
      body: clip,
    });
    expect(put.status).toBe(200);
    const { media_id, gcs_path } = upload;
    expect((await send(1, "POST", "notify_upload_complete", { media_id, gcs_path })).status).toBe(200);
    const query = new URLSearchParams({ media_id, gcs_path });
    const status = await eventually(async () => {
      const { body } = await send(0, "GET", `get_upload_status?${query}`);
      return body.upload_status === "processing" ? undefined : body;
    });
    expect(status).toMatchObject({ upload_status: "completed", canonical_media_id: media_id });
    const { body: job } = await send(0, "POST", "generate_ad_audio", { input: { type: "media_id", media_id } });
    const done = await finished(1, job.job_id);
    expect(done.status).toBe("done");
    const sound = await fetch(done.audio_signed_url);
    expect([sound.status, await sound.text()]).toEqual([200, `bytes of ${job.job_id}`]);
    expect((await send(0, "POST", "upload_media", form(clip))).body).toMatchObject({ media_id, status: "existing" });
    expect((await send(1, "DELETE", `jobs/${job.job_id}`)).status).toBe(200);
    expect((await fetch(done.audio_signed_url)).status).toBe(404);
  });

  test("a media sent to every server at once is one, and many jobs are each done once", async () => {
    const clip = await uniqueClip();
    const uploads = await Promise.all([0, 1, 0, 1].map((index) => send(index, "POST", "upload_media", form(clip))));
    expect(new Set(uploads.map(({ body }) => body.media_id)).size).toBe(1);
    expect(uploads.filter(({ body }) => body.status === "created")).toHaveLength(1);
    const input = { type: "media_id", media_id: uploads[0]?.body.media_id };
    const jobs = await Promise.all(
      Array.from({ length: 12 }, (_, index) => send(index % 2, "POST", "generate_ad_audio", { input })),
    );
    for (const { body } of jobs) expect((await finished(0, body.job_id)).status).toBe("done");
    const database = openPostgresDatabase(postgres.url, () => undefined);
    const [counts] = await database.query(
      `SELECT count(*)::int AS artifacts, count(DISTINCT job_id)::int AS jobs FROM aside.artifact
       WHERE job_id = ANY($1::uuid[])`,
      [jobs.map(({ body }) => body.job_id)],
    );
    await database.close();
    expect(counts).toEqual({ artifacts: 12, jobs: 12 });
  });

  test("a job that a worker elsewhere runs is cancelled by any server: its process is gone before the answer, within 2 s", async () => {
    const { body: media } = await send(0, "POST", "upload_media", form(await uniqueClip()));
    const input = { type: "media_id", media_id: media.media_id };
    const generation_config = { custom_instructions: "pid spin" };
    const { body: job } = await send(0, "POST", "generate_ad_audio", { input, generation_config });
    // Each worker has a folder of its own.
    const left = async () => (await readdir(folder, { recursive: true })).filter((path) => path.includes(job.job_id));
    const pid = await eventually(async () => {
      const name = (await left()).find((path) => path.includes("pid-"));
      return name === undefined ? undefined : Number(name.split("pid-")[1]);
    });
    const begun = performance.now();
    const { status, body } = await send(1, "POST", `jobs/${job.job_id}/cancel`);
    expect([status, body.error, performance.now() - begun < 20_000]).toEqual([200, "cancelled", true]);
    expect(() => process.kill(pid, 0)).toThrow();
    expect(await left()).toEqual([]);
    expect((await send(0, "POST", `jobs/${job.job_id}/cancel`)).body).toEqual(body);
  });

  test("a limit holds over all servers, exactly", async () => {
    const limited = await administration.createKey({ team: "limited" });
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const response = await fetch(`${servers[index % 2]?.url}${PATH_PREFIX}/get_results?job_id=x`, {
          headers: { [API_KEY_HEADER]: limited.key },
        });
        await response.arrayBuffer();
        return response.status;
      }),
    );
    // The window may turn over in the middle of the test, which then counts twice.
    const passed = statuses.filter((status) => status === 404).length;
    expect([6, 12]).toContain(passed);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20 - passed);
  });

  test("five guesses at a code are all there are, over any number of connections", async () => {
    const database = openPostgresDatabase(postgres.url, () => undefined);
    try {
      const code = await createPairingCode(database, "guessed");
      const wrong = code === "000000" ? "000001" : "000000";
      await Promise.all(Array.from({ length: 4 }, () => takePairingCode(database, wrong)));
      const left = () => database.query('SELECT wrong_codes_left AS "left" FROM aside.pairing_code');
      expect(await left()).toEqual([{ left: 1 }]);
      await Promise.all(Array.from({ length: 20 }, () => takePairingCode(database, wrong)));
      // One of the twenty was looked at.
      expect(await left()).toEqual([{ left: 0 }]);
      expect(await takePairingCode(database, code)).toBeNull();
      const again = await createPairingCode(database, "guessed");
      const keys = await Promise.all(Array.from({ length: 10 }, () => takePairingCode(database, again)));
      expect(keys.filter((key) => key !== null)).toHaveLength(1);
    } finally {
      await database.close();
    }
  });

  test("a key that one process withdraws is refused by the others soon", async () => {
    const { id, key: withdrawn } = await administration.createKey({ name: "to be withdrawn" });
    const status = async () =>
      (
        await fetch(`${servers[0]?.url}${PATH_PREFIX}/get_results?job_id=x`, {
          headers: { [API_KEY_HEADER]: withdrawn },
        })
      ).status;
    expect(await status()).toBe(404);
    expect(await administration.revokeKey(id)).toBe(true);
    await eventually(async () => ((await status()) === 401 ? true : undefined));
  });

  test("requests and jobs survive a crash of the database", async () => {
    const { body: media } = await send(0, "POST", "upload_media", form(await uniqueClip()));
    const input = { type: "media_id", media_id: media.media_id };
    const generation_config = { custom_instructions: "once-crash" };
    const { body: job } = await send(0, "POST", "generate_ad_audio", { input, generation_config });
    await postgres.crash();
    const done = await eventually(async () => {
      const { status, body } = await send(1, "GET", `get_results?job_id=${job.job_id}`).catch(() => ({
        status: 0,
        body: null,
      }));
      return status === 200 && (body.status === "done" || body.status === "failed") ? body : undefined;
    }, 90);
    expect(done.status).toBe("done");
  }, 120_000);
});

test("a worker needs the records on a server", async () => {
  await expect(startWorkerProcess({ dataFolder: tmpdir() })).rejects.toMatchObject({
    code: "configuration_invalid",
    message: expect.stringContaining("DATABASE_URL"),
  });
});

test("a database that cannot be reached is said to be so", async () => {
  const nowhere = {
    dataFolder: join(await temporaryFolder(), "nowhere"),
    databaseUrl: "postgres://aside:secret@127.0.0.1:1/none",
  };
  await expect(startService(nowhere)).rejects.toMatchObject({
    code: "records_unusable",
    message: expect.not.stringContaining("secret"),
  });
});
