import type { Timeline } from "../../src/core/timeline.ts";
import { timedIdsOf } from "../../src/result/edit.ts";
import type { PlacedResult, Result } from "../../src/result/result.ts";
import { mergeResult } from "../../src/workflow/place/merge-result.ts";
import { UNCOLOURED } from "../../src/workflow/place/replace.ts";
import type { SequenceMerge } from "../../src/workflow/place/round-trip.ts";
import { withMergedCues, withReviewIds } from "./review-edits.ts";
import { followedHistory, NO_HISTORY, type ReviewHistory } from "./review-history.ts";
import type { ReviewState } from "./review-state.ts";
import type { JobEntry } from "./saved.ts";

/** A result that a job changed, as it is shown: under review already, what is selected, open and can be taken back stays. */
export function changedReview(shown: ReviewState | null, result: Result, job: JobEntry): ReviewState {
  if (shown?.result.runId !== result.runId) return openReview(result, job);
  return { ...shown, ...followedHistory(shown, shown.result, result), result, job, preview: null, choices: {} };
}

/**
 * A result as it is first shown.
 *
 * @param history What a person did to it before.
 */
export function openReview(result: Result, job: JobEntry, history: ReviewHistory = NO_HISTORY): ReviewState {
  return {
    ...history,
    // Told while nothing is changed yet, of results that do not say it.
    result: { ...result, timedIds: timedIdsOf(result) },
    sequence: job.sequence,
    job,
    selectedId: null,
    markedIds: [],
    isOpen: false,
    filter: "all",
    preview: null,
    choices: {},
    pictures: {},
    search: null,
    scrollTop: 0,
    scrollOrders: 0,
    viewHeight: 320,
    viewWidth: 460,
    opens: "within",
    stripZoom: 0,
    openHeight: null,
  };
}

/** A result that followed a re-cut, as it is first shown: what a person did to it goes along. */
export function followedReview(shown: ReviewState | null, result: Result, job: JobEntry): ReviewState {
  const isShown = shown?.result.runId === result.runId;
  return openReview(result, job, isShown ? followedHistory(shown, shown.result, result) : NO_HISTORY);
}

/** A merge that is not applied yet, and the result as it is after it. */
export interface ReviewMerge {
  readonly merge: SequenceMerge;
  readonly merged: ReviewState;
}

/**
 * Merges a result into the markers that are there, with the colours by the findings of what comes of it.
 *
 * @param record What was placed before; `null` where nobody knows.
 * @param isColoured Whether markers get a colour by their findings, which is a further step to undo.
 */
export function mergeReview(
  review: ReviewState,
  timeline: Timeline,
  record: PlacedResult | null,
  isColoured: boolean,
): ReviewMerge {
  const { sequence, choices, result } = review;
  const target = {
    sequence,
    timeline,
    record,
    choices: new Map(Object.entries(choices)),
    ...(isColoured ? {} : { colours: UNCOLOURED }),
  };
  const { cues, ids } = mergeResult(result, target);
  const merged = withMergedCues(withReviewIds(review, ids), cues);
  return { merged, merge: mergeResult(result, { ...target, findings: merged.result.findings }) };
}
