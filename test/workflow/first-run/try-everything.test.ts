import { expect, test } from "vitest";
import { frameRate } from "../../../src/core/frame-rate.ts";
import type { SequenceInfo } from "../../../src/host/host.ts";
import type { TrialProbe } from "../../../src/host/probe.ts";
import { type TrialPorts, tryEverything } from "../../../src/workflow/first-run/try-everything.ts";
import { ManualClock } from "../../fakes/manual-clock.ts";
import { madeTimeline } from "../../made-timeline.ts";

const CUT: SequenceInfo = {
  id: "cut",
  name: "Cut",
  rate: frameRate(25),
  isDropFrame: false,
  startFrame: 0,
  durationSeconds: 10,
};

/** An editor whose one sequence can be copied, and everything that was asked of it, in order. */
function editorOf(asked: string[]): TrialPorts["editor"] {
  let active = CUT;
  return {
    readSequence: async () => active,
    readTimeline: async () => madeTimeline([], { name: active.name }),
    copySequence: async ({ name }) => {
      asked.push("copy");
      active = { ...CUT, id: "copy", name };
      return active;
    },
    openSequence: async (id) => {
      active = id === "cut" ? CUT : { ...CUT, id };
      return active;
    },
    removeSequence: async (id) => {
      asked.push(`remove ${id}`);
      active = CUT;
      return true;
    },
  };
}

function probe(name: string, run: TrialProbe["run"], limitMs?: number): TrialProbe {
  return { name, code: "", run, ...(limitMs === undefined ? {} : { limitMs }) };
}

async function tried(probes: readonly TrialProbe[], editor?: Partial<TrialPorts["editor"]>) {
  const asked: string[] = [];
  const clock = new ManualClock();
  const clear = async () => {
    asked.push("clear");
    return "cleared";
  };
  const ports = { editor: { ...editorOf(asked), ...editor }, clock, probes: [], bench: { probes, clear }, address: "" };
  const { answers } = await tryEverything(ports, { signal: new AbortController().signal, onProgress: () => undefined });
  return { asked, clock, answers: Object.fromEntries(answers.map(({ name, ...answer }) => [name, answer])) };
}

test("a probe that never answers is left after its time, is told so, and costs no other probe", async () => {
  const signals: AbortSignal[] = [];
  const hangs = probe("hangs", ({ signal }) => new Promise(() => void signals.push(signal)), 90_000);
  const { answers, asked, clock } = await tried([hangs, probe("next", async ({ sequenceId }) => sequenceId)]);
  expect(answers["hangs"]).toMatchObject({ outcome: "late", finding: "no answer in 90 s" });
  expect(clock.passed).toEqual([90_000]);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  expect(answers["next"]).toMatchObject({ outcome: "answered", finding: "copy" });
  expect(asked).toEqual(["copy", "remove copy", "clear"]);
});

test("what changes things is not asked without a copy", async () => {
  let runs = 0;
  const changes = probe("changes", async () => {
    runs += 1;
    return "done";
  });
  const copySequence = () => Promise.reject(new Error("no copy is made"));
  const { answers, asked } = await tried([changes], { copySequence });
  expect(answers["Copy of the sequence"]).toMatchObject({ outcome: "refused", finding: "raises: no copy is made" });
  expect(answers["changes"]).toMatchObject({ outcome: "not asked" });
  expect(runs).toBe(0);
  expect(asked).toEqual(["clear"]);
});

test("a sequence that is not as it was is told of", async () => {
  let isChanged = false;
  const readTimeline = async () => madeTimeline([], { name: isChanged ? "other" : "Cut" });
  const spoils = probe("spoils", async () => {
    isChanged = true;
    return "done";
  });
  const { answers } = await tried([spoils], { readTimeline });
  expect(answers["The timeline"]).toMatchObject({ finding: "NOT as it was before" });
});
