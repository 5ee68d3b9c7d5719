import type { MergeSide } from "../src/core/merge-cues.ts";
import type { Timeline } from "../src/core/timeline.ts";
import type { EditPlan } from "../src/host/edit-plan.ts";
import { HostError } from "../src/host/host-error.ts";
import { planFindingMarkers } from "../src/workflow/finding-markers.ts";
import { countMerge } from "../src/workflow/merge-summary.ts";
import { planNarrationReplacement } from "../src/workflow/replace.ts";
import {
  mergeIntoSequence,
  recordAfterMerge,
  recordAfterPart,
  type SequenceMerge,
} from "../src/workflow/round-trip.ts";
import type { SequenceRecord } from "../src/workflow/sequence-record.ts";
import { type AppliedPlan, planTakeBack } from "../src/workflow/take-back.ts";
import { fileNameOf } from "./file-name.ts";
import { trackOf } from "./form.ts";
import { isSameRange, keepBeside, loadRecord, newRecord, noteOf, voicedByResult, withResult } from "./kept-record.ts";
import { mergeReview, mustBeShown, previewOf } from "./merge-preview.ts";
import { narrationClips } from "./narration-clips.ts";
import { type ReviewState, withMergedCues } from "./review-state.ts";
import type { JobEntry } from "./saved.ts";
import type { Session } from "./session.ts";
import { jobOf, withJob } from "./state.ts";
import { words } from "./words.ts";

/** What a result is placed on. */
interface Target {
  readonly review: ReviewState;
  readonly job: JobEntry;
  /** The sequence as it is. */
  readonly before: Timeline;
  readonly record: SequenceRecord | null;
  readonly notices: readonly string[];
}

/** What goes with a plan that was made elsewhere. */
interface Performance {
  readonly details?: readonly string[];
  readonly done: string;
  /** The record of the sequence before the plan, which taking it back brings back. */
  readonly recordBefore?: SequenceRecord | null;
  readonly afterwards: (applied: AppliedPlan) => Promise<void>;
  readonly takenBack: () => Promise<void>;
}

/** The last placing, and what taking it back brings back beside the timeline. */
interface LastPlacing {
  readonly applied: AppliedPlan;
  /** The record of the sequence as it was before; `null` when there was none. */
  readonly recordBefore?: SequenceRecord | null;
  readonly takenBack?: () => Promise<void>;
}

/** Lays results on the timeline, takes them back, and reads markers back. One thing at a time. */
export class Placing {
  readonly #session: Session;
  #last: LastPlacing | null = null;
  /** What the merge on show was made from. */
  #seen: { readonly before: Timeline; readonly record: SequenceRecord | null } | null = null;
  #lastMute: AppliedPlan | null = null;
  #controller: AbortController | null = null;

  constructor(session: Session) {
    this.#session = session;
  }

  /**
   * Places a marker for each cue. What the editor did to markers of an earlier placing is merged; what that will do is shown
   * first, with a choice for each cue that both sides changed, and done at the second call.
   */
  async markers(): Promise<void> {
    const target = await this.#target();
    if (target === null) return;
    const { review, job, before, notices } = target;
    const record = sameRange(target);
    const { merge, merged } = mergeReview(review, before, record, this.#session.state.coloursMarkers);
    const preview = previewOf(merge, notices);
    const isSeen = JSON.stringify(review.preview?.lines) === JSON.stringify(preview.lines);
    if (!isSeen && mustBeShown(merge, record, job.runId)) {
      // Where the markers changed after it was shown, it is shown again.
      if (review.preview !== null) this.#session.tell(words.mergeChanged);
      this.#seen = { before, record };
      this.#session.store.set({ review: { ...review, preview } });
      return;
    }
    this.#session.store.set({ review: { ...merged, preview: null, choices: {} } });
    const details = [...notices, ...(record === null ? [] : [words.merged({ counts: countMerge(merge.entries) })])];
    if (merge.plan.groups.length === 0) return this.#session.tell(words.nothingToPlace, { details });
    const recordWith = this.#recordAfter(review, job, record ?? newRecord(merged, job, before), merge);
    // Written with the markers, in one step to undo; the identities that they are given are known only afterwards.
    const plan = { ...merge.plan, note: noteOf(recordWith({})) };
    const { applied, isDone } = await this.#apply(words.placingMarkers, plan, { before, details });
    this.#last = { applied, recordBefore: record };
    await this.#placed(job, { placedMarkers: true });
    const planned = recordWith(applied.markerIds);
    const { editor } = this.#session.environment;
    await keepBeside(this.#session, isDone ? planned : recordAfterPart(record, planned, await editor.readTimeline()));
  }

  /** The record of a placing, once it is known which markers it gave. */
  #recordAfter(review: ReviewState, job: JobEntry, old: SequenceRecord, merge: SequenceMerge) {
    // What the service wrote stays what the editor's work is told apart from, however often it is placed.
    const isSameRun = old.revision > 0 && old.runId === job.runId;
    const voiced = isSameRun || trackOf(job.form) === "none" ? old.voiced : voicedByResult(review, merge, job);
    return (markerIds: AppliedPlan["markerIds"]): SequenceRecord => {
      const next = recordAfterMerge(withResult(old, review.review, job), merge, { markerIds });
      return { ...next, ...(isSameRun ? { generated: old.generated } : {}), voiced };
    };
  }

  /** Decides whose version of cues is taken, and shows what comes of it. */
  choose(cueIds: readonly string[], side: MergeSide): void {
    const { review } = this.#session.state;
    if (review?.preview == null || this.#seen === null) return;
    const choices = { ...review.choices, ...Object.fromEntries(cueIds.map((id) => [id, side])) };
    const { before, record } = this.#seen;
    const { merge } = mergeReview({ ...review, choices }, before, record, this.#session.state.coloursMarkers);
    const preview = previewOf(merge, review.preview.notices);
    this.#session.store.set({ review: { ...review, choices, preview } });
  }

  /** Leaves the markers as they are. */
  closePreview(): void {
    const { review } = this.#session.state;
    if (review !== null) this.#session.store.set({ review: { ...review, preview: null, choices: {} } });
  }

  /** Takes the cues over as the editor has changed their markers on the timeline. */
  async readMarkers(): Promise<void> {
    const target = await this.#target();
    if (target === null) return;
    const { review, record, notices, before: timeline } = target;
    if (record === null) return this.#session.tell(words.nothingToRead, { details: notices });
    const { sequence, review: result } = review;
    const merge = mergeIntoSequence({ sequence, timeline, record, ...result.exported, allGoneMeans: "undone" });
    this.#session.store.set({ review: withMergedCues(review, merge.cues) });
    this.#session.tell(words.markersRead({ counts: countMerge(merge.entries) }), { details: notices });
  }

  /** Places the narration or the mix on a track of its own; ours of an earlier result is replaced. */
  async narration(): Promise<void> {
    const target = await this.#target();
    if (target === null) return;
    const { review, job, before } = target;
    const clips =
      (this.#session.state.placesClips || review.review.pieces !== undefined) && trackOf(job.form) !== "mixed"
        ? await narrationClips(this.#session, review)
        : null;
    const plan = planNarrationReplacement({ ...replacementOf(review, before), ...(clips === null ? {} : { clips }) });
    if (plan.groups.length === 0) this.#session.tell(words.nothingToPlace);
    else {
      this.#last = await this.#apply(words.placingNarration, plan, { before });
      await this.#placed(job, { placedNarration: true });
    }
    if (trackOf(job.form) === "mixed") this.#session.store.set({ muting: this.#lastMute ? "done" : "offered" });
  }

  /** Shows what was found as markers, in place of those of an earlier check; without findings they only go. */
  async findings(): Promise<void> {
    const target = await this.#target();
    if (target === null) return;
    const { review, before } = target;
    const { exported, cues, findings } = review.review;
    const { sequence } = review;
    const { offsetSeconds } = exported;
    const plan = planFindingMarkers({ sequence, timeline: before, offsetSeconds, cues, findings });
    if (plan.groups.length === 0) return this.#session.tell(words.noFindingMarkers);
    const { applied } = await this.#apply(words.placingFindings, plan, { before });
    this.#last = { applied };
    this.#session.store.set({ canTakeBack: true });
  }

  /** Mutes the other sound tracks: a mix holds the programme's sound too. A second call takes that back. */
  async mute(): Promise<void> {
    const { store } = this.#session;
    const target = await this.#target();
    if (this.#lastMute !== null) {
      const { isDone } = await this.#apply(words.unmuting, planTakeBack(this.#lastMute));
      if (!isDone) return;
      this.#lastMute = null;
      store.set({ muting: "offered" });
    } else if (target !== null) {
      const { before } = target;
      const { audio: _, ...rest } = replacementOf(target.review, before);
      const plan = planNarrationReplacement({ ...rest, mutesOthers: true });
      const { applied, isDone } = await this.#apply(words.muting, plan, { before });
      if (!isDone) return;
      this.#lastMute = applied;
      store.set({ muting: "done" });
    }
  }

  /** Takes the last placing back, as far as it came. */
  async takeBack(): Promise<void> {
    if (this.#last === null || this.#controller !== null) return;
    const { applied, recordBefore, takenBack } = this.#last;
    // The earlier record becomes the latest: without it, what was taken back would look like the editor's doing.
    const record = recordBefore ? { ...recordBefore, revision: recordBefore.revision + 2 } : null;
    const note = record === null ? {} : { note: noteOf(record) };
    await this.#apply(words.takingBack, { ...planTakeBack(applied), ...note }, { done: words.takenBack });
    this.#last = null;
    if (record !== null) await keepBeside(this.#session, record);
    await takenBack?.();
    this.#session.store.set({ canTakeBack: false });
  }

  /**
   * Applies a plan made elsewhere; it can then be taken back. What belongs to it is done `afterwards`, unless the timeline is
   * not wholly as planned, and is undone by `takenBack`. Returns whether it is.
   */
  async perform(what: string, plan: EditPlan, more: Performance): Promise<boolean> {
    if (this.#controller !== null) return false;
    const { afterwards, takenBack, recordBefore = null, ...rest } = more;
    const { applied, isDone } = await this.#apply(what, plan, rest);
    this.#last = { applied, recordBefore, takenBack };
    this.#session.store.set({ canTakeBack: true });
    if (isDone) await afterwards(applied);
    return isDone;
  }

  /** Stops placing after the transaction under way. */
  stop(): void {
    this.#controller?.abort("stopped");
  }

  /**
   * What is under review and the sequence it goes onto: the active one, where it is the described one or a copy of it. `null`
   * while something else is done. @throws HostError `no_sequence` when another sequence is active.
   */
  async #target(): Promise<Target | null> {
    const { review: shown } = this.#session.state;
    const job = jobOf(this.#session.state, shown?.review.runId);
    if (shown === null || job === undefined || this.#controller !== null) return null;
    const { editor } = this.#session.environment;
    const sequence = await editor.readSequence();
    const before = await editor.readTimeline();
    const { record, notices } = await loadRecord(this.#session, sequence.id, before, job.sequence.id);
    if (sequence.id === shown.sequence.id) return { review: shown, job, before, record, notices };
    if (record?.runId !== job.runId) {
      throw new HostError("no_sequence", words.otherActive({ wanted: shown.sequence.name, active: sequence.name }), {
        operation: "place the result",
        state: "nothing was changed",
      });
    }
    const review = { ...shown, sequence };
    this.#session.store.set({ review });
    return { review, job, before, record, notices };
  }

  async #placed({ runId }: JobEntry, mark: Partial<JobEntry>): Promise<void> {
    this.#session.store.update((state) => ({ ...withJob(state, runId, mark), canTakeBack: true }));
    const job = jobOf(this.#session.state, runId);
    if (job !== undefined) await this.#session.library.saveJob(job);
    const { review } = this.#session.state;
    if (review !== null) await this.#session.library.saveReview(review.review);
  }

  /** Applies a plan, and says what is not as planned. */
  async #apply(
    what: string,
    plan: EditPlan,
    more: { readonly before?: Timeline; readonly details?: readonly string[]; readonly done?: string } = {},
  ): Promise<{ readonly applied: AppliedPlan; readonly isDone: boolean }> {
    const { environment, store } = this.#session;
    const { editor } = environment;
    const controller = new AbortController();
    this.#controller = controller;
    store.set({ placing: { what, fraction: 0 }, message: null });
    try {
      const before = more.before ?? (await editor.readTimeline());
      const report = await editor.apply(plan, {
        signal: controller.signal,
        onProgress: ({ fraction }) => store.set({ placing: { what, fraction: fraction ?? 0 } }),
      });
      const details = [...report.differences, ...(more.details ?? [])];
      const isDone = report.outcome === "done";
      if (isDone) {
        const said = more.done ?? words.placed({ label: plan.groups[0]?.label ?? what });
        const { undoSteps = 0 } = report;
        this.#session.tell(undoSteps === 0 ? said : `${said} ${words.undoSteps({ steps: undoSteps })}`, { details });
      } else this.#session.tell(words.partlyPlaced, { isFault: true, next: words.partlyPlacedNext, details });
      return { applied: { plan, before, markerIds: report.markerIds }, isDone };
    } finally {
      this.#controller = null;
      store.set({ placing: null });
    }
  }
}

/** The record that a result is merged by: one of another range says nothing about it. */
function sameRange({ record, review }: Target): SequenceRecord | null {
  return record !== null && isSameRange(record, review.review) ? record : null;
}

function replacementOf({ review, sequence }: ReviewState, timeline: Timeline) {
  const { exported, cues, findings, audio } = review;
  const { offsetSeconds, durationSeconds } = exported;
  const clip = audio === undefined ? {} : { audio: { ...audio, clipName: fileNameOf(audio.path) } };
  return { sequence, offsetSeconds, durationSeconds, cues, findings, timeline, ...clip };
}
