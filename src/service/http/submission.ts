import type { SubmissionReply } from "../../contract/generation.ts";
import { checkDuration, checkFileSize } from "../ingest/take-in.ts";
import { uploadFailure } from "../ingest/verify-upload.ts";
import { type AcceptedJob, findRepeated, submitJob } from "../jobs/submit-job.ts";
import { RequestError } from "../request-error.ts";
import type { Queries } from "../storage/database.ts";
import { findMedia, type MediaRecord } from "../storage/media-records.ts";
import type { KeyedRequest } from "../storage/team-records.ts";
import type { Caller } from "./authenticate.ts";
import { type GenerationOrder, requireFeatures } from "./generation-settings.ts";
import { reportIgnored } from "./parse-request.ts";
import type { ServiceParts } from "./service-parts.ts";

/** A generation request, validated, its media not yet looked at. */
export interface AskedFor {
  readonly order: GenerationOrder;
  /** What was sent and is not used. */
  readonly ignored: readonly string[];
  /** By which it can be told from any other; `null` without a key. */
  readonly keyed: KeyedRequest | null;
}

/** Where the media of a request is: among the team's, or yet to be taken in. */
export type SubmittedMedia = { readonly mediaId: string } | { readonly takeIn: () => Promise<MediaRecord> };

/**
 * Checks what a request asks for against the plan, then accepts it within a validation slot. What was accepted before by
 * the same key is answered again.
 */
export async function submit(
  parts: ServiceParts,
  team: Caller,
  asked: AskedFor,
  source: SubmittedMedia,
): Promise<SubmissionReply> {
  const earlier = await answeredBefore(parts, asked);
  if (earlier !== null) return earlier;
  requireFeatures(team.plan, asked.order);
  return parts.slots.with(team, () => accept(parts, team, asked, source));
}

/**
 * Accepts a job, the cheapest check first: its media, where the team has it; the texts that it brings; its media, where
 * that must be taken in.
 */
export async function accept(
  parts: ServiceParts,
  team: Caller,
  asked: AskedFor,
  source: SubmittedMedia,
): Promise<SubmissionReply> {
  const known = "mediaId" in source ? await findUsableMedia(parts.database, team, source.mediaId) : null;
  const { texts, ...order } = asked.order;
  for (const text of texts) await parts.texts.requireCues(team.id, text);
  const media = "takeIn" in source ? await source.takeIn() : known;
  if (media === null) throw new Error("the media was found and is none");
  const { ignored, keyed } = asked;
  const job = await submitJob(parts, { team, media, keyed, ...order });
  return submissionReply(job, ignored);
}

/** The reply to a keyed request that was accepted before; `null` where it was not. */
export async function answeredBefore(
  { database }: ServiceParts,
  { keyed, ignored }: Pick<AskedFor, "keyed" | "ignored">,
): Promise<SubmissionReply | null> {
  const earlier = await findRepeated(database, keyed);
  return earlier?.jobId == null ? null : submissionReply({ id: earlier.jobId, mediaId: earlier.mediaId }, ignored);
}

function submissionReply({ id, mediaId }: AcceptedJob, ignored: readonly string[]): SubmissionReply {
  return { job_id: id, status: "queued", media_id: mediaId, ...reportIgnored(ignored) };
}

const RETRY_AFTER_SECONDS = 2;

/**
 * The media that a generation request names, ready for use: the one that stands for its content.
 *
 * @throws RequestError `not_found`, `upload_not_ready`, `upload_failed`, `file_too_large`, `video_too_long`.
 */
async function findUsableMedia(queries: Queries, team: Caller, mediaId: string): Promise<MediaRecord> {
  const named = await findMedia(queries, team.id, mediaId);
  if (named === null) {
    throw new RequestError("not_found", `There is no media with the id ${mediaId}. Upload it first.`);
  }
  if (named.uploadStatus === "failed") throw uploadFailure(named);
  if (named.uploadStatus !== "completed") throw notReady(named);
  const media = named.canonicalId === null ? named : await findMedia(queries, team.id, named.canonicalId);
  if (media === null) throw new Error("the media that stands for another one has no record");
  checkFileSize(team.plan, media.sizeBytes ?? 0);
  checkDuration(team.plan, media.durationSeconds);
  return media;
}

function notReady(media: MediaRecord): RequestError {
  const what =
    media.uploadStatus === "pending_upload"
      ? "The media's upload is not complete. Send its bytes, call notify_upload_complete, and wait for its verification."
      : "The media is still being verified. Send the request again shortly.";
  return new RequestError("upload_not_ready", what, {
    prose: "Media upload is not ready",
    body: { upload_status: media.uploadStatus },
    headers: { "retry-after": String(RETRY_AFTER_SECONDS) },
  });
}
