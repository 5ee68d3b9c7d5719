import type { Clock } from "../../core/ports.ts";
import type { Database } from "../storage/database.ts";
import { cancelJob, getJob, isJobHeld } from "../storage/job-records.ts";
import type { Endings } from "./endings.ts";

/** What cancelling needs. */
export interface CancelParts {
  readonly database: Database;
  /** Where this process alone does all the work; `null` where others do it too, or nobody. */
  readonly endings: Endings | null;
  readonly clock: Clock;
}

/** What became of cancelling a job: it is cancelled, now or before; it had ended otherwise; or there is no such job. */
export type CancelOutcome = "cancelled" | "over" | "unknown";

/** How often it is looked whether the run of a cancelled job is gone, and for how long at the most, in milliseconds. */
const STILL = { lookMs: 25, longestMs: 3_000 } as const;

/**
 * Cancels a job that waits or runs, and resolves when nothing is at work for it any more: its process is gone, so no request
 * begins after the answer. A run that died with its server is waited for no longer than 3 s; it cannot go on.
 */
export async function cancelAndWait({ database, endings, clock }: CancelParts, id: string): Promise<CancelOutcome> {
  const isCancelled = await database.transaction((queries) => cancelJob(queries, id));
  if (!isCancelled) {
    const job = await getJob(database, id);
    if (job === null) return "unknown";
    if (job.error !== "cancelled") return "over";
  }
  endings?.tell(id);
  // Embedded records are open in one process: where that runs no jobs, nobody does.
  if (database.kind === "embedded" && endings === null) return "cancelled";
  const until = clock.now() + STILL.longestMs;
  while ((await isJobHeld(database, id)) && clock.now() < until) await clock.sleep(STILL.lookMs);
  return "cancelled";
}
