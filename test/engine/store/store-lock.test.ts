import { readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { holdModel } from "../../../src/engine/store/store-lock.ts";
import { passedPauses } from "../../fakes/passed-pauses.ts";
import { turns } from "../../fakes/set-clock.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const { signal } = new AbortController();

/** Larger than the number of any process. */
const NO_PROCESS = 2 ** 30;

let folder: string;
let lock: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  lock = join(folder, ".tones.lock");
});

const heldBy = (process: number) => writeFile(lock, JSON.stringify({ process, own: "another" }));

test("what is held is let go at its end, and held again afterwards", async () => {
  for (let turn = 0; turn < 2; turn++) {
    const held = await holdModel(folder, "tones", { signal });
    expect(await readdir(folder)).toEqual([".tones.lock"]);
    await expect(holdModel(folder, "tones", { signal })).rejects.toMatchObject({ code: "model_refused" });
    await using _other = await holdModel(folder, "other", { signal });
    await held[Symbol.asyncDispose]();
    expect(await readdir(folder)).toEqual([".other.lock"]);
  }
});

test("a process that has ended holds nobody up, one that runs does", async () => {
  await heldBy(NO_PROCESS);
  await using _held = await holdModel(folder, "tones", { signal });
  await heldBy(process.ppid);
  await expect(holdModel(folder, "tones", { signal })).rejects.toMatchObject({ code: "model_refused" });
});

test("what this process has let go of holds it up no more, though its mark was left", async () => {
  const held = await holdModel(folder, "tones", { signal });
  const mark = await readFile(lock, "utf8");
  await held[Symbol.asyncDispose]();
  await writeFile(lock, mark);
  await using _again = await holdModel(folder, "tones", { signal });
});

test("whoever was taken over leaves the mark of the next holder alone", async () => {
  const held = await holdModel(folder, "tones", { signal });
  await heldBy(process.ppid);
  await held[Symbol.asyncDispose]();
  expect(await readdir(folder)).toEqual([".tones.lock"]);
});

test("a holder shows every five seconds that it is alive, and no more once it has let go", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const age = async () => Date.now() - (await stat(lock)).mtimeMs;
  const longAgo = new Date(Date.now() - 50_000);
  const held = await holdModel(folder, "tones", { signal });
  await utimes(lock, longAgo, longAgo);
  vi.advanceTimersByTime(4_999);
  expect(await age()).toBeGreaterThan(40_000);
  vi.advanceTimersByTime(1);
  while ((await age()) > 40_000) await turns(1);
  await held[Symbol.asyncDispose]();
  await heldBy(process.ppid);
  await utimes(lock, longAgo, longAgo);
  vi.advanceTimersByTime(60_000);
  // What would be written by now is.
  for (let turn = 0; turn < 3; turn++) expect(await age()).toBeGreaterThan(40_000);
});

test("who waits tries four times a second until it is let go", async () => {
  const first = await holdModel(folder, "tones", { signal });
  const pauses = passedPauses((count) => (count === 3 ? first[Symbol.asyncDispose]() : undefined));
  await using _second = await holdModel(folder, "tones", { signal, waits: true });
  expect(pauses).toEqual([250, 250, 250]);
});

test("who waits ends with the reason of an abort", async () => {
  await using _first = await holdModel(folder, "tones", { signal });
  const stop = new AbortController();
  const pauses = passedPauses((count) => (count === 2 ? stop.abort(new Error("stopped")) : undefined));
  await expect(holdModel(folder, "tones", { signal: stop.signal, waits: true })).rejects.toThrow("stopped");
  expect(pauses).toEqual([250, 250]);
});
