import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { REQUEST_ERRORS } from "../../../src/contract/error-codes.ts";
import { runIsolated } from "../../../src/engine/tasks/run-isolated.ts";
import { SetClock } from "../../fakes/set-clock.ts";
import { uniqueClip } from "../clips.ts";
import { finished, form, openGate, type Reply, send, startTestService, type TestService } from "../service-fixture.ts";

const clock = new SetClock();
/** Awaited before every probe, so that a test can hold a validation. */
let beforeProbe = async (): Promise<void> => undefined;

let service: TestService;
beforeAll(async () => {
  service = await startTestService(
    {
      plans: {
        slow: { requests_per_minute: 5 },
        narrow: { queued_jobs: 1 },
        single: { concurrent_validations: 1 },
        spent: { minutes_per_month: 0 },
        small: { minutes_per_month: 0.02 },
        bare: {
          without: [
            "standard_ad",
            "custom_description",
            "custom_instructions",
            "video_categories",
            "volume",
            "url_input",
          ],
          upgrade_url: "https://example.org/plans",
        },
      },
      teams: {
        slow: { plan: "slow" },
        custom: { plan: "slow", requests_per_minute: 7 },
        narrow: { plan: "narrow" },
        single: { plan: "single" },
        spent: { plan: "spent" },
        small: { plan: "small" },
        bare: { plan: "bare" },
      },
    },
    {
      clock,
      isolate: async (task, input, options) => {
        if (task === "probe") await beforeProbe();
        return runIsolated(task, input, options);
      },
    },
  );
});
afterAll(() => service.close());

interface TeamAccess {
  send(method: string, path: string, body?: unknown): Promise<Reply>;
  readonly mediaId: string;
}

async function access(team: string): Promise<TeamAccess> {
  const { key } = await service.app.administration.createKey({ team });
  const sendAs = (method: string, path: string, body?: unknown) => send(service.app, key, method, path, body);
  return { send: sendAs, mediaId: (await sendAs("POST", "upload_media", form(await uniqueClip()))).body.media_id };
}

async function countJobs(): Promise<unknown> {
  return (await service.database.query("SELECT count(*)::int AS count FROM aside.job"))[0]?.["count"];
}

describe("rate", () => {
  test("ERR-23 LIM-03 LIM-05 ERR-12: counts a team's requests over all its keys and endpoints, not another team's", async () => {
    const [first, second] = [
      await service.app.administration.createKey({ team: "slow" }),
      await service.app.administration.createKey({ team: "slow" }),
    ];
    const other = await service.app.administration.createKey({ team: "unhurried" });
    const requests = [
      ["GET", "get_results?job_id=x"],
      ["POST", "upload_media"],
      ["DELETE", "jobs/x"],
      ["GET", "get_upload_status"],
      ["POST", "generate_ad_text"],
    ] as const;
    for (const [index, [method, path]] of requests.entries()) {
      const key = index % 2 === 0 ? first.key : second.key;
      const reply = await send(service.app, key, method, path, method === "POST" ? {} : undefined);
      expect(reply.status).not.toBe(429);
      expect(reply.headers.get("x-ratelimit-limit")).toBe("5");
      expect(reply.headers.get("x-ratelimit-remaining")).toBe(String(4 - index));
    }
    const now = Math.floor(clock.now() / 1000);
    const reset = Math.floor(now / 60) * 60 + 60;
    for (const [method, path] of [
      ...requests,
      ["POST", "generate_ad_audio"],
      ["POST", "notify_upload_complete"],
    ] as const) {
      const reply = await send(service.app, second.key, method, path, method === "POST" ? {} : undefined);
      expect(reply.status).toBe(429);
      expect(reply.body).toEqual({
        error: "rate_limit_exceeded",
        message: expect.any(String),
        limit: 5,
        remaining: 0,
        reset,
        retry_after: reset - now,
      });
      expect(reply.headers.get("retry-after")).toBe(String(reset - now));
      expect(reply.headers.get("x-ratelimit-reset")).toBe(String(reset));
    }
    expect((await send(service.app, other.key, "GET", "get_results?job_id=x")).status).toBe(404);
    await clock.pass((reset - now) * 1000);
    expect((await send(service.app, first.key, "GET", "get_results?job_id=x")).status).toBe(404);
  });

  test("LIM-04 OPEN-19: a team's own number stands before its plan's", async () => {
    await clock.pass(60_000);
    const { key } = await service.app.administration.createKey({ team: "custom" });
    const statuses: number[] = [];
    for (let index = 0; index < 8; index++) {
      statuses.push((await send(service.app, key, "GET", "get_results?job_id=x")).status);
    }
    expect(statuses).toEqual([404, 404, 404, 404, 404, 404, 404, 429]);
  });

  test("many requests at once are let through exactly as often as allowed", async () => {
    await clock.pass(60_000);
    const { key } = await service.app.administration.createKey({ team: "custom" });
    const replies = await Promise.all(
      Array.from({ length: 30 }, () => send(service.app, key, "GET", "get_results?job_id=x")),
    );
    expect(replies.filter(({ status }) => status !== 429)).toHaveLength(7);
  });
});

test("ERR-22 LIM-03 STATE-02: a full queue refuses with 429 until a job has ended", async () => {
  const team = await access("narrow");
  const body = (custom_instructions: string) => ({ media_id: team.mediaId, custom_instructions });
  const { body: first } = await team.send("POST", "generate_ad_text", body("gate"));
  const before = await countJobs();
  const refused = await team.send("POST", "generate_ad_text", body(""));
  expect(refused.status).toBe(429);
  expect(refused.body).toEqual({ error: "queue_limit_exceeded", message: expect.stringContaining("Wait") });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await countJobs()).toBe(before);
  await openGate(service.dataFolder, first.job_id);
  await finished(team, first.job_id);
  expect((await team.send("POST", "generate_ad_text", body(""))).status).toBe(200);
});

test("ERR-21 LIM-03: a second submission while one is in validation is refused with 429, and passes later", async () => {
  const { key } = await service.app.administration.createKey({ team: "single" });
  const upload = async () => send(service.app, key, "POST", "upload_media", form(await uniqueClip()));
  const entered = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  beforeProbe = () => {
    entered.resolve();
    return release.promise;
  };
  const first = upload();
  await entered.promise;
  for (const path of ["upload_media", "generate_ad_text", "generate_ad_audio", "generate_ad_video"]) {
    const refused = await send(service.app, key, "POST", path, form(await uniqueClip()));
    expect(refused.status).toBe(429);
    expect(refused.body).toEqual({ error: "concurrency_limit_exceeded", message: expect.any(String) });
    expect(refused.headers.get("retry-after")).toBe("1");
  }
  release.resolve();
  expect((await first).status).toBe(200);
  beforeProbe = async () => undefined;
  expect((await upload()).status).toBe(200);
});

describe("allocation", () => {
  test("ERR-20 ERR-12 STATE-02: a spent one refuses with 429 and makes no job", async () => {
    const team = await access("spent");
    const before = await countJobs();
    const reply = await team.send("POST", "generate_ad_text", { media_id: team.mediaId });
    expect(reply.status).toBe(429);
    expect(reply.body).toEqual({ error: "plan_limit_exceeded", message: expect.any(String) });
    expect(reply.headers.get("retry-after")).toBeNull();
    expect(await countJobs()).toBe(before);
  });

  test("minutes are reserved on acceptance, given back on failure and spent on success", async () => {
    const team = await access("small");
    // The clip's 2 s count half for text: 0.0167 of 0.02 minutes.
    const submit = (custom_instructions: string) =>
      team.send("POST", "generate_ad_text", { media_id: team.mediaId, custom_instructions });
    const { body: failing } = await submit("gate fail:content_blocked");
    expect((await submit("")).body.error).toBe("plan_limit_exceeded");
    await openGate(service.dataFolder, failing.job_id);
    expect((await finished(team, failing.job_id)).status).toBe("failed");
    const { body: working } = await submit("");
    expect((await finished(team, working.job_id)).status).toBe("done");
    const refused = await submit("");
    expect(refused.body).toEqual({ error: "plan_limit_exceeded", message: expect.stringContaining("0.02 are spent") });
  });
});

describe("features", () => {
  test("ERR-08 OPEN-23: what a plan leaves out is refused with 403, the feature and the plan", async () => {
    const team = await access("bare");
    const input = { type: "media_id", media_id: team.mediaId };
    const text = (generation_config: object) => ({ input, generation_config });
    for (const [path, body, feature] of [
      ["generate_ad_audio", { input }, "standard_ad"],
      ["generate_ad_text", text({ ad_type: "standard_ad" }), "standard_ad"],
      ["generate_ad_text", text({ description_content: "00:00:01.000 A door." }), "custom_description"],
      ["generate_ad_text", text({ custom_instructions: "Be brief." }), "custom_instructions"],
      ["generate_ad_text", text({ video_category: "News" }), "video_categories"],
      ["generate_ad_text", { input: { type: "url", url: "https://example.org/a.mp4" } }, "url_input"],
      ["upload_media", { input: { type: "url", url: "https://example.org/a.mp4" } }, "url_input"],
    ] as const) {
      const reply = await team.send("POST", path, body);
      expect(reply.status).toBe(403);
      expect(reply.body).toEqual({
        error: "feature_not_available",
        message: expect.stringContaining('"bare"'),
        feature,
        plan_name: "bare",
        upgrade_url: "https://example.org/plans",
      });
    }
    expect((await team.send("POST", "generate_ad_text", { media_id: team.mediaId })).status).toBe(200);
  });
});

test("every code of 429 and 403 in the table has been provoked here or with the uploads", () => {
  const codes = Object.entries(REQUEST_ERRORS)
    .filter(([, { status }]) => status === 429 || status === 403)
    .map(([code]) => code);
  expect(codes.sort()).toEqual([
    "concurrency_limit_exceeded",
    "feature_not_available",
    "file_too_large",
    "plan_limit_exceeded",
    "queue_limit_exceeded",
    "rate_limit_exceeded",
    "video_too_long",
  ]);
});
