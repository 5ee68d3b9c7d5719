import type { Worker } from "node:worker_threads";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { TextThreads } from "../../../src/service/http/text-threads.ts";
import { turns } from "../../fakes/set-clock.ts";

// Which threads are there while long texts are read, and after that. `threadId` is negative once a thread has ended.

let started: Worker[];
const note = (thread: Worker) => void started.push(thread);
beforeEach(() => {
  started = [];
  process.on("worker", note);
});
afterEach(() => {
  process.off("worker", note);
  vi.useRealTimers();
});

const alive = () => started.filter(({ threadId }) => threadId >= 0).length;
const cues = (characters: number) => "[00:01.000] A door opens.\n".padEnd(characters, " ");
const given = (content: string) => ({ parameter: "script", formats: "EDL", content });
/** It takes seconds to find none in it. */
const WITHOUT_CUE = `start,end,text\n${'"a,'.repeat(500_000)}`;
const bytes = (size: number) => {
  const chunk = Buffer.from(`"${"x".repeat(size - 2)}"`);
  return { chunks: [chunk], sizeBytes: chunk.length };
};

test("a text is read in a thread where it has more than 16 384 bytes or characters", async () => {
  const threads = new TextThreads();
  await threads.requireCues("team", given(cues(16_384)));
  await threads.json("team", bytes(16_384));
  expect(started).toHaveLength(0);
  await threads.requireCues("team", given(cues(16_385)));
  expect(started).toHaveLength(1);
  await threads.json("team", bytes(16_385));
  expect(started).toHaveLength(1);
  await threads.close();
  expect(alive()).toBe(0);
});

test("a thread reads one text after another, and nothing of them is left at it", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const threads = new TextThreads();
  await threads.json("team", bytes(20_000));
  const [thread] = started;
  const listening = () => ["message", "error", "exit"].map((event) => thread?.listenerCount(event));
  const before = listening();
  const timers = vi.getTimerCount();
  for (let count = 0; count < 3; count++) await threads.json("team", bytes(20_000));
  expect([started.length, listening()]).toEqual([1, before]);
  // A process that is to end waits for no limit of a text that was read.
  expect(vi.getTimerCount()).toBe(timers);
  await threads.close();
});

test("threads of several teams read side by side, and all have ended once they are closed", async () => {
  const threads = new TextThreads();
  await Promise.all(["a", "b", "c"].map((team) => threads.json(team, bytes(20_000))));
  expect([started.length, alive()]).toEqual([2, 2]);
  await threads.close();
  expect(alive()).toBe(0);
});

test("a thread that read a very long text, or too long at one, has ended when that is answered", async () => {
  const threads = new TextThreads();
  await threads.json("team", bytes(1_000_000));
  expect(alive()).toBe(1);
  await threads.json("team", bytes(1_000_001));
  expect(alive()).toBe(0);
  const hurried = new TextThreads(20);
  await expect(hurried.requireCues("team", given(WITHOUT_CUE))).rejects.toThrow("takes too long to read");
  expect([started.length, alive()]).toEqual([2, 0]);
});

test("a text may take half a minute where nothing else is said, and no longer", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const threads = new TextThreads();
  let fault: unknown = null;
  const read = threads.requireCues("team", given(WITHOUT_CUE)).catch((error: unknown) => {
    fault = error;
  });
  while (started.length === 0) await turns();
  await vi.advanceTimersByTimeAsync(29_999);
  expect([fault, alive()]).toEqual([null, 1]);
  await vi.advanceTimersByTimeAsync(1);
  await read;
  expect([String(fault), alive()]).toEqual([expect.stringContaining("takes too long to read"), 0]);
});

test("a thread that has nothing to do for ten seconds is ended, and no sooner", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const threads = new TextThreads();
  await threads.json("team", bytes(20_000));
  await vi.advanceTimersByTimeAsync(9_000);
  await threads.json("team", bytes(20_000));
  // Its time begins anew with each text.
  expect(started).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(9_999);
  await threads.json("team", bytes(20_000));
  expect(started).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(9_999);
  expect(alive()).toBe(1);
  const ended = new Promise((resolve) => started[0]?.once("exit", resolve));
  await vi.advanceTimersByTimeAsync(1);
  await ended;
  await threads.json("team", bytes(20_000));
  expect(started).toHaveLength(2);
  await threads.close();
  expect(alive()).toBe(0);
});

test("of two idle threads the one whose time is over is ended, and the other reads what comes meanwhile", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const threads = new TextThreads();
  await Promise.all(["a", "b"].map((team) => threads.json(team, bytes(20_000))));
  expect(started).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(5_000);
  // One of them reads once more, so that its time ends later.
  await threads.json("a", bytes(20_000));
  const gone = Promise.race(started.map((thread) => new Promise((resolve) => thread.once("exit", resolve))));
  await vi.advanceTimersByTimeAsync(5_000);
  // While the first one ends, and after that.
  await threads.json("b", bytes(20_000));
  await gone;
  await threads.json("b", bytes(20_000));
  expect([started.length, alive()]).toEqual([2, 1]);
  await threads.close();
  expect(alive()).toBe(0);
});

test("a thread that breaks while it waits is taken by nobody", async () => {
  const threads = new TextThreads();
  await threads.json("team", bytes(20_000));
  const [thread] = started;
  await thread?.terminate();
  await threads.json("team", bytes(20_000));
  expect([started.length, alive()]).toEqual([2, 1]);
  await threads.close();
});
