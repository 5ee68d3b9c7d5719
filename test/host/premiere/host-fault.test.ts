import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { orAborted } from "../../../src/host/premiere/host-fault.ts";

const failed = new Error("native failure");
const reason = new Error("stopped");

test.each<[string, () => Promise<string> | string, unknown]>([
  ["an answer at once", () => "answer", "answer"],
  ["an answer that comes later", () => new Promise((answer) => setImmediate(() => answer("answer"))), "answer"],
  ["a failure", () => Promise.reject(failed), failed],
])("%s is passed on, and whoever would call it off is not listened to any longer", async (_what, ask, ends) => {
  const { signal } = new AbortController();
  for (let time = 0; time < 3; time++) {
    expect(await orAborted(ask(), signal).catch((error: unknown) => error)).toBe(ends);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  }
});

test("what never answers ends with the reason of the abort, and so does what is asked after it", async () => {
  const stop = new AbortController();
  const waiting = orAborted(new Promise(() => undefined), stop.signal);
  expect(getEventListeners(stop.signal, "abort")).toHaveLength(1);
  stop.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  expect(getEventListeners(stop.signal, "abort")).toEqual([]);
  await expect(orAborted("answer", stop.signal)).rejects.toBe(reason);
});
