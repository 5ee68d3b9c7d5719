import type { ServiceConfiguration } from "../configuration.ts";
import { type RemoveMediaParts, removeMedia } from "./remove-media.ts";

const HOUR_SECONDS = 3_600;

/** Removes uploads that nobody finished, and media that nobody has used for long. */
export async function sweepMedia(
  parts: RemoveMediaParts,
  retention: ServiceConfiguration["retention"],
): Promise<{ readonly uploads: number; readonly media: number }> {
  const uploads = await removeMedia(
    parts,
    "m.upload_status IN ('pending_upload', 'failed') AND m.updated_at < now() - make_interval(secs => $1)",
    [retention.abandoned_upload_hours * HOUR_SECONDS],
  );
  if (retention.media_days === null) return { uploads, media: 0 };
  const media = await removeMedia(
    parts,
    `m.upload_status = 'completed' AND m.updated_at < now() - make_interval(secs => $1) AND NOT EXISTS
       (SELECT 1 FROM aside.job j WHERE j.media_id = m.id AND j.status IN ('queued', 'processing'))`,
    [retention.media_days * 24 * HOUR_SECONDS],
  );
  return { uploads, media };
}
