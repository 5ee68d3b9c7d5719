import { execFileSync } from "node:child_process";
import { rmSync, statfsSync } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApp } from "../../src/service/app.ts";
import { configurationFrom } from "../../src/service/configuration.ts";
import { openRecords } from "../../src/service/open-stores.ts";
import { dataFolders } from "../../src/service/storage/data-folders.ts";
import { uniqueClip } from "./clips.ts";
import { FAKE_TASKS, finished, form, send, type TestService } from "./service-fixture.ts";

const MEGABYTE = 1024 * 1024;

/** A small disk of its own; `null` where this system lets nobody mount one. */
async function mountDisk(megabytes: number): Promise<string | null> {
  const folder = await mkdtemp(join(tmpdir(), "aside-small-disk-"));
  try {
    execFileSync("/bin/mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder], { stdio: "ignore" });
    return folder;
  } catch {
    rmSync(folder, { recursive: true });
    return null;
  }
}

const disk = await mountDisk(700);

describe.skipIf(disk === null)("a disk that is full", () => {
  const folder = disk ?? "";
  const configuration = configurationFrom({}, folder);
  let service: Pick<TestService, "send" | "app" | "database">;
  beforeAll(async () => {
    const { database } = await openRecords(configuration, undefined, () => undefined);
    const app = await createApp(configuration, { database, tasks: FAKE_TASKS, log: { level: "silent" } });
    const key = await app.processKey();
    service = {
      app,
      database,
      send: (method, path, body, headers = {}) => send(app, key, method, path, body, headers),
    };
  });
  afterAll(async () => {
    await service.app.close();
    execFileSync("/bin/umount", [folder]);
    rmSync(folder, { recursive: true });
  });

  const room = () => {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  };
  /** Takes all room but so many bytes, until it is given back. */
  async function fill(leaving: number) {
    const path = join(folder, "others");
    await writeFile(path, Buffer.alloc(Math.max(0, room() - leaving)));
    return () => rmSync(path);
  }
  const ready = async () => {
    const reply = await service.app.handle(new Request("http://service.test/readyz"));
    return { status: reply.status, body: await reply.json() };
  };
  async function signedUpload(): Promise<string> {
    const { body } = await service.send("POST", "upload_media", {
      input: { type: "signed_url", filename: "clip.mp4", content_type: "video/mp4" },
    });
    return body.upload_url;
  }
  /** A body without an announced size. */
  const chunked = (megabytes: number) => {
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent++ < megabytes) controller.enqueue(new Uint8Array(MEGABYTE));
        else controller.close();
      },
    });
    return { method: "PUT", headers: { "Content-Type": "video/mp4" }, body, duplex: "half" as const };
  };

  test("bytes of unknown number are refused before they take what is kept free", async () => {
    const url = await signedUpload();
    const reply = await service.app.handle(new Request(url, chunked(600)));
    expect(reply.status).toBe(507);
    expect(await reply.text()).toContain("InsufficientStorage");
    expect(room()).toBeGreaterThan(256 * MEGABYTE);
    expect((await ready()).status).toBe(200);
  });

  test("is told in a sentence, shown by readiness, and over as soon as there is room; nothing that was accepted is lost", async () => {
    const { body: media } = await service.send("POST", "upload_media", form(await uniqueClip()));
    const input = { type: "media_id", media_id: media.media_id };
    const { body: job } = await service.send("POST", "generate_ad_text", {
      input,
      generation_config: { custom_instructions: "gate" },
    });
    for (const leaving of [200 * MEGABYTE, 8 * MEGABYTE, 0]) {
      const free = await fill(leaving);
      expect(await ready()).toMatchObject({ status: 503, body: { disk: "failing" } });
      const refused = await service.send("POST", "upload_media", form(await uniqueClip()));
      if (leaving < 32 * MEGABYTE) {
        expect(refused).toMatchObject({ status: 507, body: { error: "internal_error" } });
        expect(refused.body.message).toMatch(/no room.*Free space/);
      }
      free();
      expect((await ready()).status).toBe(200);
    }
    expect((await service.send("POST", "generate_ad_text", { input })).status).toBe(200);
    await writeFile(join(dataFolders(folder).work, job.job_id, "open"), "");
    expect((await finished(service, job.job_id)).status).toBe("done");
  });

  test("a start on it says what to do, and to restore nothing", async () => {
    await service.app.close();
    const free = await fill(4 * MEGABYTE);
    await expect(openRecords(configuration, undefined, () => undefined)).rejects.toMatchObject({
      code: "disk_full",
      message: expect.stringMatching(/Free some space/),
    });
    free();
    const { database, lock } = await openRecords(configuration, undefined, () => undefined);
    expect(await database.query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
    await database.close();
    await lock.release();
  });
});
