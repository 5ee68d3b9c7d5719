/** What a client may do after an error, without asking a person. */
type Retry =
  /** Send the same request again after the delay the server gave, or a growing one. */
  | "after-delay"
  /** Upload the media again, then send the request. */
  | "after-upload"
  /** Start the same job anew: nothing is wrong with the request. */
  | "new-job"
  /** Not without a change by a person. */
  | "never";

/** One error code of the interface. */
export interface ErrorCode {
  /** HTTP status that carries it; `null` for job failures, which arrive inside a 200 reply. */
  readonly status: number | null;
  readonly meaning: string;
  readonly retry: Retry;
}

/**
 * Codes that answer a request. The first eleven stand in the interface, the others are decided by this project
 * (`docs/interface-decisions.md`): a missing thing, a job that cannot be deleted or cancelled, and a feature outside the plan.
 */
export const REQUEST_ERRORS = {
  unauthorized: { status: 401, meaning: "missing or invalid API key", retry: "never" },
  invalid_input: { status: 400, meaning: "invalid or missing request parameter", retry: "never" },
  no_video_stream: { status: 415, meaning: "the media has no video stream", retry: "never" },
  video_too_long: { status: 403, meaning: "the video exceeds the plan's maximum duration", retry: "never" },
  file_too_large: { status: 403, meaning: "the file exceeds the plan's maximum size", retry: "never" },
  upload_not_ready: { status: 409, meaning: "the media is still being verified", retry: "after-delay" },
  upload_failed: { status: 409, meaning: "the media failed verification", retry: "after-upload" },
  plan_limit_exceeded: { status: 429, meaning: "the team's allocation is exhausted", retry: "never" },
  concurrency_limit_exceeded: {
    status: 429,
    meaning: "too many submissions are being validated",
    retry: "after-delay",
  },
  queue_limit_exceeded: { status: 429, meaning: "too many jobs are queued", retry: "after-delay" },
  rate_limit_exceeded: { status: 429, meaning: "too many requests", retry: "after-delay" },
  internal_error: { status: 500, meaning: "unexpected internal error", retry: "never" },
  not_found: { status: 404, meaning: "no such media, job or path", retry: "never" },
  method_not_allowed: { status: 405, meaning: "the path exists, but not for this method", retry: "never" },
  job_not_deletable: { status: 409, meaning: "only a completed job can be deleted", retry: "never" },
  job_not_cancellable: { status: 409, meaning: "the job has already ended", retry: "never" },
  feature_not_available: { status: 403, meaning: "the plan does not include this feature", retry: "never" },
} as const satisfies Record<string, ErrorCode>;

/**
 * The stable codes of a failed job: the five of the interface, then those of this project, for whatever a job depends on that
 * is not this service. An unknown code counts as `internal_error`.
 */
export const JOB_FAILURES = {
  standard_ad_not_enough_gaps: { status: null, meaning: "not enough long gaps for Standard AD", retry: "never" },
  content_blocked: { status: null, meaning: "flagged by the safety filter", retry: "never" },
  no_video_stream: { status: null, meaning: "no visual content", retry: "never" },
  voice_unavailable: { status: null, meaning: "the voice does not speak the language", retry: "never" },
  internal_error: { status: null, meaning: "unexpected internal error", retry: "new-job" },
  /** Addition of this service: somebody of the job's team cancelled it. */
  cancelled: { status: null, meaning: "cancelled by the job's team", retry: "new-job" },
  model_unreachable: { status: null, meaning: "the vision model gave no answer", retry: "new-job" },
  model_refused: { status: null, meaning: "the vision model's server refused the requests", retry: "never" },
  model_unusable: { status: null, meaning: "the vision model's answers cannot be used", retry: "never" },
  model_out_of_credit: { status: null, meaning: "the account with the model's provider is empty", retry: "never" },
  model_rate_limited: { status: null, meaning: "the model's provider takes no more requests now", retry: "new-job" },
  voice_unreachable: { status: null, meaning: "the voice gave no answer", retry: "new-job" },
  voice_refused: { status: null, meaning: "the voice's server refused the requests", retry: "never" },
  voice_unusable: { status: null, meaning: "the voice gave no sound that can be used", retry: "never" },
  voice_out_of_credit: { status: null, meaning: "the account with the voice's provider is empty", retry: "never" },
  voice_rate_limited: { status: null, meaning: "the voice's provider takes no more requests now", retry: "new-job" },
  cost_limit_reached: { status: null, meaning: "going on would cost more than is allowed", retry: "never" },
  setup_incomplete: { status: null, meaning: "a setting of the service is missing or wrong", retry: "never" },
  sound_track_unknown: { status: null, meaning: "the video has no such sound track", retry: "never" },
  sound_unknown: { status: null, meaning: "the sound of the video cannot be decoded", retry: "never" },
  script_unreadable: { status: null, meaning: "the script holds no line that can be spoken", retry: "never" },
} as const satisfies Record<string, ErrorCode>;

/** Code that answers a request. */
export type RequestErrorCode = keyof typeof REQUEST_ERRORS;

/** Code of a failed job. */
export type JobFailureCode = keyof typeof JOB_FAILURES;

/** Whether a word is a request error code of the table. */
export function isRequestErrorCode(word: string): word is RequestErrorCode {
  return Object.hasOwn(REQUEST_ERRORS, word);
}

/** A job failure code of the table, for any word a server sends. */
export function jobFailureCode(word: string): JobFailureCode {
  return Object.hasOwn(JOB_FAILURES, word) ? (word as JobFailureCode) : "internal_error";
}
