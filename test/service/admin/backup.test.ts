import { appendFile, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { restore } from "../../../src/service/admin/backup.ts";
import { createApp } from "../../../src/service/app.ts";
import { configurationFrom } from "../../../src/service/configuration.ts";
import { openRecords } from "../../../src/service/open-stores.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { thoroughTest } from "../../thorough/thorough-test.ts";
import { uniqueClip } from "../clips.ts";
import { FAKE_TASKS, finished, form, send, startTestService, type TestService } from "../service-fixture.ts";

let service: TestService;
let clip: Uint8Array<ArrayBuffer>;
let key: string;
let media: string;
let job: string;
beforeAll(async () => {
  service = await startTestService();
  ({ key } = await service.app.administration.createKey());
  clip = await uniqueClip();
  media = (await service.send("POST", "upload_media", form(clip))).body.media_id;
  // A key of the team whose media it is.
  job = (await service.send("POST", "generate_ad_audio", { input: { type: "media_id", media_id: media } })).body.job_id;
  expect((await finished(service, job)).status).toBe("done");
});
afterAll(() => service.close());

const pathOf = async (table: "media" | "artifact", column: "id" | "job_id", id: string, at = service.dataFolder) => {
  const [row] = await service.database.query<{ key: string }>(
    `SELECT storage_key AS key FROM aside.${table} WHERE ${column} = $1`,
    [id],
  );
  return join(at, "objects", row?.key ?? "");
};

/** A service on a folder that was restored. */
async function restored(folder: string) {
  const configuration = configurationFrom({}, folder);
  const { database, lock } = await openRecords(configuration, undefined, () => undefined);
  const app = await createApp(configuration, { database, tasks: FAKE_TASKS, log: { level: "silent" } });
  return {
    app,
    get: (path: string) => send(app, key, "GET", path),
    async close() {
      await app.close();
      await lock.release();
    },
  };
}

thoroughTest(
  "a backup of a running service, restored, has its keys, media, jobs and results, each with its bytes",
  async () => {
    const [backup, target] = [join(await temporaryFolder(), "backup"), join(await temporaryFolder(), "data")];
    expect(await service.app.administration.backUp(backup)).toMatchObject({ objects: 3 });
    expect(await restore(backup, target)).toMatchObject({ objects: 3 });
    const copy = await restored(target);
    const { status, body } = await copy.get(`get_results?job_id=${job}`);
    expect({ status, outcome: body.status }).toEqual({ status: 200, outcome: "done" });
    const result = await copy.app.handle(new Request(body.audio_signed_url));
    const original = await readFile(await pathOf("artifact", "job_id", job));
    expect(Buffer.compare(Buffer.from(await result.arrayBuffer()), original)).toBe(0);
    expect(Buffer.compare(await readFile(await pathOf("media", "id", media, target)), clip)).toBe(0);
    expect(await copy.app.administration.verifyObjects()).toMatchObject({ objects: 2, damaged: [] });
    await copy.close();
  },
);

thoroughTest(
  "is consistent though results are deleted meanwhile, and copies only what is new the next time",
  async () => {
    const backup = join(await temporaryFolder(), "backup");
    const input = { type: "media_id", media_id: media };
    const jobs: string[] = [];
    for (let count = 0; count < 4; count++) {
      jobs.push((await service.send("POST", "generate_ad_audio", { input })).body.job_id);
    }
    for (const id of jobs) await finished(service, id);
    const backing = service.app.administration.backUp(backup);
    await Promise.all(jobs.map((id) => service.send("DELETE", `jobs/${id}`)));
    await backing;
    const target = join(await temporaryFolder(), "data");
    await restore(backup, target);
    const copy = await restored(target);
    expect((await copy.app.administration.verifyObjects()).damaged).toEqual([]);
    await copy.close();
    for (const id of jobs)
      expect(await readdir(join(service.dataFolder, "objects", "teams"), { recursive: true })).not.toContain(id);
    const marked = join(backup, "objects", "aside-records");
    await writeFile(marked, (await readFile(marked, "utf8")).replaceAll(/./g, "x"));
    await service.app.administration.backUp(backup);
    expect(await readFile(marked, "utf8")).toMatch(/^x+$/);
    expect(
      (await readdir(join(backup, "objects"), { recursive: true })).filter((name) => name.endsWith(".wav")),
    ).toHaveLength(1);
  },
);

test("says what stands in the way where no folder can be made, or nothing is to be written", async () => {
  const file = join(await temporaryFolder(), "file");
  await writeFile(file, "mine");
  const reason = /^The backup could not be made \(E[A-Z]+\)\. Choose a folder/;
  for (const folder of [file, join(file, "backup"), join("/proc", "backup")]) {
    const backing = service.app.administration.backUp(folder);
    await expect(backing).rejects.toMatchObject({ code: "backup_impossible", message: expect.stringMatching(reason) });
  }
  expect(await readFile(file, "utf8")).toBe("mine");
});

test("is refused where something else stands, and a part or damaged backup is not restored", async () => {
  const other = await temporaryFolder();
  await writeFile(join(other, "letter.txt"), "mine");
  await expect(service.app.administration.backUp(other)).rejects.toMatchObject({ code: "backup_impossible" });
  const backup = join(await temporaryFolder(), "backup");
  await service.app.administration.backUp(backup);
  await expect(restore(backup, service.dataFolder)).rejects.toMatchObject({ code: "backup_impossible" });
  const target = () => temporaryFolder().then((folder) => join(folder, "data"));
  const objects = await readdir(join(backup, "objects"), { recursive: true, withFileTypes: true });
  const one = objects.find((entry) => entry.isFile());
  await rm(join(one?.parentPath ?? "", one?.name ?? ""));
  await expect(restore(backup, await target())).rejects.toMatchObject({ code: "backup_unusable" });
  await appendFile(join(backup, "records.pack"), "more");
  await expect(restore(backup, await target())).rejects.toThrow(/records are damaged/);
  await rm(join(backup, "backup.json"));
  await expect(restore(backup, await target())).rejects.toThrow(/no whole backup/);
});

test("verify names what is damaged or gone, and a damaged result is never served", async () => {
  const wav = await pathOf("artifact", "job_id", job);
  const good = await readFile(wav);
  const { body } = await service.send("GET", `get_results?job_id=${job}`);
  const verified = () => service.app.administration.verifyObjects();
  await writeFile(wav, Buffer.from(good).fill(1, 40, 41));
  expect((await verified()).damaged).toEqual([{ kind: "result", id: job, state: "damaged" }]);
  await truncate(wav, good.length - 1);
  const served = await service.follow(body.audio_signed_url);
  expect(served.status).toBe(500);
  expect(await served.text()).toContain("damaged");
  const video = await pathOf("media", "id", media);
  await rm(video);
  expect((await verified()).damaged).toEqual([
    { kind: "media", id: media, state: "missing" },
    { kind: "result", id: job, state: "damaged" },
  ]);
  await service.send("POST", "upload_media", form(clip));
  await writeFile(wav, good);
  expect((await verified()).damaged).toEqual([]);
});
