import type { JobFailureCode } from "../../contract/error-codes.ts";
import { AudioDescriptionError } from "../../core/error.ts";

/** Why a job ends as `failed`: one of the interface's stable codes, with the sentence that `get_results` returns. */
export class JobFailure extends AudioDescriptionError<JobFailureCode> {}
