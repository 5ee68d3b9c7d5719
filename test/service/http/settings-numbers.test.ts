import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createApp } from "../../../src/service/app.ts";
import { configurationFrom } from "../../../src/service/configuration.ts";
import { layFreshRecords } from "../../../src/service/fresh-records.ts";
import { ServiceSettings } from "../../../src/service/settings/service-settings.ts";
import { dataFolders } from "../../../src/service/storage/data-folders.ts";
import { openEmbeddedDatabase } from "../../../src/service/storage/pglite-database.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { uniqueClip } from "../clips.ts";
import { eventually, FAKE_TASKS, finished, form, openGate, startTestService } from "../service-fixture.ts";

test("what work may take counts at once, without a new start", async () => {
  const settings = new ServiceSettings({ file: join(await temporaryFolder(), "settings.json"), environment: {} });
  const service = await startTestService({}, { settings });
  try {
    const { body } = await service.send("POST", "upload_media", form(await uniqueClip()));
    const order = { media_id: body.media_id, custom_instructions: "gate" };
    const submit = () => service.send("POST", "generate_ad_text", order);
    const status = async (job: string) => (await service.send("GET", `get_results?job_id=${job}`)).body.status;
    const first = (await submit()).body.job_id;
    await eventually(async () => ((await status(first)) === "processing" ? true : undefined));
    const second = (await submit()).body.job_id;
    expect(await status(second)).toBe("queued");
    const set = await service.send("POST", "settings", { limits: { concurrent_jobs: "2", queued_jobs: "2" } });
    expect(set.body.limits.decided_by).toBe("settings");
    await eventually(async () => ((await status(second)) === "processing" ? true : undefined));
    // A plan that was found for a key counts for two seconds more.
    const refused = await eventually(async () => {
      const reply = await submit();
      if (reply.status !== 200) return reply;
      // Each that is taken is to be finished below.
      await sleep(300);
      return undefined;
    });
    expect(refused.body.error).toBe("queue_limit_exceeded");
    const open = await service.database.query<{ id: string }>("SELECT id FROM aside.job");
    // All gates first: a job that waits for its turn would wait for those that stand at theirs.
    for (const { id } of open) await openGate(service.dataFolder, id);
    for (const { id } of open) await finished(service, id);
  } finally {
    await service.close();
  }
});

test("what is kept for so many days by the settings is swept by them, and by nothing that cannot be read", async () => {
  const kept = async (narrationDays: string) => {
    const folder = await temporaryFolder();
    const folders = dataFolders(folder);
    const line = join(folders.narration, "team", "line");
    await mkdir(join(folders.narration, "team"), { recursive: true });
    await writeFile(line, "a line");
    const threeDaysAgo = new Date(Date.now() - 3 * 24 * 3_600_000);
    await utimes(line, threeDaysAgo, threeDaysAgo);
    const file = join(folder, "settings.json");
    await writeFile(file, JSON.stringify({ version: 1, retention: { narration_days: narrationDays } }));
    await layFreshRecords(folders.records);
    const log: string[] = [];
    const app = await createApp(configurationFrom({ retention: { narration_days: 1 } }, folder), {
      database: await openEmbeddedDatabase(folders.records, false),
      tasks: FAKE_TASKS,
      settings: new ServiceSettings({ file, environment: {} }),
      log: { level: "info", stream: { write: (text) => void log.push(text) } },
    });
    const isSwept = () => log.some((text) => /"swept"|a sweep failed/.test(text));
    const isThere = async () => (await readdir(join(folders.narration, "team"))).length > 0;
    await app.close();
    return { isThere: await isThere(), isSwept: isSwept() };
  };
  expect(await kept("2")).toEqual({ isThere: false, isSwept: true });
  expect((await kept("forever")).isThere).toBe(true);
  expect(await kept("for ever and a day")).toEqual({ isThere: true, isSwept: true });
});
