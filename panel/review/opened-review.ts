import type { JobEntry, Review } from "../saved.ts";
import type { ReviewState } from "./review-state.ts";

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
