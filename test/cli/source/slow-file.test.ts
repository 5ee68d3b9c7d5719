import { afterEach, expect, test, vi } from "vitest";
import { SAMPLE_CLIP } from "../../../src/cli/sample.ts";
import { openProgramme } from "../../../src/cli/source/programme.ts";
import { engine, openEngine } from "../../../src/engine/index.ts";

afterEach(() => {
  vi.restoreAllMocks();
  Object.assign(engine, openEngine());
});

test("a film whose head is not read within a minute is none; who cancels meanwhile hears of that alone", async () => {
  const limits = new Map<number, AbortController>();
  vi.spyOn(AbortSignal, "timeout").mockImplementation((milliseconds) => {
    const limit = new AbortController();
    limits.set(milliseconds, limit);
    return limit.signal;
  });
  const probe = (_order: unknown, { signal }: { readonly signal: AbortSignal }) =>
    new Promise((_, reject) => {
      const end = () => reject(signal.reason);
      if (signal.aborted) end();
      else signal.addEventListener("abort", end);
    });
  Object.assign(engine, { probe });
  const user = new AbortController();
  const slow = openProgramme(SAMPLE_CLIP, user.signal);
  await vi.waitFor(() => expect([...limits.keys()]).toEqual([60_000]));
  limits.get(60_000)?.abort(new DOMException("late", "TimeoutError"));
  await expect(slow).rejects.toMatchObject({
    code: "no_video_stream",
    message: '"aside-sample.mp4" cannot be read as a video',
  });
  const cancelled = openProgramme(SAMPLE_CLIP, user.signal);
  user.abort(new Error("cancelled"));
  await expect(cancelled).rejects.toThrow("cancelled");
});
