import { randomUUID } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { DeleteReply } from "../../contract/job.ts";
import {
  type MediaReply,
  type NotifyReply,
  NotifyRequest,
  type SignedUploadReply,
  UploadFromUrlRequest,
  UploadMediaRequest,
  UploadStatusQuery,
  type UploadStatusReply,
} from "../../contract/media.ts";
import { ROUTES, SERVED_ROUTES } from "../../contract/routes.ts";
import { defined } from "../../core/objects.ts";
import type { VideoAddress } from "../ingest/fetch-video.ts";
import { type TakenIn, takeInFile, uploadKey } from "../ingest/take-in.ts";
import { uploadFailure } from "../ingest/verify-upload.ts";
import { deleteMedia } from "../jobs/remove-media.ts";
import { RequestError } from "../request-error.ts";
import {
  beginVerification,
  findMedia,
  getMedia,
  insertPendingMedia,
  type MediaRecord,
} from "../storage/media-records.ts";
import { isUuid } from "../uuid.ts";
import { type Caller, requireFeature } from "./authenticate.ts";
import { type BroughtMedia, bringOnce, keyedRequest, takeFromAddress } from "./keyed-request.ts";
import { withMultipart } from "./multipart.ts";
import { parseRequest, reportIgnored } from "./parse-request.ts";
import { lookOrWait, SHORTEST_POLL_PAUSE_SECONDS } from "./polling.ts";
import { baseUrlOf, callerOf, type ServiceParts, senderSignal } from "./service-parts.ts";

/** Content type of a signed upload that names none. */
const DEFAULT_CONTENT_TYPE = "application/octet-stream";

/** What a header can carry as a content type: `type/subtype` with optional parameters. */
const CONTENT_TYPE = /^[\w.+-]+\/[\w.+-]+(\s*;\s*[\w.-]+=("[\w .+/-]*"|[\w.+/-]*))*$/;

/** `upload_media`, `upload_from_url`, `notify_upload_complete`, `get_upload_status`. */
export function addMediaRoutes(app: FastifyInstance, parts: ServiceParts): void {
  app.post(ROUTES.uploadMedia.path, async (request, reply): Promise<MediaReply | SignedUploadReply> => {
    const team = callerOf(request);
    if (request.isMultipart()) {
      return parts.slots.with(team, () =>
        withMultipart(parts, team, request, async ({ file, generationConfig, ignored }) => {
          const keyed = keyedRequest(request, team, [file.fileName, file.contentHash, generationConfig]);
          const bring = async () => broughtMedia(await takeInFile(parts, team, file, senderSignal(reply)));
          const unused = generationConfig === undefined ? ignored : [...ignored, "generation_config"];
          return { ...mediaReply(await bringOnce(parts, keyed, bring)), ...reportIgnored(unused) };
        }),
      );
    }
    const { value, ignored } = parseRequest(UploadMediaRequest, request.body);
    const keyed = keyedRequest(request, team, request.body);
    if (value.input.type === "url") {
      requireFeature(team.plan, "url_input");
      const address = { url: value.input.url, fileName: value.input.filename ?? null, parameter: "input.url" };
      const fetched = await bringOnce(parts, keyed, () => fetchMedia(parts, team, address, request, reply));
      return { ...mediaReply(fetched), ...reportIgnored(ignored) };
    }
    const { input } = value;
    const base = baseUrlOf(parts, request);
    const { media } = await bringOnce(parts, keyed, () => awaitUpload(parts, team, input));
    const upload = await signedUploadReply(parts, media, base);
    return { ...upload, ...reportIgnored(ignored) };
  });

  app.post(ROUTES.uploadFromUrl.path, async (request, reply): Promise<MediaReply> => {
    const team = callerOf(request);
    const { value, ignored } = parseRequest(UploadFromUrlRequest, request.body);
    const address = { url: value.source_url, fileName: value.filename ?? null, parameter: "source_url" };
    requireFeature(team.plan, "url_input");
    const keyed = keyedRequest(request, team, request.body);
    const fetched = await bringOnce(parts, keyed, () => fetchMedia(parts, team, address, request, reply));
    return { ...mediaReply(fetched), ...reportIgnored(ignored) };
  });

  app.post(ROUTES.notifyUploadComplete.path, async (request): Promise<NotifyReply> => {
    const team = callerOf(request);
    const { value, ignored } = parseRequest(NotifyRequest, request.body);
    const media = await findUpload(parts, team, value.media_id, value.gcs_path);
    await startVerification(parts, media);
    return { status: "accepted", media_id: media.id, ...reportIgnored(ignored) };
  });

  app.delete<{ Params: { media_id: string } }>(
    SERVED_ROUTES.deleteMedia.path.replace("{media_id}", ":media_id"),
    async (request): Promise<DeleteReply> => {
      const id = request.params.media_id;
      if (!isUuid(id)) throw new RequestError("not_found", "There is no media with this id.");
      await deleteMedia(parts, callerOf(request).id, id);
      return { status: "success", message: `Media ${id.toLowerCase()} was deleted.` };
    },
  );

  app.get(ROUTES.getUploadStatus.path, async (request, reply): Promise<UploadStatusReply> => {
    const { value } = parseRequest(UploadStatusQuery, request.query);
    const media = await lookOrWait(
      parts,
      { request, reply, id: value.media_id.toLowerCase() },
      () => findUpload(parts, callerOf(request), value.media_id, value.gcs_path),
      ({ uploadStatus }) => (uploadStatus === "processing" ? SHORTEST_POLL_PAUSE_SECONDS : 0),
    );
    return {
      media_id: media.id,
      upload_status: media.uploadStatus,
      canonical_media_id: media.uploadStatus === "completed" ? (media.canonicalId ?? media.id) : null,
      duration_seconds: media.durationSeconds,
      frame_rate: media.frameRate,
      ...(media.failureCode === null ? {} : { error: media.failureCode }),
      ...(media.failureMessage === null ? {} : { message: media.failureMessage }),
      // Verifying takes a second or two; only very large files take longer.
      ...(media.uploadStatus === "processing" ? { retry_after: SHORTEST_POLL_PAUSE_SECONDS } : {}),
    };
  });
}

/** A media as `upload_media` and `upload_from_url` report it. */
function mediaReply({ media, status }: BroughtMedia): MediaReply {
  return {
    media_id: media.id,
    status: status === "existing" ? "existing" : "created",
    duration_seconds: media.durationSeconds,
    frame_rate: media.frameRate,
  };
}

function broughtMedia({ media, isRepeat }: TakenIn): BroughtMedia {
  return { media, status: isRepeat ? "existing" : "created" };
}

function fetchMedia(
  parts: ServiceParts,
  team: Caller,
  address: VideoAddress,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<BroughtMedia> {
  return parts.slots.with(team, async () => broughtMedia(await takeFromAddress(parts, team, address, request, reply)));
}

/** Notes a signed upload whose bytes are to come. */
async function awaitUpload(
  { database }: ServiceParts,
  team: Caller,
  input: { readonly filename?: string | undefined; readonly content_type?: string | undefined },
): Promise<BroughtMedia> {
  const { filename: fileName = null, content_type: contentType = DEFAULT_CONTENT_TYPE } = input;
  if (!CONTENT_TYPE.test(contentType)) {
    throw new RequestError("invalid_input", '"input.content_type" must be a content type such as "video/mp4".');
  }
  const id = randomUUID();
  const path = uploadKey({ id, teamId: team.id, fileName });
  await insertPendingMedia(database, { id, teamId: team.id, fileName, contentType, uploadKey: path });
  const media = await getMedia(database, id);
  if (media === null) throw new Error("an upload vanished while it was noted");
  return { media, status: "pending_upload" };
}

async function signedUploadReply(
  { objects }: ServiceParts,
  { id, storageKey, uploadKey: arrivesAt, contentType: stated }: MediaRecord,
  base: string,
): Promise<SignedUploadReply> {
  const contentType = stated ?? DEFAULT_CONTENT_TYPE;
  const path = arrivesAt ?? storageKey;
  const link = await objects.uploadLink(path, contentType, base);
  return {
    media_id: id,
    status: "pending_upload",
    duration_seconds: null,
    frame_rate: null,
    upload_url: link.url,
    gcs_path: path,
    content_type: contentType,
    ...defined({ resumable_url: link.resumableUrl }),
  };
}

/**
 * The media of a signed upload that a request names.
 *
 * @throws RequestError `not_found`, and `invalid_input` for a path that is not its own.
 */
async function findUpload(parts: ServiceParts, team: Caller, mediaId: string, path: string): Promise<MediaRecord> {
  const media = await findMedia(parts.database, team.id, mediaId);
  if (media === null) throw new RequestError("not_found", `There is no media with the id ${mediaId}.`);
  if (media.uploadKey !== path) {
    throw new RequestError(
      "invalid_input",
      '"gcs_path" is not the storage path that this media\'s signed upload was given.',
    );
  }
  return media;
}

/** Sends an upload into verification. Harmless when it is there or past it; what was refused for good stays refused. */
async function startVerification(parts: ServiceParts, media: MediaRecord): Promise<void> {
  if (media.uploadStatus === "failed") throw uploadFailure(media);
  if (media.uploadStatus !== "pending_upload") return;
  if ((await parts.objects.stat(media.storageKey)) === null) {
    throw new RequestError(
      "invalid_input",
      'No bytes have arrived for this "media_id". Send them with PUT to "upload_url" first, then call notify_upload_complete.',
    );
  }
  await parts.database.transaction(async (queries) => {
    if (await beginVerification(queries, media.id)) await parts.queue.add(queries, "verify-upload", media.id);
  });
  parts.queue.wake("verify-upload");
}

/** A signed upload that has not become a video of the team: what it holds is used once, and removed. */
export async function findFreshUpload(
  parts: ServiceParts,
  team: Caller,
  named: { readonly media_id: string; readonly gcs_path: string },
): Promise<MediaRecord> {
  const media = await findUpload(parts, team, named.media_id, named.gcs_path);
  const isFresh = media.uploadStatus === "pending_upload" || media.uploadStatus === "failed";
  if (media.arrival === "signed_url" && isFresh) return media;
  throw new RequestError("invalid_input", 'This "media_id" is a video of the team. Only a fresh upload is taken.');
}
