import type { Timeline } from "../../src/core/timeline.ts";
import { UNCOLOURED } from "../../src/workflow/place/replace.ts";
import { mergeIntoSequence, type SequenceMerge } from "../../src/workflow/place/round-trip.ts";
import type { SequenceRecord } from "../../src/workflow/place/sequence-record.ts";
import { type ReviewState, withMergedCues } from "./review-state.ts";
import { soundingCues } from "./sounding-cues.ts";

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
  record: SequenceRecord | null,
  isColoured: boolean,
): ReviewMerge {
  const { sequence, choices } = review;
  const { exported, runId, toWrite } = review.review;
  // What was placed of the same result is what both sides come from: the panel's edits are no new result.
  const base = record?.runId === runId ? { ...record, generated: record.cues } : record;
  const input = {
    sequence,
    timeline,
    record: base,
    offsetSeconds: exported.offsetSeconds,
    durationSeconds: exported.durationSeconds,
    result: soundingCues(review.review),
    choices: new Map(Object.entries(choices)),
    // A result without pauses leaves none of an earlier one.
    toWrite: toWrite ?? [],
    ...(isColoured ? {} : { colours: UNCOLOURED }),
  };
  const merged = withMergedCues(review, mergeIntoSequence(input).cues);
  return { merged, merge: mergeIntoSequence({ ...input, findings: merged.review.findings }) };
}
