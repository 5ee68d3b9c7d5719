import { afterAll, beforeAll, expect, test } from "vitest";
import { FLAT_VIDEO_CATEGORIES, LANGUAGES } from "../../../src/contract/choices.ts";
import { soundOnlyClip, uniqueClip } from "../clips.ts";
import { finished, type Reply, send, startTestService, type TestService } from "../service-fixture.ts";
import { startWebHost, type WebHost } from "../web-host.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

let host: WebHost;
let service: TestService;
/** Accepts jobs and runs none. */
let held: TestService;
let clip: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
  host = await startWebHost();
  clip = await uniqueClip();
  host.pages.set("/clip.mp4", (_request, response) => response.end(clip));
  const url_input = { allowed_networks: ["127.0.0.0/8"], ports: null, idle_seconds: 1 };
  held = await startTestService({ url_input }, { worksOnJobs: false });
  service = await startTestService({
    url_input,
    plans: {
      tiny: { maximum_file_bytes: 1_000 },
      bare: { without: ["custom_description", "url_input"] },
    },
    teams: { tiny: { plan: "tiny" }, bare: { plan: "bare" } },
  });
});
afterAll(async () => {
  await service.close();
  await held.close();
  await host.close();
});

const at = (path: string) => `${host.url}${path}`;
const expectRefusal = (reply: Reply, message: RegExp | string) => {
  expect(reply.status).toBe(400);
  expect(reply.body).toEqual({
    error: "invalid_input",
    message: typeof message === "string" ? expect.stringContaining(message) : expect.stringMatching(message),
  });
};

/** Every endpoint that takes an address, with the parameter that holds it. */
const ENDPOINTS: readonly (readonly [string, string, (url?: unknown) => object])[] = [
  ["upload_media", "input.url", (url) => ({ input: { type: "url", url } })],
  ["upload_from_url", "source_url", (url) => ({ source_url: url })],
  ["generate_ad_text", "input.url", (url) => ({ input: { type: "url", url } })],
  ["generate_ad_audio", "input.url", (url) => ({ input: { type: "url", url } })],
  ["generate_ad_video", "input.url", (url) => ({ input: { type: "url", url } })],
  ["generate_ad_text_from_url", "source_url", (url) => ({ source_url: url })],
  ["generate_ad_video_from_url", "source_url", (url) => ({ source_url: url })],
];

test.each(ENDPOINTS)("URL-01 FROMURL-03 VIDEO-05 MEDIA-09: %s needs an address", async (path, name, body) => {
  expectRefusal(await service.send("POST", path, body()), `"${name}"`);
  expectRefusal(await service.send("POST", path, body("abc")), `"${name}" must be a full address`);
  expectRefusal(await service.send("POST", path, body("ftp://example.org/a.mp4")), `"${name}" must begin with http`);
});

test.each(ENDPOINTS)("URL-02: %s reaches public addresses only", async (path, name, body) => {
  host.pages.set("/inward", (_request, response) => response.writeHead(302, { location: "http://10.0.0.1/" }).end());
  for (const url of ["http://10.0.0.1/a.mp4", "http://[::1]/a.mp4", "http://192.168.1.1/a", at("/inward")]) {
    expectRefusal(await service.send("POST", path, body(url)), `"${name}" does not lead to a public address`);
  }
});

test.each(ENDPOINTS)("OPEN-33 OPEN-35: %s answers an address without a video", async (path, name, body) => {
  const sound = await soundOnlyClip();
  host.pages.set("/sound.mp4", (_request, response) => response.end(sound));
  host.pages.set("/page.html", (_request, response) => response.end("<html>a page</html>"));
  for (const file of ["/sound.mp4", "/page.html"]) {
    const reply = await service.send("POST", path, body(at(file)));
    expect(reply.status).toBe(415);
    expect(reply.body.error).toBe("no_video_stream");
  }
  expectRefusal(await service.send("POST", path, body(at("/none"))), `"${name}" was answered with status 404`);
});

test("URL-03 URL-04 URL-05 MEDIA-10: a new address is created, the same content exists", async () => {
  const fresh = await uniqueClip();
  host.pages.set("/new.mp4", (_request, response) => response.end(fresh));
  const first = await service.send("POST", "upload_from_url", { source_url: at("/new.mp4") });
  expect(first.status).toBe(200);
  expect(first.body).toEqual({
    media_id: expect.stringMatching(UUID),
    status: "created",
    duration_seconds: expect.closeTo(2, 1),
    frame_rate: expect.closeTo(29.97, 2),
  });
  const again = await service.send("POST", "upload_from_url", { source_url: at("/new.mp4?x=1"), filename: "b.mp4" });
  expect(again.body).toEqual({ ...first.body, status: "existing" });
  const input = { type: "url", url: at("/new.mp4"), filename: "c.mp4" };
  expect((await service.send("POST", "upload_media", { input })).body).toEqual({ ...first.body, status: "existing" });
  expectRefusal(
    await service.send("POST", "upload_from_url", { source_url: at("/clip.mp4"), filename: 5 }),
    '"filename"',
  );
});

test("FROMURL-01 FROMURL-02 FROMURL-04 BASE-05 VIDEO-05: one request fetches the video and starts the job", async () => {
  for (const path of ["generate_ad_text_from_url", "generate_ad_video_from_url"]) {
    for (const filename of [undefined, "film.mp4"]) {
      const reply = await service.send("POST", path, { source_url: at("/clip.mp4"), filename });
      expect(reply.status).toBe(200);
      expect(reply.body).toEqual({
        job_id: expect.stringMatching(UUID),
        status: "queued",
        media_id: expect.stringMatching(UUID),
      });
      expect((await finished(service, reply.body.job_id)).status).toBe("done");
    }
    expectRefusal(await service.send("POST", path, { source_url: at("/clip.mp4"), filename: 5 }), '"filename"');
  }
  for (const kind of ["text", "audio", "video"]) {
    const input = { type: "url", url: at("/clip.mp4") };
    const reply = await service.send("POST", `generate_ad_${kind}`, { input });
    expect((await finished(service, reply.body.job_id)).status).toBe("done");
  }
});

const flat = (path: string, body: object, on = held) => on.send("POST", path, { source_url: at("/clip.mp4"), ...body });
const settingsOf = async (reply: Reply) => {
  expect(reply.status).toBe(200);
  return JSON.parse((await finished(service, reply.body.job_id)).output.content);
};

test("OPEN-25: both run with their defaults", async () => {
  expect(await settingsOf(await flat("generate_ad_text_from_url", {}, service))).toMatchObject({
    kind: "text",
    settings: { format: "json", language: "en-US", category: "Auto", type: "extended", instructions: "" },
  });
  expect(await settingsOf(await flat("generate_ad_video_from_url", {}, service))).toMatchObject({
    kind: "video",
    settings: { format: "vtt", language: "en-US", category: "Auto", type: "extended", voice: "Achernar" },
  });
});

test.each(["generate_ad_text_from_url", "generate_ad_video_from_url"])(
  "FROMURL-05 FROMURL-06 FROMURL-07 FROMURL-08 LANG-02 OPEN-04: %s checks its fields",
  async (path) => {
    for (const format of ["json", "vtt", "edl"]) expect((await flat(path, { format })).status).toBe(200);
    for (const format of ["txt", "srt"]) expectRefusal(await flat(path, { format }), '"format"');
    for (const video_category of FLAT_VIDEO_CATEGORIES) expect((await flat(path, { video_category })).status).toBe(200);
    for (const video_category of ["Educational Kids", "Government Meeting", "Sports"]) {
      expectRefusal(await flat(path, { video_category }), '"video_category"');
    }
    for (const ad_type of ["extended_ad", "standard_ad"]) expect((await flat(path, { ad_type })).status).toBe(200);
    expectRefusal(await flat(path, { ad_type: "ad" }), '"ad_type"');
    expect((await flat(path, { custom_instructions: "Call her Ada." })).status).toBe(200);
    expectRefusal(await flat(path, { custom_instructions: 5 }), '"custom_instructions"');
    for (const language of [LANGUAGES[0], LANGUAGES.at(-1)]) expect((await flat(path, { language })).status).toBe(200);
    expectRefusal(await flat(path, { language: "xx-QQ" }), '"language"');
    expect((await flat(path, { auto_fit: false, colour: 1 })).body.ignored).toEqual(["auto_fit", "colour"]);
  },
);

test("FROMURL-09 FROMURL-10 FROMURL-11 FROMURL-12: video from an address takes resolution, volume and EDL", async () => {
  const path = "generate_ad_video_from_url";
  const edl_content =
    "TITLE: AD\nFCM: NON-DROP FRAME\n\n001  AX  A  C  00:00:01:00 00:00:02:00 00:00:01:00 00:00:02:00\n* COMMENT: A door.\n";
  const order = { resolution: "1280x720", volume_option: "max", volume_level_db: -6, edl_content };
  expect(await settingsOf(await flat(path, order, service))).toMatchObject({
    settings: { script: edl_content, volume: { option: "max", levelDbfs: -6 } },
  });
  const rows = await service.database.query("SELECT resolution FROM aside.job ORDER BY created_at DESC LIMIT 1");
  expect(rows).toEqual([{ resolution: "720" }]);
  for (const resolution of ["Auto", "auto", "1080p", "480"])
    expect((await flat(path, { resolution })).status).toBe(200);
  for (const resolution of [720, "big", "9999p", "100", ""])
    expectRefusal(await flat(path, { resolution }), '"resolution"');
  expect((await flat(path, { volume_option: "auto" })).status).toBe(200);
  expectRefusal(await flat(path, { volume_option: "loud" }), '"volume_option"');
  for (const volume_level_db of ["x", 1, -11])
    expectRefusal(await flat(path, { volume_level_db }), '"volume_level_db"');
  expect((await flat(path, { volume_level_db: -3 })).body.ignored).toEqual(["volume_level_db"]);
  expectRefusal(await flat(path, { edl_content: "TITLE: nothing" }), '"edl_content" holds no cue');
  expectRefusal(await flat(path, { edl_content: 5 }), '"edl_content"');
});

test("FROMURL-13 OPEN-23 ERR-08: EDL and addresses belong to plans that have them", async () => {
  const { key } = await service.app.administration.createKey({ team: "bare" });
  for (const [path, , body] of ENDPOINTS) {
    const reply = await send(service.app, key, "POST", path, body(at("/clip.mp4")));
    expect(reply.status).toBe(403);
    expect(reply.body).toMatchObject({ error: "feature_not_available", feature: "url_input", plan_name: "bare" });
  }
  const edl_content = "00:00:01.000 A door.";
  const reply = await send(service.app, key, "POST", "generate_ad_video_from_url", {
    source_url: at("/clip.mp4"),
    edl_content,
  });
  expect(reply.body).toMatchObject({ error: "feature_not_available", feature: "custom_description" });
});

test("ERR-17: a file above the plan's size is refused, announced or not, and not kept", async () => {
  const { key } = await service.app.administration.createKey({ team: "tiny" });
  host.pages.set("/big-announced", (_request, response) => {
    response.writeHead(200, { "content-length": 2_000_000_000 });
    response.write("x");
  });
  host.pages.set("/big-endless", (_request, response) => {
    const more = () =>
      response.write(Buffer.alloc(100_000), () => (response.destroyed ? undefined : setImmediate(more)));
    more();
  });
  for (const path of ["/big-announced", "/big-endless"]) {
    const reply = await send(service.app, key, "POST", "upload_from_url", { source_url: at(path) });
    expect(reply.status).toBe(403);
    expect(reply.body.error).toBe("file_too_large");
  }
});

test("a download that breaks off or falls silent is refused, and nothing of it stays", async () => {
  host.pages.set("/broken", (_request, response) => {
    response.writeHead(200, { "content-length": clip.length });
    response.write(clip.slice(0, 1_000), () => response.destroy());
  });
  host.pages.set("/stalling", (_request, response) => void response.write(clip.slice(0, 1_000)));
  for (const path of ["/broken", "/stalling"]) {
    expectRefusal(await service.send("POST", "upload_from_url", { source_url: at(path) }), "broke off");
  }
  const { readdir } = await import("node:fs/promises");
  expect(await readdir(`${service.dataFolder}/incoming`)).toEqual([]);
});
