import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { DEFAULT_SETTINGS } from "../../../src/core/settings.ts";
import { IsolateError, JobFailure } from "../../../src/engine/isolate/job-failure.ts";
import type { TaskProgress } from "../../../src/engine/isolate/message.ts";
import { runIsolated } from "../../../src/engine/tasks/run-isolated.ts";
import type { ProgrammeOrder } from "../../../src/engine/tasks/tasks.ts";
import { eventually, FAKE_TASKS } from "../../service/service-fixture.ts";
import { sharedMedia } from "../../shared-media.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { thoroughTest } from "../../thorough/thorough-test.ts";

let folder = "";
beforeAll(async () => {
  folder = await temporaryFolder();
});

function order(instructions: string): ProgrammeOrder {
  return {
    kind: "text",
    settings: { ...DEFAULT_SETTINGS, instructions },
    track: "mixed",
    resolution: "Auto",
    mediaPath: join(folder, "none.mp4"),
    workFolder: folder,
    mediaFolder: folder,
    narrationFolder: folder,
  };
}

const run = (instructions: string, options: { signal?: AbortSignal; memoryLimitBytes?: number } = {}) =>
  runIsolated("describe", order(instructions), {
    signal: new AbortController().signal,
    tasks: FAKE_TASKS,
    ...options,
  });

test("gives back a task's output and passes its progress on", async () => {
  const progress: TaskProgress[] = [];
  const result = await runIsolated("describe", order("done"), {
    signal: new AbortController().signal,
    tasks: FAKE_TASKS,
    onProgress: (step) => progress.push(step),
  });
  expect(result.report.describer).toBe("fake");
  expect(progress).toEqual([
    { stage: "probe", fraction: 0.1 },
    { stage: "serialise", fraction: 0.9 },
  ]);
});

thoroughTest("nothing of a task stays in the temporary folder, however it ends", async () => {
  await run("litter");
  await expect(run("litter raise")).rejects.toThrow(IsolateError);
  await expect(run("litter crash")).rejects.toThrow(IsolateError);
  await expect(run("litter spin", { signal: AbortSignal.timeout(3_000) })).rejects.toThrow("timeout");
  expect(await readdir(tmpdir())).toEqual([]);
});

test("probes media with the product's own tasks", async () => {
  const probe = await runIsolated(
    "probe",
    { path: sharedMedia("containers/sintel-5s.mp4") },
    { signal: new AbortController().signal },
  );
  expect(probe.durationSeconds).toBeCloseTo(5, 1);
});

test("raises a job failure as the task raised it", async () => {
  const failure = await run("fail:content_blocked").catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(JobFailure);
  expect(failure).toMatchObject({ code: "content_blocked", message: "failed with content_blocked" });
});

test("raises any other error of a task with its class and message", async () => {
  const error = await run("raise").catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(IsolateError);
  expect(error).toMatchObject({
    code: "task_failed",
    message: "a fault of the pipeline",
    detail: { task: "describe", raised: "TypeError" },
  });
});

test("tells a crash by its signal and an early end by its exit code", async () => {
  await expect(run("crash")).rejects.toMatchObject({ code: "task_crashed", detail: { signal: "SIGSEGV" } });
  await expect(run("exit")).rejects.toMatchObject({ code: "task_crashed", detail: { exitCode: 7 } });
});

test("ends a task that uses more memory than it may, even while it keeps its thread busy", async () => {
  await expect(run("eat", { memoryLimitBytes: 400_000_000 })).rejects.toMatchObject({ code: "task_out_of_memory" });
});

test("cancels a task that listens and one that does not, with the signal's own reason", async () => {
  for (const instructions of ["hang", "spin"]) {
    const stop = new AbortController();
    const reason = new Error("enough");
    const running = run(instructions, { signal: stop.signal });
    stop.abort(reason);
    await expect(running).rejects.toBe(reason);
  }
});

test("does not start a task for a signal that has aborted", async () => {
  const reason = new Error("too late");
  await expect(run("done", { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

thoroughTest(
  "leaves neither a child nor its temporary folder behind when its parent is killed, busy or not",
  async () => {
    const script = `
    import { runIsolated } from ${JSON.stringify(new URL("../../../src/engine/tasks/run-isolated.ts", import.meta.url).href)};
    const input = JSON.parse(process.argv[1]);
    runIsolated("describe", input, {
      signal: new AbortController().signal,
      tasks: ${JSON.stringify(FAKE_TASKS)},
      onProgress: () => process.stdout.write("started\\n"),
    });
  `;
    for (const instructions of ["hang", "spin"]) {
      const parent = spawn(
        process.execPath,
        ["--input-type=module", "-e", script, JSON.stringify(order(`litter pid ${instructions}`))],
        { stdio: ["ignore", "pipe", "inherit"] },
      );
      await new Promise((resolve) => parent.stdout.once("data", resolve));
      const pid = await startedPid();
      parent.kill("SIGKILL");
      await eventually(async () => (isAlive(pid) ? undefined : true));
      expect(isAlive(pid)).toBe(false);
      expect(await readdir(tmpdir())).toEqual([]);
    }
  },
);

test("a task lets everything else on the computer go first", async () => {
  const cancel = new AbortController();
  const ended = run("pid hang", { signal: cancel.signal });
  expect(getPriority(await startedPid())).toBeGreaterThan(getPriority());
  cancel.abort(new Error("enough"));
  await expect(ended).rejects.toThrow("enough");
});

/** The process that a task with the word `pid` runs in. */
function startedPid(): Promise<number> {
  return eventually(async () => {
    const name = (await readdir(folder)).find((file) => file.startsWith("pid-"));
    if (name === undefined) return undefined;
    await rm(join(folder, name));
    return Number(name.slice(4));
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test("a task that is cancelled asks nobody from that moment on, whatever it does until it is gone", async () => {
  let asked = 0;
  const server = createServer((_, reply) => {
    asked++;
    reply.end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`; // a server on TCP has a port
  const stop = new AbortController();
  const environment = { ...process.env, ASIDE_VISION_URL: url, ASIDE_VISION_MODEL: "eyes" };
  const options = { signal: stop.signal, tasks: FAKE_TASKS, environment };
  const running = runIsolated("describe", order(`insist:${url}/models`), options);
  running.catch(() => undefined);
  await eventually(async () => asked > 3 || undefined);
  stop.abort(new Error("enough"));
  const before = asked;
  await expect(running).rejects.toThrow("enough");
  // One may have been on its way.
  expect(asked - before).toBeLessThanOrEqual(1);
  server.closeAllConnections();
  server.close();
});

test("a task that waits for answers leaves its place, and goes on once it has one again", async () => {
  const told: string[] = [];
  const free = Promise.withResolvers<void>();
  const place = {
    give: (isHere: boolean) => void told.push(isHere ? "left, for a program here" : "left"),
    take: () => {
      told.push("wanted");
      return free.promise;
    },
  };
  const options = { signal: new AbortController().signal, tasks: FAKE_TASKS, place };
  const running = runIsolated("describe", order("leave"), options).then(() => told.push("done"));
  await eventually(async () => told.includes("wanted") || undefined);
  expect(told).toEqual(["left, for a program here", "wanted"]);
  free.resolve();
  await running;
  expect(told.at(-1)).toBe("done");
  await runIsolated("describe", order("leave"), { signal: new AbortController().signal, tasks: FAKE_TASKS });
});
