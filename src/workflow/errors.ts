import { ServiceError } from "../client/errors.ts";
import type { JobFailureCode } from "../contract/error-codes.ts";
import { AudioDescriptionError } from "../core/error.ts";
import type { Verdict } from "../core/verdict.ts";

/** What can go wrong before anything is sent. A test keeps every code explained. */
export const WORKFLOW_ERROR_CODES = [
  /** The captions given as context hold no line that can be read. */
  "captions_unreadable",
  /** The script given in place of generated descriptions holds no line that can be read. */
  "script_unreadable",
  /** A text may be meant in several ways. */
  "text_unsure",
  /** A text holds no cue that can be of this film, or is no list of cues. */
  "text_not_of_film",
] as const;

/** Code of a {@link WorkflowError}. */
export type WorkflowErrorCode = (typeof WORKFLOW_ERROR_CODES)[number];

/** Something given to a run cannot be used. Nothing was sent. */
export class WorkflowError extends AudioDescriptionError<WorkflowErrorCode> {}

/** A text may be meant in several ways, or cannot be of this film: nothing of it was used, and nothing was sent. */
export class TextHeldBack extends WorkflowError {
  readonly verdict: Verdict;

  constructor(message: string, verdict: Verdict) {
    super(verdict.kind === "unsure" ? "text_unsure" : "text_not_of_film", message);
    this.verdict = verdict;
  }
}

/** An accepted job ended as `failed`. Nothing is wrong with the exchange. */
export class JobFailedError extends AudioDescriptionError<JobFailureCode> {
  readonly jobId: string;
  /** The code as the service sent it, where it is none of the interface's. */
  readonly foreignCode: string | undefined;

  constructor(code: JobFailureCode, message: string, job: { readonly jobId: string; readonly foreignCode?: string }) {
    super(code, message);
    this.jobId = job.jobId;
    this.foreignCode = job.foreignCode;
  }
}

/** Whether a service says that it cannot read its settings; its message tells what can be done. */
export function saysSettingsDamaged(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.foreignCode === "settings_damaged";
}
