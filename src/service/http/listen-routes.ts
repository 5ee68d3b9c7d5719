import type { FastifyInstance } from "fastify";
import type { DeleteReply } from "../../contract/job.ts";
import { type HeardReply, type ListeningReply, ListenRequest } from "../../contract/media.ts";
import { SERVED_ROUTES } from "../../contract/routes.ts";
import { heardOnWire } from "../../engine/pipeline/job-report.ts";
import { detectSpeechInUpload } from "../ingest/detect-speech.ts";
import { dropUpload } from "../ingest/receive-upload.ts";
import { RequestError } from "../request-error.ts";
import type { MediaRecord } from "../storage/media-records.ts";
import type { Caller } from "./authenticate.ts";
import { findUpload, reportIgnored } from "./media-routes.ts";
import { parseRequest } from "./parse-request.ts";
import { callerOf, type ServiceParts, senderSignal } from "./service-parts.ts";

/** What a client is told to wait while others are listened to, in seconds: a minute of sound takes less than one. */
const RETRY_AFTER_SECONDS = 2;

/**
 * `listen`, an addition of this service: hears a signed upload once and removes it, whatever comes of it. No job is made,
 * no minutes are counted, and no record is kept.
 */
export function addListenRoutes(app: FastifyInstance, parts: ServiceParts): void {
  const { database, objects, folders } = parts;
  const drop = (media: MediaRecord) => dropUpload({ database, objects, incoming: folders.incoming }, media);
  let underWay = 0;

  app.get(SERVED_ROUTES.getListening.path, async (request): Promise<ListeningReply> => {
    const { maximum_duration_seconds } = callerOf(request).plan;
    return { status: "available", maximum_duration_seconds };
  });

  app.post(SERVED_ROUTES.listen.path, async (request, reply): Promise<HeardReply & { ignored?: readonly string[] }> => {
    const team = callerOf(request);
    const { value, ignored } = parseRequest(ListenRequest, request.body);
    const media = await findFreshUpload(parts, team, value);
    const { concurrent_jobs, job_time_limit_seconds } = await parts.settings.limits(parts.configuration);
    // Listening takes a processor as a job does.
    if (underWay >= concurrent_jobs) throw busy();
    underWay += 1;
    // The client waits in silence meanwhile; that is no stalled connection.
    request.raw.socket?.setTimeout?.(0);
    const limit = AbortSignal.timeout(job_time_limit_seconds * 1000);
    const signal = AbortSignal.any([senderSignal(reply), limit]);
    const hear = () => detectSpeechInUpload(parts, team.plan, media, signal).finally(() => drop(media));
    try {
      const { durationSeconds, heard } = await parts.slots.with(team, hear);
      return { duration_seconds: durationSeconds, ...heardOnWire(heard), ...reportIgnored(ignored) };
    } finally {
      underWay -= 1;
    }
  });

  app.delete(SERVED_ROUTES.dropSound.path, async (request): Promise<DeleteReply> => {
    const { value } = parseRequest(ListenRequest, request.query);
    await drop(await findFreshUpload(parts, callerOf(request), value));
    return { status: "success", message: "The upload is removed." };
  });
}

/** A signed upload that has not become a video of the team. */
async function findFreshUpload(
  parts: ServiceParts,
  team: Caller,
  named: { readonly media_id: string; readonly gcs_path: string },
): Promise<MediaRecord> {
  const media = await findUpload(parts, team, named.media_id, named.gcs_path);
  const isFresh = media.uploadStatus === "pending_upload" || media.uploadStatus === "failed";
  if (media.arrival === "signed_url" && isFresh) return media;
  throw new RequestError("invalid_input", 'This "media_id" is a video of the team. Only a fresh upload is heard.');
}

function busy(): RequestError {
  return new RequestError(
    "concurrency_limit_exceeded",
    "The service is listening to as much as it may at once. Send the request again in a moment.",
    { headers: { "retry-after": String(RETRY_AFTER_SECONDS) } },
  );
}
