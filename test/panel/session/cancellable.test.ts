import { expect, test } from "vitest";
import { Cancellable } from "../../../panel/session/session.ts";

/** Work that goes on until it is cancelled. */
const endless = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(new Error("let go"))));

test("tells whether work is under way, and gives what it gives", async () => {
  const work = new Cancellable();
  expect(work.isUnderWay).toBe(false);
  const running = work.run(async () => 7);
  expect(work.isUnderWay).toBe(true);
  expect(await running).toBe(7);
  expect(work.isUnderWay).toBe(false);
});

test("what fails is raised, and the next piece can begin", async () => {
  const work = new Cancellable();
  await expect(work.run(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  await expect(work.runQuietly(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(work.isUnderWay).toBe(false);
});

test("cancelled, work is raised as it ends, or told to nobody", async () => {
  const work = new Cancellable();
  const loud = work.run(endless);
  work.cancel();
  await expect(loud).rejects.toThrow("let go");
  const quiet = work.runQuietly(endless);
  work.cancel();
  await expect(quiet).resolves.toBeUndefined();
});

test("a piece that begins later is not cancelled by what was said before", async () => {
  const work = new Cancellable();
  work.cancel();
  expect(await work.run(async (signal) => signal.aborted)).toBe(false);
});

test("whoever waits goes on when the work is over, done or failed", async () => {
  const work = new Cancellable();
  await work.whenFree();
  const steps: string[] = [];
  const failing = work.run(async () => {
    await Promise.resolve();
    steps.push("work");
    throw new Error("no");
  });
  const waiting = [work.whenFree(), work.whenFree()].map((free) => free.then(() => steps.push("free")));
  await expect(failing).rejects.toThrow("no");
  await Promise.all(waiting);
  expect(steps).toEqual(["work", "free", "free"]);
});
