import { describe, expect, test } from "vitest";
import { Client } from "../../src/client/client.ts";
import { ServiceError, SubmissionError } from "../../src/client/errors.ts";
import { withDeadline } from "../../src/client/request.ts";
import { MOST_MOMENTS } from "../../src/contract/choices.ts";
import { IDEMPOTENCY_KEY_HEADER, KEY_MAX_AGE_HEADER, SERVED_ROUTES } from "../../src/contract/routes.ts";
import { ManualClock } from "../fakes/manual-clock.ts";
import { networkError, type Scripted, scriptedFetch, sentJson } from "../fakes/scripted-fetch.ts";

const BASE = "https://api.example.com/enterprise/api";
const MEDIA = { type: "media_id", media_id: "m" } as const;
const UPLOAD = { mediaId: "m 1", storagePath: "p/1" };
const ACCEPTED = { body: { job_id: "job-1", status: "queued" } };
const BROKEN = networkError("ECONNRESET");

function clientOf(...script: Scripted[]) {
  const { fetch, sent } = scriptedFetch(...script);
  const clock = new ManualClock();
  const random = () => 0.5;
  const client = new Client({ baseUrl: "https://api.example.com", apiKey: "key-1", fetch, clock, random });
  return { client, sent, clock };
}

describe("what only our service offers", () => {
  const PICTURE = { at: 1, time: 1, width: 2, height: 2, jpeg: "AQID" };
  const HEARD = { duration_seconds: 9, speech: [[1, 2, 0.5]], music: [], silence: [[3, 4]] };
  const CANCELLED = {
    job_id: "j/1",
    status: "failed",
    error: "cancelled",
    message: "why",
    progress: { stage: "describe", fraction: 0.6 },
  };
  const CANCELLED_JOB = expect.objectContaining({ code: "cancelled", progress: { stage: "describe", fraction: 0.6 } });
  const LINE = { audio: "AQID", sha256: "h", seconds: 1, rate: 1, fits: true };
  const WORDINGS = { model: "seer", wordings: [{ text: "Anna waits.", seconds: 1, fits: true }] };
  const calls = {
    getListening: (client: Client) => client.longestHeardSeconds(),
    getLineVoicing: (client: Client) => client.longestLineCharacters(),
    getTextReading: (client: Client) => client.textReading(),
    moments: (client: Client) => client.moments("j/1", [1, 2]),
    getWordingOffer: (client: Client) => client.wordingOffer("j/1"),
    wordings: (client: Client) => client.wordings("j/1", { kind: "suggest", start: 1, end: 3, seconds: 2 }),
    deleteMedia: (client: Client) => client.deleteMedia("m/1"),
    cancelJob: (client: Client) => client.cancelJob("j/1"),
    dropSound: (client: Client) => client.dropSound(UPLOAD),
    listen: (client: Client) => client.listen(UPLOAD),
    voiceLine: (client: Client) => client.voiceLine({ text: "A dog." } as never),
  } as const;

  test.each([
    ["getListening", { maximum_duration_seconds: 7200 }, 7200, "GET", `${BASE}/listen`],
    ["getLineVoicing", { maximum_characters: 500 }, 500, "GET", `${BASE}/voice_line`],
    [
      "getTextReading",
      { maximum_bytes: 9, endings: ["srt"] },
      { maximumBytes: 9, endings: ["srt"] },
      "GET",
      `${BASE}/read_text`,
    ],
    ["moments", { pictures: [PICTURE] }, [PICTURE], "POST", `${BASE}/jobs/j%2F1/pictures`],
    [
      "getWordingOffer",
      { model: "seer", is_local: false, cost: 0.002 },
      { model: "seer", isLocal: false, cost: 0.002 },
      "GET",
      `${BASE}/jobs/j%2F1/wordings`,
    ],
    ["wordings", WORDINGS, WORDINGS, "POST", `${BASE}/jobs/j%2F1/wordings`],
    ["deleteMedia", {}, undefined, "DELETE", `${BASE}/media/m%2F1`],
    ["cancelJob", CANCELLED, CANCELLED_JOB, "POST", `${BASE}/jobs/j%2F1/cancel`],
    ["dropSound", {}, undefined, "DELETE", `${BASE}/listen?media_id=m%201&gcs_path=p%2F1`],
    ["listen", HEARD, HEARD, "POST", `${BASE}/listen`],
  ] as const)("%s is asked for at its place, and read", async (name, body, expected, method, address) => {
    const { client, sent } = clientOf({ body });
    expect(await calls[name](client)).toEqual(expected);
    expect(sent).toMatchObject([{ method, address }]);
    expect(sent[0]?.method).toBe(SERVED_ROUTES[name].method);
  });

  test("a job that a service cannot stop goes on there, which the error says; one that is not there or over is told as that", async () => {
    const running = { body: { status: "processing" } };
    const lacks = { code: "cancel_not_offered", jobId: "j/1", message: expect.stringContaining("may be charged") };
    for (const refusal of [
      [{ status: 405, body: {} }],
      [{ status: 404, body: "<html>" }, running],
      [{ status: 404, body: { error: "not_found", message: "There is no such path." } }, running],
    ]) {
      await expect(calls.cancelJob(clientOf(...refusal).client)).rejects.toMatchObject(lacks);
    }
    const none = { status: 404, body: { error: "not_found", message: "There is no job with this id." } };
    await expect(calls.cancelJob(clientOf(none, none).client)).rejects.toMatchObject({ code: "not_found" });
    const over = { status: 409, body: { error: "job_not_cancellable", message: "over" } };
    await expect(calls.cancelJob(clientOf(over).client)).rejects.toMatchObject({ code: "job_not_cancellable" });
    await expect(calls.cancelJob(clientOf(running).client)).rejects.toMatchObject({ code: "reply_unreadable" });
  });

  test("a voiced line and what was heard are whole, or no reply at all", async () => {
    expect(await calls.voiceLine(clientOf({ body: LINE }).client)).toMatchObject({ sha256: "h", fits: true });
    for (const name of ["voiceLine", "listen", "wordings"] as const) {
      const { client, sent } = clientOf({ body: { status: "ok" } });
      await expect(calls[name](client)).rejects.toMatchObject({ code: "reply_unreadable" });
      expect(sent).toHaveLength(1);
    }
    const { client, sent } = clientOf({ body: HEARD });
    await calls.listen(client);
    expect(sentJson(sent[0])).toEqual({ media_id: "m 1", gcs_path: "p/1" });
  });

  test.each([400, 403, 404, 405, 501])("a service that answers %i does not offer it", async (status) => {
    for (const name of ["getListening", "getLineVoicing", "getTextReading", "moments", "getWordingOffer"] as const) {
      const { client } = clientOf(...Array.from({ length: 4 }, () => ({ status, body: "" })));
      expect(await calls[name](client)).toBeNull();
    }
  });

  test("any other trouble is trouble, and a limit that is none is no limit", async () => {
    for (const name of ["getListening", "moments"] as const) {
      const refused = { status: 401, body: { error: "unauthorized" } };
      await expect(calls[name](clientOf(refused).client)).rejects.toBeInstanceOf(ServiceError);
      const dead = networkError("ECONNREFUSED");
      await expect(calls[name](clientOf(dead, dead, dead, dead).client)).rejects.toMatchObject({
        code: "connection_failed",
      });
    }
    expect(await calls.getListening(clientOf({ body: {} }).client)).toBeNull();
  });

  test("any number of moments are asked for, some at a time, each once", async () => {
    const at = Array.from({ length: 2 * MOST_MOMENTS + 1 }, (_, index) => index);
    const replies = [0, 1, 2].map((index) => ({ body: { pictures: [{ ...PICTURE, at: index }] } }));
    const { client, sent } = clientOf(...replies);
    expect((await client.moments("j", at))?.map((moment) => moment.at)).toEqual([0, 1, 2]);
    const asked = sent.map((request) => (sentJson(request) as { at: number[] }).at);
    expect(asked.map(({ length }) => length)).toEqual([MOST_MOMENTS, MOST_MOMENTS, 1]);
    expect(asked.flat()).toEqual(at);
    expect(await clientOf().client.moments("j", [])).toEqual([]);
    const exact = clientOf({ body: { pictures: [] } });
    await exact.client.moments("j", at.slice(0, MOST_MOMENTS));
    expect(exact.sent).toHaveLength(1);
  });

  test("what cannot be repeated is not, but where the service asks for it later", async () => {
    for (const name of ["listen", "voiceLine", "wordings"] as const) {
      const lost = clientOf(BROKEN);
      await expect(calls[name](lost.client)).rejects.toMatchObject({ code: "connection_failed" });
      expect(lost.sent).toHaveLength(1);
      const later = clientOf(
        { status: 429, body: { error: "rate_limit_exceeded" } },
        { body: { listen: HEARD, voiceLine: LINE, wordings: WORDINGS }[name] },
      );
      await calls[name](later.client);
      expect(later.sent).toHaveLength(2);
    }
  });
});

describe("keys of requests", () => {
  const keyOf = (headers: Readonly<Record<string, string>> | undefined) => headers?.[IDEMPOTENCY_KEY_HEADER];
  const KNOWN = { ...ACCEPTED, headers: { [KEY_MAX_AGE_HEADER.toLowerCase()]: "86400" } };
  const MEDIA_REPLY = { body: { media_id: "m", status: "created" } };

  test("what makes media or a job has one, in quotes, no two alike; what asks or deletes has none", async () => {
    const signed = { body: { media_id: "m", upload_url: "https://s/x", gcs_path: "p" } };
    const { client, sent } = clientOf(
      MEDIA_REPLY,
      MEDIA_REPLY,
      MEDIA_REPLY,
      signed,
      ACCEPTED,
      ACCEPTED,
      { body: { status: "queued" } },
      {},
      {},
    );
    await client.uploadMediaByUrl("https://example.com/a.mp4");
    await client.uploadMediaFile({ bytes: new Uint8Array(1), filename: "a", contentType: "video/mp4" });
    await client.uploadFromUrl("https://example.com/a.mp4", { filename: "b.mp4" });
    await client.requestSignedUpload({ filename: "a", contentType: "video/mp4" });
    await client.generateText(MEDIA);
    await client.generateTextFromUrl({ source_url: "https://example.com/a.mp4" });
    await client.getResults("j");
    await client.deleteJob("j");
    await client.notifyUploadComplete(UPLOAD);
    const keys = sent.map(({ headers }) => keyOf(headers));
    expect(keys.slice(0, 6).every((key) => /^"[0-9a-z]{26}-[0-9a-z]+-[0-9a-z]+"$/.test(key ?? ""))).toBe(true);
    expect(new Set(keys.slice(0, 6)).size).toBe(6);
    expect(keys.slice(6)).toEqual([undefined, undefined, undefined]);
    expect(sentJson(sent[0])).toEqual({ input: { type: "url", url: "https://example.com/a.mp4" } });
    expect(sentJson(sent[2])).toEqual({ source_url: "https://example.com/a.mp4", filename: "b.mp4" });
  });

  test("once the service says that it knows them, a lost answer is asked for again under the same key", async () => {
    const { client, sent } = clientOf(KNOWN, BROKEN, { status: 502, body: "" }, ACCEPTED, { status: 500, body: {} });
    await client.generateText(MEDIA);
    expect(await client.generateText(MEDIA)).toMatchObject({ jobId: "job-1" });
    const keys = sent.map(({ headers }) => keyOf(headers));
    expect(new Set(keys.slice(1, 4)).size).toBe(1);
    expect(keys[0]).not.toBe(keys[1]);
    // That the service itself failed is an answer.
    await expect(client.generateText(MEDIA)).rejects.toMatchObject({ code: "internal_error" });
  });

  test("before that, and for what is heard or voiced at once, nothing relies on them", async () => {
    const silent = clientOf(ACCEPTED, BROKEN);
    await silent.client.generateText(MEDIA);
    await expect(silent.client.generateText(MEDIA)).rejects.toBeInstanceOf(SubmissionError);
    const unkeyed = clientOf(KNOWN, BROKEN);
    await unkeyed.client.generateText(MEDIA);
    await expect(unkeyed.client.listen(UPLOAD)).rejects.toMatchObject({ code: "connection_failed" });
    expect(unkeyed.sent).toHaveLength(2);
  });
});

describe("whether a request may have left", () => {
  const told = async (...script: Scripted[]) => {
    const { client } = clientOf(...script);
    const said: boolean[] = [];
    await client.generateText(MEDIA, {}, { onExchange: (isUnderWay) => said.push(isUnderWay) }).catch(() => undefined);
    return said;
  };

  test("is told before each try, and after it where its end is known", async () => {
    expect(await told(ACCEPTED)).toEqual([true, false]);
    expect(await told({ status: 400, body: { error: "invalid_input" } })).toEqual([true, false]);
    expect(await told(networkError("ECONNREFUSED"), ACCEPTED)).toEqual([true, false, true, false]);
    // Of a broken line nobody knows.
    expect(await told(BROKEN)).toEqual([true]);
    expect(await told({ headers: { "content-length": String(2 ** 40) } })).toEqual([true, false]);
  });

  test.each([
    ["ECONNREFUSED", false],
    ["CERT_HAS_EXPIRED", false],
    ["ECONNRESET", true],
    ["not a code", true],
  ])("by the system's word %s: %s", async (code, mayHaveArrived) => {
    for (const error of [
      networkError(code),
      Object.assign(new Error("x"), { code }),
      new Error("x", { cause: Object.assign(new AggregateError([Object.assign(new Error("y"), { code })]), {}) }),
    ]) {
      const { client } = clientOf(error, error, error, error);
      await expect(client.getResults("j")).rejects.toMatchObject({ code: "connection_failed", mayHaveArrived });
    }
  });

  test("an order may have been accepted where its reply is good but cannot be read, and was not where it is a redirect", async () => {
    for (const status of [200, 299]) {
      const { client } = clientOf({ status, body: "<html>" });
      await expect(client.generateAudio(MEDIA)).rejects.toBeInstanceOf(SubmissionError);
    }
    const { client, sent } = clientOf({ status: 300, body: "<html>" });
    const error = await client.generateAudio(MEDIA).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).not.toBeInstanceOf(SubmissionError);
    expect(sent).toHaveLength(1);
  });

  test("a reply that is no good ends nothing well: 199 and 300 are none of it, 200 and 299 are", async () => {
    for (const status of [200, 201, 299])
      expect(await clientOf({ status, body: { status: "queued" } }).client.getResults("j")).toMatchObject({
        status: "running",
      });
    for (const status of [199, 300, 304]) {
      await expect(clientOf({ status, body: { status: "queued" } }).client.getResults("j")).rejects.toBeInstanceOf(
        ServiceError,
      );
    }
    const conflict = { status: 409, body: {} };
    await expect(clientOf(conflict).client.deleteJob("j")).rejects.toMatchObject({ code: "job_not_deletable" });
    const { client } = clientOf(...Array.from({ length: 100 }, () => conflict));
    await expect(client.getResults("j")).rejects.toMatchObject({ code: "upload_not_ready" });
  });
});

describe("a deadline", () => {
  const clock = () => new ManualClock();
  const timeout = () => new Error("too late");

  test("work that ends in time gives what it gives, and its signal aborts with the caller's reason", async () => {
    const controller = new AbortController();
    const options = { clock: clock(), milliseconds: 10, signal: controller.signal, timeout };
    expect(await withDeadline(async () => 7, options)).toBe(7);
    await expect(withDeadline(() => Promise.reject(new Error("own")), options)).rejects.toThrow("own");
    let inner: AbortSignal | undefined;
    const reason = new Error("stop");
    const pending = withDeadline(
      (signal) => {
        inner = signal;
        const stopped = new Promise<never>((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason));
        });
        controller.abort(reason);
        return stopped;
      },
      { ...options, clock: { now: () => 0, sleep: () => new Promise<void>(() => undefined) } },
    );
    await expect(pending).rejects.toBe(reason);
    expect(inner?.reason).toBe(reason);
  });

  test("nothing begins once the caller has stopped, and work that heeds nothing is not waited for", async () => {
    let begun = 0;
    const signal = AbortSignal.abort(new Error("stopped"));
    const work = () => {
      begun += 1;
      return new Promise<never>(() => undefined);
    };
    await expect(withDeadline(work, { clock: clock(), milliseconds: 10, signal, timeout })).rejects.toThrow("stopped");
    expect(begun).toBe(0);
    const live = new AbortController().signal;
    await expect(withDeadline(work, { clock: clock(), milliseconds: 10, signal: live, timeout })).rejects.toThrow(
      "too late",
    );
  });
});
