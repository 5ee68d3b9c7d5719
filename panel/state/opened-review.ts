import type { ReviewState } from "./review-state.ts";
import type { JobEntry, Review } from "./saved.ts";

/** A result that a job changed, as it is shown: under review already, what is selected, open and can be taken back stays. */
export function changedReview(shown: ReviewState | null, review: Review, job: JobEntry): ReviewState {
  if (shown?.review.runId !== review.runId) return openReview(review, job);
  return { ...shown, review, job, preview: null, choices: {} };
}

/** A result as it is first shown. */
export function openReview(review: Review, job: JobEntry): ReviewState {
  return {
    review,
    sequence: job.sequence,
    job,
    past: [],
    future: [],
    selectedId: null,
    isOpen: false,
    filter: "all",
    preview: null,
    choices: {},
    scrollTop: 0,
    viewHeight: 320,
  };
}
