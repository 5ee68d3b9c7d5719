import { expect, test } from "vitest";
import { RECORD_VERSION } from "../../../src/workflow/describe/recovery.ts";
import { type DescribeOrder, type DescribePorts, Run, type StepProgress } from "../../../src/workflow/describe/run.ts";
import { ManualClock } from "../../fakes/manual-clock.ts";
import { MemoryRecovery } from "../../fakes/memory-recovery.ts";
import { HeldPorts } from "../../panel/held-ports.ts";

const ORDER = { runId: "run-1" } as DescribeOrder;

/** A run that has just begun, and what it says of its steps. */
async function begun(ports: Partial<DescribePorts>) {
  const steps: StepProgress[] = [];
  const controls = { signal: new AbortController().signal, onProgress: (step: StepProgress) => steps.push(step) };
  const own = { clock: new ManualClock(), recovery: new MemoryRecovery(), ...ports };
  return { run: await Run.begin(own as unknown as DescribePorts, ORDER, controls), steps };
}

test("a run has begun when it did, however often it is gone on with", async () => {
  const clock = new ManualClock(Date.parse("2026-03-01T10:00:00Z"));
  const recovery = new MemoryRecovery();
  const { run } = await begun({ clock, recovery });
  const first = { version: RECORD_VERSION, runId: "run-1", startedAt: "2026-03-01T10:00:00.000Z", name: "Harbour" };
  await run.keep({ name: "Harbour" });
  expect(await recovery.load("run-1")).toEqual(first);
  clock.advance(86_400_000);
  const { run: second } = await begun({ clock, recovery });
  expect(second.record).toEqual(first);
});

test("what a run keeps, and what it takes back, is on record before it goes on", async () => {
  for (const order of ["oldest first", "newest first"] as const) {
    const ports = new HeldPorts();
    const recovery = new MemoryRecovery();
    const { run } = await begun({ recovery });
    const slow = { ...run.ports, recovery: ports.wrap(recovery) };
    Object.assign(run, { ports: slow });
    const media = { mediaId: "m", isVerified: true };
    const { record: before } = run;
    const sent = { mediaId: "m", storagePath: "p" };
    expect(await ports.settlesLast(() => run.keep({ media, sent, audioPath: "a" }), -1, order)).toBeNull();
    expect(await recovery.load("run-1")).toEqual({ ...before, media, sent, audioPath: "a" });
    expect(await ports.settlesLast(() => run.forget("media", "sent"), -1, order)).toBeNull();
    expect(await recovery.load("run-1")).toEqual({ ...before, audioPath: "a" });
    expect(run.record).toEqual({ ...before, audioPath: "a" });
  }
});

test("a record that cannot be kept ends the run there", async () => {
  const recovery = new MemoryRecovery();
  recovery.save = () => Promise.reject(new Error("no room"));
  const { run } = await begun({ recovery });
  await expect(run.keep({ name: "Harbour" })).rejects.toThrow("no room");
  await expect(run.forget("media")).rejects.toThrow("no room");
});

test("a step that is done twice has taken the time of both", async () => {
  const clock = new ManualClock();
  const { run, steps } = await begun({ clock });
  for (const seconds of [3, 4]) {
    const done = await run.step("upload", async (report) => {
      report(0.5, "half");
      clock.advance(1000 * seconds);
      return seconds;
    });
    expect(done).toBe(seconds);
  }
  expect(run.stepSeconds).toEqual({ upload: 7 });
  const once = [
    { step: "upload", state: "begun" },
    { step: "upload", state: "under-way", fraction: 0.5, detail: "half" },
    { step: "upload", state: "done", fraction: 1 },
  ];
  expect(steps).toEqual([...once, ...once]);
});
