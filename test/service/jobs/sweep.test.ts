import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { configurationFrom } from "../../../src/service/configuration.ts";
import { type Swept, sweep } from "../../../src/service/jobs/sweep.ts";
import { WorkQueue } from "../../../src/service/jobs/work-queue.ts";
import { dataFolders } from "../../../src/service/storage/data-folders.ts";
import { DiskObjectStore, LinkSigner } from "../../../src/service/storage/disk-object-store.ts";
import { deleteJob, getJob, listResults } from "../../../src/service/storage/job-records.ts";
import { SYSTEM_CLOCK } from "../../../src/service/system-clock.ts";
import { uniqueClip } from "../clips.ts";
import { finished, form, startTestService, type TestService, uploadSigned, verified } from "../service-fixture.ts";

let service: TestService;
let queue: WorkQueue;
beforeAll(async () => {
  service = await startTestService();
  queue = new WorkQueue(service.database, () => undefined);
  await queue.start();
});
afterAll(async () => {
  await queue.stop();
  await service.close();
});

function runSweep(retention: object = {}): Promise<Swept> {
  const { database, dataFolder } = service;
  const folders = dataFolders(dataFolder);
  const objects = new DiskObjectStore(
    folders.objects,
    new LinkSigner("any"),
    { uploadSeconds: 1, resultSeconds: 1 },
    SYSTEM_CLOCK,
  );
  return sweep({ database, objects, queue, folders, configuration: configurationFrom({ retention }, dataFolder) });
}

const NOTHING: Swept = { uploads: 0, results: 0, media: 0, orphans: 0, files: 0, requeued: 0, paid: 0 };

async function upload(): Promise<string> {
  return (await service.send("POST", "upload_media", form(await uniqueClip()))).body.media_id;
}

async function run(mediaId: string): Promise<string> {
  const { body } = await service.send("POST", "generate_ad_audio", { input: { type: "media_id", media_id: mediaId } });
  expect((await finished(service, body.job_id)).status).toBe("done");
  return body.job_id;
}

const objects = async () =>
  (await readdir(join(service.dataFolder, "objects"), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

async function age(path: string, hours: number): Promise<void> {
  const time = new Date(Date.now() - hours * 3_600_000);
  await utimes(path, time, time);
}

test("takes nothing that is in use or fresh", async () => {
  await run(await upload());
  const before = await objects();
  expect(await runSweep()).toEqual(NOTHING);
  expect(await objects()).toEqual(before);
});

test("a job goes for its own team alone, and only once", async () => {
  const id = await run(await upload());
  const { database } = service;
  const teamId = (await getJob(database, id))?.teamId ?? "";
  const deleted = (team: string) => database.transaction((queries) => deleteJob(queries, team, id));
  expect(await deleted(randomUUID())).toBeNull();
  expect(await getJob(database, id)).toMatchObject({ deletedAt: null });
  const files = (await listResults(database, id)).map(({ storageKey }) => storageKey);
  expect(files.length).toBeGreaterThan(0);
  expect(await deleted(teamId)).toEqual(expect.arrayContaining(files));
  expect([await deleted(teamId), await listResults(database, id)]).toEqual([null, []]);
  await Promise.all(
    (await objects()).filter((path) => files.some((key) => path.endsWith(key))).map((path) => rm(path)),
  );
});

test("removes uploads that nobody finished; the upload is then unknown", async () => {
  const { body } = await service.send("POST", "upload_media", {
    input: { type: "signed_url", content_type: "video/mp4" },
  });
  const put = { method: "PUT", headers: { "Content-Type": "video/mp4" }, body: "half of it" };
  expect((await service.follow(body.upload_url, put)).status).toBe(200);
  await service.database.query("UPDATE aside.media SET updated_at = now() - interval '25 hours' WHERE id = $1", [
    body.media_id,
  ]);
  expect(await runSweep()).toEqual({ ...NOTHING, uploads: 1 });
  expect((await objects()).some((path) => path.includes(body.media_id))).toBe(false);
  const { media_id, gcs_path } = body;
  expect((await service.send("POST", "notify_upload_complete", { media_id, gcs_path })).status).toBe(404);
  expect((await service.follow(body.upload_url, put)).status).toBe(404);
});

test("removes results after their time; the job then reads as deleted", async () => {
  const job = await run(await upload());
  await service.database.query("UPDATE aside.job SET finished_at = now() - interval '31 days' WHERE id = $1", [job]);
  expect(await runSweep({ result_days: null })).toEqual(NOTHING);
  expect(await runSweep()).toEqual({ ...NOTHING, results: 1 });
  expect((await service.send("GET", `get_results?job_id=${job}`)).status).toBe(404);
  expect((await objects()).some((path) => path.includes(job))).toBe(false);
});

test("removes media that nobody has used for long; the same bytes can come again", async () => {
  const clip = await uniqueClip();
  const { body: first } = await service.send("POST", "upload_media", form(clip));
  const repeat = await uploadSigned(service, clip);
  expect(await verified(service, repeat)).toMatchObject({ canonical_media_id: first.media_id });
  const makeOld = () =>
    service.database.query(
      "UPDATE aside.media SET updated_at = now() - interval '31 days' WHERE id = ANY($1::uuid[])",
      [[first.media_id, repeat.media_id]],
    );
  await makeOld();
  await run(first.media_id);
  expect((await runSweep()).media).toBe(1);
  await makeOld();
  expect(await runSweep({ media_days: null })).toEqual(NOTHING);
  expect((await runSweep()).media).toBe(1);
  expect((await objects()).some((path) => path.includes(first.media_id))).toBe(false);
  for (const id of [first.media_id, repeat.media_id]) {
    expect((await service.send("POST", "generate_ad_text", { media_id: id })).status).toBe(404);
  }
  const { body: again } = await service.send("POST", "upload_media", form(clip));
  expect(again.status).toBe("created");
  expect(again.media_id).not.toBe(first.media_id);
});

async function stray(key: string): Promise<string> {
  const path = join(service.dataFolder, "objects", key);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, "left behind");
  return path;
}

test("removes what a known job or media left and does not need, once it is old enough", async () => {
  const mediaId = await upload();
  const jobId = await run(mediaId);
  for (const key of [`teams/a/jobs/${jobId}/c/audio.wav`, `teams/a/uploads/${mediaId}/source.mp4`]) {
    const path = await stray(key);
    expect((await runSweep()).orphans).toBe(0);
    await age(path, 25);
    expect((await runSweep()).orphans).toBe(1);
    expect(await objects()).not.toContain(path);
  }
});

test("holds what no record knows, lists it, and removes it when the same records never knew it for long", async () => {
  const path = await stray("teams/a/media/5fa6a3d1-6ef1-4f0b-8a63-3fb2a6d4c5b1/source.mp4");
  const { administration } = service.app;
  await age(path, 24 * 365);
  expect(await runSweep()).toEqual(NOTHING);
  expect(await administration.countUnknownObjects()).toEqual({ objects: 1, bytes: 11 });
  const metrics = await service.app.handle(
    new Request("http://service.test/metrics", { headers: { "X-API-Key": service.key } }),
  );
  expect(await metrics.text()).toContain("aside_unknown_objects 1\n");
  const seen = (days: number) =>
    service.database.query(`UPDATE aside.unknown_object SET first_seen_at = now() - interval '${days} days'`);
  await seen(29);
  expect(await runSweep()).toEqual(NOTHING);
  await seen(31);
  expect(await runSweep({ unknown_object_days: null })).toEqual(NOTHING);
  expect(await runSweep()).toEqual({ ...NOTHING, orphans: 1 });
  expect(await objects()).not.toContain(path);
  expect(await administration.countUnknownObjects()).toEqual({ objects: 0, bytes: 0 });
});

test("counts anew from when an object is unknown again", async () => {
  const path = await stray("teams/a/media/5fa6a3d1-6ef1-4f0b-8a63-3fb2a6d4c5b1/source.mp4");
  await age(path, 24 * 365);
  await runSweep();
  await service.database.query("UPDATE aside.unknown_object SET first_seen_at = now() - interval '31 days'");
  await rm(path);
  expect(await runSweep()).toEqual(NOTHING);
  await age(await stray("teams/a/media/5fa6a3d1-6ef1-4f0b-8a63-3fb2a6d4c5b1/source.mp4"), 24 * 365);
  expect(await runSweep()).toEqual(NOTHING);
  expect(await objects()).toContain(path);
  await rm(path);
});

test("removes nothing from a store that names other records", async () => {
  const path = await stray("teams/a/media/5fa6a3d1-6ef1-4f0b-8a63-3fb2a6d4c5b1/source.mp4");
  await age(path, 24 * 365);
  const identity = join(service.dataFolder, "objects", "aside-records");
  const own = await readFile(identity);
  await writeFile(identity, "another");
  await expect(runSweep()).rejects.toMatchObject({ code: "store_of_other_records" });
  await writeFile(identity, own);
  expect(await objects()).toContain(path);
  await rm(path);
});

test("removes local files that nothing uses", async () => {
  const unknown = "5fa6a3d1-6ef1-4f0b-8a63-3fb2a6d4c5b1";
  for (const [path, hours] of [
    [`incoming/${unknown}`, 25],
    [`work/${unknown}`, 2],
    [`programmes/${unknown}`, 2],
    [`narration/${unknown}/line.wav`, 31 * 24],
  ] as const) {
    const file = join(service.dataFolder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, "left behind");
    expect((await runSweep()).files).toBe(0);
    await age(file, hours);
    expect((await runSweep()).files).toBe(1);
  }
});

test("takes up a job that is owed and stands in no queue", async () => {
  const mediaId = await upload();
  const { body } = await service.send("POST", "generate_ad_text", {
    input: { type: "media_id", media_id: mediaId },
    generation_config: { custom_instructions: "" },
  });
  await finished(service, body.job_id);
  await service.database.query(
    "UPDATE aside.job SET status = 'queued', finished_at = NULL, kept_content = NULL WHERE id = $1",
    [body.job_id],
  );
  expect((await runSweep()).requeued).toBe(1);
  expect((await finished(service, body.job_id)).status).toBe("done");
});
