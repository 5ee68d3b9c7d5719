import { mkdir, readFile, truncate, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { beginRun, finishJob } from "../../../src/service/storage/job-records.ts";
import { ensureTeam } from "../../../src/service/storage/team-records.ts";
import { uniqueClip } from "../clips.ts";
import { form, startTestService, type TestService } from "../service-fixture.ts";

const LIMIT = 500_000;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ plans: { default: { maximum_file_bytes: LIMIT } } }, { worksOnJobs: false });
});
afterAll(() => service.close());

async function upload() {
  const input = { type: "signed_url", filename: "clip.mp4", content_type: "video/mp4" };
  return (await service.send("POST", "upload_media", { input })).body;
}

describe("a slice of an upload", () => {
  const put = async (url: string, range: string, body: string, more: Record<string, string> = {}) => {
    const headers = { "content-type": "video/mp4", "content-range": range, ...more };
    const reply = await service.follow(url, { method: "PUT", headers, body });
    return [reply.status, reply.headers.get("range")];
  };

  test.each([
    ["bytes 0-9/9", "ends behind the whole"],
    ["bytes 5-4/9", "ends before it begins"],
    ["bytes 0-/9", "has no end"],
    ["bytes 0-4", "has no whole"],
    ["lines 0-4/9", "is of something else than bytes"],
  ])("%s is refused: it %s", async (range) => {
    const { resumable_url } = await upload();
    expect(await put(resumable_url, range, "0123456789")).toEqual([400, null]);
  });

  test("that ends with the last byte of the whole ends the upload, and one byte before does not", async () => {
    const { resumable_url } = await upload();
    expect(await put(resumable_url, "bytes 0-7/9", "01234567")).toEqual([308, "bytes=0-7"]);
    expect(await put(resumable_url, "bytes */9", "")).toEqual([308, "bytes=0-7"]);
    expect(await put(resumable_url, "bytes 8-8/9", "8")).toEqual([200, null]);
  });
});

test("an upload that is announced as larger than the plan allows is refused before a byte of it is read", async () => {
  const { upload_url, media_id, gcs_path } = await upload();
  let read = 0;
  const body = new ReadableStream({
    pull(controller) {
      read += 1;
      controller.enqueue(new Uint8Array(50_000));
    },
  });
  const headers = { "content-type": "video/mp4", "content-length": String(LIMIT + 1) };
  const reply = await service.follow(upload_url, { method: "PUT", headers, body, duplex: "half" } as RequestInit);
  expect([reply.status, await reply.text()]).toEqual([400, expect.stringContaining("EntityTooLarge")]);
  expect(read).toBeLessThan(LIMIT / 50_000);
  const status = await service.send("GET", `get_upload_status?${new URLSearchParams({ media_id, gcs_path })}`);
  expect(status.body).toMatchObject({ upload_status: "failed" });
});

test("media that became too long or too large for the plan since it came is not described", async () => {
  const { body } = await service.send("POST", "upload_media", form(await uniqueClip()));
  const ask = async () =>
    (await service.send("POST", "generate_ad_text", { input: { type: "media_id", media_id: body.media_id } })).body
      .error;
  const change = (what: string) =>
    service.database.query(`UPDATE aside.media SET ${what} WHERE id = $1`, [body.media_id]);
  await change(`size_bytes = ${LIMIT + 1}`);
  expect(await ask()).toBe("file_too_large");
  await change(`size_bytes = ${LIMIT}, duration_seconds = ${8 * 3600 + 1}`);
  expect(await ask()).toBe("video_too_long");
  await change(`duration_seconds = ${8 * 3600}`);
  expect(await ask()).toBeUndefined();
});

describe("a stored result", () => {
  /** A finished job with a stored sound of ten bytes, its link and its file. */
  async function stored() {
    const { database } = service;
    const { body: media } = await service.send("POST", "upload_media", form(await uniqueClip()));
    const input = { type: "media_id", media_id: media.media_id };
    const { job_id: id } = (await service.send("POST", "generate_ad_audio", { input })).body;
    const team = await ensureTeam(database, "local");
    const storageKey = `teams/${team.id}/jobs/${id}/sound.wav`;
    const path = join(service.dataFolder, "objects", storageKey);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, "0123456789");
    const lease = "5fa6a3d1-6ef1-4f0b-8a63-3fb2a6d4c5b1";
    await beginRun(database, id, lease);
    const artifact = { kind: "audio", storageKey, contentType: "audio/wav", sizeBytes: 10, contentHash: "" } as const;
    await finishJob(database, id, lease, { text: null, artifacts: [artifact] });
    const { audio_signed_url: link } = (await service.send("GET", `get_results?job_id=${id}`)).body;
    const get = async (range?: string) => {
      const reply = await service.follow(link, range === undefined ? {} : { headers: { range } });
      return [reply.status, reply.headers.get("content-range"), await reply.text()];
    };
    return { path, get };
  }

  test("is given whole, or the very bytes that a range asks for", async () => {
    const { get } = await stored();
    expect(await get()).toEqual([200, null, "0123456789"]);
    for (const [range, part, text] of [
      ["bytes=0-0", "bytes 0-0/10", "0"],
      ["bytes=3-5", "bytes 3-5/10", "345"],
      ["bytes=9-9", "bytes 9-9/10", "9"],
      ["bytes=7-", "bytes 7-9/10", "789"],
      ["bytes=7-99", "bytes 7-9/10", "789"],
      ["bytes=-3", "bytes 7-9/10", "789"],
      ["bytes=-99", "bytes 0-9/10", "0123456789"],
    ]) {
      expect([range, ...(await get(range))]).toEqual([range, 206, part, text]);
    }
    for (const range of ["bytes=10-", "bytes=10-12", "bytes=-0"]) {
      expect([range, ...(await get(range))]).toEqual([range, 416, "bytes */10", ""]);
    }
    for (const range of ["bytes=5-3", "bytes=0-1,3-4", "lines=0-1", "bytes=-"]) {
      expect([range, ...(await get(range))]).toEqual([range, 200, null, "0123456789"]);
    }
  });

  test("that is shorter or longer than it was stored is told to be damaged, not sent", async () => {
    const { path, get } = await stored();
    const whole = await readFile(path);
    await truncate(path, 9);
    expect(await get()).toEqual([500, null, expect.stringContaining("damaged")]);
    await writeFile(path, `${whole}x`);
    expect(await get()).toEqual([500, null, expect.stringContaining("damaged")]);
    await writeFile(path, whole);
    expect(await get()).toEqual([200, null, "0123456789"]);
  });
});
