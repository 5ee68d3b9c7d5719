import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { NewStretch } from "../../../src/core/new-stretches.ts";
import { DEFAULT_SETTINGS } from "../../../src/core/settings.ts";
import type { ExportRequest } from "../../../src/host/host.ts";
import { describeStretches } from "../../../src/workflow/conform/describe-stretches.ts";
import type { StepProgress } from "../../../src/workflow/describe/run.ts";
import { explain } from "../../../src/workflow/explain.ts";
import { Killed } from "../../fakes/memory-recovery.ts";
import { hostedRun } from "../hosted-run.ts";

/** Three stretches of six seconds, as long as the scripted service's sound. */
const STRETCHES: readonly NewStretch[] = [10, 40, 70].map((start) => ({
  start,
  end: start + 6,
  inside: [{ start, end: start + 6 }],
}));

/** A run of stretches whose host exports each range as a file of its own. */
async function prepared() {
  const { server, recovery, ports, folder, clock } = await hostedRun();
  const exports: unknown[] = [];
  const exportSequence = async ({ range }: ExportRequest) => {
    if (typeof range !== "object") throw new Error("not a stretch");
    exports.push(range);
    const path = join(folder, `cut-${range.start}.mp4`);
    await writeFile(path, `film from ${range.start}`);
    const durationSeconds = range.end - range.start;
    return { path, contentType: "video/mp4", sizeBytes: 10 + String(range.start).length, durationSeconds, offsetSeconds: range.start, isTemporary: true }; // biome-ignore format: one file
  };
  const host = {
    readSequence: () => ports.host.readSequence(),
    readTimeline: () => ports.host.readTimeline(),
    apply: () => Promise.reject(new Error("nothing is applied")),
    exportSequence,
  };
  const progress: StepProgress[] = [];
  const run = (sendsAgain = false, signal = new AbortController().signal) =>
    describeStretches(
      { ...ports, host },
      {
        runId: "new-1",
        settings: DEFAULT_SETTINGS,
        track: "ad_only",
        sendsAgain,
        audioPathOf: (number) => join(folder, `narration-${number}.wav`),
        sentenceOf: (error) => explain(error).sentence,
      },
      STRETCHES,
      { signal, onProgress: (step) => progress.push(step) },
    );
  return { server, recovery, exports, progress, clock, run };
}

describe("describing the stretches that are new", () => {
  test("exports and sends each range alone, one after the other, and says which it is at", async () => {
    const { server, exports, progress, run } = await prepared();
    const described = await run();
    expect(exports).toEqual(STRETCHES.map(({ start, end }) => ({ start, end })));
    expect([...server.stored.values()].map((bytes) => Buffer.from(bytes).toString())).toEqual([
      "film from 10",
      "film from 40",
      "film from 70",
    ]);
    expect(described.map(({ run: made }) => made?.result.offsetSeconds)).toEqual([10, 40, 70]);
    expect(described.map(({ run: made }) => made?.audio?.path.slice(-15))).toEqual(
      [1, 2, 3].map((number) => `narration-${number}.wav`),
    );
    const parts = new Set(progress.map(({ part }) => `${part?.number} of ${part?.count}`));
    expect([...parts]).toEqual(["1 of 3", "2 of 3", "3 of 3"]);
  });

  test("a stretch that the service refuses is told and left out, once and for all; the others go on", async () => {
    const { server, run } = await prepared();
    server.jobEnds = ["done", "standard_ad_not_enough_gaps"];
    const described = await run();
    expect(described.map(({ refusal }) => refusal?.code)).toEqual([
      undefined,
      "standard_ad_not_enough_gaps",
      undefined,
    ]);
    expect(described[1]?.refusal?.message).toMatch(/^[A-Z].*\.$/);
    expect(server.accepted).toBe(3);
    expect((await run()).map(({ refusal }) => refusal?.code)).toEqual(described.map(({ refusal }) => refusal?.code));
    expect(server.accepted).toBe(3);
  });

  test("a failure that is not about one stretch ends it, and going on pays for nothing twice", async () => {
    const { server, run } = await prepared();
    server.jobEnds = ["done", "voice_unavailable"];
    await expect(run()).rejects.toMatchObject({ code: "voice_unavailable" });
    expect(server.accepted).toBe(2);
    expect((await run()).every(({ run: made }) => made !== null)).toBe(true);
    expect(server.accepted).toBe(4);
    expect(server.stored.size).toBe(3);
  });

  test("killed after any save, the next run ends it with one job for each stretch", async () => {
    const whole = await prepared();
    const expected = (await whole.run()).map(({ run: made }) => made?.result.cues);
    for (let killAfter = 1; killAfter <= whole.recovery.saves; killAfter++) {
      const { server, recovery, run } = await prepared();
      recovery.killAfter = killAfter;
      await expect(run()).rejects.toBeInstanceOf(Killed);
      recovery.killAfter = Number.POSITIVE_INFINITY;
      const isUnknown = [...recovery.texts.values()].some((text) => text.includes('"sending"'));
      const described = await run(isUnknown);
      expect(described.map(({ run: made }) => made?.result.cues)).toEqual(expected);
      expect(server.accepted).toBe(3);
    }
  });

  test("a cancel ends it at once, and the stretches that are done stay done", async () => {
    const { server, run, exports, progress } = await prepared();
    const controller = new AbortController();
    const cancelled = new Error("cancelled");
    const watching = setInterval(() => {
      if (progress.some(({ part, step }) => part?.number === 2 && step === "wait")) controller.abort(cancelled);
    }, 1);
    await expect(run(false, controller.signal))
      .rejects.toBe(cancelled)
      .finally(() => clearInterval(watching));
    const before = exports.length;
    await run();
    expect(exports.slice(before)).toEqual([{ start: 70, end: 76 }]);
    expect(server.accepted).toBe(3);
  });
});
