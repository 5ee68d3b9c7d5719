import { existsSync } from "node:fs";
import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { configurationFrom } from "../../../src/service/configuration.ts";
import { type Swept, sweep } from "../../../src/service/jobs/sweep.ts";
import { WorkQueue } from "../../../src/service/jobs/work-queue.ts";
import { type ArtifactRecord, beginRun, failJob, finishJob } from "../../../src/service/storage/job-records.ts";
import { beginVerification, failVerification } from "../../../src/service/storage/media-records.ts";
import { claimStore } from "../../../src/service/storage/object-store.ts";
import { openTestRecords, type TestRecords } from "../records.ts";

let records: TestRecords;
let queue: WorkQueue;
beforeAll(async () => {
  records = await openTestRecords();
  await claimStore(records.objects, records.database, { workFolder: records.folders.incoming });
  queue = new WorkQueue(records.database, () => undefined);
  await queue.start();
});
afterAll(async () => {
  await queue.stop();
  await records.close();
});
beforeEach(async () => {
  // What an earlier test left owed, taken up and forgotten.
  await runSweep();
});

const LEASE = "5fa6a3d1-6ef1-4f0b-8a63-3fb2a6d4c5b1";
const NOTHING: Swept = { uploads: 0, results: 0, media: 0, orphans: 0, files: 0, requeued: 0, paid: 0 };
/** How far from a limit something is asked: less than any machine needs for a test. */
const NEAR_HOURS = 1 / 60;
const DAY_HOURS = 24;

function runSweep(retention: object = {}): Promise<Swept> {
  const { database, objects, folders } = records;
  return sweep({ database, objects, queue, folders, configuration: configurationFrom({ retention }, "/nowhere") });
}

async function age(path: string, hours: number): Promise<void> {
  const time = new Date(Date.now() - hours * 3_600_000);
  await utimes(path, time, time);
}

/** Makes an entry of a folder, of an age. */
async function entry(folder: string, name: string, hours: number): Promise<string> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, "kept");
  await age(path, hours);
  return path;
}

/** Makes a folder of an age with a file in it. */
async function folderOf(parent: string, name: string, hours: number): Promise<string> {
  await entry(join(parent, name), "stage.json", hours);
  await age(join(parent, name), hours);
  return join(parent, name);
}

const old = (table: string, id: string, column: string, hours: number) =>
  records.database.query(`UPDATE aside.${table} SET ${column} = now() - make_interval(secs => $2) WHERE id = $1`, [
    id,
    hours * 3_600,
  ]);

describe("local files", () => {
  const places = [
    ["incoming", 24, () => records.folders.incoming],
    ["work", 1, () => records.folders.work],
    ["programmes", 1, () => records.folders.programmes],
    ["narration", 30 * DAY_HOURS, () => join(records.folders.narration, "north")],
  ] as const;
  test.each(places)(
    "in %s go when they are older than %d h, all of them, and stay until then",
    async (_, limit, place) => {
      const ages = [limit + NEAR_HOURS, limit - NEAR_HOURS, 2 * limit, 0];
      const names = ages.map((hours, index) => ({ hours, name: `00000000-0000-0000-0000-00000000000${index}` }));
      const paths: string[] = [];
      for (const { hours, name } of names) paths.push(await entry(place(), name, hours));
      expect(await runSweep()).toEqual({ ...NOTHING, files: 2 });
      expect(paths.map((path) => existsSync(path))).toEqual([false, true, false, true]);
    },
  );

  test("of every team's narration go, each after as many days as are set, and never where none are", async () => {
    const at = (name: string, hours: number) => entry(records.folders.narration, name, hours);
    const lines = [await at("east/a.wav", 49), await at("south/b.wav", 49)];
    const young = await at("south/c.wav", 47);
    expect(await runSweep({ narration_days: null })).toEqual(NOTHING);
    await runSweep({ narration_days: 2 });
    expect([...lines, young].map((path) => existsSync(path))).toEqual([false, false, true]);
  });

  test("of a job stay as long as it waits or runs, however long that takes, and go once it is over", async () => {
    const { database, folders } = records;
    const [waiting, running, failed] = [await records.job(), await records.job(), await records.job()];
    await beginRun(database, running, LEASE);
    await beginRun(database, failed, LEASE);
    await failJob(database, failed, LEASE, { code: "internal_error", message: "no" });
    for (const job of [waiting, running, failed]) await folderOf(folders.work, job, 1_000);
    expect((await runSweep()).files).toBe(1);
    expect(await readdir(folders.work)).toEqual(expect.arrayContaining([waiting, running]));
    expect(existsSync(join(folders.work, failed))).toBe(false);
  });

  test("of a media stay as long as it does", async () => {
    const [kept, removed] = [await records.media(), await records.media()];
    for (const id of [kept, removed]) await folderOf(records.folders.programmes, id, 1_000);
    await old("media", removed, "removed_at", 1);
    expect((await runSweep()).files).toBe(1);
    expect(await readdir(records.folders.programmes)).toContain(kept);
    expect(await readdir(records.folders.programmes)).not.toContain(removed);
  });
});

describe("uploads", () => {
  test("that nobody finished, or that failed, go after 24 h, and what is verified or verifying stays", async () => {
    const { database } = records;
    const made = [];
    for (const hours of [24 - NEAR_HOURS, 24 + NEAR_HOURS, 48, 48, 48])
      made.push({ hours, ...(await records.upload()) });
    const [, , failed, verifying] = made;
    await failVerification(database, failed?.id ?? "", { code: "no_video_stream", message: "none" });
    await beginVerification(database, verifying?.id ?? "");
    await queue.add(database, "verify-upload", verifying?.id ?? "");
    for (const { id, hours } of made) await old("media", id, "updated_at", hours);
    expect(await runSweep()).toEqual({ ...NOTHING, uploads: 3 });
    const left = await database.query<{ id: string }>(
      "SELECT id FROM aside.media WHERE id = ANY($1::uuid[]) AND removed_at IS NULL",
      [made.map(({ id }) => id)],
    );
    expect(new Set(left.map(({ id }) => id))).toEqual(new Set([made[0]?.id, verifying?.id]));
  });

  test("take what arrived of them along: bytes, slices and what was analysed", async () => {
    const { folders, objects } = records;
    const { id, key } = await records.upload();
    await objects.put(key, await entry(folders.incoming, `part-${id}`, 0), "video/mp4");
    const slices = await entry(folders.incoming, `slices-${id}`, 0);
    const synced = await entry(folders.incoming, `slices-${id}.synced`, 0);
    const analysed = await folderOf(folders.programmes, id, 0);
    await old("media", id, "updated_at", 25);
    expect(await runSweep()).toEqual({ ...NOTHING, uploads: 1 });
    expect([await objects.stat(key), ...[slices, synced, analysed].map((path) => existsSync(path))]).toEqual([
      null,
      false,
      false,
      false,
    ]);
  });
});

describe("media", () => {
  test("go when nobody has used them for 30 days, and not while a job of them waits or runs", async () => {
    const { database, objects } = records;
    const [young, unused, waiting, over] = [
      await records.media(),
      await records.media(),
      await records.media(),
      await records.media(),
    ];
    await records.job({ mediaId: waiting });
    const done = await records.job({ mediaId: over });
    await beginRun(database, done, LEASE);
    await finishJob(database, done, LEASE, { text: null, artifacts: [] });
    for (const id of [unused, waiting, over]) await old("media", id, "updated_at", 30 * DAY_HOURS + NEAR_HOURS);
    await old("media", young, "updated_at", 30 * DAY_HOURS - NEAR_HOURS);
    await runSweep({ media_days: null });
    const stored = async () => (await records.stored()).join();
    for (const id of [young, unused, waiting, over]) expect(await stored()).toContain(id);
    expect((await runSweep()).media).toBe(2);
    for (const id of [young, waiting]) expect(await stored()).toContain(id);
    for (const id of [unused, over]) expect(await stored()).not.toContain(id);
    expect(await objects.stat(`teams/${records.team.id}/media/${unused}/source.mp4`)).toBeNull();
  });
});

describe("results", () => {
  async function doneJob(files: readonly ("audio" | "worksheet")[]): Promise<string> {
    const { database, objects, folders, team } = records;
    const id = await records.job();
    await beginRun(database, id, LEASE);
    const artifacts: ArtifactRecord[] = [];
    for (const kind of files) {
      const storageKey = `teams/${team.id}/jobs/${id}/${LEASE}/${kind}`;
      await objects.put(storageKey, await entry(folders.incoming, `${kind}-${id}`, 0), "");
      artifacts.push({ kind, storageKey, contentType: "", sizeBytes: 4, contentHash: "" });
    }
    await database.transaction((queries) => finishJob(queries, id, LEASE, { text: null, artifacts }));
    return id;
  }

  test("go 30 days after their job's end with all their files, and other jobs keep theirs", async () => {
    const [young, first, second] = [
      await doneJob(["audio"]),
      await doneJob(["audio", "worksheet"]),
      await doneJob(["audio", "worksheet"]),
    ];
    await old("job", young, "finished_at", 30 * DAY_HOURS - NEAR_HOURS);
    for (const id of [first, second]) await old("job", id, "finished_at", 30 * DAY_HOURS + NEAR_HOURS);
    expect(await runSweep()).toEqual({ ...NOTHING, results: 2 });
    const stored = (await records.stored()).join();
    expect(stored).toContain(young);
    for (const id of [first, second]) expect(stored).not.toContain(id);
    expect((await records.seen(young)).deletedAt).toBeNull();
    expect((await records.seen(second)).deletedAt).not.toBeNull();
  });
});

describe("stored objects that no record needs", () => {
  test("stay for a day, because their note may be on its way, and go then, all of them", async () => {
    const { folders, team } = records;
    const job = await records.job();
    await queue.add(records.database, "run-job", job);
    const at = async (name: string, hours: number) =>
      entry(folders.objects, `teams/${team.id}/jobs/${job}/${name}`, hours);
    const paths = [await at("a", 24 + NEAR_HOURS), await at("b", 24 - NEAR_HOURS), await at("c", 1_000)];
    expect(await runSweep()).toEqual({ ...NOTHING, orphans: 2 });
    expect(paths.map((path) => existsSync(path))).toEqual([false, true, false]);
  });

  test("are gone through to the last, however many there are", async () => {
    const { folders, team } = records;
    const job = await records.job();
    await queue.add(records.database, "run-job", job);
    const folder = join(folders.objects, `teams/${team.id}/jobs/${job}`);
    await mkdir(folder, { recursive: true });
    await Promise.all(Array.from({ length: 501 }, (_, index) => entry(folder, `file-${index}`, 25)));
    expect(await runSweep()).toEqual({ ...NOTHING, orphans: 501 });
    expect(await readdir(folder)).toEqual([]);
  });
});

describe("work that is owed", () => {
  test("is taken up once where no queue has it, and left alone where one does or it is over", async () => {
    const { database } = records;
    const running = await records.job();
    await queue.add(database, "run-job", running, { priority: 1 });
    expect((await queue.take("run-job"))?.id).toBe(running);
    const [lost, waiting, over] = [await records.job(), await records.job(), await records.job()];
    await queue.add(database, "run-job", waiting);
    await beginRun(database, over, LEASE);
    await failJob(database, over, LEASE, { code: "internal_error", message: "no" });
    const [upload, verifying] = [await records.upload(), await records.upload()];
    for (const { id } of [upload, verifying]) await beginVerification(database, id);
    await queue.add(database, "verify-upload", verifying.id);
    let woken = 0;
    const off = [queue.onWake("run-job", () => woken++), queue.onWake("verify-upload", () => woken++)];
    expect(await runSweep()).toEqual({ ...NOTHING, requeued: 2 });
    expect(woken).toBe(2);
    expect(await runSweep()).toEqual(NOTHING);
    for (const stop of off) stop();
    const queued = await database.query<{ id: string }>(
      "SELECT data->>'id' AS id FROM pgboss.job WHERE state < 'completed'",
    );
    const times = (id: string) => queued.filter((found) => found.id === id).length;
    expect([running, lost, waiting, over, upload.id, verifying.id].map(times)).toEqual([1, 1, 1, 0, 1, 1]);
  });

  test("keeps its turn: who came first goes first", async () => {
    const jobs = [await records.job(), await records.job(), await records.job()];
    await runSweep();
    const order: string[] = [];
    for (let taken = await queue.take("run-job"); taken !== null; taken = await queue.take("run-job"))
      order.push(taken.id);
    expect(order.filter((id) => jobs.includes(id))).toEqual(jobs);
  });
});
