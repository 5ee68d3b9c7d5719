import { explain } from "../../../src/workflow/explain.ts";
import type { ServiceConnection } from "../../session/connection.ts";
import { runsOf } from "../../session/library.ts";
import type { Session } from "../../session/session.ts";
import type { JobEntry } from "../../state/saved.ts";

/** Deletes a job: on the service where it is there, then here. The narration stays if a timeline uses it. */
export async function removeJob(session: Session, connection: ServiceConnection, job: JobEntry): Promise<void> {
  const { library, store } = session;
  // A failed job stays in the service's records: it cannot be deleted there.
  for (const jobId of job.state === "done" ? await jobIdsOf(session, job) : []) {
    const client = await connection.client(job.serviceAddress);
    await client.deleteJob(jobId).catch((error: unknown) => {
      if (explain(error).code !== "not_found") throw error;
    });
  }
  await library.removeJob(job, job.placedNarration !== true);
  const { runId } = job;
  store.update((state) => ({
    ...state,
    jobs: state.jobs.filter((one) => one.runId !== runId),
    review: state.review?.result.runId === runId ? null : state.review,
  }));
}

/** The service's jobs behind a job. */
async function jobIdsOf({ library: { recovery } }: Session, job: JobEntry): Promise<string[]> {
  const runIds = [...(job.adds === undefined ? [] : runsOf(job)), ...(job.videos ?? [])];
  const records = await Promise.all(runIds.map((runId) => recovery.load(runId)));
  const own = job.adds === undefined && job.jobId !== undefined ? [job.jobId] : [];
  // A job that may still be under way cannot be deleted.
  const done = records.flatMap((record) =>
    record?.submission?.state === "accepted" && (job.adds !== undefined || record.result !== undefined)
      ? [record.submission.jobId]
      : [],
  );
  return [...own, ...done];
}
