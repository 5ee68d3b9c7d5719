import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { configurationFrom } from "../../../src/service/configuration.ts";
import { OFFER_HEADER } from "../../../src/service/ingest/offered-files.ts";
import { ManualClock } from "../../fakes/manual-clock.ts";
import { soundOnlyClip, uniqueClip } from "../clips.ts";
import {
  eventually,
  form,
  type Reply,
  send,
  startTestService,
  type TestService,
  uploadSigned,
  verified,
} from "../service-fixture.ts";

const UNKNOWN = "5fa6a3d1-6ef1-4f0b-8a63-3fb2a6d4c5b1";

let service: TestService;
/** A service that verifies nothing: uploads stay as they are after the notification. */
let held: TestService;
beforeAll(async () => {
  const plans = { tiny: { maximum_file_bytes: 1_000 } };
  service = await startTestService({ plans, teams: { tiny: { plan: "tiny" } } });
  held = await startTestService({}, { worksOnJobs: false });
});
afterAll(async () => {
  await service.close();
  await held.close();
});

async function signed(contentType = "video/mp4", at = service): Promise<Reply["body"]> {
  const input = { type: "signed_url", filename: "clip.mp4", content_type: contentType };
  return (await at.send("POST", "upload_media", { input })).body;
}

function put(
  url: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<Response> {
  return service.follow(url, { method: "PUT", headers: { "Content-Type": "video/mp4", ...headers }, body });
}

describe("PUT of a file that this process offers", () => {
  const folder = () => join(service.dataFolder, "..", `offered-${randomUUID()}.mp4`);
  const { signal } = new AbortController();
  const putOffer = (url: string, word: string) => put(url, "", { [OFFER_HEADER]: word });

  test("SIGN-06: stores its bytes, tells how far it is, and takes each offer once", async () => {
    const clip = await uniqueClip();
    const path = folder();
    await writeFile(path, clip);
    const done: number[] = [];
    const word = service.app.offerFile({ path, signal, onProgress: (bytes) => done.push(bytes) });
    const upload = await signed();
    const reply = await putOffer(upload.upload_url, word);
    expect(reply.status).toBe(200);
    expect(reply.headers.get("etag")).toBe(`"${createHash("sha256").update(clip).digest("hex")}"`);
    expect(done.at(-1)).toBe(clip.length);
    expect(await readFile(join(service.dataFolder, "objects", upload.gcs_path))).toEqual(Buffer.from(clip));
    // The offer is spent: what is sent now is what the request itself holds, nothing.
    const second = await signed();
    expect((await putOffer(second.upload_url, word)).headers.get("etag")).toBe(
      `"${createHash("sha256").digest("hex")}"`,
    );
    await rm(path);
  });

  test("refuses one that its signal ends, one that is gone, and one above the plan", async () => {
    const path = folder();
    await writeFile(path, Buffer.alloc(2_000));
    const ended = service.app.offerFile({ path, signal: AbortSignal.abort() });
    expect((await putOffer((await signed()).upload_url, ended)).status).toBe(400);
    const gone = service.app.offerFile({ path: `${path}.gone`, signal });
    expect((await putOffer((await signed()).upload_url, gone)).status).toBe(500);
    const { key } = await service.app.administration.createKey({ team: "tiny" });
    const input = { type: "signed_url", filename: "clip.mp4", content_type: "video/mp4" };
    const { body } = await send(service.app, key, "POST", "upload_media", { input });
    expect((await putOffer(body.upload_url, service.app.offerFile({ path, signal }))).status).toBe(400);
    await rm(path);
  });
});

describe("PUT", () => {
  test("SIGN-06: stores the bytes as sent", async () => {
    const clip = await uniqueClip();
    const upload = await signed();
    const reply = await put(upload.upload_url, clip);
    expect(reply.status).toBe(200);
    const hash = createHash("sha256").update(clip).digest("hex");
    expect(reply.headers.get("etag")).toBe(`"${hash}"`);
    const stored = createHash("sha256");
    for await (const chunk of createReadStream(join(service.dataFolder, "objects", upload.gcs_path)))
      stored.update(chunk);
    expect(stored.digest("hex")).toBe(hash);
  });

  test("OPEN-29: refuses another content type, a changed link and a missing signature in XML, as storage hosts do", async () => {
    const upload = await signed();
    const clip = await uniqueClip();
    const forged = new URL(upload.upload_url);
    forged.searchParams.set("expires", "9999999999");
    const other = upload.upload_url.replace(/source\.mp4/, "other.mp4");
    const bare = upload.upload_url.split("?")[0];
    const read = upload.upload_url.replace("purpose=put", "purpose=get");
    for (const [url, type] of [
      [upload.upload_url, "video/mpeg"],
      [upload.upload_url, "VIDEO/MP4"],
      [forged.href, "video/mp4"],
      [other, "video/mp4"],
      [bare, "video/mp4"],
      [read, "video/mp4"],
    ]) {
      const reply = await put(url, clip, { "Content-Type": type });
      expect(reply.status).toBe(403);
      expect(reply.headers.get("content-type")).toMatch(/^application\/xml/);
      expect(await reply.text()).toMatch(
        /<Error><Code>SignatureDoesNotMatch<\/Code><Message>[^<]+<\/Message><\/Error>/,
      );
    }
  });

  test("OPEN-29: an address is refused after its time", async () => {
    const clock = new ManualClock();
    const late = await startTestService({ upload_link_seconds: 60 }, { clock, worksOnJobs: false });
    try {
      const upload = await signed("video/mp4", late);
      clock.advance(61_000);
      const reply = await late.follow(upload.upload_url, {
        method: "PUT",
        headers: { "Content-Type": "video/mp4" },
        body: await uniqueClip(),
      });
      expect(reply.status).toBe(403);
      expect(await reply.text()).toContain("<Code>ExpiredToken</Code>");
    } finally {
      await late.close();
    }
  });

  test("may be repeated until the notification, and not afterwards", async () => {
    const clip = await uniqueClip();
    const upload = await signed("video/mp4", held);
    const again = (body: string | Uint8Array<ArrayBuffer>) =>
      held.follow(upload.upload_url, { method: "PUT", headers: { "Content-Type": "video/mp4" }, body });
    expect((await again("first try")).status).toBe(200);
    expect((await again(clip)).status).toBe(200);
    await held.send("POST", "notify_upload_complete", { media_id: upload.media_id, gcs_path: upload.gcs_path });
    const late = await again("something else");
    expect(late.status).toBe(412);
    expect(await late.text()).toContain("<Code>PreconditionFailed</Code>");
    expect(await readFile(join(held.dataFolder, "objects", upload.gcs_path))).toEqual(Buffer.from(clip));
  });

  test("ERR-17: a file above the plan's size is refused while it arrives, then with 403 wherever it is used", async () => {
    const { key } = await service.app.administration.createKey({ team: "tiny" });
    const input = { type: "signed_url", content_type: "video/mp4" };
    const { body: upload } = await send(service.app, key, "POST", "upload_media", { input });
    const reply = await put(upload.upload_url, new Uint8Array(1_001));
    expect(reply.status).toBe(400);
    expect(await reply.text()).toContain("<Code>EntityTooLarge</Code>");
    const ids = { media_id: upload.media_id, gcs_path: upload.gcs_path };
    for (const [path, body] of [
      ["notify_upload_complete", ids],
      ["generate_ad_text", { media_id: upload.media_id }],
    ] as const) {
      const refused = await send(service.app, key, "POST", path, body);
      expect(refused.status).toBe(403);
      expect(refused.body).toEqual({ error: "file_too_large", message: expect.stringContaining("1000 bytes") });
    }
  });
});

describe("resumable PUT", () => {
  const range = (url: string, clip: Uint8Array<ArrayBuffer>, start: number, end: number) =>
    put(url, clip.slice(start, end), { "Content-Range": `bytes ${start}-${end - 1}/${clip.length}` });
  const ask = (url: string) => put(url, new Uint8Array(), { "Content-Range": "bytes */*" });

  test("OPEN-29: takes a file in slices, tells where to go on, and skips what it has", async () => {
    const clip = await uniqueClip();
    const half = clip.length >> 1;
    const upload = await signed();
    const empty = await ask(upload.resumable_url);
    expect([empty.status, empty.headers.get("range")]).toEqual([308, null]);
    const first = await range(upload.resumable_url, clip, 0, half);
    expect([first.status, first.headers.get("range")]).toEqual([308, `bytes=0-${half - 1}`]);
    const hole = await range(upload.resumable_url, clip, half + 10, clip.length);
    expect([hole.status, hole.headers.get("range")]).toEqual([308, `bytes=0-${half - 1}`]);
    const rest = await range(upload.resumable_url, clip, half - 100, clip.length);
    expect(rest.status).toBe(200);
    expect((await ask(upload.resumable_url)).status).toBe(200);
    const stored = await readFile(join(service.dataFolder, "objects", upload.gcs_path));
    expect(Buffer.compare(stored, clip)).toBe(0);
    await service.send("POST", "notify_upload_complete", { media_id: upload.media_id, gcs_path: upload.gcs_path });
    expect(await verified(service, upload)).toMatchObject({ upload_status: "completed" });
  });

  test("keeps what arrived of a slice that was cut short", async () => {
    const clip = await uniqueClip();
    const upload = await signed();
    const url = await service.app.listen({ host: "127.0.0.1", port: 0 });
    const address = upload.resumable_url.replace("http://service.test", url);
    const headers = { "Content-Type": "video/mp4", "Content-Range": `bytes 0-${clip.length - 1}/${clip.length}` };
    const client = request(address, { method: "PUT", headers });
    client.on("error", () => undefined);
    client.write(clip.slice(0, 5_000));
    await eventually(async () => (await ask(upload.resumable_url)).headers.get("range") ?? undefined);
    client.destroy();
    const reply = await eventually(async () => {
      const answer = await ask(upload.resumable_url);
      return answer.headers.get("range") === "bytes=0-4999" ? answer : undefined;
    });
    expect(reply.status).toBe(308);
    const headersOfRest = { "Content-Range": `bytes 5000-${clip.length - 1}/${clip.length}` };
    expect((await put(upload.resumable_url, clip.slice(5_000), headersOfRest)).status).toBe(200);
  });

  test("a second connection takes over from one that hangs", async () => {
    const clip = await uniqueClip();
    const upload = await signed();
    const hanging = new ReadableStream({ start: (controller) => controller.enqueue(clip.slice(0, 1_000)) });
    const first = service.follow(upload.resumable_url, {
      method: "PUT",
      headers: { "Content-Type": "video/mp4", "Content-Range": `bytes 0-${clip.length - 1}/${clip.length}` },
      body: hanging,
      duplex: "half",
    } as RequestInit);
    first.catch(() => undefined);
    await eventually(async () => (await ask(upload.resumable_url)).headers.get("range") ?? undefined);
    const rest = { "Content-Range": `bytes 1000-${clip.length - 1}/${clip.length}` };
    expect((await put(upload.resumable_url, clip.slice(1_000), rest)).status).toBe(200);
  });

  test("refuses a senseless Content-Range", async () => {
    const upload = await signed();
    for (const header of [
      "bytes 5-1/10",
      "bytes 0-10/5",
      "bytes=0-5",
      "lines 0-5/10",
      "bytes 0-99999999999999999999/*",
    ]) {
      const reply = await put(upload.resumable_url, "12345", { "Content-Range": header });
      expect(reply.status).toBe(400);
      expect(await reply.text()).toContain("<Code>InvalidArgument</Code>");
    }
  });
});

describe("notify_upload_complete", () => {
  test("SIGN-10: accepts a finished upload, and a repeat is harmless", async () => {
    const upload = await uploadSigned(service, await uniqueClip());
    const again = { media_id: upload.media_id, gcs_path: upload.gcs_path };
    for (const _ of [1, 2]) {
      const reply = await service.send("POST", "notify_upload_complete", again);
      expect(reply.status).toBe(200);
      expect(reply.body).toEqual({ status: "accepted", media_id: upload.media_id });
    }
    expect(await verified(service, upload)).toMatchObject({ upload_status: "completed" });
    expect((await service.send("POST", "notify_upload_complete", again)).status).toBe(200);
  });

  test("SIGN-08 SIGN-12 ERR-14: refuses a missing or senseless parameter by name", async () => {
    const path = "teams/a/media/b/source.mp4";
    for (const [body, name] of [
      [{}, "media_id"],
      [{ media_id: UNKNOWN }, "gcs_path"],
      [{ gcs_path: path }, "media_id"],
      [{ media_id: "abc", gcs_path: path }, "media_id"],
      [{ media_id: UNKNOWN, gcs_path: "" }, "gcs_path"],
      [{ media_id: UNKNOWN, gcs_path: 5 }, "gcs_path"],
    ] as const) {
      const reply = await service.send("POST", "notify_upload_complete", body);
      expect(reply.status).toBe(400);
      expect(reply.body).toEqual({ error: "invalid_input", message: expect.stringContaining(`"${name}"`) });
    }
  });

  test("SIGN-09: refuses the storage path of another media", async () => {
    const [one, other] = [await signed(), await signed()];
    const reply = await service.send("POST", "notify_upload_complete", {
      media_id: one.media_id,
      gcs_path: other.gcs_path,
    });
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual({ error: "invalid_input", message: expect.stringContaining('"gcs_path"') });
  });

  test("OPEN-08: refuses before any bytes have arrived", async () => {
    const { media_id, gcs_path } = await signed();
    const reply = await service.send("POST", "notify_upload_complete", { media_id, gcs_path });
    expect(reply.status).toBe(400);
    expect(reply.body.message).toContain("PUT");
  });

  test("ERR-09 OPEN-08 OPEN-30: an unknown media, and another team's, is 404", async () => {
    const { media_id, gcs_path } = await signed();
    const { key } = await service.app.administration.createKey({ team: "neighbours" });
    for (const reply of [
      await service.send("POST", "notify_upload_complete", { media_id: UNKNOWN, gcs_path }),
      await send(service.app, key, "POST", "notify_upload_complete", { media_id, gcs_path }),
      await send(service.app, key, "GET", `get_upload_status?media_id=${media_id}&gcs_path=${gcs_path}`),
    ]) {
      expect(reply.status).toBe(404);
      expect(reply.body.error).toBe("not_found");
    }
  });
});

describe("what was verified stays what it was", () => {
  /** Sends all but the last byte of a body, and the rest when `finish` is called. */
  function slowPut(url: string, body: Uint8Array) {
    const rest = Promise.withResolvers<void>();
    const stream = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(body.subarray(0, -1));
        await rest.promise;
        controller.enqueue(body.subarray(-1));
        controller.close();
      },
    });
    const headers = { "Content-Type": "video/mp4" };
    const init: RequestInit & { readonly duplex: "half" } = { method: "PUT", headers, body: stream, duplex: "half" };
    return { finish: rest.resolve, reply: service.follow(url, init) };
  }

  const storedBytes = async (mediaId: string) => {
    const [row] = await service.database.query<{ key: string }>(
      "SELECT storage_key AS key FROM aside.media WHERE id = $1",
      [mediaId],
    );
    return readFile(join(service.dataFolder, "objects", row?.key ?? ""));
  };

  test("SIGN-10: a PUT that began before the notification and ends after it changes nothing", async () => {
    const [good, other] = [await uniqueClip(), await uniqueClip()];
    const upload = await signed();
    expect((await put(upload.upload_url, good)).status).toBe(200);
    const late = slowPut(upload.upload_url, other);
    await eventually(async () => ((await readdir(join(service.dataFolder, "incoming"))).length > 0 ? true : undefined));
    const { media_id, gcs_path } = upload;
    await service.send("POST", "notify_upload_complete", { media_id, gcs_path });
    expect(await verified(service, upload)).toMatchObject({ upload_status: "completed" });
    late.finish();
    expect((await late.reply).status).toBe(412);
    expect(Buffer.compare(await storedBytes(media_id), good)).toBe(0);
  });

  test("no address that a client has leads to verified bytes", async () => {
    const good = await uniqueClip();
    const upload = await uploadSigned(service, good);
    await verified(service, upload);
    // As a store does that takes bytes without asking the service.
    const arrived = join(service.dataFolder, "objects", upload.gcs_path);
    await mkdir(dirname(arrived), { recursive: true });
    await writeFile(arrived, await uniqueClip());
    expect(Buffer.compare(await storedBytes(upload.media_id), good)).toBe(0);
    expect((await service.send("POST", "upload_media", form(good))).body).toMatchObject({ media_id: upload.media_id });
  });

  test("good bytes that come again, by either way, mend a damaged medium", async () => {
    const good = await uniqueClip();
    const { body: media } = await service.send("POST", "upload_media", form(good));
    const [row] = await service.database.query<{ key: string }>(
      "SELECT storage_key AS key FROM aside.media WHERE id = $1",
      [media.media_id],
    );
    const path = join(service.dataFolder, "objects", row?.key ?? "");
    await writeFile(path, "damaged");
    expect((await service.send("POST", "upload_media", form(good))).body.media_id).toBe(media.media_id);
    expect(Buffer.compare(await readFile(path), good)).toBe(0);
    await rm(path);
    const again = await uploadSigned(service, good);
    expect(await verified(service, again)).toMatchObject({ canonical_media_id: media.media_id });
    expect(Buffer.compare(await readFile(path), good)).toBe(0);
  });
});

describe("verification", () => {
  const status = (at: TestService, upload: Reply["body"]) =>
    at.send("GET", `get_upload_status?media_id=${upload.media_id}&gcs_path=${encodeURIComponent(upload.gcs_path)}`);

  test("SIGN-11 OPEN-06 OPEN-09 STATE-06 ERR-18 ERR-03 ERR-10: generation waits for it, before and after the notification", async () => {
    const upload = await signed("video/mp4", held);
    const refusals = async (expected: string) => {
      expect((await status(held, upload)).body).toEqual({
        media_id: upload.media_id,
        upload_status: expected,
        canonical_media_id: null,
        duration_seconds: null,
        frame_rate: null,
        ...(expected === "processing" ? { retry_after: 1 } : {}),
      });
      const input = { type: "media_id", media_id: upload.media_id };
      for (const [path, body] of [
        ["generate_ad_text", { media_id: upload.media_id }],
        ["generate_ad_text", { input }],
        ["generate_ad_audio", { input }],
        ["generate_ad_video", { input }],
      ] as const) {
        const reply = await held.send("POST", path, body);
        expect(reply.status).toBe(409);
        expect(reply.body).toEqual({
          error: expect.stringContaining(" "),
          code: "upload_not_ready",
          upload_status: expected,
          message: expect.any(String),
        });
      }
    };
    await refusals("pending_upload");
    await held.follow(upload.upload_url, {
      method: "PUT",
      headers: { "Content-Type": "video/mp4" },
      body: await uniqueClip(),
    });
    const { media_id, gcs_path } = upload;
    expect((await held.send("POST", "notify_upload_complete", { media_id, gcs_path })).status).toBe(200);
    await refusals("processing");
  });

  test("OPEN-06 OPEN-10 STATE-08 MEDIA-13: ends with the media's own id, its length and rate", async () => {
    const upload = await uploadSigned(service, await uniqueClip());
    expect(await verified(service, upload)).toEqual({
      media_id: upload.media_id,
      upload_status: "completed",
      canonical_media_id: upload.media_id,
      duration_seconds: expect.closeTo(2, 1),
      frame_rate: expect.closeTo(29.97, 2),
    });
    for (const path of ["generate_ad_text", "generate_ad_audio", "generate_ad_video"]) {
      const reply = await service.send("POST", path, { input: { type: "media_id", media_id: upload.media_id } });
      expect(reply.status).toBe(200);
    }
  });

  test("OPEN-10 OPEN-31: names the media the team had before as the canonical one; either id serves generation", async () => {
    const clip = await uniqueClip();
    const { body: first } = await service.send("POST", "upload_media", form(clip));
    const upload = await uploadSigned(service, clip, "renamed.mov");
    expect(await verified(service, upload)).toMatchObject({
      upload_status: "completed",
      canonical_media_id: first.media_id,
      duration_seconds: expect.closeTo(2, 1),
    });
    const reply = await service.send("POST", "generate_ad_text", { media_id: upload.media_id });
    expect(reply.body.media_id).toBe(first.media_id);
    const again = await service.send("POST", "upload_media", form(clip));
    expect(again.body).toMatchObject({ media_id: first.media_id, status: "existing" });
  });

  test("OPEN-06 STATE-07 ERR-19 ERR-02 OPEN-35: ends as failed for what holds no video, and generation is refused", async () => {
    for (const bytes of [await soundOnlyClip(), new TextEncoder().encode("no video at all")]) {
      const upload = await uploadSigned(service, bytes);
      expect(await verified(service, upload)).toEqual({
        media_id: upload.media_id,
        upload_status: "failed",
        canonical_media_id: null,
        duration_seconds: null,
        frame_rate: null,
        error: "no_video_stream",
        message: expect.any(String),
      });
      const input = { type: "media_id", media_id: upload.media_id };
      for (const [path, body] of [
        ["generate_ad_text", { media_id: upload.media_id }],
        ["generate_ad_audio", { input }],
        ["generate_ad_video", { input }],
        ["notify_upload_complete", { media_id: upload.media_id, gcs_path: upload.gcs_path }],
      ] as const) {
        const reply = await service.send("POST", path, body);
        expect(reply.status).toBe(409);
        expect(reply.body).toEqual({
          error: expect.stringContaining(" "),
          code: "upload_failed",
          upload_status: "failed",
          message: expect.stringContaining("Upload the media again"),
        });
      }
    }
  });

  test("OPEN-09: the status needs both parameters", async () => {
    const { media_id, gcs_path } = await signed();
    for (const [query, name] of [
      ["", "media_id"],
      [`media_id=${media_id}`, "gcs_path"],
      [`gcs_path=${gcs_path}`, "media_id"],
    ]) {
      const reply = await service.send("GET", `get_upload_status?${query}`);
      expect(reply.status).toBe(400);
      expect(reply.body.message).toContain(`"${name}"`);
    }
    expect((await service.send("GET", `get_upload_status?media_id=${media_id}&gcs_path=${gcs_path}x`)).status).toBe(
      400,
    );
  });
});

test("the life of result links is the hosted service's", () => {
  expect(configurationFrom({}, "").result_link_seconds).toBe(15 * 60);
});
