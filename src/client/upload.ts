import { SIGNED_FLOW_ABOVE_BYTES } from "../contract/choices.ts";
import { ConnectionError } from "../core/error.ts";
import { defined } from "../core/objects.ts";
import type { Clock, FileTransfer, TransferProgress, TransferReply } from "../core/ports.ts";
import type { Client } from "./client.ts";
import { errorFromReply, type ServiceError, UploadError } from "./errors.ts";
import { objectOf, type SignedUpload } from "./reply.ts";
import { MAX_TRANSFER_ATTEMPTS, retryDelayMs } from "./retry.ts";
import { waitForVerification } from "./wait.ts";

/** What uploading needs. */
export interface UploadParts {
  readonly client: Client;
  readonly transfer: FileTransfer;
  readonly clock: Clock;
  /** 0 to 1; default `Math.random`. */
  readonly random?: () => number;
}

/** A local file on its way to a service. */
export interface LocalFile {
  /** As the transfer port reads it. */
  readonly path: string;
  readonly filename: string;
  readonly contentType: string;
}

/** Bytes that storage has; what of an upload is worth keeping, for it holds no signed address. */
export interface SentFile {
  readonly mediaId: string;
  readonly storagePath: string;
}

/** Media that generation can use. */
export interface ReadyMedia {
  readonly mediaId: string;
  readonly durationSeconds: number | null;
  readonly frameRate: number | null;
  /** `false` when the server offers no way to ask: generation will say `upload_not_ready` until it is. */
  readonly isVerified: boolean;
}

/** How verification ended. */
export type VerifiedUpload =
  | ({ readonly outcome: "ready" } & ReadyMedia)
  | { readonly outcome: "failed"; readonly code?: string; readonly message?: string };

/** How an upload is followed and ended. */
export interface UploadOptions {
  readonly signal: AbortSignal;
  /** Hears of each address before bytes are sent there, so that an upload that breaks off can be taken back. */
  readonly onAddress?: (begun: SentFile) => void;
  readonly onProgress?: (progress: TransferProgress) => void;
}

/** Fresh addresses that are asked for after the first was refused. */
const MAX_FRESH_ADDRESSES = 2;

/**
 * Sends a file through the signed flow up to the point where storage has it: asks for an address, `PUT`s the bytes, and
 * asks for a fresh address when storage refuses the old one. A broken line is tried again after a growing pause; the
 * count starts anew whenever bytes got through.
 *
 * @throws UploadError when storage keeps refusing or cannot be reached; ServiceError for what the service itself says.
 */
export async function sendFile(parts: UploadParts, file: LocalFile, options: UploadOptions): Promise<SentFile> {
  for (let addresses = 0; ; addresses++) {
    const signed = await parts.client.requestSignedUpload(file, { signal: options.signal });
    const begun: SentFile = { mediaId: signed.mediaId, storagePath: signed.storagePath };
    options.onAddress?.(begun);
    const verdict = await putFile(parts, file, signed, options);
    if (verdict.kind === "stored") return begun;
    if (verdict.kind === "service-error") throw verdict.error;
    if (verdict.kind === "refused" || addresses === MAX_FRESH_ADDRESSES) {
      const reason = verdict.storageCode === undefined ? "" : `: ${verdict.storageCode}`;
      throw new UploadError(
        "upload_refused",
        `storage did not accept "${file.filename}" (HTTP ${verdict.status}${reason})`,
        {
          status: verdict.status,
          storageCode: verdict.storageCode,
        },
      );
    }
  }
}

/** Tells the service that the bytes are there, and waits until they are verified. */
export async function verifyUpload(
  parts: Pick<UploadParts, "client" | "clock">,
  sent: SentFile,
  options: { readonly signal: AbortSignal; readonly deadlineMs?: number },
): Promise<VerifiedUpload> {
  await parts.client.notifyUploadComplete(sent, options);
  const end = await waitForVerification(parts.client, sent, { clock: parts.clock, ...options });
  if (end === "not-offered") {
    return { outcome: "ready", mediaId: sent.mediaId, durationSeconds: null, frameRate: null, isVerified: false };
  }
  const { outcome, mediaId, durationSeconds, frameRate, code, message } = end;
  if (outcome === "ready") return { outcome, mediaId, durationSeconds, frameRate, isVerified: true };
  return {
    outcome: "failed",
    ...defined({ code, message }),
  };
}

/**
 * Uploads a file by the way its size asks for: up to 32 MB directly from memory, larger ones through the signed flow.
 * For programs of few files; the workflow takes the steps of the signed flow one by one, to resume between them.
 */
export async function uploadFile(
  parts: UploadParts,
  file: LocalFile & { readonly sizeBytes: number; readonly readAll: () => Promise<Uint8Array> },
  options: UploadOptions,
): Promise<VerifiedUpload> {
  if (file.sizeBytes > SIGNED_FLOW_ABOVE_BYTES)
    return verifyUpload(parts, await sendFile(parts, file, options), options);
  const { filename, contentType } = file;
  const bytes = await file.readAll();
  const { mediaId, durationSeconds, frameRate } = await parts.client.uploadMediaFile(
    { bytes, filename, contentType },
    options,
  );
  return { outcome: "ready", mediaId, durationSeconds, frameRate, isVerified: true };
}

/** A verdict that ends the use of one address, with the status it came from. */
type FinalVerdict = Exclude<StorageVerdict, { readonly kind: "later" }> & { readonly status: number };

async function putFile(
  parts: UploadParts,
  file: LocalFile,
  signed: SignedUpload,
  options: UploadOptions,
): Promise<FinalVerdict> {
  const random = parts.random ?? Math.random;
  let farthestBytes = 0;
  let waitedMs = 0;
  for (let attempts = 1; ; attempts++) {
    let status: number | null = null;
    let cause: unknown;
    let gained = false;
    const onProgress = (progress: TransferProgress) => {
      gained ||= progress.doneBytes > farthestBytes;
      farthestBytes = Math.max(farthestBytes, progress.doneBytes);
      options.onProgress?.(progress);
    };
    try {
      const reply = await parts.transfer.upload(uploadRequest(file, signed, options.signal, onProgress));
      const verdict = judgeStorageReply(reply, parts.clock.now());
      status = reply.status;
      if (verdict.kind !== "later") return { ...verdict, status };
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      cause = error;
    }
    // Only where the file goes in slices do bytes that got through stay there: elsewhere every try starts at nothing.
    if (gained && signed.resumableUrl !== undefined) attempts = 1;
    const failure = { kind: "no-answer", mayHaveArrived: true } as const;
    const delayMs = retryDelayMs(
      { failure, repeat: "safe", attempts, waitedMs, maxAttempts: MAX_TRANSFER_ATTEMPTS },
      random,
    );
    if (delayMs === null) {
      const answer = status === null ? "the connection to storage broke" : `storage answered HTTP ${status}`;
      throw new UploadError("storage_unavailable", `"${file.filename}" could not be sent: ${answer} each time`, {
        status,
        cause,
      });
    }
    await parts.clock.sleep(delayMs, options.signal);
    waitedMs += delayMs;
  }
}

function uploadRequest(
  file: LocalFile,
  signed: SignedUpload,
  signal: AbortSignal,
  onProgress: (progress: TransferProgress) => void,
) {
  return {
    path: file.path,
    url: signed.uploadUrl,
    contentType: signed.contentType,
    signal,
    onProgress,
    ...defined({ resumableUrl: signed.resumableUrl }),
  };
}

/** What storage's answer to a `PUT` means. */
export type StorageVerdict =
  | { readonly kind: "stored" }
  /** The address is spent, expired or does not fit: a fresh one may do. */
  | { readonly kind: "new-address"; readonly storageCode?: string }
  /** Storage is unwell: the same address may do a moment later. */
  | { readonly kind: "later"; readonly storageCode?: string }
  /** The file itself is refused; nothing but another file helps. */
  | { readonly kind: "refused"; readonly storageCode?: string }
  /** Our own service's storage speaks its language. */
  | { readonly kind: "service-error"; readonly error: ServiceError };

/** Words of object stores for a file that is too large (Google Cloud Storage and S3, XML interface). */
const TOO_LARGE: readonly string[] = ["EntityTooLarge", "MaxMessageLengthExceeded"];

/** Judges storage's answer. Its text is searched for a code only, never repeated: it may hold what was signed. */
export function judgeStorageReply(reply: TransferReply, nowMs: number): StorageVerdict {
  const { status, body } = reply;
  if (status >= 200 && status < 300) return { kind: "stored" };
  const storageCode = /<Code>([A-Za-z]{1,64})<\/Code>/.exec(body)?.[1];
  const word = defined({ storageCode });
  if (status === 413 || (storageCode !== undefined && TOO_LARGE.includes(storageCode)))
    return { kind: "refused", ...word };
  if (isErrorObject(body)) {
    const error = errorFromReply({ status, text: body, retryAfter: null }, { secrets: [], nowMs });
    if (FINAL_CODES.includes(error.code)) return { kind: "service-error", error };
  }
  if (status >= 500 || status === 408 || status === 429) return { kind: "later", ...word };
  return { kind: "new-address", ...word };
}

/** Codes about the file or the team: a fresh address meets them again. */
const FINAL_CODES: readonly string[] = ["file_too_large", "video_too_long", "no_video_stream", "plan_limit_exceeded"];

function isErrorObject(body: string): boolean {
  try {
    return typeof objectOf(JSON.parse(body))?.["error"] === "string";
  } catch {
    return false;
  }
}
