import { expect, test } from "vitest";
import { type RunIsolated, runIsolated } from "../../../src/engine/tasks/run-isolated.ts";
import { uniqueClip } from "../clips.ts";
import { finished, form, startTestService } from "../service-fixture.ts";

test("records or a store that are out of reach for a while cost a job no attempt", async () => {
  let outages = 2;
  const isolate: RunIsolated = (task, input, options) => {
    if (task === "describe" && outages-- > 0) throw new Error("connect ECONNREFUSED");
    return runIsolated(task, input, options);
  };
  const service = await startTestService({ job_attempts: 1 }, { isolate });
  try {
    const { body: media } = await service.send("POST", "upload_media", form(await uniqueClip()));
    const input = { type: "media_id", media_id: media.media_id };
    const { body: job } = await service.send("POST", "generate_ad_audio", { input });
    expect(await finished(service, job.job_id)).toMatchObject({ status: "done" });
    expect(await service.app.administration.showJob(job.job_id)).toMatchObject({ attempts: 0, interruptions: 2 });
  } finally {
    await service.close();
  }
});
