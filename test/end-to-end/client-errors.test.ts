import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Client } from "../../src/client/client.ts";
import type { Fetch } from "../../src/client/request.ts";
import { isRequestErrorCode, JOB_FAILURES, REQUEST_ERRORS } from "../../src/contract/error-codes.ts";
import { runIsolated } from "../../src/engine/tasks/run-isolated.ts";
import { HURRIED_CLOCK } from "../fakes/hurried-clock.ts";
import { soundOnlyClip } from "../service/clips.ts";
import { openGate, startTestService, type TestService } from "../service/service-fixture.ts";
import { clientOf, clientOfTeam, clipFile, ended, fetchFrom, refusal } from "./service-client.ts";

const UNKNOWN = { type: "media_id", media_id: "5fa6a3d1-6ef1-4f0b-8a63-3fb2a6d4c5b1" } as const;

let service: TestService;
/** Awaited before every probe, so that a test can hold a validation. */
let beforeProbe = async (): Promise<void> => undefined;
beforeAll(async () => {
  const plans = {
    slow: { requests_per_minute: 3 },
    narrow: { queued_jobs: 1 },
    single: { concurrent_validations: 1 },
    spent: { minutes_per_month: 0 },
    short: { maximum_duration_seconds: 1 },
    light: { maximum_file_bytes: 1_000 },
    bare: { without: ["standard_ad"] },
  };
  service = await startTestService(
    { plans, teams: Object.fromEntries(Object.keys(plans).map((plan) => [plan, { plan }])) },
    {
      isolate: async (task, input, options) => {
        if (task === "probe") await beforeProbe();
        return runIsolated(task, input, options);
      },
    },
  );
});
afterAll(() => service.close());

/** Codes that some test of this file provokes. */
const covered = new Set<string>();
/** Those that the running test met. */
const provoked = new Set<string>();

/** A test that meets these codes, and no other. */
function provokes(codes: readonly string[], name: string, body: () => Promise<void>): void {
  for (const code of codes) covered.add(code);
  test(name, async () => {
    provoked.clear();
    await body();
    expect([...provoked].sort()).toEqual([...codes].sort());
  });
}

/** Notes which code a call ended in. */
async function provoke(call: Promise<unknown>) {
  const error = await refusal(call);
  provoked.add(error.code);
  return error;
}

const media = async (client: Client) => {
  const { mediaId } = await client.uploadMediaFile(await clipFile());
  return { type: "media_id", media_id: mediaId } as const;
};

/** A client that asks once and does not wait. */
function impatient(apiKey: string): Client {
  const clock = {
    now: () => 0,
    sleep: (ms: number, signal?: AbortSignal) =>
      ms > 50_000 ? HURRIED_CLOCK.sleep(ms, signal) : Promise.reject(new Error("wanted to wait")),
  };
  return new Client({ baseUrl: "http://service.test", apiKey, fetch: fetchFrom(service.app), clock });
}

provokes(["unauthorized"], "ERR-07 AUTH-02 AUTH-07: a key that is not known, or not any more", async () => {
  const withdrawn = await service.app.administration.createKey({ team: "local" });
  await service.app.administration.revokeKey(withdrawn.id);
  for (const key of ["no-such-key", withdrawn.key]) {
    const error = await provoke(clientOf(service.app, key).getResults("x"));
    expect(error).toMatchObject({ code: "unauthorized", status: 401 });
    expect(error.message).not.toContain(key);
  }
});

provokes(["invalid_input"], "ERR-06 ERR-14: a wrong parameter is named", async () => {
  const error = await provoke(
    clientOf(service.app, service.key).generateText(UNKNOWN, { language: "xx-QQ" as "en-US" }),
  );
  expect(error).toMatchObject({ code: "invalid_input", status: 400, message: expect.stringContaining("language") });
});

provokes(["not_found"], "ERR-09: media that nobody uploaded", async () => {
  const client = clientOf(service.app, service.key);
  for (const path of ["generateText", "generateAudio", "generateVideo"] as const) {
    expect(await provoke(client[path](UNKNOWN))).toMatchObject({ code: "not_found", status: 404 });
  }
});

provokes(["no_video_stream"], "ERR-11 ERR-15: no picture", async () => {
  const file = { bytes: await soundOnlyClip(), filename: "a.mp4", contentType: "video/mp4" };
  const client = clientOf(service.app, service.key);
  const calls = [
    () => client.uploadMediaFile(file),
    () => client.generateAudio({ type: "file", file }),
    () => client.generateText({ type: "file", file }),
  ];
  for (const call of calls) {
    expect(await provoke(call())).toMatchObject({ code: "no_video_stream", status: 415 });
  }
});

provokes(
  ["video_too_long", "file_too_large", "feature_not_available"],
  "ERR-08 ERR-16 ERR-17 OPEN-23: above the plan, and outside it",
  async () => {
    const [short, light, bare] = await Promise.all(
      ["short", "light", "bare"].map((team) => clientOfTeam(service.app, team)),
    );
    if (short === undefined || light === undefined || bare === undefined) throw new Error("three clients");
    expect(await provoke(short.uploadMediaFile(await clipFile()))).toMatchObject({
      code: "video_too_long",
      status: 403,
    });
    expect(await provoke(light.uploadMediaFile(await clipFile()))).toMatchObject({
      code: "file_too_large",
      status: 403,
    });
    expect(await provoke(bare.generateAudio(await media(bare)))).toMatchObject({
      code: "feature_not_available",
      status: 403,
      feature: "standard_ad",
      planName: "bare",
    });
  },
);

provokes(
  ["upload_not_ready", "upload_failed"],
  "ERR-10 ERR-18 ERR-19 STATE-06 STATE-07: media that is not there yet, and media that failed",
  async () => {
    const client = impatient(service.key);
    const signed = await client.requestSignedUpload({ filename: "a.mp4", contentType: "video/mp4" });
    const input = { type: "media_id", media_id: signed.mediaId } as const;
    await expect(client.generateText(input)).rejects.toThrow("wanted to wait");
    provoked.add("upload_not_ready");
    await service.follow(signed.uploadUrl, {
      method: "PUT",
      headers: { "Content-Type": "video/mp4" },
      body: "not a film",
    });
    await client.notifyUploadComplete(signed);
    await expect.poll(async () => (await client.getUploadStatus(signed)).outcome).toBe("failed");
    expect(await provoke(client.generateText(input))).toMatchObject({
      code: "upload_failed",
      status: 409,
      uploadStatus: "failed",
    });
  },
);

provokes(["plan_limit_exceeded"], "ERR-20 ERR-12: a spent allocation", async () => {
  const client = await clientOfTeam(service.app, "spent");
  expect(await provoke(client.generateText(await media(client)))).toMatchObject({
    code: "plan_limit_exceeded",
    status: 429,
  });
});

provokes(
  ["concurrency_limit_exceeded"],
  "ERR-21: too many validations at once; the client's retry succeeds",
  async () => {
    const { key } = await service.app.administration.createKey({ team: "single" });
    const entered = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    beforeProbe = () => {
      entered.resolve();
      return release.promise;
    };
    const first = clientOf(service.app, key).uploadMediaFile(await clipFile());
    await entered.promise;
    const refused: number[] = [];
    const watched: Fetch = async (address, init) => {
      const reply = await fetchFrom(service.app)(address, init);
      if (reply.status === 429) {
        refused.push(reply.status);
        beforeProbe = async () => undefined;
        release.resolve();
        await first;
      }
      return reply;
    };
    const second = new Client({ baseUrl: "http://service.test", apiKey: key, fetch: watched, clock: HURRIED_CLOCK });
    expect(await second.uploadMediaFile(await clipFile())).toMatchObject({ status: "created" });
    expect(refused).toEqual([429]);
    provoked.add("concurrency_limit_exceeded");
  },
);

provokes(
  ["queue_limit_exceeded"],
  "ERR-22: a full queue; the client's retry succeeds once a job has ended",
  async () => {
    const { key } = await service.app.administration.createKey({ team: "narrow" });
    const client = clientOf(service.app, key);
    const input = await media(client);
    const { jobId } = await client.generateText(input, { custom_instructions: "gate" });
    await expect(impatient(key).generateText(input)).rejects.toThrow("wanted to wait");
    provoked.add("queue_limit_exceeded");
    const waiting = client.generateText(input);
    await openGate(service.dataFolder, jobId);
    expect(await ended(client, (await waiting).jobId)).toMatchObject({ status: "done" });
  },
);

provokes(
  ["rate_limit_exceeded"],
  "ERR-23 ERR-24 LIM-05: too many requests, with the six fields, waited out exactly",
  async () => {
    const { key } = await service.app.administration.createKey({ team: "slow" });
    const waits: number[] = [];
    // Unlike any wait, so that the clock can tell the two apart.
    const timeoutMs = 600_000;
    const clock = {
      now: () => Date.now(),
      sleep: (milliseconds: number, signal?: AbortSignal) => {
        if (milliseconds === timeoutMs) return HURRIED_CLOCK.sleep(milliseconds, signal);
        waits.push(milliseconds);
        return Promise.reject(new Error("enough"));
      },
    };
    const bodies: unknown[] = [];
    const watched: Fetch = async (address, init) => {
      const reply = await fetchFrom(service.app)(address, init);
      const text = await reply.text();
      if (reply.status === 429) bodies.push(JSON.parse(text));
      return { status: reply.status, headers: reply.headers, text: async () => text };
    };
    const client = new Client({ baseUrl: "http://service.test", apiKey: key, fetch: watched, clock, timeoutMs });
    const outcomes: string[] = [];
    // A new minute can begin meanwhile: then three more are let through.
    while (outcomes.length < 7 && outcomes.at(-1) !== "enough") {
      outcomes.push(
        await client.getResults("x").then(
          () => "found",
          (error: Error) => error.message,
        ),
      );
    }
    expect(outcomes.at(-1)).toBe("enough");
    expect(outcomes.length).toBeGreaterThan(3);
    provoked.add("rate_limit_exceeded");
    expect(bodies).toEqual([
      {
        error: "rate_limit_exceeded",
        message: expect.any(String),
        limit: 3,
        remaining: 0,
        reset: expect.any(Number),
        retry_after: expect.any(Number),
      },
    ]);
    expect(waits).toEqual([(bodies[0] as { retry_after: number }).retry_after * 1000]);
  },
);

provokes(["internal_error"], "ERR-13 VIDEO-09: a fault inside the service", async () => {
  const broken = await startTestService();
  const input = await media(clientOf(broken.app, broken.key));
  await broken.database.query("ALTER TABLE aside.job RENAME TO job_gone");
  const once = clientOf(broken.app, broken.key);
  for (const path of ["generateText", "generateAudio", "generateVideo"] as const) {
    const error = await provoke(once[path](input));
    expect(error).toMatchObject({ code: "internal_error", status: 500 });
    expect(error.message).not.toMatch(/job_gone|aside\.job|\/|at /);
  }
  await broken.database.query("ALTER TABLE aside.job_gone RENAME TO job");
  await broken.close();
});

provokes(
  ["method_not_allowed", "job_not_deletable", "job_not_cancellable"],
  "OPEN-30 DEL-06: another method, and a job that cannot be deleted",
  async () => {
    const wrong: Fetch = (address, init) => fetchFrom(service.app)(address, { ...init, method: "DELETE" });
    const client = new Client({
      baseUrl: "http://service.test",
      apiKey: service.key,
      fetch: wrong,
      clock: HURRIED_CLOCK,
    });
    expect(await provoke(client.getResults("x"))).toMatchObject({ code: "method_not_allowed", status: 405 });
    const failing = clientOf(service.app, service.key);
    const { jobId } = await failing.generateText(await media(failing), { custom_instructions: "fail:internal_error" });
    await ended(failing, jobId);
    expect(await provoke(failing.deleteJob(jobId))).toMatchObject({ code: "job_not_deletable", status: 409 });
    expect(await provoke(failing.cancelJob(jobId))).toMatchObject({ code: "job_not_cancellable", status: 409 });
  },
);

test("VIDEO-09 AUDIO-01 STATE-02: the listed statuses, on both paths", async () => {
  const [spent, bare] = await Promise.all(["spent", "bare"].map((team) => clientOfTeam(service.app, team)));
  if (spent === undefined || bare === undefined) throw new Error("two clients");
  const [spentMedia, bareMedia] = [await media(spent), await media(bare)];
  const client = clientOf(service.app, service.key);
  const signed = await client.requestSignedUpload({ filename: "a.mp4", contentType: "video/mp4" });
  const put = { method: "PUT", headers: { "Content-Type": "video/mp4" }, body: "not a film" };
  await service.follow(signed.uploadUrl, put);
  await client.notifyUploadComplete(signed);
  await expect.poll(async () => (await client.getUploadStatus(signed)).outcome).toBe("failed");
  const failed = { type: "media_id", media_id: signed.mediaId } as const;
  for (const path of ["generateVideo", "generateAudio"] as const) {
    const statuses = [
      (await refusal(client[path]({ type: "media_id", media_id: "abc" }))).status,
      (await refusal(bare[path](bareMedia, { ad_type: "standard_ad" }))).status,
      (await refusal(client[path](failed))).status,
      (await refusal(spent[path](spentMedia))).status,
    ];
    expect(statuses).toEqual([400, 403, 409, 429]);
  }
});

describe("of one film", () => {
  let client: Client;
  let film: Awaited<ReturnType<typeof media>>;
  beforeAll(async () => {
    client = clientOf(service.app, service.key);
    film = await media(client);
  });

  test.each(Object.keys(JOB_FAILURES))(
    "ERR-25 ERR-26 ERR-27 ERR-28 ERR-29 RES-06: a job that fails with %s",
    async (code) => {
      const { jobId } = await client.generateText(film, { custom_instructions: `fail:${code}` });
      const failed = { status: "failed", jobId, code, message: `failed with ${code}` };
      expect(await ended(client, jobId)).toMatchObject(failed);
    },
  );
});

test("every request error of the table is provoked here", () => {
  expect([...covered].sort()).toEqual(Object.keys(REQUEST_ERRORS).filter(isRequestErrorCode).sort());
});
