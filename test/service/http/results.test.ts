import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { JOB_FAILURES } from "../../../src/contract/error-codes.ts";
import { SYSTEM_CLOCK } from "../../../src/service/system-clock.ts";
import { IS_THOROUGH, thoroughTest } from "../../thorough/thorough-test.ts";
import { uniqueClip } from "../clips.ts";
import {
  eventually,
  finished,
  form,
  openGate,
  type Reply,
  send,
  startTestService,
  type TestService,
} from "../service-fixture.ts";

const UNKNOWN = "5fa6a3d1-6ef1-4f0b-8a63-3fb2a6d4c5b1";
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let service: TestService;
let mediaId = "";
let minutesAhead = 0;
const clock = { ...SYSTEM_CLOCK, now: () => Date.now() + minutesAhead * 60_000 };
beforeAll(async () => {
  service = await startTestService({ job_attempts: 2 }, { clock });
  mediaId = (await service.send("POST", "upload_media", form(await uniqueClip()))).body.media_id;
});
afterAll(() => service.close());

async function submit(kind: string, custom_instructions = "", more: object = {}): Promise<string> {
  const reply = await service.send("POST", `generate_ad_${kind}`, {
    input: { type: "media_id", media_id: mediaId },
    generation_config: { custom_instructions, ...more },
  });
  expect(reply.status).toBe(200);
  return reply.body.job_id;
}

const poll = (jobId: string): Promise<Reply> => service.send("GET", `get_results?job_id=${jobId}`);
const remove = (jobId: string): Promise<Reply> => service.send("DELETE", `jobs/${jobId}`);
const hasStored = async (jobId: string) =>
  (await readdir(join(service.dataFolder, "objects"), { recursive: true })).some(
    (name) => name.includes(jobId) && name.endsWith("audio.wav"),
  );

describe("get_results", () => {
  test("RES-01: needs a job id", async () => {
    for (const query of ["", "job_id=", "job=5"]) {
      const reply = await service.send("GET", `get_results?${query}`);
      expect(reply.status).toBe(400);
      expect(reply.body).toEqual({ error: "invalid_input", message: expect.stringContaining('"job_id"') });
    }
  });

  test("ERR-09 OPEN-30: an unknown job, and another team's, is 404", async () => {
    const { key } = await service.app.administration.createKey({ team: "neighbours" });
    const jobId = await submit("text");
    for (const reply of [
      await poll(UNKNOWN),
      await poll("task_abc123"),
      await poll("%F0%9F%8E%AC%2F..%2F"),
      await send(service.app, key, "GET", `get_results?job_id=${jobId}`),
      await send(service.app, key, "DELETE", `jobs/${jobId}`),
    ]) {
      expect(reply.status).toBe(404);
      expect(reply.body).toEqual({ error: "not_found", message: expect.any(String) });
    }
  });

  test("OPEN-05 OPEN-13 STATE-01 STATE-03 RES-07 RES-08: a job is seen in progress, then done", async () => {
    const jobId = await submit("text", "gate");
    // Whatever becomes of this test, the others' jobs have their turn.
    onTestFinished(() => openGate(service.dataFolder, jobId));
    const { retry_after, ...running } = await eventually(async () => {
      const { body } = await poll(jobId);
      return body.progress === undefined ? undefined : body;
    });
    // How long depends on the jobs before it; by which rule, the tests of the pause say.
    expect(Number.isInteger(retry_after) && retry_after >= 1 && retry_after <= 15).toBe(true);
    expect(running).toEqual({
      job_id: jobId,
      status: "processing",
      media_id: mediaId,
      created_at: expect.stringMatching(ISO),
      updated_at: expect.stringMatching(ISO),
      progress: { stage: "probe", fraction: expect.closeTo(0.1) },
    });
    await openGate(service.dataFolder, jobId);
    const done = await finished(service, jobId);
    expect(done.status).toBe("done");
    expect(Date.parse(done.updated_at)).toBeGreaterThanOrEqual(Date.parse(done.created_at));
  });

  test("RES-02 RES-03 STATE-03: a done text job has its six fields, and no link", async () => {
    const done = await finished(service, await submit("text", "", { format: "edl" }));
    expect(Object.keys(done).sort()).toEqual(
      ["created_at", "job_id", "media_id", "output", "report", "status", "updated_at"].sort(),
    );
    expect(done.output).toEqual({ format: "edl", content: expect.any(String) });
  });

  test("RES-02 RES-05 STATE-03: a done audio job has its link, which answers without a key", async () => {
    const jobId = await submit("audio");
    const done = await finished(service, jobId);
    expect(done).toMatchObject({ status: "done", media_id: mediaId, output: { format: "vtt" } });
    expect(done).not.toHaveProperty("video_signed_url");
    const reply = await service.follow(done.audio_signed_url);
    expect(reply.status).toBe(200);
    expect(reply.headers.get("content-type")).toBe("audio/wav");
    expect(reply.headers.get("content-disposition")).toBe('attachment; filename="mixed.wav"');
    expect(await reply.text()).toBe(`bytes of ${jobId}`);
  });

  test("RES-02 RES-04 STATE-03: a done video job has its link, which answers without a key", async () => {
    const jobId = await submit("video");
    const done = await finished(service, jobId);
    expect(done).toMatchObject({ status: "done", media_id: mediaId, output: { format: "vtt" } });
    const reply = await service.follow(done.video_signed_url);
    expect(reply.status).toBe(200);
    expect(reply.headers.get("content-type")).toBe("video/mp4");
    expect(await reply.text()).toBe(`bytes of ${jobId}`);
  });

  // The interface's five, and of those that were added the first. Nothing that a job does ends it as cancelled: `cancel-job.test.ts`.
  const failures = Object.keys(JOB_FAILURES)
    .filter((code) => code !== "cancelled")
    .slice(0, 7);

  test("RES-06 RES-07 STATE-04 STATE-02: a job fails with its code", async () => {
    const failed = async (code: string) => {
      const jobId = await submit("audio", `fail:${code}`);
      expect(await finished(service, jobId)).toEqual({
        job_id: jobId,
        status: "failed",
        media_id: mediaId,
        error: code,
        message: `failed with ${code}`,
        created_at: expect.stringMatching(ISO),
        updated_at: expect.stringMatching(ISO),
      });
      expect((await poll(jobId)).status).toBe(200);
    };
    await Promise.all(failures.map(failed));
  });

  test("VER-03: the interface's five failure codes come first, and ours are added to them", () => {
    expect(Object.keys(JOB_FAILURES).slice(0, 5).sort()).toEqual([
      "content_blocked",
      "internal_error",
      "no_video_stream",
      "standard_ad_not_enough_gaps",
      "voice_unavailable",
    ]);
  });

  test.each(IS_THOROUGH ? ["crash", "exit", "raise"] : ["crash"])(
    "ERR-29: a job whose process ends by %s fails with internal_error after its attempts",
    async (how) => {
      const jobId = await submit("text", how);
      const failed = await finished(service, jobId);
      expect(failed).toMatchObject({ status: "failed", error: "internal_error" });
      expect(failed.message).not.toMatch(/TypeError|fault of the pipeline|\//);
      const [row] = await service.database.query("SELECT attempts FROM aside.job WHERE id = $1", [jobId]);
      expect(row).toEqual({ attempts: 1 });
    },
  );

  thoroughTest("a job whose process crashes once goes on from its folder and is done", async () => {
    const done = await finished(service, await submit("text", "once-crash"));
    expect(done.status).toBe("done");
  });

  test("RES-09: job ids do not repeat", async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => submit("text")));
    expect(new Set(ids).size).toBe(8);
    for (const id of ids) await finished(service, id);
  });

  thoroughTest("leaves no work folder behind, whatever became of the job", async () => {
    const jobs = await Promise.all([submit("audio"), submit("text", "fail:content_blocked"), submit("text", "exit")]);
    for (const job of jobs) await finished(service, job);
    await eventually(async () => {
      const left = await readdir(join(service.dataFolder, "work"));
      return jobs.some((job) => left.includes(job)) ? undefined : true;
    });
  });
});

describe("links to results", () => {
  test("OPEN-28: end after 15 minutes; the next poll gives a fresh one", async () => {
    const jobId = await submit("audio");
    const { audio_signed_url: link } = await finished(service, jobId);
    minutesAhead = 14;
    expect((await service.follow(link)).status).toBe(200);
    minutesAhead = 16;
    const expired = await service.follow(link);
    expect(expired.status).toBe(403);
    expect(await expired.text()).toContain("<Code>ExpiredToken</Code>");
    const { body } = await poll(jobId);
    expect((await service.follow(body.audio_signed_url)).status).toBe(200);
  });

  test("give the part that a range asks for", async () => {
    const jobId = await submit("audio");
    const { audio_signed_url: link } = await finished(service, jobId);
    const whole = `bytes of ${jobId}`;
    const size = whole.length;
    for (const [range, status, text, contentRange] of [
      ["bytes=0-4", 206, whole.slice(0, 5), `bytes 0-4/${size}`],
      ["bytes=6-", 206, whole.slice(6), `bytes 6-${size - 1}/${size}`],
      ["bytes=-3", 206, whole.slice(-3), `bytes ${size - 3}-${size - 1}/${size}`],
      ["bytes=3-99999", 206, whole.slice(3), `bytes 3-${size - 1}/${size}`],
      ["bytes=5-2", 200, whole, null],
      ["bytes=0-1,3-4", 200, whole, null],
      ["lines=1-2", 200, whole, null],
      [`bytes=${size}-`, 416, "", `bytes */${size}`],
      ["bytes=-0", 416, "", `bytes */${size}`],
    ] as const) {
      const reply = await service.follow(link, { headers: { Range: range } });
      expect([range, reply.status, await reply.text()]).toEqual([range, status, text]);
      expect(reply.headers.get("content-range")).toBe(contentRange);
      expect(reply.headers.get("accept-ranges")).toBe("bytes");
    }
  });

  test("answer HEAD without a body", async () => {
    const jobId = await submit("audio");
    const { audio_signed_url: link } = await finished(service, jobId);
    const reply = await service.follow(link, { method: "HEAD" });
    expect(reply.status).toBe(200);
    expect(reply.headers.get("content-length")).toBe(String(`bytes of ${jobId}`.length));
    expect(await reply.text()).toBe("");
  });

  test("cannot be turned to another object, type or name", async () => {
    const { audio_signed_url: link } = await finished(service, await submit("audio"));
    for (const [name, value] of [
      ["name", "virus.exe"],
      ["type", "text/html"],
      ["expires", "9999999999"],
      ["purpose", "put"],
    ] as const) {
      const changed = new URL(link);
      changed.searchParams.set(name, value);
      expect((await service.follow(changed.href)).status).toBe(403);
    }
    const elsewhere = link.replace("/storage/teams/", "/storage/teams/..%2F..%2F");
    expect((await service.follow(elsewhere)).status).toBe(403);
  });
});

describe("DELETE jobs", () => {
  test("DEL-01 DEL-02 DEL-03 DEL-04 DEL-05 OPEN-17: a done job is hidden, its files go, its row stays", async () => {
    for (const kind of ["text", "audio", "video"]) {
      const jobId = await submit(kind);
      const done = await finished(service, jobId);
      expect(await hasStored(jobId)).toBe(kind === "audio");
      const reply = await remove(jobId);
      expect(reply.status).toBe(200);
      expect(reply.body).toEqual({ status: "success", message: expect.any(String) });
      expect((await poll(jobId)).status).toBe(404);
      expect((await remove(jobId)).status).toBe(404);
      expect(await hasStored(jobId)).toBe(false);
      if (kind === "audio") {
        const link = await service.follow(done.audio_signed_url);
        expect(link.status).toBe(404);
        expect(await link.text()).toContain("<Code>NoSuchKey</Code>");
      }
      const rows = await service.database.query(
        "SELECT status FROM aside.job WHERE id = $1 AND deleted_at IS NOT NULL",
        [jobId],
      );
      expect(rows).toEqual([{ status: "done" }]);
    }
  });

  test("takes a request with a JSON content type and no body", async () => {
    const jobId = await submit("text");
    await finished(service, jobId);
    const reply = await service.send("DELETE", `jobs/${jobId}`, undefined, { "Content-Type": "application/json" });
    expect(reply.status).toBe(200);
  });

  test("DEL-06 DEL-08 OPEN-17: a running and a failed job cannot be deleted, and come to no harm", async () => {
    const running = await submit("text", "gate");
    await eventually(async () => ((await poll(running)).body.status === "processing" ? true : undefined));
    const queued = await submit("text");
    for (const jobId of [running, queued]) {
      const reply = await remove(jobId);
      expect(reply.status).toBe(409);
      expect(reply.body).toEqual({ error: "job_not_deletable", message: expect.stringContaining("in progress") });
    }
    await openGate(service.dataFolder, running);
    expect((await finished(service, running)).status).toBe("done");
    expect((await finished(service, queued)).status).toBe("done");
    const failed = await submit("text", "fail:content_blocked");
    await finished(service, failed);
    const reply = await remove(failed);
    expect(reply.status).toBe(409);
    expect(reply.body).toEqual({ error: "job_not_deletable", message: expect.stringContaining("failed") });
    expect((await poll(failed)).body.status).toBe("failed");
  });

  test("DEL-07: only a job created through the API can be deleted", async () => {
    const jobId = await submit("text");
    await finished(service, jobId);
    await service.database.query("UPDATE aside.job SET origin = 'web' WHERE id = $1", [jobId]);
    const reply = await remove(jobId);
    expect(reply.status).toBe(409);
    expect(reply.body.error).toBe("job_not_deletable");
    expect((await poll(jobId)).status).toBe(200);
  });

  test("BASE-06: upload, generate, poll and delete work as one chain", async () => {
    const upload = await service.send("POST", "upload_media", form(await uniqueClip()));
    expect(upload.status).toBe(200);
    const job = await service.send("POST", "generate_ad_audio", {
      input: { type: "media_id", media_id: upload.body.media_id },
    });
    expect(job.status).toBe(200);
    const done = await finished(service, job.body.job_id);
    expect((await service.follow(done.audio_signed_url)).status).toBe(200);
    expect((await remove(job.body.job_id)).status).toBe(200);
    expect((await poll(job.body.job_id)).status).toBe(404);
  });
});
