import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { API_KEY_HEADER, PATH_PREFIX } from "../../../src/contract/routes.ts";
import { startService } from "../../../src/service/main.ts";
import { openEmbeddedDatabase } from "../../../src/service/storage/pglite-database.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { thoroughTest } from "../../thorough/thorough-test.ts";
import { uniqueClip } from "../clips.ts";
import { eventually, FAKE_TASKS, form, openGate, type Reply } from "../service-fixture.ts";

const PROGRAM = fileURLToPath(new URL("../serve-process.ts", import.meta.url));

interface Server {
  readonly process: ChildProcess;
  send(method: string, path: string, body?: unknown): Promise<Reply>;
}

let prepared = "";
let dataFolder = "";
const running = new Set<ChildProcess>();

beforeAll(async () => {
  prepared = await temporaryFolder();
  const service = await startService({ dataFolder: prepared });
  await service.close();
});

beforeEach(async () => {
  dataFolder = await temporaryFolder();
  await cp(prepared, dataFolder, { recursive: true });
});
afterEach(async () => {
  for (const process of running) {
    process.kill("SIGKILL");
    await once(process, "exit");
  }
  // What killed ones left of their channels goes with the next start on their data, which does not always come here.
  for (const name of await readdir(tmpdir())) {
    if (name.startsWith("aside-admin-")) await rm(join(tmpdir(), name), { recursive: true });
  }
});
afterAll(async () => {
  // A service that is killed in the moment after it killed a child leaves that child's folder: nobody is there to remove it.
  for (const name of await readdir(tmpdir())) {
    if (name.startsWith("aside-task-")) await rm(join(tmpdir(), name), { recursive: true, force: true });
  }
});

async function serve(): Promise<Server> {
  const child = spawn(process.execPath, [PROGRAM, dataFolder, FAKE_TASKS], { stdio: ["ignore", "pipe", "inherit"] });
  running.add(child);
  child.once("exit", () => running.delete(child));
  const [line] = await once(createInterface(child.stdout), "line");
  const { url, key } = JSON.parse(line);
  return {
    process: child,
    async send(method, path, body) {
      const isForm = body instanceof FormData || body === undefined;
      const response = await fetch(`${url}${PATH_PREFIX}/${path}`, {
        method,
        headers: { [API_KEY_HEADER]: key, ...(isForm ? {} : { "Content-Type": "application/json" }) },
        ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
      });
      return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
    },
  };
}

async function end(server: Server, signal: "SIGKILL" | "SIGTERM"): Promise<void> {
  server.process.kill(signal);
  if (server.process.exitCode === null && server.process.signalCode === null) await once(server.process, "exit");
}

async function upload(server: Server): Promise<string> {
  return (await server.send("POST", "upload_media", form(await uniqueClip()))).body.media_id;
}

async function submit(server: Server, mediaId: string, custom_instructions: string): Promise<string> {
  const input = { type: "media_id", media_id: mediaId };
  const reply = await server.send("POST", "generate_ad_audio", { input, generation_config: { custom_instructions } });
  expect(reply.status).toBe(200);
  return reply.body.job_id;
}

const poll = async (server: Server, jobId: string) => (await server.send("GET", `get_results?job_id=${jobId}`)).body;

const until = (server: Server, jobId: string, status: RegExp) =>
  eventually(async () => {
    const job = await poll(server, jobId);
    return status.test(job.status) ? job : undefined;
  });

/** What the records say after the service has ended. */
async function rows(statement: string): Promise<Record<string, unknown>[]> {
  const database = await openEmbeddedDatabase(join(dataFolder, "records"));
  try {
    return await database.query(statement);
  } finally {
    await database.close();
  }
}

async function storedArtifacts(): Promise<string[]> {
  const names = await readdir(join(dataFolder, "objects"), { recursive: true });
  return names.filter((name) => name.endsWith("audio.wav"));
}

thoroughTest(
  "a cancel that was answered survives a kill; one that was not leaves the job cancelled or goes on with it, once",
  async () => {
    const first = await serve();
    const mediaId = await upload(first);
    const [answered, asked] = [await submit(first, mediaId, "gate"), await submit(first, mediaId, "gate")];
    await until(first, answered, /processing/);
    expect((await first.send("POST", `jobs/${answered}/cancel`)).status).toBe(200);
    const unanswered = first.send("POST", `jobs/${asked}/cancel`).catch(() => null);
    await end(first, "SIGKILL");
    const reply = await unanswered;
    for (const jobId of [answered, asked]) await openGate(dataFolder, jobId);
    const second = await serve();
    const outcome = await until(second, asked, /done|failed/);
    expect(outcome.error ?? outcome.status).toBe(reply === null ? (outcome.error ?? "done") : "cancelled");
    const next = await submit(second, mediaId, "");
    expect((await until(second, next, /done|failed/)).status).toBe("done");
    expect(await poll(second, answered)).toMatchObject({ status: "failed", error: "cancelled" });
    await end(second, "SIGTERM");
    const made = outcome.status === "done" ? 2 : 1;
    expect(await rows("SELECT count(*)::int AS count FROM aside.artifact")).toEqual([{ count: made }]);
    expect(await rows("SELECT count(*)::int AS count FROM aside.job WHERE lease IS NOT NULL")).toEqual([{ count: 0 }]);
    expect(await storedArtifacts()).toHaveLength(made);
  },
);

test("STATE-05: over a kill what is done or failed stays so; a job and a verification under way are finished by the next server, once", async () => {
  const first = await serve();
  const mediaId = await upload(first);
  const done = await submit(first, mediaId, "");
  const failed = await submit(first, mediaId, "fail:content_blocked");
  const before = [await until(first, done, /done/), await until(first, failed, /failed/)];
  const input = { type: "signed_url", filename: "clip.mp4", content_type: "video/mp4" };
  const { body } = await first.send("POST", "upload_media", { input });
  await fetch(body.upload_url, { method: "PUT", headers: { "Content-Type": "video/mp4" }, body: await uniqueClip() });
  const { media_id, gcs_path } = body;
  const jobId = await submit(first, mediaId, "gate");
  await until(first, jobId, /processing/);
  await first.send("POST", "notify_upload_complete", { media_id, gcs_path });
  await end(first, "SIGKILL");
  await openGate(dataFolder, jobId);
  const second = await serve();
  const after = [await poll(second, done), await poll(second, failed)];
  expect(after[1]).toEqual(before[1]);
  expect(after[0].output).toEqual(before[0].output);
  expect(after[0].updated_at).toBe(before[0].updated_at);
  const query = new URLSearchParams({ media_id, gcs_path });
  await eventually(async () => {
    const { upload_status } = (await second.send("GET", `get_upload_status?${query}`)).body;
    return upload_status === "completed" ? true : undefined;
  });
  expect(await until(second, jobId, /done|failed/)).toMatchObject({ status: "done" });
  await end(second, "SIGTERM");
  expect(await rows("SELECT id, status, attempts, interruptions FROM aside.job ORDER BY created_at")).toEqual([
    { id: done, status: "done", attempts: expect.any(Number), interruptions: 0 },
    { id: failed, status: "failed", attempts: expect.any(Number), interruptions: 0 },
    { id: jobId, status: "done", attempts: 0, interruptions: 1 },
  ]);
  expect(await rows(`SELECT count(*)::int AS count FROM aside.artifact WHERE job_id = '${jobId}'`)).toEqual([
    { count: 1 },
  ]);
  expect(await rows(`SELECT state FROM aside.usage WHERE job_id = '${jobId}'`)).toEqual([{ state: "spent" }]);
  // Its sound, and that of the job that was done before.
  expect(await storedArtifacts()).toHaveLength(2);
});

thoroughTest("a server that is told to end puts its job back at once, and the next one finishes it", async () => {
  const first = await serve();
  const jobId = await submit(first, await upload(first), "gate");
  await until(first, jobId, /processing/);
  await end(first, "SIGTERM");
  expect(first.process.exitCode).toBe(0);
  expect(await rows("SELECT status, attempts, interruptions FROM aside.job")).toEqual([
    { status: "queued", attempts: 0, interruptions: 0 },
  ]);
  await openGate(dataFolder, jobId);
  const second = await serve();
  expect(await until(second, jobId, /done|failed/)).toMatchObject({ status: "done" });
});

thoroughTest(
  "accepted jobs end exactly once however often the server is killed",
  async () => {
    let server = await serve();
    const mediaId = await upload(server);
    const jobs: string[] = [];
    for (let round = 0; round < 6; round++) {
      for (const instructions of ["", "fail:voice_unavailable", ""])
        jobs.push(await submit(server, mediaId, instructions));
      await sleep(150 * round);
      await end(server, "SIGKILL");
      server = await serve();
    }
    for (const job of jobs) await until(server, job, /done|failed/);
    await end(server, "SIGTERM");
    const counts = await rows(
      `SELECT j.status, count(*)::int AS jobs, count(a.job_id)::int AS artifacts, count(u.job_id)::int AS usages
     FROM aside.job j LEFT JOIN aside.artifact a ON a.job_id = j.id
     LEFT JOIN aside.usage u ON u.job_id = j.id AND u.state = CASE j.status WHEN 'done' THEN 'spent' ELSE 'released' END
     GROUP BY j.status ORDER BY j.status`,
    );
    expect(counts).toEqual([
      { status: "done", jobs: 12, artifacts: 12, usages: 12 },
      { status: "failed", jobs: 6, artifacts: 0, usages: 6 },
    ]);
  },
  120_000,
);

thoroughTest("a second service on the same folder is told who has it, and does no harm", async () => {
  const first = await serve();
  await expect(startService({ dataFolder })).rejects.toMatchObject({
    name: "ServiceStartError",
    code: "data_folder_in_use",
    message: expect.stringContaining(`process ${first.process.pid}`),
  });
  expect((await first.send("GET", "get_results?job_id=x")).status).toBe(404);
  await end(first, "SIGKILL");
  const next = await startService({ dataFolder });
  await next.close();
});
