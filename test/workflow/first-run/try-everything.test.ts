import { expect, test } from "vitest";
import { frameRate } from "../../../src/core/frame-rate.ts";
import type { SequenceInfo } from "../../../src/host/host.ts";
import type { Probe, TrialProbe } from "../../../src/host/host-error.ts";
import { OWN_STEPS, type TrialPorts, tryEverything } from "../../../src/workflow/first-run/try-everything.ts";
import { ManualClock } from "../../fakes/manual-clock.ts";
import { madeClip, madeMedia, madeTimeline, madeTrack } from "../../made-timeline.ts";

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
      asked.push(`open ${id}`);
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

async function tried(
  trials: readonly TrialProbe[],
  editor?: Partial<TrialPorts["editor"]>,
  { signal = new AbortController().signal, probes = [] as readonly Probe[] } = {},
) {
  const asked: string[] = [];
  const progress: (readonly [string, number])[] = [];
  const clock = new ManualClock();
  const clear = async () => {
    asked.push("clear");
    return "cleared";
  };
  const bench = { probes: trials, clear };
  const ports = { editor: { ...editorOf(asked), ...editor }, clock, probes, bench, address: "http://service.test" };
  const onProgress = (name: string, done: number) => progress.push([name, done]);
  const { answers, names } = await tryEverything(ports, { signal, onProgress });
  const byName = Object.fromEntries(answers.map(({ name, ...answer }) => [name, answer]));
  return { asked, clock, progress, names, list: answers, answers: byName };
}

test("a probe that never answers is left after its time, is told so, and costs no other probe", async () => {
  const signals: AbortSignal[] = [];
  const hangs = probe("hangs", ({ signal }) => new Promise(() => void signals.push(signal)), 90_000);
  const { answers, asked, clock } = await tried([hangs, probe("next", async ({ sequenceId }) => sequenceId)]);
  expect(answers["hangs"]).toMatchObject({ outcome: "late", finding: "no answer in 90 s" });
  expect(clock.passed).toEqual([90_000]);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  expect(answers["next"]).toMatchObject({ outcome: "answered", finding: "copy" });
  expect(asked).toEqual(["copy", "open copy", "remove copy", "clear", "open cut"]);
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

test("each question is told before it is asked, and answered once, in one order, ours behind those that need no copy and those that do", async () => {
  const trials: unknown[] = [];
  const asking = (name: string) => ({
    ...probe(name, async ({ signal, ...trial }) => {
      trials.push([name, trial, signal.aborted]);
      return `found ${name}`;
    }),
    code: `src/${name}.ts`,
  });
  const { list, progress } = await tried(
    [asking("b"), asking("c")],
    {},
    { probes: ["a", "z"].map((name) => ({ name, code: `src/${name}.ts`, run: async () => `found ${name}` })) },
  );
  const [copy, removal, clearing, comparison] = OWN_STEPS;
  const all = [{ name: "a" }, { name: "z" }, copy, { name: "b" }, { name: "c" }, removal, clearing, comparison].map(
    (step) => step?.name,
  );
  expect(progress).toEqual([...all.map((name, index) => [name, index]), ["", all.length]]);
  expect(list.map(({ name }) => name)).toEqual(all);
  expect(list.map(({ finding }) => finding)).toEqual([
    ...["found a", "found z", "made, and active", "found b", "found c"],
    ...["removed", "cleared", "equal before and after"],
  ]);
  for (const { name, code, outcome } of list) {
    expect(outcome).toBe("answered");
    expect(code).toBe(OWN_STEPS.find((step) => step.name === name)?.code ?? `src/${name}.ts`);
    expect(code).toMatch(/^src\/.+\.ts$/);
  }
  // What changes things is asked of a copy.
  const trial = { originalId: "cut", address: "http://service.test" };
  expect(trials).toEqual([
    ["b", { ...trial, sequenceId: "copy" }, false],
    ["c", { ...trial, sequenceId: "copy" }, false],
  ]);
});

test("an answer that is not told how long it may take has half a minute", async () => {
  const { answers, clock } = await tried([probe("hangs", () => new Promise(() => {}))]);
  expect(answers["hangs"]).toMatchObject({ outcome: "late", finding: "no answer in 30 s" });
  expect(clock.passed).toEqual([30_000]);
});

test("what is raised is told in its own words, and costs no other question", async () => {
  const { answers } = await tried([
    probe("error", () => Promise.reject(new Error("no such thing"))),
    probe("text", () => Promise.reject("just words")),
    probe("next", async () => "fine"),
  ]);
  expect(answers["error"]).toEqual({ code: "", outcome: "refused", finding: "raises: no such thing" });
  expect(answers["text"]).toMatchObject({ outcome: "refused", finding: "raises: just words" });
  expect(answers["next"]).toMatchObject({ outcome: "answered" });
});

test("cancelled, it asks no more, ends what is under way, and cleans up all the same", async () => {
  const controller = new AbortController();
  const seen: AbortSignal[] = [];
  const cancels = probe("cancels", async ({ signal }) => {
    seen.push(signal);
    controller.abort("enough");
    signal.throwIfAborted();
    return "went on";
  });
  const never = probe("never", async () => "asked");
  const { answers, asked } = await tried([cancels, never], {}, { signal: controller.signal });
  expect(seen[0]?.reason).toBe("enough");
  expect(answers["cancels"]).toMatchObject({ outcome: "not asked", finding: "cancelled meanwhile" });
  expect(answers["never"]).toMatchObject({ outcome: "not asked", finding: "cancelled before" });
  expect(asked).toEqual(["copy", "open copy", "remove copy", "clear", "open cut"]);
});

test("a copy is removed as it was left, and told of where it stays; without one nothing is opened", async () => {
  const removals: unknown[] = [];
  const removeSequence: TrialPorts["editor"]["removeSequence"] = async (id, removal) => {
    removals.push([id, removal]);
    return false;
  };
  const { answers } = await tried([], { removeSequence });
  expect(answers["Removing the copy"]).toMatchObject({ finding: "left: it was edited" });
  expect(removals).toEqual([["copy", { asLeft: madeTimeline([], { name: CUT.name }), opensInstead: "cut" }]]);
  const none = await tried([], { copySequence: () => Promise.reject(new Error("none")), removeSequence });
  expect(none.answers).not.toHaveProperty("Removing the copy");
  expect(none.asked).toEqual(["clear"]);
  expect(none.answers["The timeline"]).toMatchObject({ finding: "equal before and after" });
});

test("every name of the sequence, of what lies on it and of what stands in its markers is one that no report tells", async () => {
  const marker = { start: 1, end: 2, name: "Notes", comment: "Ann leaves" };
  const another = { start: 3, end: 4, name: "More", comment: "Bob stays" };
  const clips = [
    madeClip(madeMedia("reel.mov", { location: "C:\\films\\Reel 1.mov" }), 0, 2, { name: "Opening" }),
    madeClip(madeMedia("b.mov", { location: null }), 2, 3, { name: "Offline" }),
    madeClip({ kind: "nested", timeline: madeTimeline([]) } as never, 3, 4, { name: "Nest" }),
  ];
  const timeline = madeTimeline([madeTrack("video", clips, { name: "V1" })], { markers: [marker, another] as never });
  const { names } = await tried([], { readTimeline: async () => timeline });
  expect(names).toEqual(["Cut", "V1", "Opening", "Offline", "Nest", "Reel 1.mov", "Notes", "Ann leaves", "More", "Bob stays"]); // biome-ignore format: one list
});
