import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../../src/client/client.ts";
import { sendFile, uploadFile, verifyUpload } from "../../src/client/upload.ts";
import type { FileTransfer } from "../../src/core/ports.ts";
import { HURRIED_CLOCK } from "../fakes/hurried-clock.ts";
import { soundOnlyClip } from "../service/clips.ts";
import { startTestService, type TestService } from "../service/service-fixture.ts";
import { startWebHost, type WebHost } from "../service/web-host.ts";
import { clientOf, clipFile, refusal } from "./service-client.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const UNKNOWN = "5fa6a3d1-6ef1-4f0b-8a63-3fb2a6d4c5b1";

let service: TestService;
let client: Client;
let host: WebHost;
let transfer: FileTransfer;
beforeAll(async () => {
  host = await startWebHost();
  service = await startTestService({ url_input: { allowed_networks: ["127.0.0.0/8"], ports: null } });
  client = clientOf(service.app, service.key);
  transfer = {
    async upload({ path, url, contentType }) {
      const headers = { "Content-Type": contentType };
      const reply = await service.follow(url, { method: "PUT", headers, body: await readFile(path) });
      return { status: reply.status, body: await reply.text() };
    },
    download: () => Promise.reject(new Error("nothing is fetched here")),
  };
});
afterAll(async () => {
  await service.close();
  await host.close();
});

const { signal } = new AbortController();
const parts = () => ({ client, transfer, clock: HURRIED_CLOCK });

/** A clip on disk, as a signed upload takes it. */
async function localClip(filename = "clip.mp4") {
  const { bytes, contentType } = await clipFile();
  const path = join(service.dataFolder, `${crypto.randomUUID()}-${filename}`);
  await writeFile(path, bytes);
  return { path, filename, contentType, sizeBytes: bytes.length, readAll: async () => bytes };
}

describe("direct uploads", () => {
  test("MEDIA-01 MEDIA-05 MEDIA-06 MEDIA-12 OPEN-21: a file becomes media with a length and a rate", async () => {
    const media = await client.uploadMediaFile(await clipFile());
    expect(media).toMatchObject({ mediaId: expect.stringMatching(UUID), status: "created" });
    expect(media.durationSeconds).toBeCloseTo(2, 1);
    expect(media.frameRate).toBeCloseTo(30_000 / 1001, 3);
  });

  test("MEDIA-02 OPEN-31: the same bytes under another name are existing media", async () => {
    const file = await clipFile("first.mp4");
    const first = await client.uploadMediaFile(file);
    const again = await client.uploadMediaFile({ ...file, filename: "second.mov" });
    expect([first.status, again.status]).toEqual(["created", "existing"]);
    expect(again.mediaId).toBe(first.mediaId);
  });

  test("LIM-01 LIM-02: a small file goes directly, by its size alone", async () => {
    const uploaded = await uploadFile(parts(), await localClip(), { signal });
    expect(uploaded).toMatchObject({ outcome: "ready", mediaId: expect.stringMatching(UUID), isVerified: true });
  });

  test("ERR-11 ERR-15 OPEN-30 OPEN-33: sound alone and no video at all are refused with 415", async () => {
    for (const bytes of [await soundOnlyClip(), new TextEncoder().encode("not a film")]) {
      const error = await refusal(client.uploadMediaFile({ bytes, filename: "a.mp4", contentType: "video/mp4" }));
      expect(error).toMatchObject({ code: "no_video_stream", status: 415 });
    }
  });
});

describe("the signed flow", () => {
  test("SIGN-01 SIGN-02 SIGN-03 SIGN-04 OPEN-01 OPEN-07: gives an address, a storage path and a content type", async () => {
    const signed = await client.requestSignedUpload({ filename: "Harbour v7.mov", contentType: "video/quicktime" });
    expect(signed).toMatchObject({
      mediaId: expect.stringMatching(UUID),
      status: "pending_upload",
      contentType: "video/quicktime",
      durationSeconds: null,
      frameRate: null,
    });
    expect(signed.uploadUrl).toMatch(/^http.*\?.+/);
    expect(signed.storagePath).not.toBe("");
  });

  test("SIGN-05 SIGN-10 OPEN-06 OPEN-09 OPEN-10 MEDIA-13: brings a file to media that generation takes", async () => {
    const file = await localClip("Üben & 'mehr'.mp4");
    const sent = await sendFile(parts(), file, { signal });
    const verified = await verifyUpload(parts(), sent, { signal });
    expect(verified).toMatchObject({ outcome: "ready", isVerified: true, durationSeconds: expect.closeTo(2, 1) });
    if (verified.outcome !== "ready") throw new Error("the upload is not ready");
    const media = { type: "media_id", media_id: verified.mediaId } as const;
    expect(await client.generateText(media)).toMatchObject({ jobId: expect.any(String) });
    expect(await client.generateAudio(media)).toMatchObject({ mediaId: verified.mediaId });
    expect(await client.generateVideo(media)).toMatchObject({ mediaId: verified.mediaId });
  });

  test("SIGN-06 OPEN-10 OPEN-31: content that is there already is verified as the media it already is", async () => {
    const file = await localClip();
    const first = await client.uploadMediaFile({ ...file, bytes: await file.readAll() });
    const verified = await verifyUpload(parts(), await sendFile(parts(), file, { signal }), { signal });
    expect(verified).toMatchObject({ outcome: "ready", mediaId: first.mediaId });
  });

  test("OPEN-06 OPEN-35: sound alone fails verification, with its reason", async () => {
    const file = await localClip();
    await writeFile(file.path, await soundOnlyClip());
    const verified = await verifyUpload(parts(), await sendFile(parts(), file, { signal }), { signal });
    expect(verified).toMatchObject({
      outcome: "failed",
      code: "no_video_stream",
      message: expect.stringMatching(/\w/),
    });
  });

  test("ERR-18 STATE-06: generation before the bytes are there is refused until they are verified", async () => {
    const file = await localClip();
    const signed = await client.requestSignedUpload(file);
    const early = clientOf(service.app, service.key);
    const controller = new AbortController();
    const media = { type: "media_id", media_id: signed.mediaId } as const;
    const call = early.generateText(media, {}, { signal: controller.signal });
    await transfer.upload({ ...file, url: signed.uploadUrl, signal });
    await verifyUpload(parts(), { mediaId: signed.mediaId, storagePath: signed.storagePath }, { signal });
    expect(await call).toMatchObject({ jobId: expect.any(String) });
  });

  test("OPEN-29: another content type than the agreed one is refused by storage in XML, and a fresh address helps", async () => {
    const file = await localClip();
    const signed = await client.requestSignedUpload(file);
    const reply = await transfer.upload({ ...file, contentType: "text/plain", url: signed.uploadUrl, signal });
    expect(reply).toMatchObject({ status: 403, body: expect.stringContaining("<Code>SignatureDoesNotMatch</Code>") });
    let isFirst = true;
    const forgetful: FileTransfer = {
      ...transfer,
      upload: (request) => {
        const contentType = isFirst ? "text/plain" : request.contentType;
        isFirst = false;
        return transfer.upload({ ...request, contentType });
      },
    };
    const sent = await sendFile({ ...parts(), transfer: forgetful }, file, { signal });
    expect(await verifyUpload(parts(), sent, { signal })).toMatchObject({ outcome: "ready" });
  });

  test("SIGN-08 SIGN-09 SIGN-12 ERR-09 OPEN-08: a wrong announcement is refused as an Error object", async () => {
    const first = await client.requestSignedUpload(await localClip());
    const other = await client.requestSignedUpload(await localClip());
    const wrong = [
      [{ mediaId: "abc", storagePath: first.storagePath }, "invalid_input"],
      [{ mediaId: first.mediaId, storagePath: "" }, "invalid_input"],
      [{ mediaId: first.mediaId, storagePath: other.storagePath }, "invalid_input"],
      [{ mediaId: UNKNOWN, storagePath: first.storagePath }, "not_found"],
    ] as const;
    for (const [upload, code] of wrong) {
      expect(await refusal(client.notifyUploadComplete(upload))).toMatchObject({
        code,
        message: expect.stringMatching(/\w{3}/),
      });
    }
  });
});

describe("by address", () => {
  test("MEDIA-07 MEDIA-09 MEDIA-11 URL-01 URL-03 URL-04 URL-05: a public video becomes media, under a name of one's own", async () => {
    const { bytes } = await clipFile();
    host.pages.set("/film.mp4", (_request, response) => response.end(bytes));
    const first = await client.uploadMediaByUrl(`${host.url}/film.mp4`, { filename: "mine.mp4" });
    const again = await client.uploadFromUrl(`${host.url}/film.mp4`);
    expect(first).toMatchObject({
      mediaId: expect.stringMatching(UUID),
      status: "created",
      durationSeconds: expect.closeTo(2, 1),
    });
    expect(again).toMatchObject({ mediaId: first.mediaId, status: "existing" });
  });

  test.each(["abc", "", "ftp://example.org/a.mp4", "http://10.0.0.1/a.mp4"])(
    "MEDIA-09 URL-01 URL-02: %j is refused",
    async (url) => {
      expect(await refusal(client.uploadMediaByUrl(url))).toMatchObject({ code: "invalid_input", status: 400 });
      expect(await refusal(client.uploadFromUrl(url))).toMatchObject({ code: "invalid_input", status: 400 });
    },
  );

  test("BASE-05 FROMURL-01 FROMURL-02: one request takes an address and starts a job", async () => {
    const { bytes } = await clipFile();
    host.pages.set("/film2.mp4", (_request, response) => response.end(bytes));
    const url = `${host.url}/film2.mp4`;
    const submissions = [
      await client.generateTextFromUrl({ source_url: url, filename: "a.mp4", format: "vtt", ad_type: "standard_ad" }),
      await client.generateVideoFromUrl({
        source_url: url,
        resolution: "Auto",
        volume_option: "max",
        volume_level_db: -6,
      }),
      await client.generateText({ type: "url", url }),
      await client.generateAudio({ type: "url", url, filename: "b.mp4" }),
      await client.generateVideo({ type: "url", url }),
    ];
    for (const submission of submissions) {
      expect(submission).toMatchObject({ jobId: expect.stringMatching(/./), mediaId: submissions[0]?.mediaId });
    }
    expect(new Set(submissions.map(({ jobId }) => jobId)).size).toBe(5);
  });
});
