import { isLocalAddress } from "../../src/core/ports.ts";
import { STEPS, type StepName } from "../../src/workflow/describe/run.ts";
import { costWords, keptOfStage } from "../../src/workflow/describe/stop-run.ts";
import type { Actions } from "../controllers/actions.ts";
import { type ElementNode, element } from "../document/element.ts";
import { rangeOf, trackOf } from "../state/form.ts";
import { type JobProgress, timeLeft } from "../state/job-progress.ts";
import { jobOf, type PanelState } from "../state/panel-state.ts";
import type { JobEntry } from "../state/saved.ts";
import { clockText, costText, roughTime, words } from "../words/words.ts";
import { button, text } from "./controls.ts";
import { jobNames, resumeLabel, stateOf } from "./history-view.ts";

/** The job under way, step by step, and those that wait. */
export function progressView(state: PanelState, actions: Actions): ElementNode[] {
  const { progress } = state;
  const job = jobOf(state, progress?.runId);
  const waiting = state.jobs.filter((one) => one.state === "waiting");
  const isRunning = progress !== null && job !== undefined;
  return [
    element("div", { class: "view-part", key: "job" }, [
      ...(isRunning
        ? runningJob(state, job, progress, actions)
        : [text(words.nothingRunning, "empty"), ...stoppedJobs(state, actions)]),
      ...(waiting.length === 0 ? [] : [text(words.queue, "heading"), ...waitingJobs(waiting, actions)]),
    ]),
    element(
      "div",
      { class: "footer", key: "footer" },
      isRunning && progress.isAsking ? stopQuestion(state, progress, actions) : null,
      element(
        "div",
        { class: "foot", key: "foot" },
        isRunning ? cancelButton(progress, actions) : null,
        element("span", { class: "grow" }),
        button("order-another", words.orderAnother, () => actions.panelController.go("describe")),
      ),
    ),
  ];
}

function cancelButton({ step, isCancelling, isAsking, runId }: JobProgress, actions: Actions): ElementNode {
  return button(
    "cancel",
    isCancelling ? words.cancelling : words.cancel,
    // Before it is ordered, there is nothing to choose.
    () =>
      step === "wait" ? actions.jobQueue.askStop(true) : actions.session.run(() => actions.jobQueue.cancel(runId)),
    { disabled: isCancelling || isAsking },
  );
}

function runningJob(state: PanelState, job: JobEntry, progress: JobProgress, actions: Actions): ElementNode[] {
  const { step, pause } = progress;
  const now = step === undefined ? 0 : STEPS.indexOf(step);
  const isQueued = step === "export" && job.form.exportsIn === "encoder" && job.adds === undefined;
  // What an earlier run did, or nobody has to do, is not to come; what takes a moment is shown during that moment.
  const steps = STEPS.filter(
    (name, index) =>
      (index >= now || progress.done.includes(name)) &&
      (name !== "fetch" || trackOf(job.form) !== "none") &&
      (!MOMENTS.includes(name) || name === step),
  );
  const isNamed = state.sequence?.name !== job.sequence.name;
  return [
    ...(isNamed ? [text(job.sequence.name, "heading")] : []),
    ...(progress.part === undefined ? [] : [text(words.atStretch({ ...progress.part }), "line")]),
    headline(progress, state.now),
    element(
      "div",
      { class: "steps", role: "list", id: "steps" },
      steps.map((name) => stepLine(name, progress, name === "wait" ? stageOf(state, job, progress) : progress.detail)),
    ),
    ...(pause === "none" ? [] : [text(words.pauses[pause], "warning")]),
    step === "upload" && !progress.done.includes(step)
      ? button("pause-upload", pause === "none" ? words.pause : words.goOn, () =>
          actions.jobQueue.pause(pause === "none"),
        )
      : null,
    step === undefined
      ? null
      : element(
          "div",
          { class: "card", key: "meanwhile" },
          step === "export" ? text(isQueued ? words.queueHint : words.exportHint) : text(words.goOnEditing),
          text(isQueued ? words.queueClosing : words.closing[step], "hint"),
        ),
  ].filter((node) => node !== null);
}

/** Steps that are over before anybody has read of them, if all is well. */
const MOMENTS: readonly StepName[] = ["verify", "generate"];

/** What is being done, how far it is, and how long it will take as far as anybody can tell. */
function headline(progress: JobProgress, now: number): ElementNode {
  const { step, fraction, since } = progress;
  const name = step === undefined ? words.loading : words.stepsNow[step];
  const percent = fraction === undefined ? null : Math.round(fraction * 100);
  const left = timeLeft(progress, now);
  const times = [
    left === null ? "" : words.timeLeft({ time: roughTime(left) }),
    words.elapsed({ time: clockText(now - since) }),
  ];
  return element(
    "div",
    { class: "headline", key: "headline" },
    element(
      "div",
      { class: "headline-row", role: "heading", "aria-level": "2" },
      element("span", { class: "grow" }, name),
      percent === null ? null : element("span", {}, `${percent} %`),
    ),
    percent === null ? null : bar(percent, name),
    text(times.filter((part) => part !== "").join(" · "), "hint"),
  );
}

/** What a model was estimated to take, where it was asked about as much film as the job is about; `null` where nobody knows. */
function estimateOf({ service, modelEstimate }: PanelState, { form, sequence }: Pick<JobEntry, "form" | "sequence">) {
  const { start, end } = rangeOf(form, sequence);
  const isOfIt =
    modelEstimate?.address === service.address &&
    Math.abs(modelEstimate.durationSeconds - (end - start)) < SAME_SECONDS;
  return isOfIt ? modelEstimate.reply : null;
}

/** What the model would cost beyond what is spent: rather too much than too little. `null` where nobody knows. */
function costToCome(state: PanelState, job: Pick<JobEntry, "form" | "sequence">, spent: number): number | null {
  const cost = estimateOf(state, job)?.cost ?? null;
  return cost === null ? null : Math.max(0, cost - spent);
}

/** Lengths of film that differ by less are of one film, in seconds. */
const SAME_SECONDS = 0.5;

/** What is to stop: the job at its service, or only the waiting for it. Where it costs money, the job stands first. */
function stopQuestion(state: PanelState, { runId, cost }: JobProgress, { jobQueue, session }: Actions): ElementNode {
  const { service, modelEstimate } = state;
  const job = jobOf(state, runId);
  const ofModel = modelEstimate?.address === service.address ? (modelEstimate.reply.cost ?? 0) : 0;
  const isPaid = ofModel > 0 || (cost?.spent ?? 0) + (cost?.reserved ?? 0) > 0 || !isLocalAddress(service.address);
  const choice = (id: string, label: string, hint: string, work: () => Promise<void>, isFirst: boolean) =>
    element(
      "div",
      { class: "card", key: id },
      text(label, "heading"),
      text(hint, "hint"),
      button(id, label, () => session.run(work), { class: isFirst ? "button primary" : "button", takesFocus: isFirst }),
    );
  const used = cost === undefined ? words.stopJobHint : words.stopJobHintAt({ used: costWords(cost) });
  const stopping = choice("stop-job", words.stopJob, used, () => jobQueue.stop(runId), isPaid);
  const ceiling = cost?.ceiling ?? null;
  const more = job === undefined ? null : costToCome(state, job, cost?.spent ?? 0);
  const hint =
    more !== null && more > 0
      ? words.stopWaitingMore({ more: costText(more) })
      : isPaid && ceiling !== null
        ? words.stopWaitingBelow({ ceiling: costText(ceiling) })
        : words.stopWaitingHints[isPaid ? "paid" : "free"];
  const waiting = choice("stop-waiting", words.stopWaiting, hint, () => jobQueue.cancel(runId), !isPaid);
  return element(
    "div",
    { role: "group", "aria-label": words.stopHere, key: "stop-question" },
    text(words.stopHere, "heading"),
    ...(isPaid ? [stopping, waiting] : [waiting, stopping]),
    button("keep-going", words.keepGoing, () => jobQueue.askStop(false)),
  );
}

/** What the service is doing, and at which of about how many requests it is, where it asks a model. */
function stageOf(state: PanelState, job: JobEntry, { detail, cost }: JobProgress): string | undefined {
  if (detail === undefined) return undefined;
  const stage = words.stages[detail] ?? detail;
  const number = cost?.requests ?? 0;
  if (detail !== ASKING || number === 0) return stage;
  const planned = estimateOf(state, job)?.requests ?? 0;
  return planned < number ? words.request({ number }) : words.requestOf({ number, planned });
}

/** The stage in which a model is asked, as the service calls it. */
const ASKING = "describe";

function stepLine(name: StepName, { step, done, took }: JobProgress, detail: string | undefined): ElementNode {
  const isDone = done.includes(name);
  const isNow = step === name && !isDone;
  const [sign, said] = isDone ? ["✓", words.stepDone] : isNow ? ["●", words.stepNow] : ["○", words.stepToCome];
  const milliseconds = took[name];
  return element(
    "div",
    {
      class: isNow ? "step now" : isDone ? "step done" : "step",
      role: "listitem",
      "aria-label": `${words.steps[name]}: ${said}`,
      key: name,
      "data-step": name,
      "data-state": said,
    },
    element("span", { class: "sign" }, sign),
    element("span", { class: "grow" }, words.steps[name]),
    isNow && detail !== undefined ? element("span", {}, detail) : null,
    isDone && milliseconds !== undefined && milliseconds >= 1000
      ? element("span", { class: "hint" }, clockText(milliseconds))
      : null,
  );
}

/** Two boxes: UXP's own progress element follows no theme. */
export function bar(percent: number, label: string): ElementNode {
  return element(
    "div",
    { class: "bar", role: "progressbar", "aria-label": label, "aria-valuenow": percent, "aria-valuemax": 100 },
    element("div", { class: "bar-done", style: `width: ${percent}%` }),
  );
}

function waitingJobs(jobs: readonly JobEntry[], actions: Actions): ElementNode[] {
  const names = jobNames(jobs);
  return jobs.map((job, index) => waitingJob(job, names[index] ?? "", actions));
}

function waitingJob({ runId, sequence }: JobEntry, name: string, actions: Actions): ElementNode {
  return element(
    "div",
    { class: "actions", key: runId },
    element("span", { class: "grow" }, sequence.name),
    button(`cancel-${runId}`, words.cancel, () => actions.session.run(() => actions.jobQueue.cancel(runId)), {
      "data-action": "cancel-waiting",
      "aria-label": `${words.cancel}: ${name}`,
    }),
  );
}

/** Jobs that can be gone on with. */
export function stoppedJobs(state: PanelState, actions: Actions): ElementNode[] {
  const stopped = state.jobs.filter((job) => job.state === "stopped" || job.state === "failed").slice(0, 3);
  const names = jobNames(stopped);
  return stopped.map((job, index) =>
    element(
      "div",
      { class: "actions", key: job.runId },
      element(
        "span",
        { class: "grow" },
        `${job.sequence.name} · ${stateOf(job)}${job.step === undefined ? "" : ` · ${words.steps[job.step]}`}`,
        job.cancelled === undefined ? null : text(keptOf(job.cancelled, costToCome(state, job, 0)), "hint"),
      ),
      button(
        `resume-${job.runId}`,
        resumeLabel(job),
        () => actions.session.run(() => actions.jobQueue.resume(job.runId)),
        { "data-action": "resume", "aria-label": `${resumeLabel(job)}: ${names[index]}` },
      ),
    ),
  );
}

/** What is kept of a job that was stopped at its service. */
function keptOf({ stage, cost }: NonNullable<JobEntry["cancelled"]>, whole: number | null): string {
  const more = whole === null ? 0 : whole - (cost?.spent ?? 0);
  return [
    words.keptOfJob({ kept: [words.keptUpload, ...keptOfStage(stage)].join(", ") }),
    ...(cost === undefined ? [] : [words.usedByJob({ used: costWords(cost) })]),
    ...(more > 0 ? [words.toComeOfJob({ more: costText(more) })] : []),
  ].join(" ");
}

/** What is being done to the timeline, and the button that stops it. */
export function placingProgress(
  { what, fraction }: NonNullable<PanelState["placing"]>,
  { applyController }: Actions,
): ElementNode {
  return element(
    "div",
    { class: "footer", key: "placing" },
    text(`${what}…`, "line"),
    bar(Math.round(fraction * 100), what),
    button("stop-placing", words.stop, () => applyController.stop()),
  );
}
