import { defined } from "../../../src/core/objects.ts";
import type { FileTransfer } from "../../../src/core/ports.ts";
import type { Result } from "../../../src/result/result.ts";
import type { DescribedStretch } from "../../../src/workflow/conform/describe-stretches.ts";
import type { FinishedRun } from "../../../src/workflow/describe/describe.ts";
import type { Session } from "../../session/session.ts";
import { changedReview } from "../../state/opened-review.ts";
import { jobOf, type ViewName } from "../../state/panel-state.ts";
import type { JobEntry } from "../../state/saved.ts";
import { words } from "../../words/words.ts";
import { takeVoices } from "./voice-changed.ts";

/** What is done on the timeline with what a job brought. */
export interface AfterJobs {
  /** Updates the narration after cues were voiced anew. */
  voiced(): Promise<void>;
  /** Brings new cues to the result that they join; gives how many came in. */
  described(job: JobEntry, described: readonly DescribedStretch[]): Promise<number>;
}

/** Views in which a result is worked on. */
const WORKPLACES: ReadonlySet<ViewName> = new Set(["review", "conform", "deliver", "bible"]);

/** What jobs bring: kept, shown, and told of. A job that was removed meanwhile brings nothing. */
export class JobResults {
  readonly #session: Session;
  readonly #after: AfterJobs;

  constructor(session: Session, after: AfterJobs) {
    this.#session = session;
    this.#after = after;
  }

  /** Takes a description: as a result of its own, or as the new narration of the result that the job voices. */
  async take(runId: string, run: FinishedRun): Promise<void> {
    const job = jobOf(this.#session.state, runId);
    if (job === undefined) return;
    if (job.voices === undefined) await this.#takeDescribed(job, run);
    else await this.#takeVoiced(job, run);
  }

  /** Takes what was described of new picture to the result that it joins. */
  async takeStretches(runId: string, described: readonly DescribedStretch[]): Promise<void> {
    const job = jobOf(this.#session.state, runId);
    if (job === undefined) return;
    const cueCount = await this.#after.described(job, described);
    await this.#session.changeJob(runId, { state: "done", cueCount });
    for (const { run } of described) {
      if (run !== null) await this.#removeExport(run);
    }
  }

  async #takeDescribed(job: JobEntry, run: FinishedRun): Promise<void> {
    const { library } = this.#session;
    const { runId } = job;
    const { raw, result } = run;
    const { cues, toWrite, findings, jobId, notices } = result;
    const rawPath = await library.saveText(`${runId}.raw.${raw.format}`, raw.content);
    const kept = await this.#session.resultOf(runId);
    // What the editor has changed already is not lost when only the narration was fetched again.
    const { audio, voicing } = result;
    const isShown = await this.#keep(kept === null ? result : { ...kept, ...defined({ audio, voicing }) }, job);
    await this.#session.changeJob(runId, {
      state: "done",
      jobId,
      rawPath,
      cueCount: cues.length,
      ...defined({ describer: result.describer }),
      findingCount: findings.length,
    });
    await this.#removeExport(run);
    if (!isShown) this.#session.tell(words.doneElsewhere({ name: job.sequence.name }), { details: notices });
    else if (cues.length === 0 && toWrite === undefined) this.#session.tell(words.noCues, { details: notices });
    else if (notices.length > 0) this.#session.tell(words.doneWithNotices, { details: notices });
  }

  /** Puts new narration where the old one was: in its result, and on the timeline where it was placed. */
  async #takeVoiced(job: JobEntry, { result }: FinishedRun): Promise<void> {
    const taken = await takeVoices(this.#session, job, result);
    const described = jobOf(this.#session.state, job.voices);
    const isKept = taken !== null && described !== undefined;
    const isShown = isKept && (await this.#keep(taken.result, described));
    const { jobId, cues } = result;
    await this.#session.changeJob(job.runId, { state: "done", jobId, cueCount: cues.length });
    if (!isKept) return;
    const details = [...result.notices, ...taken.notices];
    this.#session.tell(isShown ? words.voiced : words.doneElsewhere({ name: job.sequence.name }), { details });
    // It is the result under review that is placed; another one is when it has been opened.
    if (isShown && (described.placedNarration === true || job.places === true))
      this.#session.run(() => this.#after.voiced());
  }

  /**
   * Keeps a result and shows it, unless the editor is at work on another one; whoever waits for it is taken there. Tells
   * whether it is shown.
   */
  async #keep(result: Result, job: JobEntry): Promise<boolean> {
    const { store, library } = this.#session;
    const { state } = this.#session;
    const isAtOther = WORKPLACES.has(state.view) && state.review !== null && state.review.result.runId !== result.runId;
    const review = changedReview(state.review, result, job);
    if (!isAtOther) store.set({ review, view: state.view === "progress" ? "review" : state.view });
    await library.saveReview(review);
    return !isAtOther;
  }

  async #removeExport({ exported }: FinishedRun): Promise<void> {
    if (exported.isTemporary) await this.#session.environment.files.remove(exported.path).catch(() => undefined);
  }
}

/** Holds an upload between two slices, until it is let go. What is sent in one piece cannot be held. */
export class UploadHold {
  readonly #onHeld: () => void;
  #letGo: (() => void) | null = null;
  #held: Promise<void> | null = null;

  /** `onHeld` is called when the slice under way is sent and nothing more will be. */
  constructor(onHeld: () => void) {
    this.#onHeld = onHeld;
  }

  /** Asks for a hold, from the next slice on. */
  hold(): void {
    this.#held ??= new Promise((resolve) => {
      this.#letGo = resolve;
    });
  }

  /** Lets the upload go on. */
  letGo(): void {
    this.#letGo?.();
    this.#letGo = null;
    this.#held = null;
  }

  /** The same transfer, with uploads that can be held. */
  over(transfer: FileTransfer): FileTransfer {
    return {
      upload: (request) => transfer.upload({ ...request, mayGoOn: () => this.#mayGoOn(request.signal) }),
      download: (request) => transfer.download(request),
    };
  }

  async #mayGoOn(signal: AbortSignal): Promise<void> {
    const held = this.#held;
    if (held === null) return;
    this.#onHeld();
    await new Promise<void>((resolve, reject) => {
      const stop = () => reject(signal.reason);
      signal.addEventListener("abort", stop, { once: true });
      void held.then(() => {
        signal.removeEventListener("abort", stop);
        resolve();
      });
    });
  }
}
