import fc from "fast-check";
import { expect, test } from "vitest";
import { HostError } from "../../../src/host/host-error.ts";
import { mayBeCancelled, waitForExport } from "../../../src/host/premiere/wait-for-export.ts";
import { InstantClock } from "../../fakes/instant-clock.ts";
import { openSample } from "./open-premiere.ts";

const PATH = "/aside/export.mp4";

/** A wait for a file whose size is told by the time, in milliseconds. */
function waiting(sizeAt: (now: number) => number | null, isWhole?: () => Promise<boolean>, began = 0) {
  const premiere = openSample();
  const clock = new InstantClock(began);
  const controller = new AbortController();
  const removed: string[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const files = {
    size: async () => sizeAt(clock.now() - began),
    remove: async (path: string) => void removed.push(path),
  };
  const { signal } = controller;
  const done = waitForExport(promise, {
    premiere: premiere.module,
    clock,
    files,
    path: PATH,
    signal,
    ...(isWhole === undefined ? {} : { isWhole }),
  });
  const { OperationCompleteEvent, OperationCompleteState } = premiere.module.Constants;
  const tell = (state: number) => premiere.events.send(OperationCompleteEvent.EXPORT_MEDIA_COMPLETE, { state });
  return { premiere, clock, controller, removed, done, answer: resolve, fail: reject, tell, OperationCompleteState };
}

const failureOf = (done: Promise<number>) =>
  done.then(
    () => {
      throw new Error("the export is there");
    },
    (error: unknown) => error,
  );

test("a file is there once it has kept its size for two looks, whenever it comes and grows", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(14), fc.nat(100), async (comes, grows) => {
      const end = (comes + grows) * 1000;
      const one = waiting((now) => (now < comes * 1000 ? null : 1000 + Math.min(now, end)));
      one.answer(true);
      expect(await one.done).toBe(1000 + end);
      expect(one.clock.now()).toBeGreaterThanOrEqual(end + 1000);
      expect(one.clock.now()).toBeLessThanOrEqual(end + 3000);
      expect([one.removed, one.premiere.events.size]).toEqual([[], 0]);
    }),
    { numRuns: 12 },
  );
});

test("a file that is there when Premiere says so is looked at three times, and three times more whenever it grew", async () => {
  for (const [sizes, looks] of [
    [[70], 3],
    [[70, 70, 71], 5],
    [[70, 71, 71, 72], 6],
  ] as const) {
    let looked = 0;
    const one = waiting(() => sizes[Math.min(looked++, sizes.length - 1)] ?? null);
    one.answer(true);
    expect(await one.done).toBe(sizes.at(-1));
    expect(looked).toBe(looks);
  }
});

test.each([
  ["no file", () => null, /there is no file/, "there is no file", 15],
  ["an empty file", () => 0, /the file is empty/, "the empty file was removed", 15],
  ["a file that grows on", (now: number) => 1 + now, /still growing/, "the unfinished file is removed", 120],
])(
  "%s after Premiere said that it is done is told after its time, and removed",
  async (_, size, words, state, seconds) => {
    const one = waiting(size);
    one.answer(true);
    expect(await failureOf(one.done)).toMatchObject({
      code: "export_failed",
      operation: "export the sequence",
      state,
      message: expect.stringMatching(words),
    });
    expect(one.clock.now()).toBeGreaterThan(seconds * 1000);
    expect(one.clock.now()).toBeLessThanOrEqual((seconds + 3) * 1000);
    expect(one.removed).toEqual([PATH]);
    expect(one.premiere.events.size).toBe(0);
  },
);

test("while Premiere says nothing a file is not there, however long it keeps its size; its event is as good as its answer", async () => {
  const one = waiting(() => 70);
  let isOver = false;
  void one.done.then(() => {
    isOver = true;
  });
  await expect.poll(() => one.clock.now()).toBeGreaterThan(200_000);
  one.tell(one.OperationCompleteState.FAILED);
  const failed = one.clock.now();
  await expect.poll(() => one.clock.now()).toBeGreaterThan(failed + 10_000);
  expect(isOver).toBe(false);
  one.tell(one.OperationCompleteState.SUCCESS);
  expect(await one.done).toBe(70);
  expect(one.premiere.events.size).toBe(0);
});

test("what Premiere says once is not taken back by its event, nor by its answer", async () => {
  const refused = waiting(() => 70);
  refused.answer(false);
  refused.tell(refused.OperationCompleteState.SUCCESS);
  expect(await failureOf(refused.done)).toBeInstanceOf(HostError);
  const told = waiting(() => 70);
  told.tell(told.OperationCompleteState.SUCCESS);
  await expect.poll(() => told.clock.now()).toBeGreaterThan(0);
  told.answer(false);
  expect(await told.done).toBe(70);
});

test.each([
  [0, "0.0 s", false],
  [1000, "2.0 s", true],
  [8000, "9.0 s", true],
])("a refusal at %i ms, told at the next look, after %s: a person's own doing %s", async (atMs, after, isPersons) => {
  const looks = (now: number) => {
    if (now >= atMs) one.answer(false);
    return null;
  };
  const one = waiting(looks, undefined, 86_400_000);
  if (atMs === 0) one.answer(false);
  const error = await failureOf(one.done);
  const tried = [`EncoderManager.exportSequence answered false after ${after}`];
  expect(error).toMatchObject({ code: "export_failed", state: "nothing was exported", tried });
  expect(mayBeCancelled(error as object)).toBe(isPersons);
});

test.each([
  ["There is not enough disk space", "disk_full", /not enough room/],
  ["Disk full", "disk_full", /not enough room/],
  ["ENOSPC: write", "disk_full", /not enough room/],
  ["the codec is missing", "export_failed", /could not export the sequence: the codec is missing\. Export it by hand/],
])("what Premiere raises is told by what it says: %s", async (said, code, words) => {
  for (const raised of [new Error(said), said]) {
    const one = waiting(() => 70);
    one.fail(raised);
    const failure = { code, state: "nothing was exported", operation: "export the sequence", cause: raised };
    expect(await failureOf(one.done)).toMatchObject({ ...failure, message: expect.stringMatching(words) });
  }
});

test("called off, it is waited for no longer; what Premiere still writes is removed when it is done", async () => {
  for (const isDone of [true, false]) {
    const one = waiting((now) => 1 + now);
    const reason = new Error("stopped");
    if (isDone) one.answer(true);
    await expect.poll(() => one.clock.now()).toBeGreaterThan(2000);
    one.controller.abort(reason);
    expect(await failureOf(one.done)).toBe(reason);
    expect(one.premiere.events.size).toBe(0);
    if (!isDone) {
      expect(one.removed).toEqual([]);
      one.answer(true);
    }
    await expect.poll(() => one.removed).toEqual([PATH]);
  }
});

test("where Premiere never says that it is done, a file that is there to its end and grows no more counts", async () => {
  const whole = waiting(
    (now) => Math.min(now, 30_000),
    async () => true,
  );
  expect(await whole.done).toBe(30_000);
  // Looked at each second; it is as it was for twenty looks behind the one that saw it whole.
  expect(whole.clock.now()).toBe(50_000);
  let isAsked = 0;
  const cut = waiting(
    () => 5,
    async () => {
      isAsked += 1;
      return false;
    },
  );
  await expect.poll(() => isAsked).toBeGreaterThan(3);
  cut.answer(true);
  expect(await cut.done).toBe(5);
});

test("a file that grows on is told with the seconds for which it was looked at", async () => {
  const one = waiting((now) => 1 + now);
  one.answer(true);
  expect(await failureOf(one.done)).toMatchObject({
    tried: ["EncoderManager.exportSequence still writes its file after 120 s"],
  });
});
