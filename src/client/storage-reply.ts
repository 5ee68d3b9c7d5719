import { defined } from "../core/defined.ts";
import type { TransferReply } from "../core/file-transfer.ts";
import { errorFromReply } from "./error-reply.ts";
import type { ServiceError } from "./errors.ts";
import { objectOf } from "./field.ts";

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
