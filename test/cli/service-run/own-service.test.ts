import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { type ServiceChoice, type Surroundings, withService } from "../../../src/cli/service-run/service-run.ts";
import { SILENT } from "../../../src/cli/shell/progress.ts";
import { jobsOf } from "../../../src/cli/shell/running-jobs.ts";
import { Cancelled } from "../../../src/cli/shell/usage-error.ts";
import { nodeFileTransfer } from "../../../src/host/headless/file-transfer.ts";
import type { Host } from "../../../src/host/host.ts";
import { RECORD_VERSION, type RunRecord } from "../../../src/workflow/describe/recovery.ts";
import type { DescribePorts } from "../../../src/workflow/describe/run.ts";
import { MemoryRecovery } from "../../fakes/memory-recovery.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

/** What a service says of each job that is to be stopped, as status and body; where it is asked what became of one, it runs. */
type Answers = Readonly<Record<string, readonly [status: number, body: object]>>;

const stoppedAt = (stage: string) =>
  [200, { status: "failed", error: "cancelled", message: "-", progress: { stage, fraction: 0.5 } }] as const;
const RUNS_ON = [404, { error: "not_found", message: "no such way" }] as const;

/** A service that only stops jobs, as one of this process's own: what was asked of it, and how often it started and ended. */
async function service(answers: Answers = {}) {
  const server = createServer((request, reply) => {
    const [, id = "", word] = /\/jobs\/([^/]+)(\/cancel)?$/.exec(request.url ?? "") ?? [];
    const [status, body] = word === undefined ? [200, { status: "processing" }] : (answers[id] ?? RUNS_ON);
    reply.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ job_id: id, ...body }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const [begun, ended]: [unknown[], unknown[]] = [[], []];
  const startService: Surroundings["startService"] = async (dataFolder) => {
    begun.push(dataFolder);
    const close = async () => {
      // Longer than nothing at all.
      await sleep(50);
      ended.push(dataFolder);
    };
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return { url, apiKey: "k", dataFolder: dataFolder ?? "usual", transfer: nodeFileTransfer, close };
  };
  return { begun, ended, startService };
}

const OWN: ServiceChoice = { dataFolder: "/records", sendsAgain: false };

/** Does some work with a service of this process's own. */
async function running(
  { startService }: Pick<Surroundings, "startService">,
  work: (ports: DescribePorts, sendsAgain: boolean) => Promise<unknown>,
  controller = new AbortController(),
) {
  const recovery = new MemoryRecovery();
  const env = { XDG_DATA_HOME: await temporaryFolder() };
  const surroundings = {
    env,
    signal: controller.signal,
    progress: SILENT,
    ...(startService === undefined ? {} : { startService }),
  };
  const done = withService(OWN, { host: {} as Host, recovery }, surroundings, work);
  return { done, recovery, env, jobs: jobsOf(controller.signal) };
}

const record = (runId: string, more: Partial<RunRecord> = {}): RunRecord => ({
  ...{ version: RECORD_VERSION, runId, startedAt: "2026-01-01T00:00:00Z", name: "" },
  ...more,
});
const ordered = (runId: string, jobId: string) => record(runId, { submission: { state: "accepted", jobId } as never });

describe("a service of this process's own", () => {
  test("is there while the work goes on, takes what is unclear again, and has ended when the work has", async () => {
    const { begun, ended, startService } = await service();
    const { done } = await running({ startService }, async (_, sendsAgain) => [sendsAgain, begun.length, ended.length]);
    expect(await done).toEqual([true, 1, 0]);
    expect([begun, ended]).toEqual([["/records"], ["/records"]]);
  });

  test.each([
    ["fails", undefined],
    ["is cancelled", new Cancelled()],
  ])("has ended when the work %s", async (_name, reason) => {
    const { ended, startService } = await service();
    const controller = new AbortController();
    const work = async () => {
      if (reason !== undefined) controller.abort(reason);
      throw reason ?? new Error("no");
    };
    const { done } = await running({ startService }, work, controller);
    await expect(done).rejects.toThrow(reason?.message ?? "no");
    expect(ended).toHaveLength(1);
  });

  test("holds up nobody who has cancelled, though it does not end", async () => {
    const { startService } = await service();
    const endless: Surroundings["startService"] = async (...given) => ({
      ...((await startService?.(...given)) as Awaited<ReturnType<NonNullable<typeof startService>>>),
      close: () => new Promise(() => undefined),
    });
    const controller = new AbortController();
    const work = async () => controller.abort(new Cancelled());
    const { done } = await running({ startService: endless }, work, controller);
    await expect(done).resolves.toBeUndefined();
  });
});

describe("the jobs behind a command", () => {
  const stop = (jobId: string) => `To stop it: aside jobs cancel ${jobId} --data "/records"`;

  test("are those that its runs have ordered and not fetched, of several one each", async () => {
    const { startService } = await service();
    const controller = new AbortController();
    const jobs = jobsOf(controller.signal);
    const { done } = await running(
      { startService },
      async ({ recovery }) => {
        await recovery.save(record("a"));
        expect(jobs.forced).toBe("Stopped before everything was put away.");
        await recovery.save(ordered("a", "j1"));
        await recovery.save(ordered("b", "j2"));
        expect(jobs.forced).toMatch(/Job j1 is interrupted.*Job j2 is interrupted/);
        // Ordered again, under another number.
        await recovery.save(ordered("a", "j3"));
        expect(jobs.forced).toMatch(/^Job j2 is interrupted.*Job j3 is interrupted/);
        await recovery.save({ ...ordered("b", "j2"), result: {} as never });
        expect(jobs.forced).toContain(stop("j3"));
        await recovery.save(record("a"));
        await recovery.save(record("b"));
        expect(jobs.forced).toBe("Stopped before everything was put away.");
        // One that was over is ordered anew, by the same number.
        await recovery.save(ordered("a", "j3"));
        expect(await recovery.load("a")).toMatchObject({ runId: "a" });
        return jobs.forced;
      },
      controller,
    );
    expect(await done).toContain(stop("j3"));
  });

  test("are stopped with it, every one: what is kept of them is told, or which go on", async () => {
    const { startService } = await service({
      j1: stoppedAt("listen"),
      j2: stoppedAt("describe"),
      j4: [409, { error: "job_not_cancellable", message: "over" }],
    });
    const controller = new AbortController();
    const cancelling =
      (...records: readonly RunRecord[]) =>
      async ({ recovery }: DescribePorts) => {
        for (const one of records) await recovery.save(one);
        controller.abort(new Cancelled());
        controller.signal.throwIfAborted();
      };
    const first = await running(
      { startService },
      cancelling(ordered("a", "j1"), ordered("b", "j2"), ordered("d", "j4"), record("n")),
      controller,
    );
    await expect(first.done).rejects.toThrow("Cancelled");
    expect(first.jobs.words.sentence).toBe(
      "Cancelled. Kept: the upload, the shots, the dialogue so far, dialogue and shots and the descriptions so far.",
    );
    expect([await first.recovery.load("a"), await first.recovery.load("b")]).toEqual([record("a"), record("b")]);
  });

  test("that their service cannot stop go on, and it is said of which", async () => {
    const { startService } = await service({ j1: stoppedAt("listen") });
    const controller = new AbortController();
    const { done, jobs } = await running(
      { startService },
      async ({ recovery }) => {
        for (const one of [ordered("a", "j1"), ordered("c", "j3")]) await recovery.save(one);
        controller.abort(new Cancelled());
        controller.signal.throwIfAborted();
      },
      controller,
    );
    await expect(done).rejects.toThrow("Cancelled");
    expect(jobs.words.sentence).toBe(
      "Stopped waiting. Job j3 is interrupted: the next aside command on this computer continues it. This service cannot stop a job. It continues there and may be charged.",
    );
  });
});

test("which layout of a script a service takes is remembered in the folder of the user", async () => {
  const { startService } = await service();
  const { done, env } = await running({ startService }, async ({ scriptMemory }) => {
    expect(await scriptMemory?.last()).not.toBe("plaintext");
    await scriptMemory?.took("plaintext");
    return scriptMemory?.last();
  });
  expect(await done).toBe("plaintext");
  const folder = join(env.XDG_DATA_HOME, "aside", "script-layouts");
  expect(existsSync(folder)).toBe(true);
  const [name = ""] = await readdir(folder);
  expect(await readFile(join(folder, name), "utf8")).toBe("plaintext");
});
