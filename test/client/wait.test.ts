import { describe, expect, test } from "vitest";
import { Client } from "../../src/client/client.ts";
import { TimeoutError } from "../../src/client/errors.ts";
import { waitForJob, waitForVerification } from "../../src/client/wait.ts";
import { ConnectionError } from "../../src/core/error.ts";
import { ManualClock } from "../fakes/manual-clock.ts";
import { networkError, type Scripted, scriptedFetch } from "../fakes/scripted-fetch.ts";

function waiting(...script: Scripted[]) {
  const { fetch, sent } = scriptedFetch(...script);
  const clock = new ManualClock();
  const client = new Client({ baseUrl: "https://a.b", apiKey: "k", fetch, clock, random: () => 0.5 });
  const { signal } = new AbortController();
  return { client, clock, sent, options: { clock, signal } };
}

const job = (status: string, more: object = {}): Scripted => ({ body: { job_id: "j", status, ...more } });
const upload = { mediaId: "m", storagePath: "p" };
const state = (upload_status: string): Scripted => ({ body: { media_id: "m", upload_status } });
const times = (count: number, scripted: Scripted) => Array.from({ length: count }, () => scripted);

describe("waiting for a job", () => {
  test("PANEL-19 RES-10 OPEN-18: polls until it is done, 2 s apart at first and 15 s at most", async () => {
    const { client, clock, options, sent } = waiting(...times(8, job("queued")), job("done"));
    expect(await waitForJob(client, "j", options)).toMatchObject({ status: "done" });
    expect(sent).toHaveLength(9);
    expect(clock.passed).toEqual([2000, 3000, 4500, 6750, 10_125, 15_000, 15_000, 15_000]);
  });

  test("RES-10: a failed job ends it, as a result and not as an error", async () => {
    const { client, options } = waiting(job("queued"), job("failed", { error: "content_blocked", message: "m" }));
    expect(await waitForJob(client, "j", options)).toMatchObject({ status: "failed", code: "content_blocked" });
  });

  test("PANEL-19 OPEN-05: goes on with the usual pauses through states nobody knows", async () => {
    const { client, clock, options } = waiting(job("processing"), job("weird"), job("done"));
    await waitForJob(client, "j", options);
    expect(clock.passed).toEqual([2000, 3000]);
  });

  test("PANEL-19 ERR-24: pauses exactly as long as the server asks, between polls too", async () => {
    const { client, clock, options } = waiting(
      job("processing", { retry_after: 42 }),
      { headers: { "retry-after": "8" }, body: { status: "processing" } },
      job("done"),
    );
    await waitForJob(client, "j", options);
    expect(clock.passed).toEqual([42_000, 8000]);
  });

  test("asks the service to hold its answer, and counts the pause from the question where it did", async () => {
    const clock = new ManualClock();
    const preferences: (string | undefined)[] = [];
    const running = { job_id: "j", status: "processing", retry_after: 8 };
    const held = { headers: { "preference-applied": "wait=15" }, body: running };
    const took = [5000, 9000, 5000, 0];
    const { fetch } = scriptedFetch(held, held, { body: running }, job("done"));
    const slow: typeof fetch = async (address, init) => {
      preferences.push(init.headers["Prefer"]);
      clock.advance(took[preferences.length - 1] ?? 0);
      return fetch(address, init);
    };
    const client = new Client({ baseUrl: "https://a.b", apiKey: "k", fetch: slow, clock, random: () => 0.5 });
    await waitForJob(client, "j", { clock, signal: new AbortController().signal });
    expect(preferences).toEqual(Array(4).fill("wait=15"));
    expect(clock.passed).toEqual([3000, 0, 8000]);
  });

  test("PANEL-19: ends at its deadline with the time that was waited", async () => {
    const { client, clock, options } = waiting(...times(20, job("weird")));
    const error = await waitForJob(client, "j", { ...options, deadlineMs: 60_000 }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ code: "job_timed_out", waitedMs: 60_000 });
    expect(clock.passed.reduce((sum, milliseconds) => sum + milliseconds, 0)).toBe(60_000);
  });

  test("outlives a server that is away for half a minute", async () => {
    const { client, options } = waiting(job("queued"), ...times(12, networkError("ECONNREFUSED")), job("done"));
    expect(await waitForJob(client, "j", options)).toMatchObject({ status: "done" });
  });

  test("gives up on a server that stays away", async () => {
    const { client, clock, options } = waiting(job("queued"), ...times(60, networkError("ECONNREFUSED")));
    const begun = clock.now();
    await expect(waitForJob(client, "j", options)).rejects.toBeInstanceOf(ConnectionError);
    expect(clock.now() - begun).toBeLessThan(120_000);
  });

  test("outlives a page of a proxy between two polls", async () => {
    const page: Scripted = { status: 502, body: "<html>Bad gateway</html>" };
    const { client, options } = waiting(job("queued"), ...times(5, page), job("done"));
    expect(await waitForJob(client, "j", options)).toMatchObject({ status: "done" });
  });

  test.each([
    [500, true],
    [599, true],
    [499, false],
  ])("an answer of %i between two polls passes: %s", async (status, passes) => {
    const fault: Scripted = { status, body: { error: "a word of its own" } };
    const { client, options } = waiting(job("queued"), ...times(5, fault), job("done"));
    const outcome = waitForJob(client, "j", options);
    await (passes
      ? expect(outcome).resolves.toMatchObject({ status: "done" })
      : expect(outcome).rejects.toMatchObject({ status }));
  });

  test("ends at once when the job is unknown or the key refused", async () => {
    const gone = waiting(job("queued"), { status: 404, body: { error: "not_found", message: "no such job" } });
    await expect(waitForJob(gone.client, "j", gone.options)).rejects.toMatchObject({ code: "not_found" });
    const barred = waiting({ status: 401, body: { error: "unauthorized", message: "no" } });
    await expect(waitForJob(barred.client, "j", barred.options)).rejects.toMatchObject({ code: "unauthorized" });
  });

  test("ends at once when its signal aborts, in the middle of a pause", async () => {
    const controller = new AbortController();
    const { client, clock } = waiting(job("queued"), job("queued"));
    const wait = waitForJob(client, "j", {
      clock,
      signal: controller.signal,
      onProgress: () => controller.abort("stop"),
    });
    await expect(wait).rejects.toBe("stop");
    expect(clock.passed).toEqual([]);
  });
});

describe("how long is waited where nobody says", () => {
  const HOUR_MS = 3_600_000;
  const lasting = (minutes: number, running: Scripted, last: Scripted) => waiting(...times(minutes, running), last);

  test.each([
    ["a job", 6 * HOUR_MS, job("processing", { retry_after: 60 }), job("done"), waitForJob, "j"],
    [
      "the check of an upload",
      HOUR_MS / 2,
      { body: { upload_status: "processing" }, headers: { "retry-after": "60" } },
      state("completed"),
      waitForVerification,
      upload,
    ],
  ] as const)("%s has its whole time, and no more", async (_, milliseconds, running, last, wait, what) => {
    const minutes = milliseconds / 60_000;
    const inTime = lasting(minutes, running, last);
    await wait(inTime.client, what as never, inTime.options);
    expect(inTime.clock.passed).toHaveLength(minutes);
    const late = lasting(minutes + 1, running, last);
    await expect(wait(late.client, what as never, late.options)).rejects.toMatchObject({ waitedMs: milliseconds });
    expect(late.sent).toHaveLength(minutes + 1);
  });
});

describe("waiting for verification", () => {
  test("OPEN-06 STATE-08: polls until the upload is ready", async () => {
    const { client, clock, options } = waiting(
      state("pending_upload"),
      state("processing"),
      state("weird"),
      state("completed"),
    );
    expect(await waitForVerification(client, upload, options)).toMatchObject({ outcome: "ready", mediaId: "m" });
    expect(clock.passed).toEqual([2000, 3000, 4500]);
  });

  test("OPEN-06: ends with a refused upload, as a result", async () => {
    const refused: Scripted = { body: { upload_status: "failed", error: "no_video_stream", message: "sound only" } };
    const { client, options } = waiting(refused);
    expect(await waitForVerification(client, upload, options)).toMatchObject({
      outcome: "failed",
      code: "no_video_stream",
      message: "sound only",
    });
  });

  test.each([404, 405, 501])("OPEN-09: is not offered where the endpoint answers %i", async (status) => {
    const { client, options } = waiting(
      { status, body: "" },
      { status, body: "" },
      { status, body: "" },
      { status, body: "" },
    );
    expect(await waitForVerification(client, upload, options)).toBe("not-offered");
  });

  test("OPEN-06: a state that never changes ends at the deadline", async () => {
    const { client, options } = waiting(...times(500, state("weird")));
    await expect(waitForVerification(client, upload, options)).rejects.toMatchObject({
      code: "verification_timed_out",
    });
  });
});
