import { describe, expect, test } from "vitest";
import { Client } from "../../src/client/client.ts";
import { ServiceError, SubmissionError, TimeoutError } from "../../src/client/errors.ts";
import { ROUTES } from "../../src/contract/routes.ts";
import { ConnectionError } from "../../src/core/error.ts";
import { ManualClock } from "../fakes/manual-clock.ts";
import { networkError, type Scripted, scriptedFetch, sentJson } from "../fakes/scripted-fetch.ts";

const MEDIA_ID = "550e8400-e29b-41d4-a716-446655440000";
const MEDIA = { type: "media_id", media_id: MEDIA_ID } as const;
const ACCEPTED = { body: { job_id: "job-1", status: "queued", media_id: MEDIA_ID } };

function clientOf(script: Scripted[], options: { baseUrl?: string; apiKey?: string } = {}) {
  const { fetch, sent } = scriptedFetch(...script);
  const clock = new ManualClock();
  const { baseUrl = "https://api.example.com", apiKey = "key-1" } = options;
  return { client: new Client({ baseUrl, apiKey, fetch, clock, random: () => 0.5 }), sent, clock };
}

/** Calls every endpoint once and returns the requests that left. */
async function everyRequest(options: { baseUrl?: string; apiKey?: string } = {}) {
  const media = { body: { media_id: MEDIA_ID, status: "created" } };
  const signed = {
    body: { media_id: MEDIA_ID, upload_url: "https://s/x?sig", gcs_path: "p", content_type: "video/mp4" },
  };
  const { client, sent } = clientOf(
    [
      media,
      media,
      signed,
      {},
      {},
      media,
      ACCEPTED,
      ACCEPTED,
      ACCEPTED,
      ACCEPTED,
      ACCEPTED,
      ACCEPTED,
      { body: { status: "queued" } },
      {},
    ],
    options,
  );
  await client.uploadMediaByUrl("https://example.com/a.mp4");
  await client.uploadMediaFile({ bytes: new Uint8Array([1, 2]), filename: "a.mp4", contentType: "video/mp4" });
  await client.requestSignedUpload({ filename: "a.mp4", contentType: "video/mp4" });
  await client.notifyUploadComplete({ mediaId: MEDIA_ID, storagePath: "p" });
  await client.getUploadStatus({ mediaId: MEDIA_ID, storagePath: "p" });
  await client.uploadFromUrl("https://example.com/a.mp4");
  await client.generateVideo(MEDIA);
  await client.generateAudio(MEDIA);
  await client.generateText(MEDIA);
  await client.generateTextFlat({ media_id: MEDIA_ID });
  await client.generateTextFromUrl({ source_url: "https://example.com/a.mp4" });
  await client.generateVideoFromUrl({ source_url: "https://example.com/a.mp4" });
  await client.getResults("job-1");
  await client.deleteJob("job-1");
  return sent;
}

describe("addresses and headers", () => {
  test.each([
    ["https://api.example.com", "https://api.example.com/enterprise/api/upload_media"],
    ["https://api.example.com/", "https://api.example.com/enterprise/api/upload_media"],
    ["http://127.0.0.1:8420/behind/a/proxy//", "http://127.0.0.1:8420/behind/a/proxy/enterprise/api/upload_media"],
  ])("BASE-01: hangs every path below the base address %s", async (baseUrl, expected) => {
    const sent = await everyRequest({ baseUrl });
    expect(sent[0]?.address).toBe(expected);
    expect(sent.every((request) => request.address.startsWith(expected.replace("/upload_media", "/")))).toBe(true);
  });

  test("BASE-02 VER-02: reaches every endpoint of the interface, with its method, below the prefix and no version", async () => {
    const sent = await everyRequest();
    const reached = new Set(
      sent.map(({ method, address }) => `${method} ${new URL(address).pathname.replace("job-1", "{job_id}")}`),
    );
    expect(reached).toEqual(new Set(Object.values(ROUTES).map(({ method, path }) => `${method} ${path}`)));
    expect([...reached].filter((path) => /\/v\d/.test(path))).toEqual([]);
  });

  test("BASE-03: says that JSON requests are JSON, and that others are not", async () => {
    for (const { body, headers } of await everyRequest()) {
      const expected =
        typeof body === "string"
          ? "application/json"
          : body === undefined
            ? undefined
            : /^multipart\/form-data; boundary=/;
      if (expected === undefined) expect(headers).not.toHaveProperty("Content-Type");
      else expect(headers["Content-Type"]).toMatch(expected);
    }
  });

  test.each(["key-1", "vsk_0123", "with spaces", "é"])(
    "AUTH-01 AUTH-03: sends the key %j unchanged with every call",
    async (apiKey) => {
      const sent = await everyRequest({ apiKey });
      expect(sent).toHaveLength(14);
      expect(sent.every((request) => request.headers["X-API-Key"] === apiKey)).toBe(true);
    },
  );

  test("AUTH-06 AUTH-07: sends the key it was made with, so that another environment or a new key is another client", async () => {
    const first = await everyRequest({ apiKey: "staging" });
    const second = await everyRequest({ apiKey: "production" });
    expect([first[0]?.headers["X-API-Key"], second[0]?.headers["X-API-Key"]]).toEqual(["staging", "production"]);
  });

  test.each([
    "",
    "ftp://x",
    "api.example.com",
    "https://",
    "https://user:word@host",
    "https://host/?a=b",
    "https://host/#a",
  ])("refuses %j as a base address", (baseUrl) => {
    expect(() => clientOf([], { baseUrl })).toThrow(RangeError);
  });

  test.each(["", "a\nb", "a\u0000", "ключ"])("refuses the key %j, which no header can carry", (apiKey) => {
    expect(() => clientOf([], { apiKey })).toThrow(RangeError);
  });

  test("does not follow redirects, which would take the key along", async () => {
    const { client, sent } = clientOf([{ status: 302, headers: { location: "https://elsewhere.example" } }]);
    await expect(client.getResults("job-1")).rejects.toMatchObject({ code: "reply_unreadable", status: 302 });
    expect(sent).toHaveLength(1);
  });
});

describe("what is sent", () => {
  test("RES-01 RES-09 OPEN-14: asks for a job by its id alone, escaped", async () => {
    const { client, sent } = clientOf([{ body: { status: "queued" } }]);
    await client.getResults("a b/ü?&=#%");
    expect(sent[0]?.address).toBe(
      "https://api.example.com/enterprise/api/get_results?job_id=a%20b%2F%C3%BC%3F%26%3D%23%25",
    );
  });

  test("DEL-02 RES-09: keeps an odd job id inside its path segment", async () => {
    const { client, sent } = clientOf([{}]);
    await client.deleteJob("../../x?y");
    expect(sent[0]?.address).toBe("https://api.example.com/enterprise/api/jobs/..%2F..%2Fx%3Fy");
  });

  test.each(["", ".", ".."])("refuses to delete a job called %j, which would be another path", async (id) => {
    const { client } = clientOf([]);
    await expect(client.deleteJob(id)).rejects.toThrow(RangeError);
  });

  test("SIGN-08 SIGN-09 OPEN-09: echoes the storage path letter by letter, escaped in the query", async () => {
    const { client, sent } = clientOf([{}, {}]);
    const upload = { mediaId: MEDIA_ID, storagePath: "users/ü 1/videos/a+b&c.mp4" };
    await client.notifyUploadComplete(upload);
    await client.getUploadStatus(upload);
    expect(sentJson(sent[0])).toEqual({ media_id: MEDIA_ID, gcs_path: upload.storagePath });
    expect(new URL(sent[1]?.address ?? "").searchParams.get("gcs_path")).toBe(upload.storagePath);
    expect(sent[1]?.address).toContain("gcs_path=users%2F%C3%BC%201%2Fvideos%2Fa%2Bb%26c.mp4");
  });

  test("SIGN-01 OPEN-07: asks for a signed upload with type, filename and content type", async () => {
    const { client, sent } = clientOf([
      { body: { media_id: MEDIA_ID, status: "pending_upload", upload_url: "https://s/x", gcs_path: "p" } },
    ]);
    const signed = await client.requestSignedUpload({ filename: "a.mov", contentType: "video/quicktime" });
    expect(sentJson(sent[0])).toEqual({
      input: { type: "signed_url", filename: "a.mov", content_type: "video/quicktime" },
    });
    expect(signed).toMatchObject({ status: "pending_upload", contentType: "video/quicktime" });
  });

  test("GEN-02 GEN-03 OPEN-25: always sends a format, the interface's default where none is asked for", async () => {
    const sent = await everyRequest();
    const formats = sent.slice(6, 12).map((request) => {
      const { format, generation_config: config } = sentJson(request) as {
        format?: string;
        generation_config?: { format: string };
      };
      return config?.format ?? format;
    });
    expect(formats).toEqual(["vtt", "vtt", "json", "json", "json", "vtt"]);
  });

  test("OPEN-03 OPEN-04: lets free text for voice and language through", async () => {
    const { client, sent } = clientOf([ACCEPTED]);
    // The list is open for clients; the type suggests what is known.
    await client.generateAudio(MEDIA, { voice: "Somebody New", language: "eo" as "en-US" });
    expect(sentJson(sent[0])).toMatchObject({ generation_config: { voice: "Somebody New", language: "eo" } });
  });

  test("VIDEO-07 VIDEO-08 OPEN-11 OPEN-21: sends a file with its input and configuration as a form", async () => {
    const { client, sent } = clientOf([ACCEPTED, ACCEPTED, ACCEPTED]);
    const file = { bytes: new Uint8Array([0, 13, 10, 255]), filename: 'a "b".mp4', contentType: "video/mp4" };
    await client.generateVideo({ type: "file", file }, { ad_type: "standard_ad" });
    await client.generateAudio({ type: "file", file }, { audio_track_type: "ad_only" });
    await client.generateText({ type: "file", file });
    for (const request of sent) {
      const form = await new Response(request.body as Uint8Array<ArrayBuffer>, {
        headers: { "content-type": request.headers["Content-Type"] ?? "" },
      }).formData();
      expect(JSON.parse(String(form.get("input")))).toEqual({ type: "file", filename: file.filename });
      const part = form.get("file") as File;
      expect(part.type).toBe("video/mp4");
      expect(new Uint8Array(await part.arrayBuffer())).toEqual(file.bytes);
      expect(JSON.parse(String(form.get("generation_config")))).toHaveProperty("format");
    }
  });

  test("LIM-01: refuses to send more than 32 MB directly, before anything leaves", async () => {
    const { client, sent } = clientOf([]);
    const bytes = new Uint8Array(33_554_433);
    await expect(client.uploadMediaFile({ bytes, filename: "a", contentType: "video/mp4" })).rejects.toThrow(
      RangeError,
    );
    expect(sent).toEqual([]);
  });
});

describe("generation requests", () => {
  test("ERR-18: repeats a request that waits for verification, and starts one job", async () => {
    const conflict = { status: 409, body: { error: "Media is still processing", code: "upload_not_ready" } };
    const { client, sent, clock } = clientOf([conflict, conflict, ACCEPTED]);
    expect(await client.generateText(MEDIA)).toMatchObject({ jobId: "job-1" });
    expect(sent).toHaveLength(3);
    expect(clock.passed).toEqual([2000, 3000]);
  });

  test("ERR-21 ERR-22: repeats after a short delay when too much is going on", async () => {
    const busy = (error: string) => ({ status: 429, body: { error, message: "later" } });
    const { client, clock } = clientOf([busy("concurrency_limit_exceeded"), busy("queue_limit_exceeded"), ACCEPTED]);
    await client.generateAudio(MEDIA);
    expect(clock.passed).toEqual([2000, 3000]);
  });

  test("ERR-23 ERR-24: waits exactly as long as the server asks", async () => {
    const limited = {
      status: 429,
      body: { error: "rate_limit_exceeded", message: "slow down", limit: 10, remaining: 0, reset: 1, retry_after: 37 },
    };
    const { client, clock } = clientOf([limited, ACCEPTED]);
    await client.generateAudio(MEDIA);
    expect(clock.passed).toEqual([37_000]);
  });

  test.each([
    ["header in seconds", { "retry-after": "12" }, 12_000],
    ["header as a date", { "retry-after": "Thu, 01 Jan 2026 00:00:45 GMT" }, 45_000],
  ])("ERR-24: reads the wait from a %s", async (_name, headers, expected) => {
    const { client, clock } = clientOf([{ status: 429, headers, body: { error: "rate_limit_exceeded" } }, ACCEPTED]);
    await client.generateAudio(MEDIA);
    expect(clock.passed).toEqual([expected]);
  });

  test("gives up when the server asks for more than a person would wait", async () => {
    const { client, clock } = clientOf([{ status: 429, body: { error: "rate_limit_exceeded", retry_after: 86_400 } }]);
    await expect(client.generateAudio(MEDIA)).rejects.toMatchObject({
      code: "rate_limit_exceeded",
      retryAfterSeconds: 86_400,
    });
    expect(clock.passed).toEqual([]);
  });

  test.each([
    ["plan_limit_exceeded", 429],
    ["upload_failed", 409],
    ["invalid_input", 400],
    ["feature_not_available", 403],
    ["internal_error", 500],
  ])("ERR-06 ERR-08 ERR-19 ERR-20: does not repeat after %s", async (error, status) => {
    const { client, sent } = clientOf([{ status, body: { error, message: "no" } }]);
    await expect(client.generateAudio(MEDIA)).rejects.toMatchObject({ code: error, status });
    expect(sent).toHaveLength(1);
  });

  test.each<[string, Scripted]>([
    ["a broken line", networkError("ECONNRESET")],
    ["a failure without a system's word", new TypeError("Network request failed")],
    ["silence", "hang"],
    ["a gateway's answer", { status: 504, body: "<html>" }],
    ["a page in place of JSON", { body: "<!doctype html>" }],
    ["a truncated answer", { body: '{"job_id": "jo' }],
    ["an answer without a job", { body: { status: "queued" } }],
  ])("OPEN-31: does not send again after %s, and says that a job may have been accepted", async (_name, scripted) => {
    const { client, sent } = clientOf([scripted]);
    await expect(client.generateAudio(MEDIA)).rejects.toBeInstanceOf(SubmissionError);
    expect(sent).toHaveLength(1);
  });

  test("repeats when the request certainly never arrived", async () => {
    const { client, sent } = clientOf([networkError("ECONNREFUSED"), networkError("ENOTFOUND"), ACCEPTED]);
    await client.generateAudio(MEDIA);
    expect(sent).toHaveLength(3);
  });

  test("takes its turn: the second request leaves when the first is answered", async () => {
    const { client, sent } = clientOf(["hang", ACCEPTED]);
    const first = client.generateAudio(MEDIA).catch((error: unknown) => error);
    const second = client.generateText(MEDIA);
    await new Promise((resolve) => setImmediate(resolve));
    expect(sent).toHaveLength(1);
    expect(await first).toBeInstanceOf(SubmissionError);
    expect(await second).toMatchObject({ jobId: "job-1" });
  });
});

describe("faults of the exchange", () => {
  test("repeats reads after silence and server faults, with growing delays", async () => {
    const { client, clock } = clientOf([
      networkError("ECONNRESET"),
      { status: 500, body: { error: "internal_error" } },
      { body: "<html>a proxy's page</html>" },
      { body: { status: "queued" } },
    ]);
    await client.getResults("job-1");
    expect(clock.passed).toEqual([500, 1000, 2000]);
  });

  test("gives a dead server up after four attempts, and names the host and the reason", async () => {
    const dead = networkError("ECONNREFUSED");
    const { client, sent } = clientOf([dead, dead, dead, dead]);
    const error = await client.getResults("job-1").catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ code: "connection_failed", mayHaveArrived: false });
    expect(String(error)).toContain("api.example.com cannot be reached");
    expect(String(error)).toContain("ECONNREFUSED");
    expect(sent).toHaveLength(4);
  });

  test("a request without answer ends at its deadline, also where fetch heeds no signal", async () => {
    const { client, clock } = clientOf(["hang", "hang", "hang", "hang"]);
    await expect(client.getResults("job-1")).rejects.toBeInstanceOf(TimeoutError);
    expect(clock.passed.filter((milliseconds) => milliseconds === 60_000)).toHaveLength(4);
  });

  test("an abort ends a call at once with the signal's own reason, also where fetch heeds no signal", async () => {
    const { client } = clientOf(["hang"]);
    const controller = new AbortController();
    const call = client.getResults("job-1", { signal: controller.signal });
    const reason = new Error("stop");
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
  });

  test("an abort ends the pause before a retry", async () => {
    const controller = new AbortController();
    const { fetch } = scriptedFetch(networkError("ECONNRESET"));
    const waiting: number[] = [];
    const clock = {
      now: () => 0,
      sleep: (milliseconds: number, signal?: AbortSignal) =>
        new Promise<void>((_resolve, reject) => {
          waiting.push(milliseconds);
          signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
          if (milliseconds === 500) controller.abort(new Error("stop"));
        }),
    };
    const client = new Client({ baseUrl: "https://a.b", apiKey: "k", fetch, clock, random: () => 0.5 });
    await expect(client.getResults("x", { signal: controller.signal })).rejects.toThrow("stop");
    expect(waiting).toContain(500);
  });

  test("refuses a reply that is too long to be one of the service, unread", async () => {
    const fetch = async () => ({
      status: 200,
      headers: new Headers({ "content-length": String(2 ** 40) }),
      text: () => Promise.reject(new Error("was read")),
    });
    const client = new Client({ baseUrl: "https://a.b", apiKey: "k", fetch, clock: new ManualClock() });
    await expect(client.getResults("x")).rejects.toMatchObject({ code: "reply_unreadable" });
  });

  test("AUTH-02: names a refused key by its code and keeps the key out of every word", async () => {
    const { client } = clientOf([{ status: 401, body: { error: "unauthorized", message: "bad key secret-key-1" } }], {
      apiKey: "secret-key-1",
    });
    const error = await client.getResults("x").catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ code: "unauthorized", status: 401, message: "bad key [hidden]" });
  });
});
