import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { DownloadPace } from "../../../src/service/models/download-pace.ts";

let pace: DownloadPace;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
  pace = new DownloadPace();
});
afterEach(() => {
  vi.useRealTimers();
});

/** The speed that is told when so many bytes are there, so many seconds later. */
function after(seconds: number, bytes: number): number | null {
  vi.advanceTimersByTime(1_000 * seconds);
  return pace.speed(bytes);
}

test("a speed is told from a second on, in bytes a second of what came since; what was there before is none of it", () => {
  expect(pace.speed(5_000)).toBeNull();
  expect(after(0.5, 5_100)).toBeNull();
  expect(after(0.5, 5_300)).toBe(300);
  expect(after(1, 5_800)).toBe(400);
});

test("what came more than ten seconds ago counts no more", () => {
  for (let second = 0; second <= 10; second++) expect(after(second === 0 ? 0 : 1, 100 * second)).not.toBe(0);
  // Nothing comes from here on: what is left of the ten seconds counts until it is over.
  expect(after(1, 1_000)).toBe(90);
  expect(after(8, 1_000)).toBe(10);
  expect(after(1, 1_000)).toBe(0);
});

test("what was thrown away is no speed: it is measured anew from there", () => {
  pace.speed(0);
  expect(after(1, 1_000)).toBe(1_000);
  expect(after(1, 200)).toBeNull();
  expect(after(1, 500)).toBe(300);
});
