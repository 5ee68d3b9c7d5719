import { beforeEach, describe, expect, test } from "vitest";
import { JobQueue } from "../../../../panel/controllers/describe/job-queue.ts";
import type { ServiceConnection } from "../../../../panel/session/connection.ts";
import { runsOf } from "../../../../panel/session/library.ts";
import type { JobEntry, NewPicture } from "../../../../panel/state/saved.ts";
import { CancelNotOfferedError, ServiceError } from "../../../../src/client/errors.ts";
import { RECORD_VERSION } from "../../../../src/workflow/describe/recovery.ts";
import { JobFailedError } from "../../../../src/workflow/errors.ts";
import { jobEntry, type SessionInMemory, sessionInMemory } from "../../session-in-memory.ts";

let made: SessionInMemory;
let queue: JobQueue;
/** Runs that were begun, in order, and how each is ended. */
let begun: string[];
let fail: Map<string, (error: Error) => void>;
beforeEach(() => {
  made = sessionInMemory();
  begun = [];
  fail = new Map();
  // Each job asks for its service first, which stands here for all of its work.
  const connection = {
    client: (address: string) =>
      new Promise((_, reject) => {
        begun.push(address);
        fail.set(address, reject);
      }),
  } as unknown as ServiceConnection;
  queue = new JobQueue(made.session, connection, { voiced: async () => undefined, described: async () => 0 });
});

/** Jobs as the history has them, newest first: `c` was ordered last. */
const history = (change: Partial<JobEntry> = {}) =>
  ["c", "b", "a"].map((runId) => jobEntry({ runId, serviceAddress: runId, state: "waiting", ...change }));
const states = () => Object.fromEntries(made.session.state.jobs.map(({ runId, state }) => [runId, state]));
const onDisk = (runId: string) => JSON.parse(made.files.texts.get(`/panel/results/${runId}.job.json`) ?? "null")?.value;
async function end(runId: string): Promise<void> {
  fail.get(runId)?.(new Error("no connection"));
  await made.rest();
}

describe("jobs that wait", () => {
  test("are done one after the other, the one that was ordered first before the others, whichever is asked for", async () => {
    made.session.store.set({ jobs: history() });
    await queue.resume("c");
    await made.rest();
    expect([begun, states()]).toEqual([["a"], { a: "running", b: "waiting", c: "waiting" }]);
    // Whatever is ordered meanwhile, one is under way at a time.
    await queue.resume("b");
    await made.rest();
    expect(begun).toEqual(["a"]);
    await end("a");
    expect([begun, states()]).toEqual([["a", "b"], { a: "failed", b: "running", c: "waiting" }]);
    await end("b");
    await end("c");
    expect([begun, states()]).toEqual([["a", "b", "c"], { a: "failed", b: "failed", c: "failed" }]);
    expect(made.session.state.progress).toBeNull();
  });

  test("are on disk as under way before anything is asked for them", async () => {
    made.session.store.set({ jobs: history() });
    const held: (() => void)[] = [];
    made.files.mayWrite = () => new Promise((go) => void held.push(go));
    void queue.resume("a");
    // That it waits, and that it runs.
    for (const state of ["waiting", "running"]) {
      await made.rest();
      expect([begun, held.length]).toEqual([[], 1]);
      held.shift()?.();
      await made.rest();
      expect(onDisk("a").state).toBe(state);
    }
    expect(begun).toEqual(["a"]);
  });

  test("go on when one in their middle is called off", async () => {
    made.session.store.set({ jobs: history() });
    await queue.resume("a");
    await queue.cancel("b");
    await end("a");
    expect([begun, states()]).toEqual([["a", "c"], { a: "failed", b: "stopped", c: "running" }]);
  });

  test("go on when the one under way is called off, which is no failure and is told as none", async () => {
    made.session.store.set({ jobs: history() });
    await queue.resume("a");
    await made.rest();
    await queue.cancel("a");
    expect(made.session.state.progress).toMatchObject({ runId: "a", isCancelling: true });
    await end("a");
    expect([begun, states()]).toEqual([["a", "b"], { a: "stopped", b: "running", c: "waiting" }]);
    expect(made.session.state.message).toBeNull();
    expect(made.session.state.progress).toMatchObject({ runId: "b", isCancelling: false });
  });
});

test("a job that is called off while its film is sent is stopped once what was sent is dropped, and the next begins then", async () => {
  const asked: PromiseWithResolvers<never>[] = [];
  const connection = {
    client: () => {
      asked.push(Promise.withResolvers());
      return asked.at(-1)?.promise;
    },
  } as unknown as ServiceConnection;
  queue = new JobQueue(made.session, connection, { voiced: async () => undefined, described: async () => 0 });
  const record = { version: RECORD_VERSION, runId: "a", startedAt: "2026-01-01T00:00:00.000Z", name: "Harbour" };
  const sending = { mediaId: "m", storagePath: "uploads/m" };
  made.files.texts.set("/panel/runs/a.json", JSON.stringify({ ...record, sending }));
  made.session.store.set({ jobs: history() });
  await queue.resume("a");
  await made.rest();
  await queue.cancel("a");
  asked[0]?.reject(new Error("called off") as never);
  await made.rest();
  // The service is asked for once more: it is to forget what it was sent.
  expect([asked.length, states()]).toEqual([2, { a: "running", b: "waiting", c: "waiting" }]);
  const dropped: string[] = [];
  const isGone = Promise.withResolvers<void>();
  const deleteMedia = (id: string) => {
    dropped.push(id);
    return isGone.promise;
  };
  asked[1]?.resolve({ deleteMedia } as never);
  await made.rest();
  expect([dropped, states()]).toEqual([["m"], { a: "running", b: "waiting", c: "waiting" }]);
  isGone.resolve();
  await made.rest();
  expect(states()).toEqual({ a: "stopped", b: "running", c: "waiting" });
});

test("a job of several stretches that is called off has what was sent of any of them dropped", async () => {
  const dropped: string[] = [];
  const answers = [
    () => Promise.reject(new Error("called off")),
    async () => ({ deleteMedia: async (id: string) => void dropped.push(id) }),
  ];
  const asked = Promise.withResolvers<void>();
  const connection = {
    client: async () => {
      if (answers.length > 1) await asked.promise;
      return (answers.length > 1 ? answers.shift() : answers[0])?.();
    },
  } as unknown as ServiceConnection;
  queue = new JobQueue(made.session, connection, { voiced: async () => undefined, described: async () => 0 });
  const adds = { to: "run-1", stretches: [1, 5, 9].map((start) => ({ start, end: start + 1 })) } as never;
  const job = jobEntry({ runId: "new", state: "waiting", adds });
  const [first = "", ...later] = runsOf(job);
  const keep = (runId: string, more: object) => {
    const record = { version: RECORD_VERSION, runId, startedAt: "2026-01-01T00:00:00.000Z", name: "Harbour", ...more };
    made.files.texts.set(`/panel/runs/${runId}.json`, JSON.stringify(record));
  };
  keep(first, { submission: { state: "accepted", jobId: "job-1", mediaId: "m-0" } });
  for (const [index, runId] of later.entries())
    keep(runId, { sending: { mediaId: `m-${index + 1}`, storagePath: "x" } });
  made.session.store.set({ jobs: [job] });
  await queue.resume("new");
  await made.rest();
  await queue.cancel("new");
  asked.resolve();
  await made.rest();
  expect([dropped, states()]).toEqual([["m-1", "m-2"], { new: "stopped" }]);
});

test("the time of a job counts from when it was begun or gone on with, whatever time that is", async () => {
  made.session.store.set({ jobs: [jobEntry({ runId: "a", serviceAddress: "a", state: "stopped" })] });
  for (const days of [1, 2]) {
    await made.clock.pass(days * 86_400_000);
    await queue.resume("a");
    await made.rest();
    const now = made.clock.now();
    expect(made.session.state.progress).toMatchObject({ since: now, stepSince: now });
    await end("a");
  }
});

test("a job that fails says why, on disk too, and a further try forgets it", async () => {
  made.session.store.set({ jobs: [jobEntry({ runId: "a", serviceAddress: "a", state: "stopped" })] });
  await queue.resume("a");
  await made.rest();
  expect(onDisk("a").state).toBe("running");
  await end("a");
  expect(onDisk("a")).toMatchObject({ state: "failed", fault: { sentence: expect.any(String) } });
  expect(made.session.state.message).toMatchObject({ isFault: true, runId: "a" });
  await queue.resume("a");
  await made.rest();
  expect(made.session.state.jobs[0]).not.toHaveProperty("fault");
  expect(made.session.state.message).toBeNull();
});

test("a panel that closes leaves its job under way on disk, and begins no other", async () => {
  made.session.store.set({ jobs: history() });
  await queue.resume("a");
  await made.rest();
  made.session.close();
  queue.close();
  await end("a");
  expect([begun, onDisk("a").state, made.session.state.message]).toEqual([["a"], "running", null]);
});

test("what was under way when the panel closed goes on only where the service has accepted it; the rest waits for the editor", async () => {
  const record = (runId: string, more: object) =>
    made.files.texts.set(
      `/panel/runs/${runId}.json`,
      JSON.stringify({
        version: RECORD_VERSION,
        runId,
        startedAt: "2026-01-01T00:00:00.000Z",
        name: "Harbour",
        ...more,
      }),
    );
  record("a", { submission: { state: "accepted", jobId: "job-a", mediaId: "m" } });
  record("b", {});
  // Of two stretches of new picture, one was accepted: the other would still be sent.
  const stretch = { start: 1, end: 2 } as unknown as NewPicture["stretches"][number];
  const partly = jobEntry({
    runId: "e",
    serviceAddress: "e",
    state: "running",
    adds: { to: "d", stretches: [stretch, stretch] },
  });
  record(runsOf(partly)[0] ?? "", { submission: { state: "accepted", jobId: "job-e", mediaId: "m" } });
  record(runsOf(partly)[1] ?? "", {});
  const jobs = [...history({ state: "running" }), jobEntry({ runId: "d", serviceAddress: "d", state: "done" }), partly];
  made.session.store.set({ jobs, view: "describe" });
  queue.goOn(jobs, "describe");
  await made.rest();
  expect([begun, states()]).toEqual([["a"], { a: "running", b: "stopped", c: "stopped", d: "done", e: "stopped" }]);
  expect(made.session.state.view).toBe("progress");
});

test("the job under way is not removed, and any other is", async () => {
  made.session.store.set({ jobs: history() });
  await queue.resume("a");
  await made.rest();
  await queue.remove("a");
  await queue.remove("b");
  expect(Object.keys(states())).toEqual(["c", "a"]);
});

describe("a job that is stopped", () => {
  /** Answers of the service to a cancel, in turn; a job that is waited for hangs until then. */
  let answers: (() => Promise<unknown>)[];
  let cancelled: string[];
  const record = (runId: string) =>
    made.files.texts.set(
      `/panel/runs/${runId}.json`,
      JSON.stringify({
        version: RECORD_VERSION,
        runId,
        startedAt: "2026-01-01T00:00:00.000Z",
        name: "Harbour",
        media: { mediaId: "m", isVerified: true },
        submission: { state: "accepted", jobId: `job-${runId}`, notices: [] },
      }),
    );
  const submissionOf = (runId: string) =>
    JSON.parse(made.files.texts.get(`/panel/runs/${runId}.json`) ?? "{}").submission;
  const stoppedAt = { jobId: "job-a", status: "failed", code: "cancelled", message: "", raw: {} };
  beforeEach(() => {
    answers = [];
    cancelled = [];
    const client = {
      cancelJob: (jobId: string) => {
        cancelled.push(jobId);
        return answers.shift()?.();
      },
    };
    const connection = { client: async () => client } as unknown as ServiceConnection;
    queue = new JobQueue(made.session, connection, { voiced: async () => undefined, described: async () => 0 });
    record("a");
    made.session.store.set({ jobs: [jobEntry({ runId: "a", serviceAddress: "a", state: "stopped" })] });
  });

  test("is stopped at its service, and says where it stood; ordered again it is a new job of the same upload", async () => {
    const cost = { requests: 9, useless: 0, unpriced: 9, spent: null, reserved: null, ceiling: null };
    answers = [async () => ({ ...stoppedAt, progress: { stage: "describe", fraction: 0.6 }, cost })];
    await queue.stop("a");
    expect(cancelled).toEqual(["job-a"]);
    expect(onDisk("a")).toMatchObject({ state: "stopped", cancelled: { stage: "describe", fraction: 0.6, cost } });
    expect([submissionOf("a"), made.files.texts.get("/panel/runs/a.json")]).toEqual([
      undefined,
      expect.stringContaining('"mediaId":"m"'),
    ]);
  });

  test("goes on where its service cannot stop it, or it has ended: nothing of it is forgotten", async () => {
    const lacks = new CancelNotOfferedError("job-a", undefined);
    answers = [
      () => Promise.reject(lacks),
      () => Promise.reject(new ServiceError("job_not_cancellable", "over", { status: 409 })),
    ];
    await expect(queue.stop("a")).rejects.toBe(lacks);
    await queue.stop("a");
    expect([submissionOf("a").jobId, made.session.state.jobs[0]?.cancelled]).toEqual(["job-a", undefined]);
  });

  test("that is removed goes at the service too; where it cannot, it goes here, and that is said", async () => {
    answers = [async () => stoppedAt];
    await queue.remove("a");
    expect([cancelled, made.session.state.jobs, made.session.state.message]).toEqual([["job-a"], [], null]);
    record("a");
    made.session.store.set({ jobs: [jobEntry({ runId: "a", serviceAddress: "a", state: "stopped" })] });
    answers = [() => Promise.reject(new CancelNotOfferedError("job-a", undefined))];
    await queue.remove("a");
    expect(made.session.state.jobs).toEqual([]);
    expect(made.session.state.message).toMatchObject({ text: expect.stringContaining("may be charged") });
  });

  test("elsewhere, while it is waited for, is no failure here", async () => {
    const connection = {
      client: () => Promise.reject(new JobFailedError("cancelled", "by somebody", { jobId: "job-a" })),
    } as unknown as ServiceConnection;
    queue = new JobQueue(made.session, connection, { voiced: async () => undefined, described: async () => 0 });
    await queue.resume("a");
    await made.rest();
    expect(onDisk("a")).toMatchObject({ state: "stopped", cancelled: {} });
    expect(made.session.state.message).toBeNull();
  });
});
