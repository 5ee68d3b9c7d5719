import { createReadStream } from "node:fs";
import { PassThrough } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { FastifyInstance, FastifyReply } from "fastify";
import { type DeleteReply, type FailedJobReply, type JobReply, ResultsQuery } from "../../contract/job.ts";
import { ROUTES, SERVED_ROUTES } from "../../contract/routes.ts";
import { cancelAndWait } from "../jobs/cancel-job.ts";
import { RequestError } from "../request-error.ts";
import { deleteJob, listResults, type PolledJob, type ResultFile } from "../storage/job-records.ts";
import { isUuid } from "../uuid.ts";
import { parseRequest } from "./parse-request.ts";
import { lookOrWait, pollPauseSeconds } from "./polling.ts";
import { baseUrlOf, callerOf, type ServiceParts, senderSignal } from "./service-parts.ts";

/** `get_results`, `DELETE /jobs/{job_id}`, and `POST /jobs/{job_id}/cancel`, which is beside the interface. */
export function addJobRoutes(app: FastifyInstance, parts: ServiceParts): void {
  app.get(ROUTES.getResults.path, async (request, reply): Promise<JobReply | FastifyReply> => {
    const { value } = parseRequest(ResultsQuery, request.query);
    const job = await lookOrWait(
      parts,
      { request, reply, id: value.job_id.toLowerCase() },
      () => findJobOf(parts, callerOf(request).id, value.job_id),
      (found) => (isOver(found) ? 0 : pollPauseSeconds(found, parts.clock.now())),
    );
    if (job.status !== "done") return unfinishedReply(parts, job);
    return doneReply(parts, job, baseUrlOf(parts, request), reply);
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

  app.post<{ Params: { job_id: string } }>(
    SERVED_ROUTES.cancelJob.path.replace("{job_id}", ":job_id"),
    async (request): Promise<FailedJobReply> => {
      const team = callerOf(request);
      const { id } = await findJobOf(parts, team.id, request.params.job_id);
      if ((await cancelAndWait(parts, id)) === "over") {
        throw new RequestError("job_not_cancellable", "The job has already ended: there is nothing to cancel.");
      }
      return failedReply(await findJobOf(parts, team.id, id));
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

function factsOf(job: PolledJob) {
  const times = { created_at: job.createdAt.toISOString(), updated_at: job.updatedAt.toISOString() };
  return { job_id: job.id, media_id: job.mediaId, ...times, ...(job.cost === null ? {} : { cost: job.cost }) };
}

function unfinishedReply(parts: ServiceParts, job: PolledJob): JobReply {
  if (job.status === "failed") return failedReply(job);
  const status = job.status === "processing" ? "processing" : "queued";
  return { ...factsOf(job), status, ...progressOf(job), retry_after: pollPauseSeconds(job, parts.clock.now()) };
}

function failedReply(job: PolledJob): FailedJobReply {
  const error = job.error ?? "internal_error";
  const stood = error === "cancelled" ? progressOf(job) : {};
  return { ...factsOf(job), status: "failed", error, message: job.message ?? "", ...stood };
}

function progressOf({ stage, fraction }: PolledJob): Pick<FailedJobReply, "progress"> {
  return stage === null ? {} : { progress: { stage, fraction: fraction ?? 0 } };
}

async function doneReply(
  parts: ServiceParts,
  job: PolledJob,
  base: string,
  reply: FastifyReply,
): Promise<JobReply | FastifyReply> {
  const names = {
    audio: job.track === "ad_only" ? "narration.wav" : "mixed.wav",
    video: "described.mp4",
    worksheet: "worksheet.html",
  };
  const links: { [name in `${keyof typeof names}_signed_url`]?: string } = {};
  let text: ResultFile | null = null;
  for (const file of await listResults(parts.database, job.id)) {
    const { kind, storageKey, contentType } = file;
    if (kind === "text") text = file;
    else
      links[`${kind}_signed_url`] = await parts.objects.downloadLink(
        storageKey,
        { contentType, fileName: names[kind] },
        base,
      );
  }
  const facts = { ...factsOf(job), status: "done", ...links } as const;
  if (text !== null) return sendLong(parts, facts, text, reply);
  const output = { format: job.format, content: job.content ?? "" };
  return { ...facts, output, ...(job.report === null ? {} : { report: job.report }) };
}

/** Sends a reply whose last members stand in an object: they pass through unread, however long they are. */
async function sendLong(
  { objects }: ServiceParts,
  facts: object,
  { storageKey, sizeBytes }: ResultFile,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if ((await objects.stat(storageKey))?.sizeBytes !== sizeBytes) {
    throw new RequestError(
      "internal_error",
      "The stored result is damaged. Send the request for it again, or tell the service's operator.",
    );
  }
  const file = await objects.borrow(storageKey, senderSignal(reply));
  const beginning = Buffer.from(`${JSON.stringify(facts).slice(0, -1)},`);
  const whole = new PassThrough();
  whole.write(beginning);
  // A break is the reply's to see; the file goes back either way.
  pipeline(createReadStream(file.path, { start: 1 }), whole)
    .catch(() => undefined)
    .finally(() => file.release());
  return reply
    .type("application/json; charset=utf-8")
    .header("content-length", beginning.length + sizeBytes - 1)
    .send(whole);
}

function notDeletable(job: PolledJob): RequestError {
  if (job.status === "failed") {
    return new RequestError("job_not_deletable", "The job has failed; only a completed job can be deleted.");
  }
  return job.status === "done"
    ? new RequestError("job_not_deletable", "The job was not created through the API and cannot be deleted through it.")
    : new RequestError("job_not_deletable", "The job is still in progress; only a completed job can be deleted.");
}
