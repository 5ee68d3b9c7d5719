import { uploadOutcome } from "../contract/upload-outcome.ts";
import { defined } from "../core/defined.ts";
import { type JsonObject, numberField, textField } from "./field.ts";

/** Media as a service knows it. */
export interface UploadedMedia {
  readonly mediaId: string;
  /** `created`, `existing` or `pending_upload`; a server may say more. */
  readonly status: string;
  readonly durationSeconds: number | null;
  readonly frameRate: number | null;
}

/** An address to send a file to. */
export interface SignedUpload extends UploadedMedia {
  /** A secret: whoever holds it may write the file. Never shown, logged or kept. */
  readonly uploadUrl: string;
  /** Where storage keeps the file; handed back letter by letter. */
  readonly storagePath: string;
  /** Content type that the address was made for. */
  readonly contentType: string;
  /** A secret like `uploadUrl`: takes the file in slices. */
  readonly resumableUrl?: string;
}

/** State of a signed upload. */
export interface Verification {
  readonly outcome: "ready" | "failed" | "verifying";
  /** The media to use from now on. */
  readonly mediaId: string;
  /** The server's own word for the state. */
  readonly status: string;
  readonly durationSeconds: number | null;
  readonly frameRate: number | null;
  /** Why verification failed, where the server says so: a code, and a sentence. */
  readonly code?: string;
  readonly message?: string;
}

/** Reads a reply that names media; `null` when it names none. */
export function readMedia(body: JsonObject): UploadedMedia | null {
  const mediaId = textField(body, "media_id");
  if (mediaId === undefined) return null;
  return {
    mediaId,
    status: textField(body, "status") ?? "created",
    durationSeconds: numberField(body, "duration_seconds") ?? null,
    frameRate: numberField(body, "frame_rate") ?? null,
  };
}

/** Reads the reply to a signed upload request; `null` when a part is missing that nothing can stand in for. */
export function readSignedUpload(body: JsonObject, askedContentType: string): SignedUpload | null {
  const media = readMedia(body);
  const uploadUrl = textField(body, "upload_url");
  const storagePath = textField(body, "gcs_path", "storage_path");
  if (media === null || uploadUrl === undefined || storagePath === undefined) return null;
  return defined({
    ...media,
    uploadUrl,
    storagePath,
    contentType: textField(body, "content_type") ?? askedContentType,
    resumableUrl: textField(body, "resumable_url"),
  });
}

/** Reads an upload's state; a reply without one counts as still verifying. */
export function readVerification(body: JsonObject, askedMediaId: string): Verification {
  const status = textField(body, "upload_status", "status") ?? "unknown";
  return defined({
    outcome: uploadOutcome(status),
    mediaId: textField(body, "canonical_media_id", "media_id") ?? askedMediaId,
    status,
    durationSeconds: numberField(body, "duration_seconds") ?? null,
    frameRate: numberField(body, "frame_rate") ?? null,
    code: textField(body, "code", "error"),
    message: textField(body, "message"),
  });
}
