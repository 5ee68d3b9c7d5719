import type { Result } from "../../src/result/result.ts";
import type { ReviewState } from "./review-state.ts";
import type { JobEntry } from "./saved.ts";

/** A result that a job changed, as it is shown: under review already, what is selected, open and can be taken back stays. */
export function changedReview(shown: ReviewState | null, result: Result, job: JobEntry): ReviewState {
  if (shown?.result.runId !== result.runId) return openReview(result, job);
  return { ...shown, result, job, preview: null, choices: {} };
}

/** A result as it is first shown. */
export function openReview(result: Result, job: JobEntry): ReviewState {
  return {
    result,
    sequence: job.sequence,
    job,
    past: [],
    future: [],
    selectedId: null,
    markedIds: [],
    isOpen: false,
    filter: "all",
    preview: null,
    choices: {},
    pictures: {},
    search: null,
    scrollTop: 0,
    viewHeight: 320,
    viewWidth: 460,
    openHeight: null,
  };
}
