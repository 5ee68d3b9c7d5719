import { createHash, randomUUID } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { createApp } from "../../src/service/app.ts";
import { configurationFrom } from "../../src/service/configuration.ts";
import { openRecords } from "../../src/service/open-stores.ts";
import { MIGRATIONS, migrate } from "../../src/service/storage/migrations.ts";
import { openEmbeddedDatabase } from "../../src/service/storage/pglite-database.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { uniqueClip } from "./clips.ts";
import { FAKE_TASKS, finished, form, send, uploadSigned, verified } from "./service-fixture.ts";

/** The shape of the records of the last release. */
const LAST_RELEASE = 2;

/** A data folder as the last release left it: a video, one that was uploaded by address, and a job with its result. */
async function folderOfLastRelease() {
  const folder = join(await temporaryFolder(), "data");
  const [team, direct, signed, job] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const clips = [await uniqueClip(), await uniqueClip()] as const;
  const key = `aside_${randomUUID()}`;
  const keys = [`teams/${team}/media/${direct}/source.mp4`, `teams/${team}/media/${signed}/source.mp4`] as const;
  const resultKey = `teams/${team}/jobs/${job}/lease/audio.wav`;
  const result = Buffer.from("RIFF of the last release");
  for (const [name, bytes] of [
    [keys[0], clips[0]],
    [keys[1], clips[1]],
    [resultKey, result],
  ] as const) {
    await mkdir(dirname(join(folder, "objects", name)), { recursive: true });
    await writeFile(join(folder, "objects", name), bytes);
  }
  const database = await openEmbeddedDatabase(join(folder, "records"), false);
  await migrate(
    database,
    MIGRATIONS.filter(({ version }) => version <= LAST_RELEASE),
  );
  await database.query("INSERT INTO aside.team (id, name) VALUES ($1, 'local')", [team]);
  await database.query("INSERT INTO aside.api_key (id, team_id, name, hash) VALUES ('key_1', $1, '', $2)", [
    team,
    createHash("sha256").update(key).digest("hex"),
  ]);
  for (const [index, [id, arrival]] of (
    [
      [direct, "file"],
      [signed, "signed_url"],
    ] as const
  ).entries()) {
    await database.query(
      `INSERT INTO aside.media (id, team_id, arrival, file_name, content_type, storage_key, upload_status, content_hash, size_bytes, duration_seconds, frame_rate)
       VALUES ($1, $2, $3, 'a.mp4', 'video/mp4', $4, 'completed', $5, $6, 2, 29.97)`,
      [
        id,
        team,
        arrival,
        keys[index],
        createHash("sha256")
          .update(clips[index] ?? "")
          .digest("hex"),
        clips[index]?.length,
      ],
    );
  }
  await database.query(
    `INSERT INTO aside.job (id, team_id, media_id, kind, origin, settings, track, resolution, status, turn, content, report, started_at, finished_at)
     VALUES ($1, $2, $3, 'audio', 'api', '{"format":"edl"}', 'mixed', 'Auto', 'done', 1, 'TITLE: old', '{}', now(), now())`,
    [job, team, direct],
  );
  await database.query(
    `INSERT INTO aside.artifact (job_id, kind, storage_key, content_type, size_bytes) VALUES ($1, 'audio', $2, 'audio/wav', $3)`,
    [job, resultKey, result.length],
  );
  await database.close();
  return { folder, key, direct, signed, job, clips, result, signedPath: keys[1] };
}

test("a data folder of the last release goes on: keys, media, results, new work on them", async () => {
  const { folder, key, direct, signed, job, clips, result, signedPath } = await folderOfLastRelease();
  const configuration = configurationFrom({}, folder);
  const { database, lock } = await openRecords(configuration, undefined, () => undefined);
  const app = await createApp(configuration, { database, tasks: FAKE_TASKS, log: { level: "silent" } });
  const service = {
    send: (method: string, path: string, body?: unknown) => send(app, key, method, path, body),
    follow: (url: string, init?: RequestInit) => app.handle(new Request(url, init)),
  };
  const { body } = await service.send("GET", `get_results?job_id=${job}`);
  expect(body).toMatchObject({ status: "done", output: { content: "TITLE: old" } });
  expect(Buffer.from(await (await service.follow(body.audio_signed_url)).arrayBuffer())).toEqual(result);
  for (const media_id of [direct, signed]) {
    const asked = await service.send("POST", "generate_ad_text", { input: { type: "media_id", media_id } });
    expect(asked.status).toBe(200);
    expect((await finished(service, asked.body.job_id)).status).toBe("done");
  }
  const query = new URLSearchParams({ media_id: signed, gcs_path: signedPath });
  expect((await service.send("GET", `get_upload_status?${query}`)).body.upload_status).toBe("completed");
  expect((await service.send("POST", "upload_media", form(clips[1]))).body).toMatchObject({ media_id: signed });
  expect(await app.administration.verifyObjects()).toMatchObject({ damaged: [] });
  const claimed = await readFile(join(folder, "objects", "aside-records"), "utf8");
  expect(claimed).toMatch(/^[0-9a-f]{64}$/);
  const fresh = await uploadSigned(
    { ...service, app, database, dataFolder: folder, key, close: async () => undefined },
    await uniqueClip(),
  );
  expect(
    await verified({ ...service, app, database, dataFolder: folder, key, close: async () => undefined }, fresh),
  ).toMatchObject({ upload_status: "completed" });
  await app.close();
  await lock.release();
});
