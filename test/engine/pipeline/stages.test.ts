import { afterEach, describe, expect, test, vi } from "vitest";
import { StageClock, stageShares } from "../../../src/engine/pipeline/stages.ts";

const KINDS = ["text", "audio", "video"] as const;

afterEach(() => {
  vi.useRealTimers();
});

/** How much of a job is done when each of its stages begins, and at its end. */
async function beginnings(kind: (typeof KINDS)[number], asksModel: boolean) {
  const told: number[] = [];
  const found = new Map<string, number>();
  const shares = stageShares(kind, asksModel);
  const onProgress = ({ stage, fraction }: { readonly stage: string; readonly fraction: number }) => {
    told.push(fraction);
    if (!found.has(stage)) found.set(stage, fraction);
  };
  const clock = new StageClock({ onProgress, signal: new AbortController().signal } as never, shares);
  for (const stage of Object.keys(shares)) {
    await clock.run(stage, async (report) => [0.2, 0.6, 3].forEach(report));
  }
  expect(told).toEqual([...told].sort((a, b) => a - b));
  expect(told.at(-1)).toBeCloseTo(1, 9);
  expect(Object.keys(clock.stageSeconds)).toEqual(Object.keys(shares));
  return found;
}

describe.each(KINDS)("the progress of a %s job", (kind) => {
  test("is mostly looking at the film where nothing is asked, and mostly asking where a model is", async () => {
    const found = await beginnings(kind, false);
    expect(found.get("listen")).toBeGreaterThan(0.4);
    const asked = await beginnings(kind, true);
    expect(asked.get("describe")).toBeLessThan(0.2);
    expect((asked.get("fit") ?? 0) - (asked.get("describe") ?? 0)).toBeGreaterThan(0.6);
  });
});

test("what each stage took is told in seconds, to a thousandth", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const clock = new StageClock({ onProgress: () => {}, signal: new AbortController().signal }, { analyse: 1, fit: 1 });
  await clock.run("analyse", async () => void vi.advanceTimersByTime(1234.4));
  await clock.run("fit", async () => void vi.advanceTimersByTime(60_000));
  expect(clock.stageSeconds).toEqual({ analyse: 1.234, fit: 60 });
});
