import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type Engine, IsolateError, JobFailure, type ProgrammeResult } from "../../../src/engine/index.ts";
import { cancelAndWait } from "../../../src/service/jobs/cancel-job.ts";
import { Endings } from "../../../src/service/jobs/endings.ts";
import { type JobEvent, type RunJobParts, runJob } from "../../../src/service/jobs/run-job.ts";
import { beginRun, cancelJob, giveBackJob, isJobHeld, listResults } from "../../../src/service/storage/job-records.ts";
import { SYSTEM_CLOCK } from "../../../src/service/system-clock.ts";
import { SetClock } from "../../fakes/set-clock.ts";
import { openTestRecords, SlowPorts, type TestRecords } from "../records.ts";

let records: TestRecords;
let clock: SetClock;
let events: JobEvent[];
beforeAll(async () => {
  records = await openTestRecords();
});
afterAll(() => records.close());
beforeEach(() => {
  clock = new SetClock();
  events = [];
});

const REPORT = { describer: "fake", speech: [], music: [], silence: [], shots: [], notes: [], stage_seconds: {} };
const CRASH = new IsolateError("task_crashed", "the process is gone", { task: "describe" });
const AWAY = new Error("connect ECONNREFUSED");
const ANOTHER = "5fa6a3d1-6ef1-4f0b-8a63-3fb2a6d4c5b1";
const { signal: never } = new AbortController();

const workFolder = (job: string) => join(records.folders.work, job);
const types = () => events.map(({ type }) => type);
const ended = async (job: string) => {
  const { status, attempts, interruptions, error } = await records.seen(job);
  return { status, attempts, interruptions, error };
};
const usage = async (job: string) =>
  (await records.database.query("SELECT state FROM aside.usage WHERE job_id = $1", [job])).map(({ state }) => state);

/** Does what an engine does for one run, without a process. */
type Describe = Engine["describe"];

/** A result with the files that are named, as they stand in the work folder. */
function made(files: ProgrammeResult["files"] = {}): Describe {
  return async ({ workFolder: folder }) => {
    for (const name of Object.values(files)) await writeFile(join(folder, name), `bytes of ${name}`);
    return { content: "WEBVTT", cues: [], files, report: REPORT };
  };
}

const failing =
  (error: unknown): Describe =>
  async ({ workFolder: folder }) => {
    await writeFile(join(folder, "stage.json"), "done");
    throw error;
  };

/** Never ends but by its signal. */
const hanging: Describe = (_order, { signal }) =>
  new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason), { once: true }));

function run(job: string, describe: Describe, more: Partial<RunJobParts> = {}, signal = never): Promise<void> {
  const { database, objects, folders } = records;
  const limits = { attempts: 3, timeLimitSeconds: 60, memoryLimitBytes: 1e9 };
  const onEvent = (event: JobEvent) => void events.push(event);
  const engine = { describe };
  const parts = { database, objects, folders, engine, clock, endings: null, ...limits, onEvent, ...more };
  return runJob(parts, job, signal);
}

/** A run that hangs, once it does. */
async function hung(job: string, more: Partial<RunJobParts> = {}, signal = never) {
  const begun = Promise.withResolvers<void>();
  const describe: Describe = (order, options) => {
    begun.resolve();
    return hanging(order, options);
  };
  let isOver = false;
  const over = run(job, describe, more, signal).finally(() => {
    isOver = true;
  });
  over.catch(() => undefined);
  await begun.promise;
  return { over, isOver: () => isOver };
}

test.each<readonly [string, Describe, Partial<RunJobParts>]>([
  ["is done", made({ video: "out.mp4", audio: "out.wav", worksheet: "out.html" }), {}],
  ["crashes", failing(CRASH), {}],
  ["crashes for the last time", failing(CRASH), { attempts: 1 }],
  ["fails", failing(new JobFailure("media_unreadable" as never, "no picture")), {}],
  ["finds the store away", failing(AWAY), {}],
])("a run that %s asks nothing any more once it is over", async (_, describe, more) => {
  const job = await records.job({ kind: "video" });
  const ports = new SlowPorts();
  const slow = { database: ports.wrap(records.database), objects: ports.wrap(records.objects) };
  await run(job, describe, { ...slow, ...more }).catch(() => undefined);
  expect(ports.underWay).toBe(0);
  expect(ports.asked).toBeGreaterThan(3);
  const { status } = await records.seen(job);
  expect(status).not.toBe("processing");
  expect(existsSync(workFolder(job))).toBe(status === "queued");
});

describe("a job that is done", () => {
  test("has its files under names of its run, what they are in the records, and leaves nothing else", async () => {
    const job = await records.job({ kind: "video" });
    await run(job, made({ video: "out.mp4", audio: "out.wav", worksheet: "out.html" }));
    expect(await ended(job)).toEqual({ status: "done", attempts: 0, interruptions: 0, error: null });
    expect(await usage(job)).toEqual(["spent"]);
    const results = await listResults(records.database, job);
    expect(results.map(({ kind, contentType, sizeBytes }) => [kind, contentType, sizeBytes])).toEqual([
      ["audio", "audio/wav", 16],
      ["video", "video/mp4", 16],
      ["worksheet", "text/html; charset=utf-8", 17],
    ]);
    expect(await records.stored()).toEqual(expect.arrayContaining(results.map(({ storageKey }) => storageKey)));
    expect(existsSync(workFolder(job))).toBe(false);
    expect(types()).toEqual(["started", "done"]);
    expect(clock.sleeping).toBe(0);
  });

  test("is not run again, and what a late run would have left goes", async () => {
    const job = await records.job();
    await run(job, made());
    await mkdir(workFolder(job), { recursive: true });
    events = [];
    await run(job, () => expect.unreachable());
    expect([types(), existsSync(workFolder(job))]).toEqual([[], false]);
  });

  test("names no file outside its folder, beside it in name alone neither", async () => {
    for (const audio of ["../outside.wav", "/etc/hostname"]) {
      const job = await records.job({ kind: "audio" });
      await writeFile(join(records.folders.work, "outside.wav"), "x");
      const describe: Describe = async () => ({ content: "", cues: [], files: { audio }, report: REPORT });
      await expect(run(job, describe)).rejects.toMatchObject({ code: "task_failed" });
      expect(await listResults(records.database, job)).toEqual([]);
    }
  });
});

describe("a run that ends badly by itself", () => {
  test("counts one attempt each time, keeps finished stages, and the last attempt ends the job", async () => {
    const job = await records.job();
    for (const attempts of [1, 2]) {
      await expect(run(job, failing(CRASH))).rejects.toBe(CRASH);
      expect(await ended(job)).toEqual({ status: "queued", attempts, interruptions: 0, error: null });
      expect(existsSync(join(workFolder(job), "stage.json"))).toBe(true);
      expect(await usage(job)).toEqual(["reserved"]);
    }
    await run(job, failing(CRASH));
    expect(await ended(job)).toMatchObject({ status: "failed", error: "internal_error" });
    expect(await usage(job)).toEqual(["released"]);
    expect(existsSync(workFolder(job))).toBe(false);
    expect(types()).toEqual(["started", "crashed", "started", "crashed", "started", "failed"]);
  });

  test("where one attempt is all there is, ends the job at once", async () => {
    const job = await records.job();
    await run(job, failing(CRASH), { attempts: 1 });
    expect(await ended(job)).toMatchObject({ status: "failed" });
  });

  test("of want of room gives its own room back first, and says so at the end", async () => {
    const full = new IsolateError("task_failed", "full", { task: "describe", raised: "Error ENOSPC" });
    const job = await records.job();
    await expect(run(job, failing(full), { attempts: 2 })).rejects.toBe(full);
    expect(existsSync(join(workFolder(job), "stage.json"))).toBe(false);
    await run(job, failing(full), { attempts: 2 });
    expect((await records.seen(job)).message).toMatch(/no room on its disk/);
  });
});

test("a failure that a person can mend ends the job with its own code and sentence, without another attempt", async () => {
  const job = await records.job();
  const failure = new JobFailure("voice_unavailable", "There is no such voice.");
  await run(job, failing(failure));
  expect(events.at(-1)).toMatchObject({ type: "failed", error: failure });
  expect(await ended(job)).toEqual({ status: "failed", attempts: 0, interruptions: 0, error: "voice_unavailable" });
  expect((await records.seen(job)).message).toBe("There is no such voice.");
  expect([await usage(job), existsSync(workFolder(job))]).toEqual([["released"], false]);
});

describe("a job that hangs", () => {
  test("ends at its time limit, not before, which counts as an attempt", async () => {
    const job = await records.job();
    const { over, isOver } = await hung(job);
    await clock.pass(59_999);
    expect(isOver()).toBe(false);
    await clock.pass(1);
    await expect(over).rejects.toMatchObject({ name: "TimeoutError" });
    expect(await ended(job)).toEqual({ status: "queued", attempts: 1, interruptions: 0, error: null });
    expect(clock.sleeping).toBe(0);
  });

  test("goes back into the queue uncounted when its server is told to stop, and what it made stays", async () => {
    const job = await records.job();
    const stop = new AbortController();
    const { over } = await hung(job, {}, stop.signal);
    stop.abort(new Error("stopping"));
    await expect(over).rejects.toThrow("stopping");
    expect(await ended(job)).toEqual({ status: "queued", attempts: 0, interruptions: 0, error: null });
    expect([types(), existsSync(workFolder(job))]).toEqual([["started", "returned"], true]);
    await expect(run(job, made(), {}, stop.signal)).rejects.toThrow("stopping");
    expect((await records.seen(job)).status).toBe("queued");
  });
});

describe("records or a store that are away", () => {
  test("cost an interruption and no attempt, until there were too many", async () => {
    const job = await records.job();
    for (let interruptions = 1; interruptions <= 26; interruptions++) {
      await expect(run(job, failing(AWAY), { attempts: 1 })).rejects.toBe(AWAY);
      expect(await ended(job)).toMatchObject({ status: "queued", attempts: 0, interruptions });
      expect(existsSync(join(workFolder(job), "stage.json"))).toBe(true);
    }
    await run(job, () => expect.unreachable());
    expect(await ended(job)).toMatchObject({ status: "failed", error: "internal_error", attempts: 0 });
    expect([await usage(job), existsSync(workFolder(job))]).toEqual([["released"], false]);
  });

  test("a job that its dead server left running counts one interruption", async () => {
    const job = await records.job();
    await beginRun(records.database, job, ANOTHER);
    await run(job, made());
    expect(await ended(job)).toMatchObject({ status: "done", interruptions: 1 });
  });
});

describe("a run that lost its job", () => {
  test("to another run ends within a second, touches nothing of that one, and is no failure", async () => {
    const job = await records.job();
    const { over } = await hung(job);
    await beginRun(records.database, job, ANOTHER);
    await clock.pass(1_000);
    await over;
    expect(types()).toEqual(["started", "superseded"]);
    expect(existsSync(workFolder(job)), "where the other run works").toBe(true);
    expect(await ended(job)).toMatchObject({ status: "processing", attempts: 0, interruptions: 1 });
  });

  test("to a person who cancelled it elsewhere ends within half a second, leaves nothing, and says that it is gone", async () => {
    const job = await records.job();
    const { over } = await hung(job);
    await records.database.transaction((queries) => cancelJob(queries, job));
    expect(await isJobHeld(records.database, job)).toBe(true);
    await clock.pass(500);
    await over;
    expect([await ended(job), existsSync(workFolder(job)), await usage(job), types()]).toEqual([
      { status: "failed", attempts: 0, interruptions: 0, error: "cancelled" },
      false,
      ["released"],
      ["started", "cancelled"],
    ]);
    expect(await isJobHeld(records.database, job)).toBe(false);
  });

  test("to a person who cancels it in the same process is gone before the answer, at once", async () => {
    const endings = new Endings();
    const job = await records.job();
    const { over, isOver } = await hung(job, { endings });
    expect(await cancelAndWait({ database: records.database, endings, clock: SYSTEM_CLOCK }, job)).toBe("cancelled");
    expect(await isJobHeld(records.database, job)).toBe(false);
    await over;
    expect([isOver(), types()]).toEqual([true, ["started", "cancelled"]]);
    const again = await cancelAndWait({ database: records.database, endings, clock: SYSTEM_CLOCK }, job);
    expect([again, existsSync(workFolder(job))]).toEqual(["cancelled", false]);
  });

  test("to a person who cancelled it, whatever it ends with, is put back never and stores nothing", async () => {
    for (const ending of [
      made({ audio: "out.wav" }),
      failing(CRASH),
      failing(AWAY),
      failing(new JobFailure("internal_error", "x")),
    ]) {
      const job = await records.job({ kind: "audio" });
      events = [];
      await run(job, async (order, options) => {
        await records.database.transaction((queries) => cancelJob(queries, job));
        return ending(order, options);
      });
      expect([types(), await ended(job)]).toMatchObject([
        ["started", "cancelled"],
        { status: "failed", error: "cancelled" },
      ]);
      expect([(await records.stored()).filter((key) => key.includes(job)), existsSync(workFolder(job))]).toEqual([
        [],
        false,
      ]);
      expect(await isJobHeld(records.database, job)).toBe(false);
    }
  });

  test("to a person, as its server was killed, is not run again, and what it left goes", async () => {
    const job = await records.job();
    await beginRun(records.database, job, ANOTHER);
    await mkdir(workFolder(job), { recursive: true });
    await records.database.transaction((queries) => cancelJob(queries, job));
    await run(job, () => expect.unreachable());
    expect([await isJobHeld(records.database, job), existsSync(workFolder(job)), types()]).toEqual([false, false, []]);
  });

  test("after its work was made stores no file for good, and neither done nor failed comes of it", async () => {
    for (const describe of [
      made({ audio: "out.wav", worksheet: "out.html" }),
      failing(new JobFailure("internal_error", "x")),
    ]) {
      const job = await records.job({ kind: "audio" });
      await run(job, async (order, options) => {
        await beginRun(records.database, job, ANOTHER);
        return describe(order, options);
      });
      expect((await records.stored()).filter((key) => key.includes(job))).toEqual([]);
      expect(await ended(job)).toMatchObject({ status: "processing", error: null });
      expect(existsSync(workFolder(job)), "where the other run works").toBe(true);
    }
  });

  test("to another run that was done meanwhile leaves that one's files whole", async () => {
    const job = await records.job({ kind: "audio" });
    await run(job, async (order, options) => {
      await run(job, made({ audio: "out.wav" }));
      await mkdir(order.workFolder);
      return made({ audio: "late.wav" })(order, options);
    });
    expect(types()).toEqual(["started", "started", "done", "superseded"]);
    const [result] = await listResults(records.database, job);
    expect(await readFile(records.objects.pathOf(result?.storageKey ?? ""), "utf8")).toBe("bytes of out.wav");
  });

  test("cannot put the other run's job back either", async () => {
    const job = await records.job();
    await expect(
      run(job, async (order, options) => {
        await beginRun(records.database, job, ANOTHER);
        return failing(CRASH)(order, options);
      }),
    ).rejects.toBe(CRASH);
    expect(await ended(job)).toMatchObject({ status: "processing", attempts: 0 });
    expect(await giveBackJob(records.database, job, ANOTHER, null)).toMatchObject({ status: "queued" });
  });

  test("does not end where the records do not say so", async () => {
    const job = await records.job();
    let isAway = false;
    const database: RunJobParts["database"] = {
      ...records.database,
      query: (statement, values) => (isAway ? Promise.reject(AWAY) : records.database.query(statement, values)),
    };
    const stop = new AbortController();
    const { over, isOver } = await hung(job, { database }, stop.signal);
    isAway = true;
    await clock.pass(5_000);
    isAway = false;
    expect(isOver()).toBe(false);
    stop.abort(new Error("enough"));
    await expect(over).rejects.toThrow("enough");
  });
});

test("the media that a run borrows is given back, however the run ends", async () => {
  const released = vi.fn(async () => undefined);
  const borrow = vi.spyOn(records.objects, "borrow").mockImplementation(async () => ({ path: "", release: released }));
  try {
    await run(await records.job(), made());
    await expect(run(await records.job(), failing(CRASH))).rejects.toBe(CRASH);
    expect(released).toHaveBeenCalledTimes(2);
  } finally {
    borrow.mockRestore();
  }
});

test("progress is kept when the stage changes, at most twice a second within one, and never past the whole", async () => {
  const job = await records.job();
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    await run(job, async (order, options) => {
      const seen: unknown[] = [];
      const told: readonly (readonly [string, number, number])[] = [
        ["probe", 0.1, 0],
        ["probe", 0.2, 499],
        ["probe", 0.3, 1],
        ["mix", 1.5, 0],
      ];
      for (const [stage, fraction, wait] of told) {
        vi.advanceTimersByTime(wait);
        options.onProgress?.({ stage, fraction });
        // The embedded records answer in order.
        const kept = await records.seen(job);
        seen.push([kept.stage, Math.round((kept.fraction ?? 0) * 10) / 10]);
      }
      expect(seen).toEqual([
        ["probe", 0.1],
        ["probe", 0.1],
        ["probe", 0.3],
        ["mix", 1],
      ]);
      return made()(order, options);
    });
  } finally {
    vi.useRealTimers();
  }
  expect(await records.seen(job)).toMatchObject({ status: "done", fraction: 1 });
});

test("a job that is over is not cancelled any more, and one that is not there neither", async () => {
  const job = await records.job({ kind: "audio" });
  await run(job, made({ audio: "out.wav" }));
  const parts = { database: records.database, endings: null, clock };
  expect(await cancelAndWait(parts, job)).toBe("over");
  expect(await cancelAndWait(parts, ANOTHER)).toBe("unknown");
  expect([await ended(job), await usage(job)]).toMatchObject([{ status: "done" }, ["spent"]]);
});
