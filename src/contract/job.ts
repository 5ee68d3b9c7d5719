import { z } from "zod/mini";
import type { TextFormat } from "../core/settings.ts";

/** Query of `get_results`. */
export const ResultsQuery = z.object({ job_id: z.string().check(z.minLength(1)) });

/** Job states our service reports. A reader counts every state but `done` and `failed` as in progress. */
export const JOB_STATUSES = ["queued", "processing", "done", "failed"] as const;

/** State of a job. */
export type JobStatus = (typeof JOB_STATUSES)[number];

/** Reply of `get_results` for a job in progress. */
export interface RunningJobReply {
  readonly job_id: string;
  readonly status: "queued" | "processing";
  readonly media_id: string;
  readonly created_at: string;
  readonly updated_at: string;
  /** Addition of this service: what the job is doing, and how much of it is done (0 to 1). */
  readonly progress?: { readonly stage: string; readonly fraction: number };
}

/** Text of a finished job. */
interface JobOutput {
  readonly format: TextFormat;
  readonly content: string;
}

/** Reply of `get_results` for a finished job. */
export interface DoneJobReply {
  readonly job_id: string;
  readonly status: "done";
  readonly media_id: string;
  readonly output: JobOutput;
  readonly created_at: string;
  readonly updated_at: string;
  readonly audio_signed_url?: string;
  readonly video_signed_url?: string;
  /** Addition of this service: what was measured, what was decided, and what a person should look at. */
  readonly report?: JobReport;
}

/** What a finished job says about itself beside its result. */
export interface JobReport {
  /** Which describer wrote the text: `script`, `sketch`, `vision`. */
  readonly describer: string;
  /** Speech, music and silence as heard, in seconds on the programme clock: `[start, end, confidence]`. */
  readonly speech: readonly (readonly [number, number, number])[];
  readonly music: readonly (readonly [number, number, number])[];
  readonly silence: readonly (readonly [number, number])[];
  /** Starts of shots in seconds. */
  readonly shots: readonly number[];
  /** Sentences about what was left out, shortened or assumed. */
  readonly notes: readonly string[];
  /** Seconds spent in each stage of the job, by name. */
  readonly stage_seconds: Readonly<Record<string, number>>;
}

/** Reply of `get_results` for a failed job. */
export interface FailedJobReply {
  readonly job_id: string;
  readonly status: "failed";
  readonly media_id: string;
  readonly error: string;
  readonly message: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Reply of `get_results`. */
export type JobReply = RunningJobReply | DoneJobReply | FailedJobReply;

/** Reply of `DELETE /jobs/{job_id}`. */
export interface DeleteReply {
  readonly status: "success";
  readonly message: string;
}
