import { costWords } from "../../src/workflow/describe/stop-run.ts";
import type { Actions } from "../controllers/actions.ts";
import { type ElementNode, element, type Listener } from "../document/element.ts";
import { trackOf } from "../state/form.ts";
import { jobsOfProject, type PanelState } from "../state/panel-state.ts";
import type { JobEntry } from "../state/saved.ts";
import { distinctNames, words } from "../words/words.ts";
import { button, checkBox, text } from "./controls.ts";

/** The jobs there were, and what can be done with each. */
export function historyView(state: PanelState, actions: Actions): ElementNode[] {
  if (state.jobs.length === 0) return [text(words.noJobs, "empty")];
  const own = jobsOfProject(state);
  const others = state.jobs.length - own.length;
  const listed = state.showsAllProjects ? state.jobs : own;
  const names = jobNames(listed);
  return [
    ...(others === 0
      ? []
      : [
          checkBox("all-projects", words.allProjects({ others }), state.showsAllProjects, (showsAllProjects) =>
            actions.session.store.set({ showsAllProjects }),
          ),
        ]),
    ...(listed.length === 0 ? [text(words.noJobsHere, "empty")] : []),
    element(
      "div",
      { role: "list", id: "jobs" },
      listed.map((job, index) => jobCard(job, names[index] ?? "", job.runId === state.deletingRunId, actions)),
    ),
  ];
}

/** What tells jobs apart that describe one sequence: what they make and when they were ordered. */
export function jobNames(jobs: readonly JobEntry[]): readonly string[] {
  return distinctNames(jobs, [({ sequence }) => sequence.name, madeBy, startedAt]);
}

/** How a job stands, in words. */
export function stateOf({ state, cancelled }: JobEntry): string {
  return state === "stopped" && cancelled !== undefined ? words.cancelledJob : words.jobStates[state];
}

/** What goes on with a job is called. */
export function resumeLabel({ state, cancelled }: JobEntry): string {
  return state === "stopped" && cancelled !== undefined ? words.continueHere : words.resume;
}

/** When a job was ordered, in UTC to the minute. */
function startedAt(job: JobEntry): string {
  return job.startedAt.slice(0, 16).replace("T", " ");
}

/** What a job makes. */
function madeBy({ adds, voices, form }: JobEntry): string {
  if (adds !== undefined) return words.addingJob;
  return voices === undefined ? words.wanted[form.wanted] : words.voicingJob;
}

function jobCard(job: JobEntry, name: string, isDeleting: boolean, actions: Actions): ElementNode {
  const { runId, state, sequence, fault, form } = job;
  const { jobQueue } = actions;
  const act = (action: string, label: string, work: () => Promise<unknown>) => {
    const onclick: Listener = () => actions.session.run(work);
    const more = { "data-action": action, "aria-label": `${label}: ${name}` };
    return button(`${action}-${runId}`, label, onclick, more);
  };
  const isDone = state === "done";
  const isActive = state === "running" || state === "waiting";
  return element(
    "div",
    { class: "card", role: "listitem", key: runId, "data-job-state": state },
    element(
      "div",
      { class: "line" },
      element("span", { class: "strong" }, sequence.name),
      ` · ${startedAt(job)} · ${stateOf(job)}`,
    ),
    text(factsOf(job), "hint"),
    job.cancelled?.cost === undefined || state !== "stopped"
      ? null
      : text(words.usedByJob({ used: costWords(job.cancelled.cost) }), "hint"),
    fault === undefined || state !== "failed" ? null : text(`✕ ${fault.sentence} ${fault.next}`, "fault"),
    element(
      "div",
      { class: "actions" },
      isDone ? act("open", words.open, () => actions.reviewController.open(runId)) : null,
      isDone || isActive ? null : act("resume", resumeLabel(job), () => jobQueue.resume(runId)),
      state === "running" ? act("stop-job", words.stopJob, () => jobQueue.stop(runId)) : null,
      isActive
        ? act("cancel", state === "running" ? words.stopWaiting : words.cancel, () => jobQueue.cancel(runId))
        : null,
      isDone && form.wanted !== "markers" && job.adds === undefined
        ? act("fetch-again", words.fetchAgain, () => jobQueue.fetchAgain(runId))
        : null,
      job.rawPath === undefined || actions.tools === null
        ? null
        : act("raw", words.showRaw, () => actions.panelController.showRaw(runId)),
      isActive
        ? null
        : act("delete-job", isDone ? words.deleteJob : words.removeJob, async () =>
            actions.session.store.set({ deletingRunId: runId }),
          ),
    ),
    isDeleting ? deletion(job, actions) : null,
  );
}

/** Nothing is deleted by one click. */
function deletion({ runId, state }: JobEntry, { session, jobQueue }: Actions): ElementNode {
  const close = () => session.store.set({ deletingRunId: null });
  return element(
    "div",
    { class: "actions", role: "group", "aria-label": words.deleteJob, key: "deletion" },
    text(state === "done" ? words.deleteJobHint : words.removeJobHint, "warning"),
    button(
      `delete-now-${runId}`,
      words.deleteNow,
      () => {
        close();
        session.run(() => jobQueue.remove(runId));
      },
      { "data-action": "delete-now" },
    ),
    button(`keep-${runId}`, words.keepJob, close, { "data-action": "keep-job", takesFocus: true }),
  );
}

function factsOf(job: JobEntry): string {
  const { cueCount, findingCount, form, describer, placedMarkers, placedNarration } = job;
  const { format, language, type, voice } = form.settings;
  const track = trackOf(form);
  const facts = [
    madeBy(job),
    words.types[type],
    ...(describer === undefined ? [] : [words.describers[describer] ?? describer]),
    words.formats[format],
    language,
    ...(track === "none" ? [] : [voice, words.tracks[track]]),
    ...(cueCount === undefined ? [] : [words.cueCount({ cues: cueCount, findings: findingCount ?? 0 })]),
    ...(placedMarkers === true ? [words.placedMarkers] : []),
    ...(placedNarration === true ? [words.placedNarration] : []),
  ];
  return facts.join(" · ");
}
