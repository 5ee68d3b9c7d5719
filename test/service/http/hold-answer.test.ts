import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Endings } from "../../../src/service/jobs/endings.ts";
import { SYSTEM_CLOCK } from "../../../src/service/system-clock.ts";
import { uniqueClip } from "../clips.ts";
import { form, openGate, type Reply, startTestService, type TestService, uploadSigned } from "../service-fixture.ts";

/** To this service every job has taken an hour already: its polls are 15 s apart. */
const AN_HOUR_AHEAD = { ...SYSTEM_CLOCK, now: () => Date.now() + 3_600_000 };

let service: TestService;
/** One whose work is done elsewhere. */
let workless: TestService;
beforeAll(async () => {
  service = await startTestService({}, { clock: AN_HOUR_AHEAD });
  workless = await startTestService({}, { clock: AN_HOUR_AHEAD, worksOnJobs: false });
});
afterAll(async () => {
  await service.close();
  await workless.close();
});

async function submit(instructions: string, at = service): Promise<string> {
  const { media_id } = (await at.send("POST", "upload_media", form(await uniqueClip()))).body;
  const input = { type: "media_id", media_id };
  const config = { custom_instructions: instructions };
  return (await at.send("POST", "generate_ad_text", { input, generation_config: config })).body.job_id;
}

async function poll(jobId: string, prefer: string, at = service): Promise<Reply & { readonly seconds: number }> {
  const begun = performance.now();
  const reply = await at.send("GET", `get_results?job_id=${jobId}`, undefined, { Prefer: prefer });
  return { ...reply, seconds: (performance.now() - begun) / 1000 };
}

describe("a poll that prefers to wait", () => {
  test("OPEN-13: is answered when the job is over", async () => {
    const jobId = await submit("gate");
    const held = poll(jobId, "respond-async, wait=14");
    await openGate(service.dataFolder, jobId);
    const { body, headers, seconds } = await held;
    expect(body.status).toBe("done");
    expect(headers.get("preference-applied")).toBe("wait=14");
    expect(seconds).toBeLessThan(14);
  });

  test("OPEN-13: is answered when a job has failed", async () => {
    expect((await poll(await submit("fail:content_blocked"), "wait=14")).body.status).toBe("failed");
  });

  test("is answered at once when a person cancels the job, waiting or running", async () => {
    const running = await submit("hang");
    await expect.poll(async () => (await poll(running, "")).body.status).toBe("processing");
    for (const jobId of [running, await submit("hang")]) {
      const held = poll(jobId, "wait=14");
      await expect.poll(async () => (await service.send("POST", `jobs/${jobId}/cancel`)).status).toBe(200);
      const { body, seconds } = await held;
      expect([body.status, seconds < 10]).toEqual(["failed", true]);
    }
  });

  test("OPEN-13: is answered after its time while the job goes on, with the usual pause", async () => {
    const jobId = await submit("gate");
    const { body, seconds } = await poll(jobId, "wait=1");
    expect(body).toMatchObject({ retry_after: 15 });
    expect(seconds).toBeGreaterThan(0.9);
    await openGate(service.dataFolder, jobId);
  });

  test("OPEN-13: is answered at once where the job is over, where the service cannot hear of its end, and without a time", async () => {
    const over = await submit("");
    await poll(over, "wait=14");
    const queued = await submit("", workless);
    const hanging = await submit("hang");
    for (const [jobId, prefer, at] of [
      [over, "wait=14", service],
      [queued, "wait=14", workless],
      [hanging, "wait=soon", service],
    ] as const) {
      const { headers, status } = await poll(jobId, prefer, at);
      expect([status, headers.get("preference-applied")]).toEqual([200, null]);
    }
    // It stands in nobody's way.
    expect((await service.send("POST", `jobs/${hanging}/cancel`)).status).toBe(200);
  });

  test("OPEN-10: is answered when an upload is verified", async () => {
    const { media_id, gcs_path } = await uploadSigned(service, await uniqueClip());
    const query = new URLSearchParams({ media_id, gcs_path });
    const ask = () => service.send("GET", `get_upload_status?${query}`, undefined, { Prefer: "wait=10" });
    // An upload is polled every second, however long the preference is.
    await expect.poll(async () => (await ask()).body.upload_status).toBe("completed");
  });
});

describe("the end of work", () => {
  const signal = AbortSignal.timeout(60_000);

  test("is heard by all who listen to it, though it comes before they wait", async () => {
    const endings = new Endings();
    using one = endings.listen("a");
    using two = endings.listen("a");
    endings.tell("a");
    await Promise.all([one.within(600_000, signal), two.within(600_000, signal)]);
  });

  test("is not heard by others, who leave after their time or when nobody wants their answer", async () => {
    const endings = new Endings();
    using other = endings.listen("b");
    using gone = endings.listen("b");
    endings.tell("a");
    const begun = performance.now();
    await Promise.all([other.within(50, signal), gone.within(600_000, AbortSignal.timeout(10))]);
    expect(performance.now() - begun).toBeGreaterThan(45);
  });

  test("lets everybody go when the service ends, and whoever comes later", async () => {
    const endings = new Endings();
    using early = endings.listen("a");
    endings.close();
    using late = endings.listen("a");
    await Promise.all([early.within(600_000, signal), late.within(600_000, signal)]);
  });
});
