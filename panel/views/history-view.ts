import { costWords } from "../../src/workflow/describe/stop-run.ts";
import type { Actions } from "../controllers/actions.ts";
import { type ElementNode, element, type Listener } from "../document/element.ts";
import { trackOf } from "../state/form.ts";
import { jobsOfProject, type PanelState } from "../state/panel-state.ts";
import type { JobEntry } from "../state/saved.ts";
import { languageName } from "../words/language-names.ts";
import { distinctNames, words } from "../words/words.ts";
import { button, checkBox, text } from "./controls.ts";

/** The jobs there were, and what can be done with each. */
export function historyView(state: PanelState, actions: Actions): ElementNode[] {
  if (state.jobs.length === 0) return [text(words.noJobs, "empty")];
  const own = jobsOfProject(state);
  const others = state.jobs.length - own.length;
  const listed = state.showsAllProjects ? state.jobs : own;
  const names = jobNames(listed);
  const now = actions.session.environment.clock.now();
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
      { id: "jobs" },
      byDay(listed, now).map(([day, jobs]) => [
        text(day, "heading"),
        element(
          "div",
          { role: "list", "aria-label": day, key: day },
          jobs.map((job) =>
            jobCard(
              job,
              { name: names[listed.indexOf(job)] ?? "", now, isDeleting: job.runId === state.deletingRunId },
              actions,
            ),
          ),
        ),
      ]),
    ),
  ];
}

/** Jobs by when they were ordered, newest first: those under way, then a group for each day. */
function byDay(jobs: readonly JobEntry[], now: number): readonly (readonly [string, readonly JobEntry[]])[] {
  const day = (job: JobEntry) => (isActive(job) ? words.historyNow : dayOf(Date.parse(job.startedAt), now));
  const active = jobs.filter(isActive);
  const ordered = [...active, ...jobs.filter((job) => !isActive(job))];
  const days = [...new Set(ordered.map(day))];
  return days.map((name) => [name, ordered.filter((job) => day(job) === name)] as const);
}

function isActive({ state }: JobEntry): boolean {
  return state === "running" || state === "waiting";
}

/** The day of a time as people name it, on the clock of this computer. */
function dayOf(time: number, now: number): string {
  const days = Math.round((midnightOf(now) - midnightOf(time)) / 86_400_000);
  if (days <= 0) return words.today;
  return days === 1 ? words.yesterday : localDate(time);
}

function midnightOf(time: number): number {
  const date = new Date(time);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}

function localDate(time: number): string {
  const date = new Date(time);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** How long ago, while that says more than a time of day. */
function ageOf(time: number, now: number): string {
  const minutes = Math.floor((now - time) / 60_000);
  if (minutes < 1) return words.justNow;
  if (minutes < 60) return words.minutesAgo({ count: minutes });
  if (midnightOf(time) === midnightOf(now)) return words.hoursAgo({ count: Math.floor(minutes / 60) });
  const date = new Date(time);
  return `${String(date.getHours()).padStart(2, "0")}:${String(date.getMinutes()).padStart(2, "0")}`;
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

/** What a card of the history is drawn with. `name`: what tells it apart from the others. */
interface CardParts {
  readonly name: string;
  readonly now: number;
  readonly isDeleting: boolean;
}

function jobCard(job: JobEntry, { name, now, isDeleting }: CardParts, actions: Actions): ElementNode {
  const { runId, state, sequence, form } = job;
  const { jobQueue } = actions;
  const act = (action: string, label: string, work: () => Promise<unknown>) => {
    const onclick: Listener = () => actions.session.run(work);
    const more = { class: "button small", "data-action": action, "aria-label": `${label}: ${name}` };
    return button(`${action}-${runId}`, label, onclick, more);
  };
  const isDone = state === "done";
  return element(
    "div",
    { class: "card", role: "listitem", key: runId, "data-job-state": state },
    element(
      "div",
      { class: "setting-head" },
      element("span", { class: "strong grow" }, sequence.name),
      element("span", { class: "hint" }, ageOf(Date.parse(job.startedAt), now)),
    ),
    standing(job),
    text(factsOf(job), "hint"),
    job.cancelled?.cost === undefined || state !== "stopped"
      ? null
      : text(words.usedByJob({ used: costWords(job.cancelled.cost) }), "hint"),
    element(
      "div",
      { class: "actions" },
      isDone ? act("open", words.open, () => actions.reviewController.open(runId)) : null,
      isDone || isActive(job) ? null : act("resume", resumeLabel(job), () => jobQueue.resume(runId)),
      state === "running" ? act("stop-job", words.stopJob, () => jobQueue.stop(runId)) : null,
      isActive(job)
        ? act("cancel", state === "running" ? words.stopWaiting : words.cancel, () => jobQueue.cancel(runId))
        : null,
      isDone && form.wanted !== "markers" && job.adds === undefined
        ? act("fetch-again", words.fetchAgain, () => jobQueue.fetchAgain(runId))
        : null,
      job.rawPath === undefined || actions.tools === null
        ? null
        : act("raw", words.showRaw, () => actions.panelController.showRaw(runId)),
      isActive(job)
        ? null
        : act("delete-job", isDone ? words.deleteJob : words.removeJob, async () =>
            actions.session.store.set({ deletingRunId: runId }),
          ),
    ),
    isDeleting ? deletion(job, actions) : null,
  );
}

/** How a job stands, with the cause and the next step where it failed. */
function standing(job: JobEntry): ElementNode {
  const { state, fault, cueCount, findingCount, placedMarkers, placedNarration } = job;
  if (state === "failed" && fault !== undefined) return text(`⚠ ${fault.sentence} ${fault.next}`, "warning");
  if (state !== "done") return text(`${state === "running" ? "●" : "○"} ${stateOf(job)}`);
  const isPlaced = placedMarkers === true || placedNarration === true;
  const counted = cueCount === undefined ? "" : words.resultCount({ cues: cueCount, problems: findingCount ?? 0 });
  const placed = isPlaced ? words.onTheTimeline : "";
  return text(["✓", [counted, placed].filter((part) => part !== "").join(" · ") || stateOf(job)].join(" "));
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
  const { form, describer } = job;
  const { format, language, type, voice } = form.settings;
  const track = trackOf(form);
  const facts = [
    madeBy(job),
    words.types[type],
    ...(describer === undefined ? [] : [words.describers[describer] ?? describer]),
    words.formats[format],
    languageName(language),
    ...(track === "none" ? [] : [voice, words.tracks[track]]),
  ];
  return facts.join(" · ");
}
