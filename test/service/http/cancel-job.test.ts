import { access, readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FailedJobReplySchema } from "../../../src/contract/job.ts";
import { uniqueClip } from "../clips.ts";
import { eventually } from "../eventually.ts";
import { finished, form, send, startTestService, type TestService } from "../service-fixture.ts";

let service: TestService;
let mediaId = "";
beforeAll(async () => {
  service = await startTestService();
  mediaId = (await service.send("POST", "upload_media", form(await uniqueClip()))).body.media_id;
});
afterAll(() => service.close());

async function submit(instructions: string, kind: "text" | "audio" | "video" = "text"): Promise<string> {
  const input = { type: "media_id", media_id: mediaId };
  const config = { custom_instructions: instructions };
  const reply = await service.send("POST", `generate_ad_${kind}`, { input, generation_config: config });
  return reply.body.job_id;
}

/** Writes a request of a job that was charged. */
const PAID = `INSERT INTO aside.paid_request (id, job_id, team_id, period, kind, state, cost, is_priced)
  SELECT gen_random_uuid(), id, team_id, '2030-01', 'model', 'spent', 0.25, true FROM aside.job WHERE id = $1`;

const cancel = (jobId: string, key = service.key) => send(service.app, key, "POST", `jobs/${jobId}/cancel`);
const statusOf = async (jobId: string) => (await service.send("GET", `get_results?job_id=${jobId}`)).body;
const isWorkedOn = async (jobId: string) => (await statusOf(jobId)).progress?.stage === "probe" || undefined;

/** The process of a job with the instruction `pid`, once it runs. */
function processOf(jobId: string): Promise<number> {
  return eventually(async () => {
    const names = await readdir(join(service.dataFolder, "work", jobId)).catch(() => []);
    const found = names.find((name) => name.startsWith("pid-"));
    return found === undefined ? undefined : Number(found.slice(4));
  });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test.each(["text", "audio", "video"] as const)(
  "a %s job that runs ends, its process is gone before the answer, its place is free, and its folder too",
  async (kind) => {
    const running = await submit(kind === "text" ? "pid hang" : "pid spin", kind);
    const waiting = await submit("");
    const pid = await processOf(running);
    await service.database.query(PAID, [running]);
    const begun = performance.now();
    const { status, body } = await cancel(running);
    expect([status, isAlive(pid), performance.now() - begun < 20_000]).toEqual([200, false, true]);
    expect(FailedJobReplySchema.parse(body)).toMatchObject({
      job_id: running,
      status: "failed",
      error: "cancelled",
      message: expect.stringContaining("is kept"),
      progress: { stage: "probe" },
      cost: { requests: 1, useless: 0, unpriced: 0, spent: 0.25, reserved: 0, ceiling: null },
    });
    expect(await statusOf(running)).toEqual(body);
    await expect(access(join(service.dataFolder, "work", running))).rejects.toThrow();
    expect((await finished(service, waiting)).status).toBe("done");
    const usage = "SELECT state FROM aside.usage WHERE job_id = $1";
    expect(await service.database.query(usage, [running])).toEqual([{ state: "released" }]);
  },
);

test("a job that waits is never begun; cancelled again, it is as it was", async () => {
  const [running, waiting, next] = [await submit("hang"), await submit("pid"), await submit("")];
  await eventually(() => isWorkedOn(running));
  const first = await cancel(waiting);
  expect([first.status, first.body.error, "progress" in first.body, "cost" in first.body]).toEqual([
    200,
    "cancelled",
    false,
    false,
  ]);
  expect((await cancel(waiting)).body).toEqual(first.body);
  await cancel(running);
  expect((await finished(service, next)).status).toBe("done");
  await expect(access(join(service.dataFolder, "work", waiting))).rejects.toThrow();
});

test("a job that is over, is not there, or is another team's is not cancelled", async () => {
  const [done, failed] = [await submit(""), await submit("fail:content_blocked")];
  await finished(service, done);
  await finished(service, failed);
  for (const jobId of [done, failed]) {
    const { status, body } = await cancel(jobId);
    expect([status, body.error]).toEqual([409, "job_not_cancellable"]);
  }
  const running = await submit("hang");
  const { key: stranger } = await service.app.administration.createKey({ team: "east" });
  const { key: ordinary } = await service.app.administration.createKey();
  const unknown = await cancel("5fa6a3d1-6ef1-4f0b-8a63-3fb2a6d4c5b1");
  const foreign = await cancel(running, stranger);
  expect([foreign.status, foreign.body]).toEqual([404, unknown.body]);
  expect([unknown.status, (await cancel("nothing")).status, unknown.body.error]).toEqual([404, 404, "not_found"]);
  expect(["queued", "processing"]).toContain((await statusOf(running)).status);
  expect((await cancel(running, ordinary)).status).toBe(200);
});

test("a cancelled job cannot be deleted, and the same order makes another job", async () => {
  const jobId = await submit("hang");
  await cancel(jobId);
  expect((await service.send("DELETE", `jobs/${jobId}`)).body.error).toBe("job_not_deletable");
  const again = await submit("");
  expect(again).not.toBe(jobId);
  expect((await finished(service, again)).status).toBe("done");
});
