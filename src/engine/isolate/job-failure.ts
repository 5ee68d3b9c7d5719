import type { JobFailureCode } from "../../contract/error-codes.ts";
import { AudioDescriptionError } from "../../core/error.ts";

/** Why a job ends as `failed`: one of the interface's stable codes, with the sentence that `get_results` returns. */
export class JobFailure extends AudioDescriptionError<JobFailureCode> {}

/** How a task in a child process ended badly. */
export type IsolateErrorCode =
  /** The task raised an error of its own. */
  | "task_failed"
  /** The process ended without an answer: a crash of native code, or a kill from outside. */
  | "task_crashed"
  /** The process was ended because it used more memory than it may. */
  | "task_out_of_memory";

/** What is known beside the sentence. */
export interface IsolateErrorDetail {
  /** Name of the task. */
  readonly task: string;
  /** Class and code of the error the task raised, such as `MediaProcessError media_unreadable`. */
  readonly raised?: string;
  /** Exit code of the process, `null` when a signal ended it. */
  readonly exitCode?: number | null;
  readonly signal?: string | null;
  /** The end of what the process wrote to its error output, for the log alone: it may hold local paths. */
  readonly lastOutput?: string;
}

/** A task in a child process ended badly; the process is gone. */
export class IsolateError extends AudioDescriptionError<IsolateErrorCode> {
  readonly detail: IsolateErrorDetail;

  constructor(code: IsolateErrorCode, message: string, detail: IsolateErrorDetail) {
    super(code, message);
    this.detail = detail;
  }
}
