import type { RequestErrorCode } from "../contract/error-codes.ts";
import { AudioDescriptionError } from "../core/error.ts";

/** Codes of the client itself, beside those that a service sends. A test keeps every one of them explained. */
export const CLIENT_ERROR_CODES = [
  /** No answer arrived. */
  "connection_failed",
  /** A request was not answered in time. */
  "request_timed_out",
  /** An upload was not verified in time. */
  "verification_timed_out",
  /** A job did not finish in time. */
  "job_timed_out",
  /** The answer is not what the interface says: not JSON, cut off, a page of a proxy, a redirect. */
  "reply_unreadable",
  /** A gateway answered in the service's place (502, 503, 504). */
  "service_unavailable",
  /** Storage refused the bytes of an upload, on a fresh address too. */
  "upload_refused",
  /** Storage could not be reached or failed, again and again. */
  "storage_unavailable",
  /** The link of a result does not answer, a fresh one neither. */
  "result_unavailable",
  /** The fetched file is cut off or is something else, on the second try too. */
  "result_damaged",
  /** The answer to a generation request was lost: it may have been accepted. */
  "submission_unknown",
] as const;

/** Code of an error that the client itself raises. */
export type ClientErrorCode = (typeof CLIENT_ERROR_CODES)[number];

/** Code of a {@link ServiceError}. */
export type ServiceErrorCode = RequestErrorCode | "reply_unreadable" | "service_unavailable";

/** What a service's error says beside its code and message. */
export interface ServiceErrorContext {
  /** HTTP status of the reply. */
  readonly status: number;
  /** Seconds the server asks to wait before the next try. */
  readonly retryAfterSeconds?: number;
  /** More from the server for people, without secrets. */
  readonly details?: string;
  /** State of the media, on conflicts about it; the server's own word. */
  readonly uploadStatus?: string;
  /** Feature that the plan lacks, and the plan's name, where the server says so. */
  readonly feature?: string;
  readonly planName?: string;
  /** Requests allowed in a window, those left, and when the window starts anew (Unix time in seconds). */
  readonly rateLimit?: { readonly limit: number; readonly remaining: number; readonly reset: number };
  /** The code as the server sent it, where it is none of the interface's. */
  readonly foreignCode?: string;
  readonly cause?: unknown;
}

/** The service answered, and the answer is an error or cannot be understood. */
export class ServiceError extends AudioDescriptionError<ServiceErrorCode> {
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;
  readonly details: string | undefined;
  readonly uploadStatus: string | undefined;
  readonly feature: string | undefined;
  readonly planName: string | undefined;
  readonly rateLimit: ServiceErrorContext["rateLimit"];
  readonly foreignCode: string | undefined;

  constructor(code: ServiceErrorCode, message: string, context: ServiceErrorContext) {
    super(code, message, { cause: context.cause });
    this.status = context.status;
    this.retryAfterSeconds = context.retryAfterSeconds;
    this.details = context.details;
    this.uploadStatus = context.uploadStatus;
    this.feature = context.feature;
    this.planName = context.planName;
    this.rateLimit = context.rateLimit;
    this.foreignCode = context.foreignCode;
  }
}

/** A deadline passed: which one is its code, how long was waited stands beside it. */
export class TimeoutError extends AudioDescriptionError<
  "request_timed_out" | "verification_timed_out" | "job_timed_out"
> {
  readonly waitedMs: number;

  constructor(code: TimeoutError["code"], message: string, waitedMs: number) {
    super(code, message);
    this.waitedMs = waitedMs;
  }
}

/** Storage did not take the bytes of an upload. Never holds the signed address. */
export class UploadError extends AudioDescriptionError<"upload_refused" | "storage_unavailable"> {
  /** HTTP status of storage's last answer; `null` when none arrived. */
  readonly status: number | null;
  /** Storage's own word, such as `SignatureDoesNotMatch`. */
  readonly storageCode: string | undefined;

  constructor(
    code: UploadError["code"],
    message: string,
    context: { readonly status: number | null; readonly storageCode?: string | undefined; readonly cause?: unknown },
  ) {
    super(code, message, { cause: context.cause });
    this.status = context.status;
    this.storageCode = context.storageCode;
  }
}

/** A result could not be fetched whole. Never holds the signed address. */
export class DownloadError extends AudioDescriptionError<"result_unavailable" | "result_damaged"> {
  /** HTTP status of storage's last answer; `null` when none arrived. */
  readonly status: number | null;

  constructor(
    code: DownloadError["code"],
    message: string,
    context: { readonly status: number | null; readonly cause?: unknown },
  ) {
    super(code, message, { cause: context.cause });
    this.status = context.status;
  }
}

/**
 * A generation request left, and its answer did not arrive whole: whether a job was accepted (and billed) is unknown.
 * Nothing sends it again without being told to.
 */
export class SubmissionError extends AudioDescriptionError<"submission_unknown"> {
  constructor(message: string, cause: unknown) {
    super("submission_unknown", message, { cause });
  }
}
