import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { ReadyProcess, runProcess } from "../../../src/engine/isolate/ready-process.ts";
import type { ProcessTask } from "../../../src/engine/isolate/task-process.ts";
import { eventually } from "../../service/service-fixture.ts";
import type { ProcessSeen } from "./looking-tasks.ts";

const TASK: ProcessTask<null> = {
  name: "look",
  module: new URL("./looking-tasks.ts", import.meta.url).href,
  rights: { variables: ["ASIDE_LEXICON"], writes: null },
};

function opened(waitsMs?: number): ReadyProcess {
  const ready = new ReadyProcess(waitsMs);
  onTestFinished(() => ready.close());
  return ready;
}

async function run(ready: ReadyProcess, word = "one"): Promise<ProcessSeen> {
  const environment = { ...process.env, ASIDE_LEXICON: word };
  return (await runProcess(TASK, null, { signal: new AbortController().signal, environment, ready })) as ProcessSeen;
}

/** Folders of the processes that there are. */
const folders = async () => (await readdir(tmpdir())).filter((name) => name.startsWith("aside-task-"));

test("after one run the next process is started and loaded before anybody asks; each is run once", async () => {
  const ready = opened();
  const first = await run(ready);
  expect(first).toMatchObject({ wasReady: false });
  const second = await run(ready);
  expect(second).toMatchObject({ wasReady: true });
  expect(second.pid).not.toBe(first.pid);
  expect((await run(ready)).pid).not.toBe(second.pid);
});

test("what waits for other settings is not run: a new process has those of now", async () => {
  const ready = opened();
  await run(ready, "one");
  expect(await run(ready, "two")).toMatchObject({ wasReady: false, word: "two" });
  expect(await run(ready, "two")).toMatchObject({ wasReady: true, word: "two" });
});

test.each([0, 1500])("a process that ends as it waits is replaced, %i ms after it began to", async (afterMs) => {
  const ready = opened();
  await run(ready, "dies");
  await sleep(afterMs);
  expect(await run(ready, "dies")).toMatchObject({ wasReady: false });
});

test("nobody comes, or all is closed: it ends, and leaves nothing", async () => {
  const before = await folders();
  const patient = opened();
  await run(patient);
  await patient.close();
  expect(await folders()).toEqual(before);
  expect(await run(patient)).toMatchObject({ wasReady: false });
  expect(await folders()).toEqual(before);
  const hasty = opened(50);
  await run(hasty);
  await eventually(async () => ((await folders()).length === before.length ? true : undefined));
});
