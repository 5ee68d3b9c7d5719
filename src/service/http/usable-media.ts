import { checkDuration, checkFileSize } from "../ingest/take-in.ts";
import { uploadFailure } from "../ingest/verify-upload.ts";
import { RequestError } from "../request-error.ts";
import type { Queries } from "../storage/database.ts";
import { findMedia, type MediaRecord } from "../storage/media-records.ts";
import type { Caller } from "./authenticate.ts";

const RETRY_AFTER_SECONDS = 2;

/**
 * The media that a generation request names, ready for use: the one that stands for its content.
 *
 * @throws RequestError `not_found`, `upload_not_ready`, `upload_failed`, `file_too_large`, `video_too_long`.
 */
export async function findUsableMedia(queries: Queries, team: Caller, mediaId: string): Promise<MediaRecord> {
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
