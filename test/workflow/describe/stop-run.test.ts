import { expect, test } from "vitest";
import { CancelNotOfferedError, ServiceError } from "../../../src/client/errors.ts";
import { RECORD_VERSION, type RunRecord } from "../../../src/workflow/describe/recovery.ts";
import { costWords, keptOfStage, stopRun } from "../../../src/workflow/describe/stop-run.ts";
import { MemoryRecovery } from "../../fakes/memory-recovery.ts";
import { HeldPorts } from "../../panel/held-ports.ts";

const { signal } = new AbortController();
const RECORD: RunRecord = {
  version: RECORD_VERSION,
  runId: "r",
  startedAt: "2026-01-01T00:00:00.000Z",
  name: "Harbour",
};
const MEDIA = { mediaId: "m", isVerified: true };
const ORDERED: RunRecord = { ...RECORD, media: MEDIA, submission: { state: "accepted", jobId: "j", notices: [] } };

const COST = { requests: 9, useless: 0, unpriced: 0, spent: 0.12, reserved: 0, ceiling: null };

/** Stops a run with a record, at a service that answers like this. */
async function stopped(record: RunRecord | null, answer: () => Promise<object> = () => expect.unreachable()) {
  const recovery = new MemoryRecovery();
  if (record !== null) await recovery.save(record);
  const removed: string[] = [];
  const client = {
    cancelJob: async (jobId: string) =>
      ({ jobId, status: "failed", code: "cancelled", message: "", raw: {}, ...(await answer()) }) as const,
    deleteMedia: async (mediaId: string) => void removed.push(mediaId),
  };
  const outcome = await stopRun({ client, recovery }, "r", signal).catch((error: unknown) => error);
  return { outcome, removed, left: await recovery.load("r") };
}

test("a job that is stopped says where it stood, and the same order asks again with the same upload", async () => {
  const progress = { stage: "describe", fraction: 0.5 };
  const { outcome, left } = await stopped(ORDERED, async () => ({ progress, cost: COST }));
  expect(outcome).toEqual({ outcome: "stopped", jobId: "j", progress, cost: COST });
  expect(left).toEqual({ ...RECORD, media: MEDIA });
});

test("where nothing was ordered, nothing is asked; an upload under way is removed", async () => {
  expect((await stopped(null)).outcome).toEqual({ outcome: "none" });
  expect((await stopped({ ...RECORD, media: MEDIA })).left).toEqual({ ...RECORD, media: MEDIA });
  const { outcome, removed, left } = await stopped({ ...RECORD, sending: { mediaId: "half", storagePath: "p" } });
  expect([outcome, removed, left]).toEqual([{ outcome: "none" }, ["half"], RECORD]);
});

test("what is said of a stopped run is on record by then, however slow that is", async () => {
  const ports = new HeldPorts();
  const stopping = async () => ({}) as never;
  const unknown = () => Promise.reject(new ServiceError("not_found", "x", { status: 404 }));
  const runs: readonly (readonly [RunRecord, () => Promise<never>])[] = [
    [{ ...RECORD, sending: { mediaId: "half", storagePath: "p" } }, stopping],
    [ORDERED, stopping],
    [ORDERED, unknown],
  ];
  for (const order of ["oldest first", "newest first"] as const) {
    for (const [run, cancelJob] of runs) {
      const recovery = new MemoryRecovery();
      await recovery.save(run);
      const client = { cancelJob, deleteMedia: async () => undefined };
      const stop = () => stopRun({ client: ports.wrap(client), recovery: ports.wrap(recovery) }, "r", signal);
      expect(await ports.settlesLast(stop, -1, order)).toBeNull();
      const left = await recovery.load("r");
      expect([left?.sending, left?.submission]).toEqual([undefined, undefined]);
    }
  }
});

test("a job that has ended, or cannot be stopped, keeps its record; one that is unknown there is ordered again", async () => {
  const failing = (code: "not_found" | "job_not_cancellable") => () =>
    Promise.reject(new ServiceError(code, "x", { status: 404 }));
  const result = { format: "vtt", content: "WEBVTT" } as const;
  expect((await stopped({ ...ORDERED, result })).outcome).toEqual({ outcome: "over", jobId: "j" });
  expect(await stopped(ORDERED, failing("job_not_cancellable"))).toMatchObject({
    outcome: { outcome: "over", jobId: "j" },
    left: ORDERED,
  });
  expect(await stopped(ORDERED, failing("not_found"))).toMatchObject({ outcome: { outcome: "none" } });
  const lacks = new CancelNotOfferedError("j", undefined);
  expect(await stopped(ORDERED, () => Promise.reject(lacks))).toMatchObject({ outcome: lacks, left: ORDERED });
});

test("what is kept is said by the stage that a job stood in", () => {
  expect([keptOfStage(undefined), keptOfStage("analyse")]).toEqual([[], []]);
  expect(keptOfStage("listen")).toEqual(["the shots", "the dialogue so far"]);
  expect(keptOfStage("describe")).toContain("the descriptions so far");
  expect(keptOfStage("mix")).toContain("the descriptions");
});

test.each([
  ["0.12 for 9 requests", {}],
  ["0.12 and up to 0.03 in progress for 9 requests", { reserved: 0.03 }],
  ["less than 0.01 for 1 request", { requests: 1, spent: 0.001 }],
  ["0.12 for 4 requests, 5 requests without a stated price", { unpriced: 5 }],
  ["9 requests, 2 answers of no use", { unpriced: 9, spent: null, reserved: null, useless: 2 }],
  ["9 requests", { spent: 0 }],
])("what a job has used is said as %s: a sum only where one is known", (words, change) => {
  expect(costWords({ ...COST, ...change })).toBe(words);
});
