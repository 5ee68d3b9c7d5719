import { ConnectionError } from "../core/error.ts";
import type { Clock } from "../core/ports.ts";
import type { Client } from "./client.ts";
import { ServiceError, TimeoutError } from "./errors.ts";
import type { DoneJob, FailedJob, RunningJob } from "./job-reply.ts";
import type { SignedUpload, Verification } from "./reply.ts";
import { failureOf } from "./request.ts";

/** First pause between two polls in milliseconds; each next one is half as long again. */
const FIRST_POLL_MS = 2_000;

/** Longest pause between two polls in milliseconds, unless the server asks for more. */
const LONGEST_POLL_MS = 15_000;

/** How long polls may fail in a row before waiting is given up, in milliseconds: a restart of the service is shorter. */
const PATIENCE_MS = 60_000;

/** How long an upload may take to be verified, in milliseconds. */
const VERIFICATION_DEADLINE_MS = 30 * 60_000;

/** How long a job may take, in milliseconds: the hosted service needs about half the video's length. */
const JOB_DEADLINE_MS = 6 * 3_600_000;

/** What waiting takes. */
export interface WaitOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Milliseconds after which to give up; each function states its default. */
  readonly deadlineMs?: number;
}

/** How long the service may hold its answer to a poll, in seconds: as long as the longest pause. */
const HOLD = { waitSeconds: LONGEST_POLL_MS / 1000 };

/** Pause before the `poll`-th poll but one (from 0), in milliseconds; the server's own time wins, unaltered. */
function pollPauseMs(poll: number, retryAfterSeconds?: number): number {
  if (retryAfterSeconds !== undefined && retryAfterSeconds > 0) return retryAfterSeconds * 1000;
  return Math.min(LONGEST_POLL_MS, FIRST_POLL_MS * 1.5 ** poll);
}

/**
 * Polls a job until it is done or has failed. A state the client does not know counts as running, with the usual pause
 * and deadline (default 6 h).
 *
 * @throws TimeoutError `job_timed_out`: the job goes on, and can be waited for again.
 */
export async function waitForJob(
  client: Client,
  jobId: string,
  options: WaitOptions & { readonly onProgress?: (job: RunningJob) => void },
): Promise<DoneJob | FailedJob> {
  const deadlineMs = options.deadlineMs ?? JOB_DEADLINE_MS;
  return poll({
    ...options,
    deadlineMs,
    ask: async () => {
      const job = await client.getResults(jobId, { signal: options.signal, ...HOLD });
      if (job.status !== "running") return { final: job };
      options.onProgress?.(job);
      return job;
    },
    timeout: (waitedMs) =>
      new TimeoutError("job_timed_out", `job ${jobId} did not finish within ${minutes(waitedMs)} min`, waitedMs),
  });
}

/** How a wait for verification ended. */
export type VerificationEnd = Verification | "not-offered";

/**
 * Polls an announced upload until it is verified or refused. Where the server has no such endpoint (404, 405, 501), the
 * answer is `not-offered`: generation then answers 409 `upload_not_ready` until the media is ready. Default deadline
 * 30 min.
 *
 * @throws TimeoutError `verification_timed_out`.
 */
export async function waitForVerification(
  client: Client,
  upload: Pick<SignedUpload, "mediaId" | "storagePath">,
  options: WaitOptions,
): Promise<VerificationEnd> {
  const deadlineMs = options.deadlineMs ?? VERIFICATION_DEADLINE_MS;
  return poll<VerificationEnd>({
    ...options,
    deadlineMs,
    ask: async () => {
      try {
        const state = await client.getUploadStatus(upload, { signal: options.signal, ...HOLD });
        return state.outcome === "verifying" ? state : { final: state };
      } catch (error) {
        if (error instanceof ServiceError && NOT_OFFERED_STATUSES.includes(error.status))
          return { final: "not-offered" };
        throw error;
      }
    },
    timeout: (waitedMs) =>
      new TimeoutError(
        "verification_timed_out",
        `the upload was not verified within ${minutes(waitedMs)} min`,
        waitedMs,
      ),
  });
}

const NOT_OFFERED_STATUSES: readonly number[] = [404, 405, 501];

/** What is waited for, or what the service says of the next poll. */
type PollAnswer<T> = { readonly final: T } | { readonly retryAfterSeconds?: number; readonly isHeld?: true };

interface Poll<T> extends WaitOptions {
  readonly deadlineMs: number;
  readonly ask: () => Promise<PollAnswer<T>>;
  readonly timeout: (waitedMs: number) => Error;
}

async function poll<T>(options: Poll<T>): Promise<T> {
  const { clock, signal } = options;
  const begun = clock.now();
  let lastAnswer = begun;
  for (let count = 0; ; count++) {
    signal.throwIfAborted();
    let retryAfterSeconds: number | undefined;
    let heldMs = 0;
    const asked = clock.now();
    try {
      const answer = await options.ask();
      if ("final" in answer) return answer.final;
      retryAfterSeconds = answer.retryAfterSeconds;
      lastAnswer = clock.now();
      // The service has let the pause go by before it answered, or a part of it.
      if (answer.isHeld === true) heldMs = lastAnswer - asked;
    } catch (error) {
      if (!isPassing(error) || clock.now() - lastAnswer >= PATIENCE_MS) throw error;
    }
    const waitedMs = clock.now() - begun;
    const leftMs = options.deadlineMs - waitedMs;
    if (leftMs <= 0) throw options.timeout(waitedMs);
    const pauseMs = Math.max(0, pollPauseMs(count, retryAfterSeconds) - heldMs);
    await clock.sleep(Math.min(pauseMs, leftMs), signal);
  }
}

/** Whether a failed poll says nothing about what is waited for. The client has repeated it already; patience is longer. */
function isPassing(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  const failure = failureOf(error);
  if (failure === null) return false;
  return failure.kind === "no-answer" || failure.status >= 500 || failure.code === "reply_unreadable";
}

function minutes(milliseconds: number): number {
  return Math.round(milliseconds / 60_000);
}
