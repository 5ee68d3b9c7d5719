import type { FastifyInstance } from "fastify";
import { type DeleteReply, type JobReply, ResultsQuery } from "../../contract/job.ts";
import { ROUTES } from "../../contract/routes.ts";
import { RequestError } from "../request-error.ts";
import { deleteJob, listResults, type PolledJob } from "../storage/job-records.ts";
import { isUuid } from "../uuid.ts";
import { lookOrWait } from "./hold-answer.ts";
import { parseRequest } from "./parse-request.ts";
import { pollPauseSeconds } from "./poll-pause.ts";
import { baseUrlOf, callerOf, type ServiceParts } from "./service-parts.ts";

/** `get_results` and `DELETE /jobs/{job_id}`. */
export function addJobRoutes(app: FastifyInstance, parts: ServiceParts): void {
  app.get(ROUTES.getResults.path, async (request, reply): Promise<JobReply> => {
    const { value } = parseRequest(ResultsQuery, request.query);
    const job = await lookOrWait(
      parts,
      { request, reply, id: value.job_id.toLowerCase() },
      () => findJobOf(parts, callerOf(request).id, value.job_id),
      (found) => (isOver(found) ? 0 : pollPauseSeconds(found, parts.clock.now())),
    );
    return jobReply(parts, job, baseUrlOf(parts, request));
  });

  app.delete<{ Params: { job_id: string } }>(
    ROUTES.deleteJob.path.replace("{job_id}", ":job_id"),
    async (request): Promise<DeleteReply> => {
      const team = callerOf(request);
      const job = await findJobOf(parts, team.id, request.params.job_id);
      const keys = await parts.database.transaction((queries) => deleteJob(queries, team.id, job.id));
      if (keys === null) throw notDeletable(job);
      for (const key of keys) await parts.objects.remove(key);
      return { status: "success", message: `Job ${job.id} was deleted and its results were removed.` };
    },
  );
}

/** The job of an id that a team owns. @throws RequestError `not_found`. */
export async function findJobOf(parts: ServiceParts, teamId: string, jobId: string): Promise<PolledJob> {
  // Job ids are opaque to clients; ours are UUIDs, so anything else is simply no job.
  const job = isUuid(jobId) ? await parts.jobs.find(teamId, jobId) : null;
  if (job === null) {
    throw new RequestError("not_found", "There is no job with this id. Check the id; a deleted job is gone for good.");
  }
  return job;
}

function isOver({ status }: PolledJob): boolean {
  return status === "done" || status === "failed";
}

async function jobReply(parts: ServiceParts, job: PolledJob, base: string): Promise<JobReply> {
  const head = { job_id: job.id, media_id: job.mediaId };
  const times = { created_at: job.createdAt.toISOString(), updated_at: job.updatedAt.toISOString() };
  if (job.status === "failed") {
    return { ...head, status: "failed", error: job.error ?? "internal_error", message: job.message ?? "", ...times };
  }
  if (job.status !== "done") {
    const { status, stage, fraction } = job;
    const progress = stage === null ? {} : { progress: { stage, fraction: fraction ?? 0 } };
    return { ...head, status, ...times, ...progress, retry_after: pollPauseSeconds(job, parts.clock.now()) };
  }
  const names = {
    audio: job.track === "ad_only" ? "narration.wav" : "mixed.wav",
    video: "described.mp4",
    worksheet: "worksheet.html",
  };
  const links: { [name in `${keyof typeof names}_signed_url`]?: string } = {};
  for (const { kind, storageKey, contentType } of await listResults(parts.database, job.id)) {
    const as = { contentType, fileName: names[kind] };
    links[`${kind}_signed_url`] = await parts.objects.downloadLink(storageKey, as, base);
  }
  return {
    ...head,
    status: "done",
    output: { format: job.format, content: job.content ?? "" },
    ...links,
    ...times,
    ...(job.report === null ? {} : { report: job.report }),
  };
}

function notDeletable(job: PolledJob): RequestError {
  if (job.status === "failed") {
    return new RequestError("job_not_deletable", "The job has failed; only a completed job can be deleted.");
  }
  return job.status === "done"
    ? new RequestError("job_not_deletable", "The job was not created through the API and cannot be deleted through it.")
    : new RequestError("job_not_deletable", "The job is still in progress; only a completed job can be deleted.");
}
