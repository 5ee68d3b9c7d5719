import type { DescribedStretch } from "../../../src/workflow/conform/describe-stretches.ts";
import type { Description } from "../../../src/workflow/describe/describe.ts";
import type { Session } from "../../session/session.ts";
import { trackOf } from "../../state/form.ts";
import { changedReview } from "../../state/opened-review.ts";
import { jobOf, type ViewName } from "../../state/panel-state.ts";
import type { JobEntry, Review } from "../../state/saved.ts";
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
const WORKPLACES: ReadonlySet<ViewName> = new Set(["review", "conform", "deliver"]);

/** What jobs bring: kept, shown, and told of. A job that was removed meanwhile brings nothing. */
export class JobResults {
  readonly #session: Session;
  readonly #after: AfterJobs;

  constructor(session: Session, after: AfterJobs) {
    this.#session = session;
    this.#after = after;
  }

  /** Takes a description: as a result of its own, or as the new narration of the result that the job voices. */
  async take(runId: string, description: Description): Promise<void> {
    const job = jobOf(this.#session.state, runId);
    if (job === undefined) return;
    if (job.voices === undefined) await this.#takeDescribed(job, description);
    else await this.#takeVoiced(job, description);
  }

  /** Takes what was described of new picture to the result that it joins. */
  async takeStretches(runId: string, described: readonly DescribedStretch[]): Promise<void> {
    const job = jobOf(this.#session.state, runId);
    if (job === undefined) return;
    const cueCount = await this.#after.described(job, described);
    await this.#session.changeJob(runId, { state: "done", cueCount });
    for (const { description } of described) {
      if (description !== null) await this.#removeExport(description);
    }
  }

  async #takeDescribed(job: JobEntry, description: Description): Promise<void> {
    const { library } = this.#session;
    const { runId } = job;
    const { raw, cues, toWrite, findings, jobId, notices } = description;
    const rawPath = await library.saveText(`${runId}.raw.${raw.format}`, raw.content);
    const review = reviewOf(job, description);
    const kept = await this.#session.reviewOf(runId);
    // What the editor has changed already is not lost when only the narration was fetched again.
    const isShown = await this.#keep(kept === null ? review : { ...kept, ...soundOf(review) }, job);
    await this.#session.changeJob(runId, {
      state: "done",
      jobId,
      rawPath,
      cueCount: cues.length,
      findingCount: findings.length,
    });
    await this.#removeExport(description);
    if (!isShown) this.#session.tell(words.doneElsewhere({ name: job.sequence.name }), { details: notices });
    else if (cues.length === 0 && toWrite === undefined) this.#session.tell(words.noCues, { details: notices });
    else if (notices.length > 0) this.#session.tell(words.doneWithNotices, { details: notices });
  }

  /** Puts new narration where the old one was: in its result, and on the timeline where it was placed. */
  async #takeVoiced(job: JobEntry, description: Description): Promise<void> {
    const taken = await takeVoices(this.#session, job, description);
    const described = jobOf(this.#session.state, job.voices);
    const isKept = taken !== null && described !== undefined;
    const isShown = isKept && (await this.#keep(taken.review, described));
    const { jobId, cues } = description;
    await this.#session.changeJob(job.runId, { state: "done", jobId, cueCount: cues.length });
    if (!isKept) return;
    const details = [...description.notices, ...taken.notices];
    this.#session.tell(isShown ? words.voiced : words.doneElsewhere({ name: job.sequence.name }), { details });
    // It is the result under review that is placed; another one is when it has been opened.
    if (isShown && described.placedNarration === true) this.#session.run(() => this.#after.voiced());
  }

  /**
   * Keeps a result and shows it, unless the editor is at work on another one; whoever waits for it is taken there. Tells
   * whether it is shown.
   */
  async #keep(review: Review, job: JobEntry): Promise<boolean> {
    const { store, library } = this.#session;
    const { state } = this.#session;
    const isAtOther = WORKPLACES.has(state.view) && state.review !== null && state.review.review.runId !== review.runId;
    if (!isAtOther) {
      store.set({
        review: changedReview(state.review, review, job),
        view: state.view === "progress" ? "review" : state.view,
      });
    }
    await library.saveReview(review);
    return !isAtOther;
  }

  async #removeExport({ exported }: Description): Promise<void> {
    if (exported.isTemporary) await this.#session.environment.files.remove(exported.path).catch(() => undefined);
  }
}

function reviewOf(job: JobEntry, description: Description): Review {
  const { cues, toWrite, findings, issues, notices, exported, speech, music, wordings, audio, raw, voicing } =
    description;
  return {
    runId: job.runId,
    exported,
    cues,
    original: cues,
    ...(toWrite === undefined ? {} : { toWrite }),
    findings,
    issues,
    notices,
    rawFormat: raw.format,
    speech: speech ?? null,
    ...(music === undefined ? {} : { music }),
    ...(wordings === undefined ? {} : { wordings }),
    ...(audio === undefined ? {} : { audio: { path: audio.path, durationSeconds: audio.durationSeconds } }),
    ...(voicing === undefined ? {} : { voicing }),
    type: trackOf(job.form) === "none" ? job.form.settings.type : "standard",
    acceptedIds: [],
  };
}

/** What belongs to the narration of a result. */
function soundOf({ audio, voicing }: Review): Partial<Review> {
  return { ...(audio === undefined ? {} : { audio }), ...(voicing === undefined ? {} : { voicing }) };
}
