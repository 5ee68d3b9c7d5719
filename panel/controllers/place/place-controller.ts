import { fileNameOf } from "../../../src/core/local-file.ts";
import type { MergeSide } from "../../../src/core/merge-cues.ts";
import { isSameTime } from "../../../src/core/time-range.ts";
import type { Timeline } from "../../../src/core/timeline.ts";
import type { EditPlan, EditStep } from "../../../src/host/edit-plan.ts";
import { HostError } from "../../../src/host/host-error.ts";
import { isSameRange, type PlacedResult, type Result, voiceFiles } from "../../../src/result/result.ts";
import { soundStanding } from "../../../src/result/stale.ts";
import { planConform } from "../../../src/workflow/conform/conform-sequence.ts";
import { followCut } from "../../../src/workflow/conform/conformed-result.ts";
import {
  countMerge,
  firstRecord,
  readIntoResult,
  recordAfterPlacing,
} from "../../../src/workflow/place/merge-result.ts";
import { planFindingMarkers } from "../../../src/workflow/place/place.ts";
import { planNarrationReplacement, replacementOf } from "../../../src/workflow/place/replace.ts";
import { recordAfterPart } from "../../../src/workflow/place/round-trip.ts";
import { type AppliedPlan, planTakeBack } from "../../../src/workflow/place/take-back.ts";
import { cutTrueClips, keepBeside, leftOutWords, loadRecord, noteOf } from "../../session/kept-record.ts";
import type { Session } from "../../session/session.ts";
import { countConform, cutKey } from "../../state/conform-state.ts";
import { mustBeShown, previewOf } from "../../state/merge-preview.ts";
import { mergeReview } from "../../state/opened-review.ts";
import { jobOf } from "../../state/panel-state.ts";
import { withMergedCues, withReviewIds } from "../../state/review-edits.ts";
import { followedHistory } from "../../state/review-history.ts";
import type { ReviewState } from "../../state/review-state.ts";
import type { JobEntry } from "../../state/saved.ts";
import { cutText, words } from "../../words/words.ts";
import type { ApplyController } from "./apply-controller.ts";

/** What a result is placed on. */
interface Target {
  readonly review: ReviewState;
  readonly job: JobEntry;
  /** The sequence as it is. */
  readonly before: Timeline;
  readonly record: PlacedResult | null;
  readonly notices: readonly string[];
}

/** What placing has others do. */
interface PlacingOthers {
  /** Has the changed lines of the result under review voiced, and places the narration after that. */
  readonly voice: () => Promise<void>;
  /** Lowers the programme under the narration; with `continues` it is one thing with the narration. */
  readonly duck: (how: { readonly continues: boolean }) => Promise<void>;
}

/** Lays results on the timeline, and reads markers back. One thing at a time. */
export class PlaceController {
  readonly #session: Session;
  readonly #applyController: ApplyController;
  /** What the merge on show was made from. */
  #seen: { readonly before: Timeline; readonly record: PlacedResult | null } | null = null;
  #lastMute: AppliedPlan | null = null;
  readonly #others: PlacingOthers;

  constructor(session: Session, applyController: ApplyController, others: PlacingOthers) {
    this.#session = session;
    this.#applyController = applyController;
    this.#others = others;
  }

  /**
   * Places what is ticked of a result: its markers, its narration, or both in as few steps of the host's undo history as can be. Where
   * the markers ask something first, that comes first.
   */
  async everything(): Promise<void> {
    const { placesMarkers, placesNarration } = this.#session.state;
    if (!placesMarkers) return this.narration();
    if (!placesNarration) {
      await this.markers();
      return;
    }
    let isAlong = false;
    let moved = 0;
    const isDone = await this.markers({
      along: async (target) => {
        const steps = await this.#soundAlong(target);
        isAlong = steps.length > 0;
        moved = movedClips(steps, target.before);
        return steps;
      },
    });
    const { review, message } = this.#session.state;
    if (!isDone || review === null || review.preview !== null || voiceFiles(review.result).length === 0) return;
    await this.narration({ continues: message !== null && this.#session.state.canTakeBack, isPlaced: isAlong, moved });
    const after = this.#session.state.message;
    if (message === null || after === null || after.text === message.text) return;
    const details = [message.text, ...(message.details ?? []), ...(after.details ?? [])];
    this.#session.store.set({ message: { ...after, details } });
  }

  /**
   * Places a marker for each cue. What the editor did to markers of an earlier placing is merged; what that will do is shown
   * first, with a choice for each cue that both sides changed, and done at the second call.
   *
   * @param how `along`: steps that go with them, of what is placed then.
   * @returns Whether the markers are on the timeline as they should be.
   */
  async markers({
    along,
  }: {
    readonly along?: (target: Target) => Promise<readonly EditStep[]>;
  } = {}): Promise<boolean> {
    const target = await this.#target();
    if (target === null || this.#mustFollow(target)) return false;
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
      return false;
    }
    await this.#take({ ...merged, preview: null, choices: {} });
    const details = [...notices, ...(record === null ? [] : [words.merged({ counts: countMerge(merge.entries) })])];
    if (merge.plan.groups.length === 0) {
      this.#session.tell(words.nothingToPlace, { details });
      return true;
    }
    const old = record ?? firstRecord(merged.result, merged.sequence.id, before);
    const recordWith = (markerIds: AppliedPlan["markerIds"]) =>
      recordAfterPlacing(old, review.result, merge, { markerIds });
    const more = (await along?.({ ...target, review: merged })) ?? [];
    // Written with the markers, in one step to undo; the identities that they are given are known only afterwards.
    const plan = { ...withSteps(merge.plan, more), note: noteOf(recordWith({})) };
    const { applied, isDone } = await this.#applyController.apply(words.placingMarkers, plan, {
      before,
      details,
      recordBefore: record,
    });
    await this.#placed(job, { placedMarkers: true, ...(more.length === 0 ? {} : { placedNarration: true }) });
    const planned = recordWith(applied.markerIds);
    const { editor } = this.#session.environment;
    await keepBeside(this.#session, isDone ? planned : recordAfterPart(record, planned, await editor.readTimeline()));
    return isDone;
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
    const { review, notices, before: timeline } = target;
    const record = sameRange(target);
    if (record === null) return this.#session.tell(words.nothingToRead, { details: notices });
    const { sequence, result } = review;
    const { merge, disputed } = readIntoResult(result, { sequence, timeline, record });
    await this.#take(withMergedCues(withReviewIds(review, merge.ids), merge.cues));
    const details = disputed.length === 0 ? notices : [...notices, words.readDisputed({ count: disputed.length })];
    this.#session.tell(words.markersRead({ counts: countMerge(merge.entries) }), { details });
  }

  /**
   * Places the narration or the mix on a track of its own; ours of an earlier result is replaced. Sound that says other words
   * than its cue, and that of muted and deleted cues, is left out; of a mix it cannot be.
   *
   * @param how `continues`: it is one thing with what was placed just before, and taken back together with it. `isPlaced`: its
   * sound went along with the markers, `moved` clips of it from elsewhere.
   */
  async narration({ continues = false, isPlaced = false, moved = 0 } = {}): Promise<void> {
    const target = await this.#target();
    // What lies with the markers of this very call was looked at with them.
    if (target === null || (!continues && this.#mustFollow(target))) return;
    const { review, job, before } = target;
    const isMixed = review.result.track === "mixed";
    const hindrance = this.#hindrance(review.result);
    if (hindrance === "untrue") return this.#others.voice();
    if (hindrance === "mix") return this.#session.tell(words.mixDiffers, { isFault: true });
    const { plan, details } = await this.#soundPlan(target, moved);
    const [said, ...rest] = details;
    const { message } = this.#session.state;
    if (plan.groups.length === 0 && isPlaced) {
      if (message !== null)
        this.#session.store.set({ message: { ...message, details: [...(message.details ?? []), ...details] } });
    } else if (plan.groups.length === 0) this.#session.tell(said ?? words.nothingToPlace, { details: rest });
    else {
      await this.#applyController.apply(words.placingNarration, plan, { before, details, continues });
      await this.#placed(job, { placedNarration: true });
    }
    const isOneThing = isPlaced || plan.groups.length > 0;
    if (this.#session.state.ducksProgramme && !isMixed && this.#session.state.message?.isFault !== true) {
      await this.#others.duck({ continues: isOneThing });
    }
    if (isMixed) this.#session.store.set({ muting: this.#lastMute ? "done" : "offered" });
  }

  /** What keeps the narration from being placed: lines that are to be voiced first, or a mix that says other words. */
  #hindrance(result: Result): "untrue" | "mix" | null {
    const { untrue, isWhole } = soundStanding(result);
    if (untrue.size > 0 && this.#session.state.voicesFirst) return "untrue";
    return result.track === "mixed" && !isWhole ? "mix" : null;
  }

  /** How the narration comes onto the timeline, and what of it is left out. */
  async #soundPlan(
    { review, before, notices }: Target,
    movedAlong = 0,
  ): Promise<{ readonly plan: EditPlan; readonly details: readonly string[] }> {
    const { result } = review;
    const { untrue, silenced, isWhole } = soundStanding(result);
    const isMixed = result.track === "mixed";
    const isInClips = !isMixed && (this.#session.state.placesClips || result.pieces !== undefined || !isWhole);
    const cut = isInClips ? await cutTrueClips(this.#session.environment, result, review.sequence.rate) : null;
    const clips = cut === null ? {} : { clips: cut.clips };
    const plan = planNarrationReplacement({ ...withSound(review, before), ...clips });
    const steps = plan.groups.flatMap((group) => group.steps);
    const moved = movedAlong + (isInClips ? movedClips(steps, before) : 0);
    const details = [
      ...(moved === 0 ? [] : [words.clipsToLines({ count: moved })]),
      ...leftOutWords(cut?.left ?? { untrue: [...untrue], shared: [], cutOff: [] }),
      ...(silenced.size === 0 ? [] : [words.silenced({ count: silenced.size })]),
      ...notices,
    ];
    return { plan, details };
  }

  /** The narration as steps that go with the markers; none where something hinders it, which is told when it is placed by itself. */
  async #soundAlong(target: Target): Promise<readonly EditStep[]> {
    const { result } = target.review;
    if (voiceFiles(result).length === 0 || this.#hindrance(result) !== null) return [];
    const { files } = this.#session.environment;
    const steps = (await this.#soundPlan(target)).plan.groups.flatMap((group) => group.steps);
    for (const step of steps) {
      // A sound that is gone must not keep the markers away.
      if (step.kind === "place-audio" && ((await files.size(step.path)) ?? 0) === 0) return [];
    }
    return steps;
  }

  /** Shows what was found as markers, in place of those of an earlier check; without findings they only go. */
  async findings(): Promise<void> {
    const target = await this.#target();
    if (target === null) return;
    const { review, before } = target;
    const { sequence, result } = review;
    const { offsetSeconds, cues, findings } = result;
    const plan = planFindingMarkers({ sequence, timeline: before, offsetSeconds, cues, findings });
    if (plan.groups.length === 0) return this.#session.tell(words.noFindingMarkers);
    await this.#applyController.apply(words.placingFindings, plan, { before });
  }

  /** Mutes the other sound tracks: a mix holds the programme's sound too. A second call takes that back. */
  async mute(): Promise<void> {
    const { store } = this.#session;
    const target = await this.#target();
    if (target === null) return;
    if (this.#lastMute !== null) {
      const { isDone } = await this.#applyController.applyForGood(
        words.unmuting,
        planTakeBack(this.#lastMute, target.before).plan,
      );
      if (!isDone) return;
      this.#lastMute = null;
      store.set({ muting: "offered" });
    } else {
      const { before } = target;
      const { result, sequence } = target.review;
      const only = replacementOf(result, { sequence, timeline: before });
      const plan = planNarrationReplacement({ ...only, mutesOthers: true });
      const { applied, isDone } = await this.#applyController.applyForGood(words.muting, plan, { before });
      if (!isDone) return;
      this.#lastMute = applied;
      store.set({ muting: "done" });
    }
  }

  /**
   * Whether the cut moved pictures since these descriptions were placed, and has to be followed first: each would come to where its
   * picture was. Whoever has put that notice away wants them there.
   */
  #mustFollow({ review: { sequence }, job, before, record }: Target): boolean {
    if (record?.runId !== job.runId) return false;
    const plan = planConform({ sequence, timeline: before, record });
    const was = new Map(record.cues.map((cue) => [cue.id, cue.start + record.offsetSeconds]));
    const isMoved = plan.descriptions.some(({ cueId, start }) => !isSameTime(start, was.get(cueId) ?? start));
    if (!isMoved || this.#session.state.setAsideCut === cutKey({ plan, sequence })) return false;
    this.#session.tell(words.followFirst, { isFault: true, remedies: ["follow-cut"] });
    return true;
  }

  /**
   * What is under review and the sequence it goes onto: the active one, where it is the described one or a copy of it. `null`
   * while something else is done. @throws HostError `no_sequence` when another sequence is active.
   */
  async #target(): Promise<Target | null> {
    this.#session.commitTyped();
    const { review: shown } = this.#session.state;
    const job = jobOf(this.#session.state, shown?.result.runId);
    if (shown === null || job === undefined || this.#applyController.isUnderWay) return null;
    const { editor } = this.#session.environment;
    const sequence = await editor.readSequence();
    const before = await editor.readTimeline();
    const { record, notices } = await loadRecord(this.#session, sequence.id, before, job.sequence.id);
    if (sequence.id === shown.sequence.id) {
      const followed = record?.runId === job.runId ? null : followCut(shown.result, { sequence, timeline: before });
      if (followed === null) return { review: shown, job, before, record, notices };
      const review = {
        ...shown,
        ...followedHistory(shown, shown.result, followed.result),
        result: followed.result,
        sequence,
      };
      await this.#take(review);
      return {
        review,
        job,
        before,
        record,
        notices: [...notices, cutText(words.cutSinceExport, countConform(followed))],
      };
    }
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

  /** Shows the result as it was merged, and keeps it. */
  async #take(review: ReviewState): Promise<void> {
    this.#session.store.set({ review });
    await this.#session.library.saveReview(review);
  }

  async #placed({ runId }: JobEntry, mark: Partial<JobEntry>): Promise<void> {
    await this.#session.changeJob(runId, mark);
    const { review } = this.#session.state;
    if (review !== null) await this.#session.library.saveReview(review);
  }
}

/** A plan with further steps in its last group: what goes together is undone together. */
function withSteps(plan: EditPlan, more: readonly EditStep[]): EditPlan {
  const last = plan.groups.at(-1);
  if (last === undefined || more.length === 0) return plan;
  const whole = { label: words.withNarration({ label: last.label }), steps: [...last.steps, ...more] };
  return { ...plan, groups: [...plan.groups.slice(0, -1), whole] };
}

/** The record that a result is merged by: one of another range says nothing about it. */
function sameRange({ record, review }: Target): PlacedResult | null {
  return record !== null && isSameRange(record, review.result) ? record : null;
}

/** What of a result is to be placed, with the one file that holds all of its voices. */
function withSound({ result, sequence }: ReviewState, timeline: Timeline) {
  const { audio } = result;
  const clip = audio === undefined ? {} : { audio: { ...audio, clipName: fileNameOf(audio.path) } };
  return { ...replacementOf(result, { sequence, timeline }), ...clip };
}

/** How many clips of narration steps take from one time to another: each goes to its line's, wherever an editor had drawn it. */
function movedClips(steps: readonly EditStep[], { tracks }: Timeline): number {
  const starts = new Map(tracks.flatMap(({ clips }) => clips.map(({ name, start }) => [name, start] as const)));
  const placed = steps.filter((step) => step.kind === "place-audio");
  return placed.filter(({ clipName, start }) => !isSameTime(starts.get(clipName) ?? start, start)).length;
}
