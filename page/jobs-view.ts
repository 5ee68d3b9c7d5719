import type { Actions } from "../panel/controllers/actions.ts";
import { type Child, type ElementNode, element } from "../panel/document/element.ts";
import type { PanelState } from "../panel/state/panel-state.ts";
import type { JobEntry } from "../panel/state/saved.ts";
import { button, text } from "../panel/views/controls.ts";
import { bar, stoppedJobs } from "../panel/views/progress-view.ts";
import { distinctNames, words } from "../panel/words/words.ts";
import type { Client } from "../src/client/client.ts";
import type { DoneJob } from "../src/client/job-reply.ts";
import type { DeskJob } from "../src/contract/page.ts";
import { withoutEnding } from "../src/core/local-file.ts";
import type { Desk } from "./desk.ts";
import { type FilmEditor, filmOf } from "./film-editor.ts";
import { pageWords } from "./page-words.ts";
import { saveAddress, saveBlob } from "./pick-file.ts";

/** How often the queue is looked at while it is in sight, in milliseconds. */
const LOOK_MS = 2000;

/** What the queue asks. */
interface JobsParts {
  readonly desk: Desk;
  readonly client: Pick<Client, "getResults" | "deleteJob" | "cancelJob">;
  readonly editor: Pick<FilmEditor, "takeUp">;
}

/** The jobs of the service, whoever ordered them: how far they are, what came of them, and the way to review it. */
export class JobsView {
  readonly #parts: JobsParts;
  readonly #actions: Actions;
  #jobs: readonly DeskJob[] | null = null;
  /** What tells each job from the others, by job. */
  #names: ReadonlyMap<string, string> = new Map();
  #deleting: string | null = null;
  #isFollowing = false;

  constructor(parts: JobsParts, actions: Actions) {
    this.#parts = parts;
    this.#actions = actions;
  }

  /** Draws the queue, and follows it while it is in sight. */
  draw(state: PanelState): readonly Child[] {
    this.#follow();
    const jobs = this.#jobs;
    if (jobs === null) return [text(words.loading, "empty")];
    return [
      ...stoppedJobs(state, this.#actions),
      jobs.length === 0 ? text(pageWords.noJobs, "empty") : null,
      element(
        "div",
        { role: "list", id: "service-jobs", key: "jobs", "aria-label": pageWords.jobs },
        jobs.map((job) => this.#card(job)),
      ),
      jobs.some(({ status }) => status === "done") ? text(pageWords.asMade, "hint") : null,
    ];
  }

  #card(job: DeskJob): ElementNode {
    const { job_id, status, fraction, stage, message } = job;
    const isCancelled = job.error === "cancelled";
    const name = nameOf(job);
    const isDone = status === "done";
    const isOpen = status === "queued" || status === "processing";
    const act = (action: string, label: string, work: () => Promise<unknown>, style = "button") =>
      button(`${action}-${job_id}`, label, () => this.#actions.session.run(work), {
        class: style,
        "data-action": action,
        "aria-label": `${label}: ${this.#names.get(job_id) ?? name}`,
      });
    const save = (what: keyof typeof pageWords.save, take: (done: DoneJob) => unknown) =>
      act(`save-${what}`, pageWords.save[what], async () => {
        take(await this.#results(job_id));
        this.#actions.session.say(pageWords.saved);
      });
    const percent = Math.round((fraction ?? 0) * 100);
    return element(
      "div",
      { class: "card", role: "listitem", key: job_id, "data-job-state": status },
      element(
        "div",
        { class: "line" },
        element("span", { class: "strong" }, name),
        ` · ${orderedAt(job)} · ${pageWords.jobKinds[job.kind]} · ${pageWords.jobStates[isCancelled ? "cancelled" : status]}`,
        status === "processing" && stage !== null ? ` · ${stage}` : null,
      ),
      status === "processing" ? bar(percent, `${name}: ${percent} %`) : null,
      status === "failed" && message !== null
        ? text(isCancelled ? message : `✕ ${message}`, isCancelled ? "hint" : "fault")
        : null,
      element(
        "div",
        { class: "actions" },
        isDone && job.kind !== "video" ? act("open", pageWords.openJob, () => this.#open(job), "button primary") : null,
        isDone ? save("text", (done) => saveText(done, name)) : null,
        isDone && job.kind === "audio"
          ? save("sound", ({ audioUrl }) => audioUrl !== undefined && saveAddress(audioUrl))
          : null,
        isDone && job.kind === "video"
          ? save("video", ({ videoUrl }) => videoUrl !== undefined && saveAddress(videoUrl))
          : null,
        isOpen ? act("cancel", pageWords.cancelJob, () => this.#cancel(job_id)) : null,
        isDone && this.#deleting !== job_id
          ? act("delete", pageWords.deleteJob, async () => this.#ask(job_id), "button quiet")
          : null,
        isDone && this.#deleting === job_id
          ? act("delete-now", pageWords.reallyDelete, () => this.#delete(job_id))
          : null,
      ),
    );
  }

  /** Opens a result for review: as this page left it, else as the service has it. */
  async #open(job: DeskJob): Promise<void> {
    const { session, reviewController, jobQueue } = this.#actions;
    // Its film is the one at hand, also when the page is opened the next time. Without it, a result can be read all the same.
    await this.#parts.editor.takeUp(job.media_id).catch(() => undefined);
    const known = session.state.jobs.find(({ jobId, state }) => jobId === job.job_id && state === "done");
    if (known !== undefined) {
      const { environment, library } = session;
      const { runId, audioPath } = known;
      const audio = (await library.loadResult(runId))?.audio;
      // A browser may have let its sounds go: they are fetched again, and what people made of the result stays.
      const isGone = audio?.path === audioPath && (await environment.files.size(audioPath)) === null;
      return isGone ? jobQueue.fetchAgain(runId) : reviewController.open(runId);
    }
    const { desk } = this.#parts;
    const order = await desk.order(job.job_id);
    const { sequence, exported } = filmOf(job.media_id, await desk.media(job.media_id));
    await jobQueue.takeUp(
      { sequence, form: formOf(order) },
      {
        exported,
        media: { mediaId: job.media_id, isVerified: true },
        submission: { state: "accepted", jobId: job.job_id, notices: [] },
      },
    );
  }

  async #results(jobId: string): Promise<DoneJob> {
    const job = await this.#parts.client.getResults(jobId);
    if (job.status === "done") return job;
    throw new Error("the job is not done");
  }

  async #cancel(jobId: string): Promise<void> {
    await this.#parts.client.cancelJob(jobId);
    this.#actions.session.say(words.heard.jobStopped({ name: this.#names.get(jobId) ?? "" }));
    await this.#look();
  }

  #ask(jobId: string): void {
    this.#deleting = jobId;
    // The button has become another one under the focus.
    this.#actions.session.say(pageWords.askDelete({ name: this.#names.get(jobId) ?? "" }));
    this.#draw();
  }

  async #delete(jobId: string): Promise<void> {
    this.#deleting = null;
    const { session, jobQueue } = this.#actions;
    const known = session.state.jobs.filter((job) => job.jobId === jobId);
    if (known.length === 0) await this.#parts.client.deleteJob(jobId);
    for (const { runId } of known) await jobQueue.remove(runId);
    if (known.length === 0) session.say(words.heard.removed);
    await this.#look();
  }

  #follow(): void {
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    const { session } = this.#actions;
    session.run(async () => {
      try {
        let isFirst = true;
        while (!session.isClosed && session.state.view === "history") {
          await this.#look();
          const count = this.#jobs?.length ?? 0;
          if (isFirst) session.say(count === 0 ? pageWords.noJobs : pageWords.jobCount({ count }));
          isFirst = false;
          await session.environment.clock.sleep(LOOK_MS);
        }
      } finally {
        this.#isFollowing = false;
      }
    });
  }

  async #look(): Promise<void> {
    const jobs = await this.#parts.desk.jobs();
    if (JSON.stringify(jobs) === JSON.stringify(this.#jobs)) return;
    const before = this.#jobs;
    this.#jobs = jobs;
    this.#names = namesOf(jobs);
    if (before !== null) {
      for (const job of jobs) this.#sayEnd(job, before.find(({ job_id }) => job_id === job.job_id)?.status);
    }
    this.#draw();
  }

  /** Says that a job of somebody else has ended since the last look; those ordered here tell of themselves. */
  #sayEnd({ job_id, status, error, message }: DeskJob, was: DeskJob["status"] | undefined): void {
    const { session } = this.#actions;
    if (was === status || session.state.jobs.some(({ jobId }) => jobId === job_id)) return;
    const name = this.#names.get(job_id) ?? "";
    if (status === "done") session.say(words.heard.jobDone({ name }));
    else if (error === "cancelled") session.say(words.heard.jobStopped({ name }));
    else if (status === "failed") session.say(words.heard.jobFailed({ name, why: message ?? "" }));
  }

  #draw(): void {
    this.#actions.session.store.set({});
  }
}

function nameOf({ file_name, job_id }: DeskJob): string {
  return file_name ?? job_id.slice(0, 8);
}

/** When a job was ordered, in UTC to the minute. */
function orderedAt({ created_at }: DeskJob): string {
  return created_at.slice(0, 16).replace("T", " ");
}

/** What tells jobs apart whose films have one name: what they make and when they were ordered. */
function namesOf(jobs: readonly DeskJob[]): ReadonlyMap<string, string> {
  const names = distinctNames(jobs, [nameOf, ({ kind }) => pageWords.jobKinds[kind], orderedAt]);
  return new Map(jobs.map(({ job_id }, index) => [job_id, names[index] ?? ""]));
}

/** What a job was asked for, as the form that asks for it. */
export function formOf({ kind, track, settings }: Awaited<ReturnType<Desk["order"]>>): JobEntry["form"] {
  const { captions: _, script: __, ...kept } = settings;
  return {
    wanted: kind === "audio" ? "both" : "markers",
    track,
    range: "whole",
    captionSource: "none",
    settings: kept,
  };
}

function saveText({ text: told }: DoneJob, name: string): void {
  saveBlob(new Blob([told?.content ?? ""]), `${withoutEnding(name)}.${told?.format ?? "txt"}`);
}
