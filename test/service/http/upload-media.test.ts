import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DIRECT_UPLOAD_MAX_BYTES } from "../../../src/contract/choices.ts";
import { sharedBytes } from "../../shared-media.ts";
import { soundOnlyClip, uniqueClip } from "../clips.ts";
import { API, form, send, startTestService, type TestService } from "../service-fixture.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    plans: {
      tiny: { maximum_file_bytes: 1_000 },
      short: { maximum_duration_seconds: 1 },
    },
    teams: { tiny: { plan: "tiny" }, short: { plan: "short" } },
  });
});
afterAll(() => service.close());

describe("by multipart", () => {
  test("MEDIA-01 MEDIA-03 MEDIA-05 MEDIA-06 MEDIA-12 SIGN-02: a new file becomes media with its length and rate", async () => {
    const reply = await service.send("POST", "upload_media", form(await uniqueClip()));
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      media_id: expect.stringMatching(UUID),
      status: "created",
      duration_seconds: expect.closeTo(2, 1),
      frame_rate: expect.closeTo(29.97, 2),
    });
  });

  test("MEDIA-02 MEDIA-04 OPEN-31: the same bytes under another name exist already, and not for another team", async () => {
    const clip = await uniqueClip();
    const first = await service.send("POST", "upload_media", form(clip, {}, "a.mp4"));
    const second = await service.send("POST", "upload_media", form(clip, {}, "b.mov"));
    expect(second.body).toEqual({ ...first.body, status: "existing" });
    const { key } = await service.app.administration.createKey({ team: "neighbours" });
    const third = await send(service.app, key, "POST", "upload_media", form(clip));
    expect(third.body.status).toBe("created");
    expect(third.body.media_id).not.toBe(first.body.media_id);
  });

  test("two uploads of the same bytes at the same time are one media", async () => {
    const clip = await uniqueClip();
    const replies = await Promise.all([1, 2, 3].map(() => service.send("POST", "upload_media", form(clip))));
    expect(new Set(replies.map(({ body }) => body.media_id)).size).toBe(1);
    expect(replies.map(({ body }) => body.status).sort()).toEqual(["created", "existing", "existing"]);
  });

  test("takes the parts in any order, and text parts sent as blobs", async () => {
    const data = new FormData();
    data.set("file", new Blob([await uniqueClip()]), "clip.mp4");
    data.set(
      "input",
      new Blob([JSON.stringify({ type: "file", filename: "named.mp4" })], { type: "application/json" }),
    );
    const reply = await service.send("POST", "upload_media", data);
    expect(reply.body).toMatchObject({ status: "created" });
    expect(reply.body).not.toHaveProperty("ignored");
  });

  test("MEDIA-12 OPEN-21: a missing part, another name, another type or broken JSON is refused by name", async () => {
    const clip = await uniqueClip();
    const misnamed = new FormData();
    misnamed.set("input", '{"type":"file"}');
    misnamed.set("video", new Blob([clip]), "clip.mp4");
    const withoutFile = new FormData();
    withoutFile.set("input", '{"type":"file"}');
    const cases: readonly (readonly [FormData, RegExp])[] = [
      [misnamed, /"file"/],
      [withoutFile, /"file"/],
      [form(clip, { input: undefined }), /"input.type"/],
      [form(clip, { input: "{" }), /"input"/],
      [form(clip, { input: { type: "url" } }), /"input.type"/],
      [form(clip, { input: [] }), /"input"/],
      [form(clip, { input: { type: "file", filename: 5 } }), /"input.filename"/],
      [form(new Uint8Array()), /"file"/],
    ];
    for (const [data, message] of cases) {
      const reply = await service.send("POST", "upload_media", data);
      expect(reply.status).toBe(400);
      expect(reply.body).toEqual({ error: "invalid_input", message: expect.stringMatching(message) });
    }
  });

  test("a form that is cut short or malformed is the client's mistake", async () => {
    for (const body of [
      "--x\r\n",
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
      "nothing",
    ]) {
      const reply = await service.send("POST", "upload_media", body, {
        "Content-Type": "multipart/form-data; boundary=x",
      });
      expect(reply.status).toBe(400);
      expect(reply.body.error).toBe("invalid_input");
    }
  });

  test("OPEN-24: names parts that are not used", async () => {
    const data = form(await uniqueClip(), { input: { type: "file", colour: "red" }, generation_config: {}, note: "x" });
    const { body } = await service.send("POST", "upload_media", data);
    expect([...body.ignored].sort()).toEqual(["generation_config", "input.colour", "note"]);
  });

  test("LIM-01 OPEN-22: a file of exactly 32 MiB is taken, one byte more is refused with the way out", async () => {
    const clip = await uniqueClip();
    const atBound = new Uint8Array(DIRECT_UPLOAD_MAX_BYTES);
    atBound.set(clip);
    // The rest of the file is one big box that readers skip.
    new DataView(atBound.buffer).setUint32(clip.length, DIRECT_UPLOAD_MAX_BYTES - clip.length);
    atBound.set(new TextEncoder().encode("free"), clip.length + 4);
    expect((await service.send("POST", "upload_media", form(atBound))).body.status).toBe("created");
    const reply = await service.send("POST", "upload_media", form(new Uint8Array(DIRECT_UPLOAD_MAX_BYTES + 1)));
    expect(reply.status).toBe(403);
    expect(reply.body).toEqual({ error: "file_too_large", message: expect.stringContaining("signed_url") });
  });

  test("ERR-15 ERR-11 OPEN-35 OPEN-30: what holds no video is refused with 415, whatever its name", async () => {
    const files = [
      await soundOnlyClip(),
      new TextEncoder().encode("this is a text file, not a video"),
      await sharedBytes("negative/WrongFile.mp4"),
      await sharedBytes("negative/nostreams.mp4"),
      await sharedBytes("negative/empty.flv"),
      await sharedBytes("negative/jazz-performance-audio-only.mp4"),
      await sharedBytes("audio/vad-patterns/ns.wav"),
    ];
    for (const bytes of files) {
      const reply = await service.send("POST", "upload_media", form(new Uint8Array(bytes)));
      expect(reply.status).toBe(415);
      expect(reply.body).toEqual({ error: "no_video_stream", message: expect.any(String) });
    }
  });

  test("a playlist or a concat script named .mp4 reaches no other file", async () => {
    for (const text of ["#EXTM3U\n#EXTINF:5,\nfile:///etc/passwd\n", "ffconcat version 1.0\nfile '/etc/passwd'\n"]) {
      const reply = await service.send("POST", "upload_media", form(new TextEncoder().encode(text)));
      expect(reply.status).toBe(415);
    }
  });

  test("ERR-16 ERR-17 LIM-06 AUTH-04: a plan's longest programme and largest file are enforced with 403", async () => {
    const clip = await uniqueClip();
    for (const [team, code] of [
      ["tiny", "file_too_large"],
      ["short", "video_too_long"],
    ] as const) {
      const { key } = await service.app.administration.createKey({ team });
      const reply = await send(service.app, key, "POST", "upload_media", form(clip));
      expect(reply.status).toBe(403);
      expect(reply.body).toEqual({ error: code, message: expect.stringContaining(`"${team}"`) });
    }
    expect((await service.send("POST", "upload_media", form(clip))).status).toBe(200);
  });
});

describe("as JSON", () => {
  test.each([
    [{}, /"input" is required/],
    [{ input: 5 }, /"input" must be an object/],
    [{ input: {} }, /"input.type" is required: "url", "signed_url"/],
    [{ input: { type: "file" } }, /"input.type"/],
    [{ input: { type: "x" } }, /"input.type"/],
    [{ input: { type: "url" } }, /"input.url"/],
    [{ input: { type: "url", url: "abc" } }, /"input.url" must be a full address/],
    [{ input: { type: "signed_url", filename: 5 } }, /"input.filename" must be a string, and is a number/],
    [{ input: { type: "signed_url", content_type: "no type" } }, /"input.content_type"/],
  ])("MEDIA-07 MEDIA-08 MEDIA-09 MEDIA-11 ERR-14 ERR-06: refuses %j by the parameter's name", async (body, message) => {
    const reply = await service.send("POST", "upload_media", body);
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual({ error: "invalid_input", message: expect.stringMatching(message) });
  });

  test("BASE-03: reads a JSON body by its content type, and names the fault of any other", async () => {
    for (const [contentType, text] of [
      ["text/plain", "{}"],
      ["application/json", "{"],
      ["application/json", ""],
      ["application/json", '{"__proto__":{}}'],
      ["application/x-www-form-urlencoded", "a=b"],
    ] as const) {
      const reply = await service.send("POST", "upload_media", text, { "Content-Type": contentType });
      expect(reply.status).toBe(400);
      expect(reply.body).toEqual({ error: "invalid_input", message: expect.any(String) });
    }
  });

  test("SIGN-01 SIGN-02 SIGN-03 SIGN-04 OPEN-01 OPEN-07: a signed upload gives an address, a storage path and a type", async () => {
    const reply = await service.send("POST", "upload_media", {
      input: { type: "signed_url", filename: "../../My film.MP4", content_type: "video/mp4" },
    });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      media_id: expect.stringMatching(UUID),
      status: "pending_upload",
      duration_seconds: null,
      frame_rate: null,
      upload_url: expect.stringMatching(/^http:\/\/service\.test\/storage\//),
      gcs_path: expect.stringMatching(/^teams\/[-0-9a-f]+\/uploads\/[-0-9a-f]+\/source\.mp4$/),
      content_type: "video/mp4",
      resumable_url: expect.stringMatching(/^http:\/\/service\.test\/storage\//),
    });
  });

  test("MEDIA-11 OPEN-07: file name and content type of a signed upload may be left out", async () => {
    const { body } = await service.send("POST", "upload_media", { input: { type: "signed_url" } });
    expect(body.content_type).toBe("application/octet-stream");
    expect(body.gcs_path).toMatch(/\/source$/);
  });
});

test("ERR-13: an unforeseen failure is a 500 with no stack and no path", async () => {
  const broken = await startTestService(
    {},
    { isolate: () => Promise.reject(new TypeError(`cannot read ${service.dataFolder}/secret`)) },
  );
  try {
    const reply = await broken.send("POST", "upload_media", form(await uniqueClip()));
    expect(reply.status).toBe(500);
    expect(reply.body).toEqual({ error: "internal_error", message: expect.any(String) });
    expect(JSON.stringify(reply.body)).not.toMatch(/secret|\/|TypeError|at /);
  } finally {
    await broken.close();
  }
});

test("links begin with the address that the client used", async () => {
  const request = new Request(`https://other.example:8443${API}/upload_media`, {
    method: "POST",
    headers: { "X-API-Key": service.key, "Content-Type": "application/json" },
    body: JSON.stringify({ input: { type: "signed_url" } }),
  });
  const response = await service.app.handle(request);
  const body = JSON.parse(await response.text());
  expect(body.upload_url).toMatch(/^http:\/\/other\.example:8443\/storage\//);
});
