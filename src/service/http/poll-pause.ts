import type { JobRecord } from "../storage/job-records.ts";

/** Share of the time a job has taken so far that its client may learn of its end too late. */
const SHARE = 0.03;

/** Whole seconds between two polls at least. */
export const SHORTEST_POLL_PAUSE_SECONDS = 1;

/** Whole seconds between two polls at most. */
const LONGEST_POLL_PAUSE_SECONDS = 15;

/**
 * Seconds, a whole number, after which a client should ask again for a job that waits or runs: short while the job is
 * young and where its progress says that it ends soon, longer the longer it takes. A job of an hour costs its client some
 * 300 polls.
 */
export function pollPauseSeconds(
  { createdAt, startedAt, fraction }: Pick<JobRecord, "createdAt" | "startedAt" | "fraction">,
  nowMs: number,
): number {
  const taken = Math.max(0, nowMs - (startedAt ?? createdAt).getTime()) / 1000;
  const left = fraction === null || fraction <= 0 ? Number.POSITIVE_INFINITY : (taken * (1 - fraction)) / fraction;
  const pause = Math.min(SHARE * taken, left / 2);
  return Math.min(LONGEST_POLL_PAUSE_SECONDS, Math.max(SHORTEST_POLL_PAUSE_SECONDS, Math.round(pause)));
}
