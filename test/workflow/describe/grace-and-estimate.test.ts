import { expect, test } from "vitest";
import { estimateRun } from "../../../src/workflow/describe/run.ts";
import { graceAfter } from "../../../src/workflow/describe/submit.ts";
import { ManualClock } from "../../fakes/manual-clock.ts";

test("what a run takes grows with its length; on this computer nothing is billed, and how long it takes nobody knows", () => {
  const run = { durationSeconds: 600, kind: "text", sizeBytes: 7 } as const;
  const hosted = estimateRun({ ...run, isLocal: false });
  const local = estimateRun({ ...run, isLocal: true });
  expect([hosted.minutes, hosted.uploadBytes, hosted.waitSeconds]).toEqual([10, 7, 300]);
  expect([local.credits, local.waitSeconds]).toEqual([0, null]);
  const longer = estimateRun({ ...run, durationSeconds: 1200, isLocal: false });
  expect(longer.waitSeconds).toBe(2 * (hosted.waitSeconds ?? 0));
});

test("an answer that is on its way has its time after an abort, and nobody waits for one that came", async () => {
  for (const isReleased of [false, true]) {
    for (const isAbortedBefore of [false, true]) {
      const clock = new ManualClock();
      const controller = new AbortController();
      if (isAbortedBefore) controller.abort("enough");
      const grace = graceAfter(controller.signal, 1000, clock);
      controller.abort("enough");
      if (isReleased) grace.release();
      await clock.sleep(999);
      expect(grace.signal.aborted).toBe(false);
      await clock.sleep(2);
      expect(grace.signal.aborted).toBe(!isReleased);
      expect(grace.signal.reason).toBe(isReleased ? undefined : "enough");
    }
  }
});

test("once it is let go of, an abort begins nothing", async () => {
  const clock = new ManualClock();
  const controller = new AbortController();
  const grace = graceAfter(controller.signal, 1000, clock);
  grace.release();
  controller.abort();
  await clock.sleep(5000);
  expect(grace.signal.aborted).toBe(false);
  expect(clock.passed).toEqual([5000]);
});
