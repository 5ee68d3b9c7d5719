import { defined } from "../../core/defined.ts";
import type { Heard } from "../../core/heard.ts";
import type { TeamPlan } from "../configuration.ts";
import { RequestError } from "../request-error.ts";
import type { MediaRecord } from "../storage/media-records.ts";
import { isMediaFault } from "./inspect-media.ts";
import { checkDuration, checkFileSize, type TakeInParts } from "./take-in.ts";
import { uploadFailure } from "./verify-upload.ts";

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
  parts: Pick<TakeInParts, "objects" | "isolate" | "tasks">,
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
    const { durationSeconds, heard } = await parts.isolate("detect-speech", order, {
      signal,
      ...defined({ tasks: parts.tasks }),
    });
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
