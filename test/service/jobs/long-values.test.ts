import { randomUUID } from "node:crypto";
import { readdir, readFile, rm, stat, truncate, utimes } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { restore } from "../../../src/service/admin/backup.ts";
import { createApp } from "../../../src/service/app.ts";
import { configurationFrom } from "../../../src/service/configuration.ts";
import { sweepOrphans } from "../../../src/service/jobs/sweep-orphans.ts";
import { openRecords } from "../../../src/service/open-stores.ts";
import { DiskObjectStore, LinkSigner } from "../../../src/service/storage/disk-object-store.ts";
import { SYSTEM_CLOCK } from "../../../src/service/system-clock.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { thoroughTest } from "../../thorough/thorough-test.ts";
import { uniqueClip } from "../clips.ts";
import { FAKE_TASKS, finished, form, openGate, send, startTestService, type TestService } from "../service-fixture.ts";

const SCRIPT = "[00:01.000] A door opens, and Zoë comes in.\n".repeat(5_000);
const CAPTIONS = { content: `WEBVTT\n\n${"00:01.000 --> 00:02.000\nHello.\n\n".repeat(5_000)}` };

let service: TestService;
let mediaId: string;
let key: string;
beforeAll(async () => {
  service = await startTestService({ plans: { default: { queued_jobs: 2 } } });
  ({ key } = await service.app.administration.createKey());
  mediaId = (await service.send("POST", "upload_media", form(await uniqueClip()))).body.media_id;
});
afterAll(() => service.close());

const ask = (custom_instructions = "", headers: Record<string, string> = {}) =>
  service.send(
    "POST",
    "generate_ad_text",
    {
      input: { type: "media_id", media_id: mediaId },
      generation_config: { description_content: SCRIPT, custom_captions: CAPTIONS, custom_instructions },
    },
    headers,
  );

const stored = () =>
  service.database.query<{ key: string; job: string; state: string; row: number }>(
    `SELECT a.storage_key AS key, j.id AS job, j.status AS state, octet_length(j.kept_settings::text) AS row
     FROM aside.artifact a JOIN aside.job j ON j.id = a.job_id WHERE a.kind = 'settings' AND j.deleted_at IS NULL`,
  );
const pathOf = (storageKey: string) => join(service.dataFolder, "objects", storageKey);

thoroughTest(
  "long settings stand in an object beside their job's short row, and the job works by them until it is deleted",
  async () => {
    const { job_id: job } = (await ask()).body;
    const found = (await stored()).find((one) => one.job === job);
    expect(found).toMatchObject({ job, row: expect.toSatisfy((bytes: number) => bytes < 1_000) });
    const path = pathOf(found?.key ?? "");
    expect(JSON.parse(await readFile(path, "utf8"))).toMatchObject({ script: SCRIPT, captions: CAPTIONS });
    const done = await finished(service, job);
    expect(done.output.format).toBe("json");
    expect(JSON.parse(done.output.content).settings).toMatchObject({ script: SCRIPT, captions: CAPTIONS });

    const again = (await service.app.administration.retryJob(job)) ?? "";
    expect(JSON.parse((await finished(service, again)).output.content).settings.script).toBe(SCRIPT);
    for (const id of [job, again]) expect((await service.send("DELETE", `jobs/${id}`)).status).toBe(200);
    await expect(stat(path)).rejects.toThrow("ENOENT");
    await expect(service.app.administration.retryJob(job)).rejects.toThrow(/was deleted.*Order it again/);
  },
);

test("a long result stands in an object beside its row, is sent whole, and goes with its job", async () => {
  const { job_id: job } = (await ask()).body;
  const done = await finished(service, job);
  const names = Object.keys(done).toSorted();
  expect(names).toEqual(["created_at", "job_id", "media_id", "output", "report", "status", "updated_at"]);
  expect(done).toMatchObject({ status: "done", report: { describer: "fake" } });
  const rows = () =>
    service.database.query<{ key: string; size: number; inRow: number | null }>(
      `SELECT a.storage_key AS key, a.size_bytes AS size, octet_length(coalesce(j.kept_content, j.report::text)) AS "inRow"
       FROM aside.job j JOIN aside.artifact a ON a.job_id = j.id AND a.kind = 'text' WHERE j.id = $1`,
      [job],
    );
  const [row] = await rows();
  const path = pathOf(row?.key ?? "");
  const bytes = await readFile(path);
  expect(row).toMatchObject({ size: bytes.length, inRow: null });
  expect(JSON.parse(bytes.toString())).toEqual({ output: done.output, report: done.report });
  expect((await service.app.administration.verifyObjects()).damaged).toEqual([]);

  await truncate(path, bytes.length - 1);
  const { status, body } = await service.send("GET", `get_results?job_id=${job}`);
  expect({ status, body }).toMatchObject({ status: 500, body: { message: expect.stringContaining("is damaged") } });
  expect((await service.app.administration.verifyObjects()).damaged).toEqual([
    { kind: "result", id: job, state: "damaged" },
  ]);
  expect((await service.send("DELETE", `jobs/${job}`)).status).toBe(200);
  await expect(stat(path)).rejects.toThrow("ENOENT");
  expect(await rows()).toEqual([]);
});

test("a program of an earlier version, which looks for settings and results in the row, finds neither", async () => {
  for (const column of ["settings", "content"]) {
    await expect(service.database.query(`SELECT ${column} FROM aside.job`)).rejects.toThrow(/does not exist/);
  }
});

thoroughTest("a request that is refused, or sent again with its key, leaves no second object", async () => {
  const headers = { "Idempotency-Key": randomUUID() };
  const { job_id: first } = (await ask("gate", headers)).body;
  const both = await Promise.all([ask("gate", headers), ask("gate", headers)]);
  for (const { body } of both) expect(body.job_id).toBe(first);
  const { job_id: second } = (await ask("gate")).body;
  const { status, body } = await ask("gate");
  expect({ status, error: body.error }).toEqual({ status: 429, error: "queue_limit_exceeded" });
  const kept = await stored();
  expect(new Set(kept.map(({ job }) => job))).toEqual(new Set([first, second]));
  const folder = join(service.dataFolder, "objects", "teams");
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith("settings.json"));
  expect(files).toHaveLength(2);

  // Waiting jobs keep theirs through sweep, backup and restore; what is missing is named.
  for (const { key: storageKey } of kept) await utimes(pathOf(storageKey), 0, 0);
  const lives = { uploadSeconds: 1, resultSeconds: 1 };
  const objects = new DiskObjectStore(join(service.dataFolder, "objects"), new LinkSigner("any"), lives, SYSTEM_CLOCK);
  expect(await sweepOrphans({ database: service.database, objects, holdDays: 0 })).toBe(0);
  expect(await service.app.administration.verifyObjects()).toMatchObject({ objects: 3, damaged: [] });
  const [backup, target] = [join(await temporaryFolder(), "backup"), join(await temporaryFolder(), "data")];
  await service.app.administration.backUp(backup);
  await restore(backup, target);
  for (const id of [first, second]) {
    await openGate(service.dataFolder, id);
    await openGate(target, id);
    await finished(service, id);
  }
  const configuration = configurationFrom({}, target);
  const { database, lock } = await openRecords(configuration, undefined, () => undefined);
  const copy = await createApp(configuration, { database, tasks: FAKE_TASKS, log: { level: "silent" } });
  const there = { send: (method: string, path: string) => send(copy, key, method, path) };
  expect(JSON.parse((await finished(there, first)).output.content).settings.script).toBe(SCRIPT);
  await copy.close();
  await lock.release();

  const lost = kept.find(({ job }) => job === second);
  await rm(pathOf(lost?.key ?? ""));
  expect((await service.app.administration.verifyObjects()).damaged).toEqual([
    { kind: "settings", id: second, state: "missing" },
  ]);
  for (const id of [first, second]) expect((await service.send("DELETE", `jobs/${id}`)).status).toBe(200);
});
