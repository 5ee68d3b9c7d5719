import { setImmediate } from "node:timers/promises";
import type { Queries } from "../storage/database.ts";
import { findJobs, type PolledJob } from "../storage/job-records.ts";

/** Somebody who waits for a job's record. */
interface JobWaiter {
  readonly teamId: string;
  readonly id: string;
  readonly settle: PromiseWithResolvers<PolledJob | null>;
}

/**
 * Looks up jobs for polls, which come by the thousand a second: everything that has been asked for shares one look into
 * the records, and what comes during it the next one. Nothing is remembered, so an answer is never older than its question.
 */
export class JobLookup {
  readonly #queries: Queries;
  #waiting: JobWaiter[] = [];
  #isLooking = false;

  constructor(queries: Queries) {
    this.#queries = queries;
  }

  /** The job of an id, if the team owns it and it is not deleted. `id` is a UUID. */
  find(teamId: string, id: string): Promise<PolledJob | null> {
    const settle = Promise.withResolvers<PolledJob | null>();
    this.#waiting.push({ teamId, id: id.toLowerCase(), settle });
    if (!this.#isLooking) void this.#look();
    return settle.promise;
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    while (this.#waiting.length > 0) {
      // The embedded Postgres computes on this thread: requests that have arrived are read before it does, or never together.
      await setImmediate();
      const together = this.#waiting;
      this.#waiting = [];
      try {
        const jobs = await findJobs(this.#queries, [...new Set(together.map(({ id }) => id))]);
        const byId = new Map(jobs.map((job) => [job.id, job]));
        for (const { teamId, id, settle } of together) {
          const job = byId.get(id);
          settle.resolve(job?.teamId === teamId ? job : null);
        }
      } catch (error) {
        for (const { settle } of together) settle.reject(error);
      }
    }
    this.#isLooking = false;
  }
}
