import { expect, test } from "vitest";
import { aside } from "../../cli/run-aside.ts";
import { sharedMedia } from "../../shared-media.ts";

test("aside gaps finds the known pauses of a real clip", async () => {
  const { stdout, code } = await aside(["gaps", sharedMedia("constructed/placed-speech-silence.mp4"), "--json"]);
  expect(code).toBe(0);
  const { gaps, advice }: { gaps: { start: number; end: number }[]; advice: string } = JSON.parse(stdout);
  expect(advice).toBe("standard");
  for (const [start, end] of [
    [49.29, 53.29],
    [61.91, 69.91],
    [82.98, 120],
  ] as const) {
    expect(gaps.some((gap) => Math.abs(gap.start - start) < 0.4 && Math.abs(gap.end - end) < 0.4)).toBe(true);
  }
});
