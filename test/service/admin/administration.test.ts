import { mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectAdministration, serveAdministration } from "../../../src/service/admin/admin-channel.ts";
import { openAdministration } from "../../../src/service/admin/open-administration.ts";
import { type RunningService, startService } from "../../../src/service/main.ts";
import { readHolder } from "../../../src/service/storage/data-folder-lock.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { thoroughTest } from "../../thorough/thorough-test.ts";
import { uniqueClip } from "../clips.ts";
import { API, FAKE_TASKS, finished, form, startTestService, type TestService } from "../service-fixture.ts";

describe("of a service in another place", () => {
  let dataFolder = "";
  let service: RunningService;
  beforeAll(async () => {
    dataFolder = await temporaryFolder();
    service = await startService({ dataFolder, tasks: FAKE_TASKS, log: { level: "silent" } });
  });
  afterAll(async () => {
    await service.close();
    await rm(dataFolder, { recursive: true, force: true });
  });

  const poll = (key: string) =>
    service
      .handle(new Request(`http://service.test${API}/get_results?job_id=x`, { headers: { "X-API-Key": key } }))
      .then(({ status }) => status);

  test("AUTH-07: keys are made, listed and withdrawn while the service runs, at once", async () => {
    const other = await openAdministration({ dataFolder });
    const before = await other.listKeys();
    try {
      const made = await other.createKey({ team: "studio", name: "edit suite" });
      expect(made).toMatchObject({ team: "studio", name: "edit suite", revokedAt: null });
      expect(await poll(made.key)).toBe(404);
      const { key: _, ...record } = made;
      for (const administration of [other, service.administration]) {
        const keys = await administration.listKeys();
        expect(keys).toHaveLength(before.length + 1);
        expect(keys).toEqual(expect.arrayContaining([record, ...before]));
      }
      expect(await other.revokeKey(made.id)).toBe(true);
      expect(await poll(made.key)).toBe(401);
      expect(await other.revokeKey(made.id)).toBe(false);
      const after = (await other.listKeys()).find(({ id }) => id === made.id);
      expect(after).toMatchObject({ revokedAt: expect.stringMatching(/Z$/) });
    } finally {
      await other.close();
    }
  });

  test("what cannot be done is answered in a sentence", async () => {
    const other = await openAdministration({ dataFolder });
    expect(await other.showJob("nonsense")).toBeNull();
    expect(await other.retryJob("5fa6a3d1-6ef1-4f0b-8a63-3fb2a6d4c5b1")).toBeNull();
    await expect(other.purgeJobs(Number.NaN)).rejects.toMatchObject({ code: "administration_failed" });
    await other.close();
  });

  test("only the service's user can reach its channel, which ends with it", async () => {
    const holder = await readHolder(dataFolder);
    const path = holder?.administration ?? "";
    const { id } = await service.administration.createKey();
    expect((await stat(dirname(path))).mode & 0o077).toBe(0);
    await service.close();
    await expect(stat(path)).rejects.toThrow();
    const closed = await openAdministration({ dataFolder });
    expect((await closed.listKeys()).map((key) => key.id)).toContain(id);
    await closed.close();
    service = await startService({ dataFolder, tasks: FAKE_TASKS, log: { level: "silent" } });
  });
});

describe("of jobs", () => {
  let service: TestService;
  let mediaId = "";
  beforeAll(async () => {
    service = await startTestService({ job_attempts: 1 });
    mediaId = (await service.send("POST", "upload_media", form(await uniqueClip(), {}, "film.mp4"))).body.media_id;
  });
  afterAll(() => service.close());

  async function run(kind: string, custom_instructions: string): Promise<string> {
    const input = { type: "media_id", media_id: mediaId };
    const reply = await service.send("POST", `generate_ad_${kind}`, {
      input,
      generation_config: { custom_instructions },
    });
    await finished(service, reply.body.job_id);
    return reply.body.job_id;
  }

  test("lists and shows jobs, newest first, by state and team", async () => {
    const done = await run("audio", "");
    const failed = await run("text", "fail:voice_unavailable");
    const jobs = await service.app.administration.listJobs();
    expect(jobs.slice(0, 2).map(({ id }) => id)).toEqual([failed, done]);
    const made = jobs.map(({ createdAt }) => createdAt);
    expect(made).toEqual([...made].sort().reverse());
    const failures = await service.app.administration.listJobs({ status: "failed" });
    expect(failures[0]).toMatchObject({ id: failed, error: "voice_unavailable", kind: "text" });
    expect(failures.map(({ id }) => id)).toEqual(jobs.filter(({ status }) => status === "failed").map(({ id }) => id));
    expect(await service.app.administration.listJobs({ team: "nobody" })).toEqual([]);
    expect(await service.app.administration.listJobs({ limit: 1 })).toHaveLength(1);
    expect(await service.app.administration.showJob(done)).toEqual({
      id: done,
      team: "local",
      kind: "audio",
      status: "done",
      isDeleted: false,
      mediaId,
      fileName: "film.mp4",
      stage: "serialise",
      fraction: 1,
      attempts: 0,
      interruptions: 0,
      error: null,
      message: null,
      cost: null,
      createdAt: expect.stringMatching(/Z$/),
      finishedAt: expect.stringMatching(/Z$/),
    });
  });

  test("STATE-05: asking for a failed job again makes a new one; the old one stays failed", async () => {
    const failed = await run("text", "raise");
    const again = await service.app.administration.retryJob(failed);
    expect(again).not.toBe(failed);
    const result = await finished(service, again ?? "");
    expect(result).toMatchObject({ status: "failed", error: "internal_error" });
    expect((await service.send("GET", `get_results?job_id=${failed}`)).body.status).toBe("failed");
  });

  test("forgets old jobs with their results, and none that the allocation still counts", async () => {
    const [old, young] = [await run("audio", ""), await run("audio", "")];
    const { body } = await service.send("GET", `get_results?job_id=${old}`);
    expect(await service.app.administration.purgeJobs(0)).toBe(0);
    await service.database.query("UPDATE aside.job SET finished_at = now() - interval '40 days' WHERE id = $1", [old]);
    expect(await service.app.administration.purgeJobs(50)).toBe(0);
    expect(await service.app.administration.purgeJobs(30)).toBe(1);
    expect(await service.app.administration.showJob(old)).toBeNull();
    expect((await service.follow(body.audio_signed_url)).status).toBe(404);
    expect(await service.app.administration.showJob(young)).not.toBeNull();
  });

  test("the channel carries every command", async () => {
    await run("audio", "");
    const channel = await serveAdministration(service.app.administration);
    const other = connectAdministration(channel.path);
    const [job] = await other.listJobs({ limit: 1 });
    expect(await other.showJob(job?.id ?? "")).toEqual(job);
    expect(await other.purgeJobs(10_000)).toBe(0);
    await channel.close();
    await expect(other.listKeys()).rejects.toMatchObject({ code: "administration_failed" });
  });
});

thoroughTest("what a killed service left of its channel goes when the next one starts, and nothing else", async () => {
  const dataFolder = await temporaryFolder();
  const left = await mkdtemp(join(tmpdir(), "aside-admin-"));
  const foreign = join(dataFolder, "mine");
  await mkdir(foreign);
  try {
    for (const folder of [left, foreign]) {
      const holder = { pid: 1, startedAt: "2026-01-01T00:00:00Z", administration: join(folder, "socket") };
      await writeFile(join(dataFolder, "service.json"), JSON.stringify(holder));
      const service = await startService({ dataFolder, tasks: FAKE_TASKS, log: { level: "silent" } });
      await service.close();
    }
    await expect(stat(left)).rejects.toMatchObject({ code: "ENOENT" });
    expect((await stat(foreign)).isDirectory()).toBe(true);
  } finally {
    await rm(left, { recursive: true, force: true });
  }
});
