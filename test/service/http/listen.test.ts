import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sharedMedia } from "../../shared-media.ts";
import { thoroughTest } from "../../thorough/thorough-test.ts";
import { uniqueClip } from "../clips.ts";
import { form, type Reply, send, startTestService, type TestService } from "../service-fixture.ts";

const UNKNOWN = "5fa6a3d1-6ef1-4f0b-8a63-3fb2a6d4c5b1";
const PLANS = {
  plans: { tiny: { maximum_file_bytes: 1_000 }, brief: { maximum_duration_seconds: 1 } },
  teams: { tiny: { plan: "tiny" }, brief: { plan: "brief" } },
};

let service: TestService;
let speech: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
  service = await startTestService(PLANS, { worksOnJobs: false });
  speech = new Uint8Array(await readFile(sharedMedia("audio/vad-labelled/train.wav")));
});
afterAll(() => service.close());

const WAV = { input: { type: "signed_url", filename: "sound.wav", content_type: "audio/wav" } };

type Upload = Reply["body"];

/** Sends bytes to a fresh address; nothing says that they are there. */
async function sent(bytes: Uint8Array<ArrayBuffer> | string, key = service.key): Promise<Upload> {
  const { body } = await send(service.app, key, "POST", "upload_media", WAV);
  await put(body, bytes);
  return body;
}

function put(upload: Upload, bytes: Uint8Array<ArrayBuffer> | string): Promise<Response> {
  return service.follow(upload.upload_url, { method: "PUT", headers: { "Content-Type": "audio/wav" }, body: bytes });
}

function listen({ media_id, gcs_path }: Upload, key = service.key): Promise<Reply> {
  return send(service.app, key, "POST", "listen", { media_id, gcs_path });
}

/** What of an upload is left on disk and in the records. */
async function remains({ media_id, gcs_path }: Upload): Promise<{ files: string[]; records: number }> {
  const list = async (folder: string) => readdir(join(service.dataFolder, folder), { recursive: true }).catch(() => []);
  const files = [...(await list("objects")), ...(await list("incoming"))];
  const rows = await service.database.query("SELECT 1 FROM aside.media WHERE id = $1", [media_id]);
  return {
    files: files.filter((name) => name.endsWith(`slices-${media_id}`) || name.endsWith(gcs_path)),
    records: rows.length,
  };
}

const NOTHING = { files: [], records: 0 };

test("says that it listens, and to how long a programme", async () => {
  expect(await service.send("GET", "listen")).toMatchObject({
    status: 200,
    body: { status: "available", maximum_duration_seconds: 28_800 },
  });
});

thoroughTest("hears where somebody speaks, and keeps neither the sound nor a record of it", async () => {
  const upload = await sent(speech);
  expect(await remains(upload)).toMatchObject({ records: 1 });
  const reply = await listen(upload);
  expect(reply.status).toBe(200);
  expect(reply.body.duration_seconds).toBeCloseTo(5.796, 2);
  const spoken = reply.body.speech.reduce((sum: number, [start, end]: [number, number]) => sum + end - start, 0);
  expect(spoken).toBeGreaterThan(2);
  expect(reply.body.music).toEqual([]);
  expect(await remains(upload)).toEqual(NOTHING);
  expect((await listen(upload)).status).toBe(404);
});

describe("what cannot be heard is refused, and removed all the same", () => {
  test.each([
    ["nothing that was sent", null],
    ["an empty file", ""],
    ["text", "This is no sound at all. ".repeat(100)],
    ["the head of a WAV file and noise", "RIFF\x24\x08\x00\x00WAVEfmt \xff\xff\xff\xff"],
  ])("%s", async (_what, bytes) => {
    const upload = bytes === null ? (await service.send("POST", "upload_media", WAV)).body : await sent(bytes);
    const reply = await listen(upload);
    expect(reply).toMatchObject({ status: 400, body: { error: "invalid_input", message: expect.any(String) } });
    expect(await remains(upload)).toEqual(NOTHING);
  });

  test("a body that broke off", async () => {
    const { body: upload } = await service.send("POST", "upload_media", WAV);
    const slice = speech.slice(0, 20_000);
    const reply = await service.follow(upload.resumable_url, {
      method: "PUT",
      headers: { "Content-Type": "audio/wav", "Content-Range": `bytes 0-19999/${speech.length}` },
      body: slice,
    });
    expect(reply.status).toBe(308);
    expect((await remains(upload)).files).toHaveLength(1);
    expect((await listen(upload)).body.error).toBe("invalid_input");
    expect(await remains(upload)).toEqual(NOTHING);
  });

  test("more bytes, and a longer programme, than the plan allows", async () => {
    const tiny = (await service.app.administration.createKey({ team: "tiny" })).key;
    const { body: upload } = await send(service.app, tiny, "POST", "upload_media", WAV);
    expect((await put(upload, speech)).status).toBe(400);
    expect(await listen(upload, tiny)).toMatchObject({ status: 403, body: { error: "file_too_large" } });
    expect(await remains(upload)).toEqual(NOTHING);
    const brief = (await service.app.administration.createKey({ team: "brief" })).key;
    const long = await sent(speech, brief);
    expect(await listen(long, brief)).toMatchObject({ status: 403, body: { error: "video_too_long" } });
    expect(await remains(long)).toEqual(NOTHING);
  });
});

test("what is not wanted any more can be removed unheard", async () => {
  const upload = await sent(speech);
  const target = `listen?${new URLSearchParams({ media_id: upload.media_id, gcs_path: upload.gcs_path })}`;
  expect(await service.send("DELETE", target)).toMatchObject({ status: 200, body: { status: "success" } });
  expect(await remains(upload)).toEqual(NOTHING);
  expect((await service.send("DELETE", target)).status).toBe(404);
});

test("a video of the team, another team's upload and a wrong path are refused and stay", async () => {
  const { body: video } = await service.send("POST", "upload_media", form(await uniqueClip()));
  expect(await listen({ ...video, gcs_path: "teams/a" })).toMatchObject({ status: 400 });
  const upload = await sent(speech);
  const stranger = (await service.app.administration.createKey({ team: "tiny" })).key;
  expect(await listen(upload, stranger)).toMatchObject({ status: 404 });
  expect(await listen({ ...upload, gcs_path: "elsewhere" })).toMatchObject({ status: 400 });
  expect(await listen({ ...upload, media_id: UNKNOWN })).toMatchObject({ status: 404 });
  const notified = await sent(await uniqueClip());
  await service.send("POST", "notify_upload_complete", { media_id: notified.media_id, gcs_path: notified.gcs_path });
  expect(await listen(notified)).toMatchObject({ status: 400, body: { error: "invalid_input" } });
  expect((await remains(upload)).records + (await remains(notified)).records).toBe(2);
});

thoroughTest("listens to as much at once as it runs jobs; what has to wait stays", async () => {
  const uploads = [await sent(speech), await sent(speech)];
  const replies = await Promise.all(uploads.map((upload) => listen(upload)));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 429]);
  const refused = replies.findIndex(({ status }) => status === 429);
  expect(replies[refused]?.body.error).toBe("concurrency_limit_exceeded");
  expect(replies[refused]?.headers.get("retry-after")).toBe("2");
  expect((await listen(uploads[refused])).status).toBe(200);
});
