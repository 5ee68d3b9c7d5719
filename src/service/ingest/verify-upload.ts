import { REQUEST_ERRORS } from "../../contract/error-codes.ts";
import type { Heard } from "../../core/gap.ts";
import type { Engine } from "../../engine/index.ts";
import type { TeamPlan } from "../configuration.ts";
import { RequestError } from "../request-error.ts";
import {
  completeVerification,
  failVerification,
  findMediaByContent,
  getMedia,
  type MediaRecord,
} from "../storage/media-records.ts";
import { inspectMedia, isMediaFault } from "./inspect-media.ts";
import { checkDuration, checkFileSize, contentHash, mediaKey, mendStored, type TakeInParts } from "./take-in.ts";

/** What verifying uploads needs. */
export interface VerifyParts extends TakeInParts {
  /** Largest file in bytes that the media's team may upload. */
  readonly maximumFileBytes: (teamId: string) => Promise<number>;
  /** Hears how each verification ended. */
  readonly onVerified: (mediaId: string, outcome: "completed" | "repeat" | RequestError) => void;
}

/** Times a verification may fail by the service's own fault before the upload is given up. */
const TRIES = 10;

const GIVEN_UP = new RequestError(
  "internal_error",
  "The service could not verify the upload because of an internal error.",
);

/**
 * Verifies one signed upload: whether its bytes are there and hold a video, and whether the team has the same content
 * already. Resolves when the upload has an outcome; rejects when verification must be tried again.
 */
export async function verifyUpload(
  parts: VerifyParts,
  { id: mediaId, returns }: { readonly id: string; readonly returns: number },
  signal: AbortSignal,
): Promise<void> {
  const media = await getMedia(parts.database, mediaId);
  if (media === null || media.uploadStatus !== "processing") return;
  try {
    const { id } = await verify(parts, media, signal);
    parts.onVerified(mediaId, id === mediaId ? "completed" : "repeat");
  } catch (error) {
    // A service that stops is no fault of the upload, however often it was tried.
    if (!(error instanceof RequestError) && (returns < TRIES || signal.aborted)) throw error;
    const refusal = error instanceof RequestError ? error : GIVEN_UP;
    await failVerification(parts.database, mediaId, { code: refusal.code, message: refusal.message });
    await parts.objects.remove(media.storageKey);
    parts.onVerified(mediaId, refusal);
  }
}

/** Looks at the bytes that arrived, and stores these very bytes where no client has an address of. */
async function verify(parts: VerifyParts, media: MediaRecord, signal: AbortSignal): Promise<MediaRecord> {
  const stored = await parts.objects.stat(media.storageKey);
  if (stored === null || stored.sizeBytes === 0) {
    throw new RequestError(
      "upload_failed",
      "No bytes arrived at the upload address. Ask for a new one and upload again.",
    );
  }
  const limit = await parts.maximumFileBytes(media.teamId);
  if (stored.sizeBytes > limit) {
    throw new RequestError("file_too_large", `The file is larger than the ${limit} bytes that the team's plan allows.`);
  }
  const file = await parts.objects.borrow(media.storageKey, signal);
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  // A look inside and a reading of all bytes take about as long: side by side. Nobody reads on in what is no video.
  const known = media.sizeBytes === stored.sizeBytes ? media.contentHash : null;
  const hashing = known === null ? contentHash(file.path, either) : Promise.resolve(known);
  try {
    const [facts, hash] = await Promise.all([inspectMedia(parts.engine, file.path, either), hashing]);
    const storageKey = mediaKey(media);
    const contentType = media.contentType ?? "application/octet-stream";
    await parts.objects.put(storageKey, file.path, contentType, signal);
    const known = await findMediaByContent(parts.database, media.teamId, hash);
    if (known !== null) await mendStored(parts.objects, known, file.path, signal);
    const told = { contentHash: hash, sizeBytes: stored.sizeBytes, ...facts };
    const canonical = await completeVerification(parts.database, media, told, storageKey);
    if (canonical.id !== media.id) await parts.objects.remove(storageKey);
    await parts.objects.remove(media.storageKey);
    return canonical;
  } finally {
    stop.abort();
    await hashing.catch(() => undefined);
    await file.release();
  }
}

/** The failure of a media as generation requests are answered with it: a plan's limit as such, all else as a failed upload. */
export function uploadFailure(media: MediaRecord): RequestError {
  const { failureCode: code, failureMessage: message } = media;
  if (code !== null && REQUEST_ERRORS[code].status === 403)
    return new RequestError(code, message ?? REQUEST_ERRORS[code].meaning);
  return new RequestError(
    "upload_failed",
    `${message ?? "The upload failed verification."} Upload the media again, then send the request again.`,
    { prose: "Media upload failed verification", body: { upload_status: media.uploadStatus } },
  );
}

/** What was heard in an upload. */
export interface DetectedInUpload {
  readonly durationSeconds: number;
  readonly heard: Heard;
}

/**
 * Hears a signed upload whose bytes are there, in a process of its own. The upload stays for the caller to remove.
 *
 * @throws RequestError `invalid_input` for bytes that are missing, empty or unreadable; `upload_failed`, `file_too_large`,
 * `video_too_long`.
 */
export async function detectSpeechInUpload(
  parts: Pick<TakeInParts, "objects"> & { readonly engine: Pick<Engine, "detectSpeech"> },
  plan: TeamPlan,
  media: MediaRecord,
  signal: AbortSignal,
): Promise<DetectedInUpload> {
  if (media.uploadStatus === "failed") throw uploadFailure(media);
  const stored = await parts.objects.stat(media.storageKey);
  if (stored === null || stored.sizeBytes === 0) {
    throw new RequestError("invalid_input", 'No bytes have arrived for this "media_id". Send them, then ask again.');
  }
  checkFileSize(plan, stored.sizeBytes);
  const file = await parts.objects.borrow(media.storageKey, signal);
  try {
    const order = { path: file.path, maximumSeconds: plan.maximum_duration_seconds };
    const { durationSeconds, heard } = await parts.engine.detectSpeech(order, { signal });
    checkDuration(plan, durationSeconds);
    if (heard === null) throw new Error("a programme within its limit was not heard");
    return { durationSeconds, heard };
  } catch (error) {
    signal.throwIfAborted();
    if (!isMediaFault(error)) throw error;
    throw new RequestError("invalid_input", "The file cannot be read as sound. Send a WAV file, for example.");
  } finally {
    await file.release();
  }
}
