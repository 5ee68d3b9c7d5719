import { describe, expect, test } from "vitest";
import { firstProgress, type JobProgress } from "../../../panel/state/job-progress.ts";
import type { PanelState } from "../../../panel/state/panel-state.ts";
import type { JobEntry } from "../../../panel/state/saved.ts";
import { progressView } from "../../../panel/views/progress-view.ts";
import { words } from "../../../panel/words/words.ts";
import { STEPS } from "../../../src/workflow/describe/run.ts";
import { jobEntry } from "../session-in-memory.ts";
import { outlineOf, usesOf } from "./drawn.ts";
import { viewPage } from "./view-page.ts";

const HERE = "http://127.0.0.1:8420";
const CLOUD = "https://cloud.example";
const COST = { requests: 9, useless: 0, unpriced: 0, spent: 0.12, reserved: 0, ceiling: 0.6 };
const named = (name: string) => ({ ...jobEntry().sequence, name });
const film = (name: string, change: Partial<JobEntry> = {}) =>
  jobEntry({ runId: name, sequence: named(name), ...change });

function shown(progress: Partial<JobProgress> | null, state: Partial<PanelState> = {}) {
  const page = viewPage();
  const now = page.clock.now();
  const jobs = [jobEntry({ runId: "run-1", state: "running", sequence: named("Harbour") })];
  const at = progress === null ? null : { ...firstProgress("run-1", now - 65_000), ...progress };
  page.session.store.set({ now, jobs, progress: at, sequence: named("Harbour"), ...state });
  return { ...page, draw: () => progressView(page.session.state, page.actions) };
}

describe("the job under way", () => {
  test("shows what is done, what is being done and what is to come, how long each took, and what closing would do", () => {
    const page = shown({
      step: "upload",
      done: ["read", "export"],
      took: { read: 400, export: 61_000 },
      fraction: 0.256,
      detail: "3 of 12 MB",
    });
    page.session.store.update((state) => ({
      ...state,
      progress: state.progress && { ...state.progress, from: { at: state.now - 10_000, fraction: 0 } },
    }));
    expect(outlineOf(page.draw())).toEqual([
      `heading “${words.stepsNow.upload} 26 %” level=2`,
      `progressbar “${words.stepsNow.upload}” valuenow=26`,
      `About 30 seconds left · ${words.elapsed({ time: "01:05" })}`,
      "list #steps",
      `  listitem “${words.steps.read}: ${words.stepDone}” : ✓ ${words.steps.read}`,
      `  listitem “${words.steps.export}: ${words.stepDone}” : ✓ ${words.steps.export} 01:01`,
      `  listitem “${words.steps.upload}: ${words.stepNow}” : ● Upload 3 of 12 MB`,
      `  listitem “${words.steps.wait}: ${words.stepToCome}” : ○ ${words.steps.wait}`,
      `  listitem “${words.steps.fetch}: ${words.stepToCome}” : ○ ${words.steps.fetch}`,
      `  listitem “${words.steps.check}: ${words.stepToCome}” : ○ ${words.steps.check}`,
      `button “${words.pause}” #pause-upload`,
      `${words.goOnEditing} ${words.closing.upload}`,
      `button “${words.cancel}” #cancel`,
      `button “${words.orderAnother}” #order-another`,
    ]);
  });

  test("leaves out the steps that an earlier run did, and fetching a sound where none is wanted", () => {
    const steps = (change: Partial<JobProgress>, job: Partial<JobEntry> = {}) =>
      outlineOf(shown(change, { jobs: [jobEntry({ runId: "run-1", state: "running", ...job })] }).draw())
        .filter((line) => line.includes("listitem"))
        .map((line) => line.trim());
    expect(steps({ step: "wait" })).toEqual([
      `listitem “${words.steps.wait}: ${words.stepNow}” : ● ${words.steps.wait}`,
      `listitem “${words.steps.fetch}: ${words.stepToCome}” : ○ ${words.steps.fetch}`,
      `listitem “${words.steps.check}: ${words.stepToCome}” : ○ ${words.steps.check}`,
    ]);
    // What takes a moment is shown in that moment.
    expect(steps({})).toHaveLength(STEPS.length - 2);
    for (const step of ["verify", "generate"] as const) {
      expect(steps({ step })[0]).toBe(`listitem “${words.steps[step]}: ${words.stepNow}” : ● ${words.steps[step]}`);
      expect(steps({ step: "wait", done: [step] })).toEqual(steps({ step: "wait" }));
    }
    const markers = { form: { ...jobEntry().form, wanted: "markers" as const } };
    expect(steps({ step: "wait" }, markers)).toHaveLength(steps({ step: "wait" }).length - 1);
    // A step that is done and under way is done.
    expect(steps({ step: "check", done: ["check"] })).toEqual([
      `listitem “${words.steps.check}: ${words.stepDone}” : ✓ ${words.steps.check}`,
    ]);
  });

  test("says what the service is doing in words, and at which of about how many requests to a model it is", () => {
    const now = (change: Partial<JobProgress>, estimate: object = {}) => {
      const modelEstimate = {
        address: HERE,
        durationSeconds: 60,
        reply: { model: "m", requests: 14, cost: null, ceiling: null },
        ...estimate,
      } as never;
      const service = { address: HERE } as never;
      const lines = outlineOf(shown({ step: "wait", ...change }, { modelEstimate, service }).draw());
      return lines.find((line) => line.includes("●"))?.split(`● ${words.steps.wait} `)[1];
    };
    const at = (stage: string, requests: number) => ({ detail: stage, cost: { ...COST, requests } });
    expect(now(at("analyse", 0))).toBe(words.stages["analyse"]);
    expect(now(at("describe", 0))).toBe(words.stages["describe"]);
    expect(now(at("describe", 9))).toBe(words.requestOf({ number: 9, planned: 14 }));
    expect(now(at("describe", 14))).toBe(words.requestOf({ number: 14, planned: 14 }));
    expect(now(at("describe", 15))).toBe(words.request({ number: 15 }));
    expect(now(at("fit", 9))).toBe(words.stages["fit"]);
    expect(now({ detail: "warming up" })).toBe("warming up");
    for (const other of [{ address: CLOUD }, { durationSeconds: 61 }]) {
      expect(now(at("describe", 9), other)).toBe(words.request({ number: 9 }));
    }
  });

  test("is named where another sequence is open, and says which of several stretches it is at", () => {
    const lines = outlineOf(
      shown({ step: "wait", part: { number: 2, of: 3 } as never }, { sequence: named("Another") }).draw(),
    );
    expect(lines.slice(0, 3)).toEqual(["Harbour", "Part 2 of", `heading “${words.stepsNow.wait}” level=2`]);
    expect(outlineOf(shown({ step: "wait" }, { sequence: null }).draw())[0]).toBe("Harbour");
  });

  test("before its first step says that it begins, and counts from its start", () => {
    expect(outlineOf(shown({}).draw()).slice(0, 2)).toEqual([
      `heading “${words.loading}” level=2`,
      words.elapsed({ time: "01:05" }),
    ]);
  });

  test.each(STEPS)("says at the step %s what becomes of it when the panel closes", (step) => {
    expect(outlineOf(shown({ step }).draw())).toContain(
      words.closing[step] === ""
        ? ""
        : `${step === "export" ? words.exportHint : words.goOnEditing} ${words.closing[step]}`,
    );
  });

  test("says of an export by Media Encoder that Premiere is free meanwhile; not of stretches, which Premiere exports", () => {
    const jobs = (change: Partial<JobEntry>) => ({
      jobs: [
        jobEntry({ runId: "run-1", state: "running", form: { ...jobEntry().form, exportsIn: "encoder" }, ...change }),
      ],
    });
    const said = `${words.queueHint} ${words.queueClosing}`;
    expect(outlineOf(shown({ step: "export" }, jobs({})).draw())).toContain(said);
    expect(outlineOf(shown({ step: "export" }, jobs({ adds: { to: "x", stretches: [] } })).draw())).not.toContain(said);
    expect(outlineOf(shown({ step: "upload" }, jobs({})).draw())).not.toContain(said);
  });

  test("is cancelled by a press, about which is asked once it is ordered; its upload is paused and let go on", async () => {
    const uses = async (change: Partial<JobProgress>) => {
      const page = shown(change);
      return usesOf(page, page.draw());
    };
    expect(await uses({ step: "upload" })).toEqual({
      "pause-upload": ["jobQueue.pause(true)"],
      cancel: ['jobQueue.cancel("run-1")'],
      "order-another": ['panelController.go("describe")'],
    });
    expect(await uses({ step: "upload", pause: "held" })).toEqual({
      "pause-upload": ["jobQueue.pause(false)"],
      cancel: ['jobQueue.cancel("run-1")'],
      "order-another": ['panelController.go("describe")'],
    });
    expect(await uses({ step: "wait" })).toEqual({
      cancel: ["jobQueue.askStop(true)"],
      "order-another": ['panelController.go("describe")'],
    });
    expect(Object.keys(await uses({ step: "upload", done: ["upload"] }))).toEqual(["cancel", "order-another"]);
    for (const change of [{ isCancelling: true }, { isAsking: true }])
      expect(Object.keys(await uses({ step: "wait", ...change }))).not.toContain("cancel");
    const lines = outlineOf(shown({ step: "upload", pause: "asked", isCancelling: true }).draw());
    expect(lines.filter((line) => /cancel|pause|Paus/.test(line))).toEqual([
      words.pauses.asked,
      `button “${words.goOn}” #pause-upload`,
      `button “${words.cancelling}” #cancel disabled`,
    ]);
  });
});

describe("the question what is to stop", () => {
  const asked = (change: Partial<JobProgress>, state: Partial<PanelState> = {}) =>
    shown({ step: "wait", isAsking: true, ...change }, state);
  const cardsOf = (page: ReturnType<typeof shown>) => {
    const lines = outlineOf(page.draw());
    return lines.slice(
      lines.findIndex((line) => line.startsWith("group")),
      -2,
    );
  };

  test("has the way that costs nothing first: waiting where the job is free, the job where it is paid", async () => {
    const free = asked({});
    expect(cardsOf(free)).toEqual([
      `group “${words.stopHere}”`,
      `  ${words.stopHere}`,
      `  ${words.stopWaiting}`,
      `  ${words.stopWaitingHints.free}`,
      `  button “${words.stopWaiting}” #stop-waiting takesFocus`,
      `  ${words.stopJob}`,
      `  ${words.stopJobHint}`,
      `  button “${words.stopJob}” #stop-job`,
      `  button “${words.keepGoing}” #keep-going`,
    ]);
    expect(await usesOf(free, free.draw())).toEqual({
      "stop-waiting": ['jobQueue.cancel("run-1")'],
      "stop-job": ['jobQueue.stop("run-1")'],
      "keep-going": ["jobQueue.askStop(false)"],
      "order-another": ['panelController.go("describe")'],
    });
    expect(cardsOf(asked({ cost: COST }))).toEqual([
      `group “${words.stopHere}”`,
      `  ${words.stopHere}`,
      `  ${words.stopJob}`,
      `  ${words.stopJobHintAt({ used: "0.12 for 9 requests" })}`,
      `  button “${words.stopJob}” #stop-job takesFocus`,
      `  ${words.stopWaiting}`,
      `  ${words.stopWaitingBelow({ ceiling: 0.6 })}`,
      `  button “${words.stopWaiting}” #stop-waiting`,
      `  button “${words.keepGoing}” #keep-going`,
    ]);
    expect(cardsOf(asked({}, { service: { address: CLOUD } }))).toEqual([
      `group “${words.stopHere}”`,
      `  ${words.stopHere}`,
      `  ${words.stopJob}`,
      `  ${words.stopJobHint}`,
      `  button “${words.stopJob}” #stop-job takesFocus`,
      `  ${words.stopWaiting}`,
      `  ${words.stopWaitingHints.paid}`,
      `  button “${words.stopWaiting}” #stop-waiting`,
      `  button “${words.keepGoing}” #keep-going`,
    ]);
  });

  test("counts what is reserved as paid, and a model's price where the service is asked for it", () => {
    const first = (page: ReturnType<typeof shown>) =>
      cardsOf(page)
        .find((line) => line.includes("button"))
        ?.trim();
    expect(first(asked({ cost: { ...COST, spent: 0, reserved: 0.1, ceiling: null } }))).toContain("stop-job");
    expect(first(asked({ cost: { ...COST, spent: 0, reserved: 0, ceiling: null } }))).toContain("stop-waiting");
    const estimate = (address: string, cost: number | null) => ({
      modelEstimate: { address, durationSeconds: 10, reply: { cost } } as never,
    });
    expect(first(asked({}, estimate(HERE, 0.5)))).toContain("stop-job");
    expect(first(asked({}, estimate("http://other", 0.5)))).toContain("stop-waiting");
    expect(first(asked({}, estimate(HERE, null)))).toContain("stop-waiting");
  });
});

describe("jobs that wait, and those that can be gone on with", () => {
  test("stand below, each with its own button: the two of one film told apart", async () => {
    const jobs = [
      film("B", { runId: "b", state: "waiting" }),
      film("A", { runId: "a2", state: "waiting", startedAt: "2026-01-02T00:00:00.000Z" }),
      film("A", { runId: "a1", state: "waiting" }),
      jobEntry({ runId: "run-1", state: "running" }),
    ];
    const page = shown({ step: "wait" }, { jobs });
    const lines = outlineOf(page.draw());
    expect(lines.slice(lines.indexOf(words.queue))).toEqual([
      words.queue,
      "B",
      `button “${words.cancel}: B” #cancel-b : ${words.cancel}`,
      "A",
      `button “${words.cancel}: A, ${words.wanted.both}, 2026-01-02 00:00” #cancel-a2 : ${words.cancel}`,
      "A",
      `button “${words.cancel}: A, ${words.wanted.both}, 2026-01-01 00:00” #cancel-a1 : ${words.cancel}`,
      `button “${words.cancel}” #cancel`,
      `button “${words.orderAnother}” #order-another`,
    ]);
    const uses = Object.entries(await usesOf(page, page.draw())).filter(([id]) => id.startsWith("cancel-"));
    expect(Object.fromEntries(uses)).toEqual({
      "cancel-b": ['jobQueue.cancel("b")'],
      "cancel-a2": ['jobQueue.cancel("a2")'],
      "cancel-a1": ['jobQueue.cancel("a1")'],
    });
  });

  test("of those that were stopped, or failed, three are offered: where each stood, what is kept, used and still to come", async () => {
    const jobs = [
      film("A", { state: "stopped", step: "upload" }),
      film("done", { state: "done" }),
      film("B", { state: "stopped", cancelled: { stage: "describe", cost: COST } }),
      film("C", { state: "failed" }),
      film("D", { state: "stopped" }),
    ];
    const modelEstimate = { address: HERE, durationSeconds: 60.3, reply: { cost: 0.5 } } as never;
    const page = shown(null, { jobs, modelEstimate });
    expect(outlineOf(page.draw())).toEqual([
      words.nothingRunning,
      `A · ${words.jobStates.stopped} · ${words.steps.upload}`,
      `button “${words.resume}: A” #resume-A : ${words.resume}`,
      `B · ${words.cancelledJob} Kept: the exported film and its upload, dialogue and shots, the descriptions so far. Used: 0.12 for 9 requests. Nothing more is charged. Still to do: about 0.38.`,
      `button “${words.continueHere}: B” #resume-B : ${words.continueHere}`,
      `C · ${words.jobStates.failed}`,
      `button “${words.resume}: C” #resume-C : ${words.resume}`,
      `button “${words.orderAnother}” #order-another`,
    ]);
    expect(await usesOf(page, page.draw())).toEqual({
      "resume-A": ['jobQueue.resume("A")'],
      "resume-B": ['jobQueue.resume("B")'],
      "resume-C": ['jobQueue.resume("C")'],
      "order-another": ['panelController.go("describe")'],
    });
    // An estimate of another length says nothing of this film.
    const other = shown(null, {
      jobs,
      modelEstimate: { address: HERE, durationSeconds: 60.6, reply: { cost: 0.5 } } as never,
    });
    expect(outlineOf(other.draw()).join()).not.toContain(words.toComeOfJob({ more: "0.38" }));
  });
});
