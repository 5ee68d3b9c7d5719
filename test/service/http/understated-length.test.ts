import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeMedia } from "../../made-media.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { uniqueClip } from "../clips.ts";
import { API, form, type Reply, startTestService, type TestService, verified } from "../service-fixture.ts";

let service: TestService;
let port = 0;
let clip: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
  service = await startTestService();
  port = Number(new URL(await service.app.listen({ host: "127.0.0.1", port: 0 })).port);
  clip = await uniqueClip();
});
afterAll(() => service.close());

/** Sends a request as it stands; resolves with the statuses of all answers that arrived. */
function exchange(head: readonly string[], body: string | Uint8Array): Promise<number[]> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    let text = "";
    socket.setTimeout(3_000, () => socket.destroy());
    socket.on("data", (bytes) => {
      text += bytes.toString("latin1");
    });
    // Bytes that nobody announced end the connection at once.
    socket.once("error", () => undefined);
    socket.once("close", () => resolve([...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status))));
    socket.write(`${[...head, "Connection: close", `Host: 127.0.0.1:${port}`, "", ""].join("\r\n")}`);
    socket.write(body);
  });
}

const signed = (): Promise<Reply> =>
  service.send("POST", "upload_media", { input: { type: "signed_url", filename: "a.mp4", content_type: "video/mp4" } });

const pathOf = (url: string) => url.slice(new URL(url).origin.length);

function put(url: string, length: number, headers: readonly string[], body: Uint8Array): Promise<number[]> {
  return exchange(
    [`PUT ${pathOf(url)} HTTP/1.1`, "Content-Type: video/mp4", `Content-Length: ${length}`, ...headers],
    body,
  );
}

/** What the records say of an upload's bytes. */
async function bytesOf(id: string): Promise<unknown> {
  const [row] = await service.database.query(
    `SELECT size_bytes AS "sizeBytes", content_hash AS "contentHash", upload_status AS status FROM aside.media WHERE id = $1`,
    [id],
  );
  return row;
}

test("of an upload, what was announced is stored or nothing, and that is what is verified", async () => {
  const { body: upload } = await signed();
  // What follows the announced bytes is taken for another request and is none, so the connection ends.
  const [status] = await put(upload.upload_url, 1_000, [], clip);
  expect([200, 400, undefined]).toContain(status);
  const notify = () =>
    service.send("POST", "notify_upload_complete", { media_id: upload.media_id, gcs_path: upload.gcs_path });
  if (status !== 200) {
    expect((await put(upload.upload_url, 1_000, [], clip.subarray(0, 1_000)))[0]).toBe(200);
  }
  const contentHash = createHash("sha256").update(clip.subarray(0, 1_000)).digest("hex");
  expect(await bytesOf(upload.media_id)).toEqual({ sizeBytes: 1_000, contentHash, status: "pending_upload" });
  expect((await notify()).status).toBe(200);
  expect(await verified(service, upload)).toMatchObject({ upload_status: "failed", error: "no_video_stream" });
});

test("a film of which more than half is missing is refused when it is verified, and what is missing is said", async () => {
  const { body: upload } = await signed();
  const path = join(await temporaryFolder(), "torn.mp4");
  const graph = "testsrc2=size=160x120:rate=25:duration=40";
  makeMedia(path, [{ graph, codec: "libx264", options: { preset: "ultrafast", g: "25" } }], { movflags: "faststart" });
  const whole = new Uint8Array(await readFile(path));
  const torn = whole.subarray(0, Math.floor(whole.length * 0.4));
  expect((await put(upload.upload_url, torn.length, [], torn))[0]).toBe(200);
  await service.send("POST", "notify_upload_complete", { media_id: upload.media_id, gcs_path: upload.gcs_path });
  expect(await verified(service, upload)).toMatchObject({
    upload_status: "failed",
    error: "upload_failed",
    message: expect.stringMatching(/The file ends after 1\d(\.\d)? of 40 s: export or upload it again/),
  });
});

test("of a slice without a length, nothing is taken beyond its stated end, nor a total below what has arrived", async () => {
  const { body: upload } = await signed();
  const slice = (range: string, bytes: Uint8Array) => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(bytes);
        controller.close();
      },
    });
    const headers = { "Content-Type": "video/mp4", "Content-Range": `bytes ${range}` };
    return service.follow(upload.resumable_url, { method: "PUT", headers, body, duplex: "half" } as RequestInit);
  };
  const past = await slice(`0-999/${clip.length}`, clip.subarray(0, 2_000));
  expect([past.status, past.headers.get("range")]).toEqual([308, "bytes=0-999"]);
  expect((await slice("0-499/500", clip.subarray(0, 500))).status).toBe(400);
  expect((await slice(`1000-${clip.length - 1}/${clip.length}`, clip.subarray(1_000))).status).toBe(200);
  const contentHash = createHash("sha256").update(clip).digest("hex");
  const { media_id, gcs_path } = upload;
  await service.send("POST", "notify_upload_complete", { media_id, gcs_path });
  expect(await verified(service, upload)).toMatchObject({ upload_status: "completed" });
  expect(await bytesOf(media_id)).toMatchObject({ sizeBytes: clip.length, contentHash });
});

test("of JSON and forms, nothing is taken that was not announced whole", async () => {
  const jobs = async () => (await service.database.query("SELECT id FROM aside.job")).length;
  const media = (await service.send("POST", "upload_media", form(clip))).body.media_id;
  const before = await jobs();
  const head = (type: string, length: number) => [
    `POST ${API}/generate_ad_text HTTP/1.1`,
    `X-API-Key: ${service.key}`,
    `Content-Type: ${type}`,
    `Content-Length: ${length}`,
  ];
  const json = JSON.stringify({ media_id: media });
  expect((await exchange(head("application/json", json.length - 1), json))[0]).toBe(400);
  const whole = `--b\r\nContent-Disposition: form-data; name="input"\r\n\r\n{"type":"file"}\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="a.mp4"\r\n\r\nbytes\r\n--b--\r\n`;
  expect((await exchange(head("multipart/form-data; boundary=b", whole.length - 12), whole))[0]).toBe(400);
  expect(await jobs()).toBe(before);
});

describe("a slice that has another length than its Content-Range says", () => {
  test.each([
    ["more", 0, 999, 2_000],
    ["fewer", 0, 1_999, 1_000],
  ])("is refused, and nothing of it stays: %s bytes", async (_name, start, end, length) => {
    const { body: upload } = await signed();
    const range = [`Content-Range: bytes ${start}-${end}/${clip.length}`];
    expect((await put(upload.resumable_url, length, range, clip.subarray(0, length)))[0]).toBe(400);
    const ask = await put(upload.resumable_url, 0, [`Content-Range: bytes */${clip.length}`], new Uint8Array());
    expect(ask[0]).toBe(308);
    expect(await bytesOf(upload.media_id)).toMatchObject({ sizeBytes: null, status: "pending_upload" });
    const rest = [`Content-Range: bytes 0-${clip.length - 1}/${clip.length}`];
    expect((await put(upload.resumable_url, clip.length, rest, clip))[0]).toBe(200);
  });

  test("of an announced whole, no byte beyond it is stored", async () => {
    const { body: upload } = await signed();
    // In chunks no length is announced.
    const init = {
      method: "PUT",
      headers: { "Content-Type": "video/mp4", "Content-Range": "bytes 0-999/1000" },
      body: clip,
    };
    await service.follow(upload.resumable_url, init);
    const row = await bytesOf(upload.media_id);
    expect(row).toMatchObject({ status: "pending_upload" });
    const { sizeBytes } = row as { sizeBytes: number | null };
    expect(sizeBytes === null || sizeBytes <= 1_000).toBe(true);
  });
});
