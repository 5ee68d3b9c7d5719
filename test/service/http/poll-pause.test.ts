import { expect, test } from "vitest";
import { pollPauseSeconds } from "../../../src/service/http/polling.ts";

const BEGUN = new Date("2026-01-01T00:00:00Z");

function pause(seconds: number, fraction: number | null = null, startedAt: Date | null = BEGUN): number {
  return pollPauseSeconds({ createdAt: BEGUN, startedAt, fraction }, BEGUN.getTime() + 1000 * seconds);
}

test("asks a young job's client back at once, and an old one's now and then", () => {
  expect([0, 10, 100, 400, 5000].map((seconds) => pause(seconds))).toEqual([1, 1, 3, 12, 15]);
});

test("asks back soon where the progress says that the end is near, and never at once", () => {
  expect(pause(5000, 0.999)).toBe(3);
  expect(pause(5000, 1)).toBe(1);
  expect(pause(5000, 0)).toBe(15);
});

test("counts from the start of a job's run, or from its arrival while it waits", () => {
  expect(pause(5000, null, new Date(BEGUN.getTime() + 4_990_000))).toBe(1);
  expect(pause(5000, null, null)).toBe(15);
});

test("bears clocks that differ", () => {
  expect(pause(-30)).toBe(1);
});

test("tells a client of the end of a job late by 3 % of its time at the most, for some hundred polls", () => {
  for (const length of [40, 110, 600, 3600]) {
    let [now, polls] = [0, 0];
    for (; now < length; polls++) now += pause(now, now / length);
    expect(now - length).toBeLessThanOrEqual(Math.max(1.5, 0.03 * length));
    expect(polls).toBeLessThan(350);
  }
});
