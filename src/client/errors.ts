import { uploadOutcome } from "../contract/choices.ts";
import { isRequestErrorCode, REQUEST_ERRORS, type RequestErrorCode } from "../contract/error-codes.ts";
import { AudioDescriptionError } from "../core/error.ts";
import { defined } from "../core/objects.ts";
import { HIDDEN, hideSecrets } from "../core/text.ts";
import { type JsonObject, numberField, objectOf, textField } from "./reply.ts";

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
  /** The service has no way to stop a job. */
  "cancel_not_offered",
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

/** A job was to be cancelled at a service that has no way to stop one: it goes on there. */
export class CancelNotOfferedError extends AudioDescriptionError<"cancel_not_offered"> {
  readonly jobId: string;

  constructor(jobId: string, cause: unknown) {
    super("cancel_not_offered", "This service cannot stop a job. It continues there and may be charged.", { cause });
    this.jobId = jobId;
  }
}

/** A reply as it came. */
export interface RawReply {
  readonly status: number;
  readonly text: string;
  /** The header `Retry-After`, where there is one. */
  readonly retryAfter: string | null;
}

/** What an error reply is read with. */
export interface ErrorReading {
  /** Texts that must not be repeated: the API key. */
  readonly secrets: readonly string[];
  /** Milliseconds since the Unix epoch, for waits that are given as a date. */
  readonly nowMs: number;
  /** Whether the call deletes a job: its 409 is about the job, every other one about media. */
  readonly isDeletion?: boolean;
}

/** Codes of older editions and of gateways, and what they are called now (`service-facts.md` 8). */
const ALIASES: Readonly<Record<string, RequestErrorCode>> = {
  limit_reached: "plan_limit_exceeded",
  forbidden: "feature_not_available",
  too_many_requests: "rate_limit_exceeded",
};

/** Statuses with which a gateway answers in the service's place. */
const GATEWAY_STATUSES: readonly number[] = [502, 503, 504];

/** The error that a reply with a status outside 200 to 299 stands for. Never fails, whatever the reply holds. */
export function errorFromReply(reply: RawReply, reading: ErrorReading): ServiceError {
  const body = bodyOf(reply.text);
  const clean = (text: string | undefined) => (text === undefined ? undefined : redact(text, reading.secrets));
  const code = codeOf(reply.status, body, reading.isDeletion ?? false);
  const prose = clean(messageOf(body)) ?? standardMessage(code, reply.status);
  return new ServiceError(
    code,
    prose,
    defined({
      status: reply.status,
      retryAfterSeconds: retryAfterSeconds(reply, body, reading.nowMs),
      details: clean(textField(body, "details")),
      uploadStatus: clean(textField(body, "upload_status")),
      feature: clean(textField(body, "feature")),
      planName: clean(textField(body, "plan_name")),
      rateLimit: rateLimitOf(body),
      foreignCode: clean(foreignCodeOf(body, code)),
    }),
  );
}

/** Seconds the server asks to wait: its body's field, else its header (seconds or a date), else the window's new start. */
export function retryAfterSeconds(
  reply: Pick<RawReply, "retryAfter">,
  body: JsonObject,
  nowMs: number,
): number | undefined {
  const given = numberField(body, "retry_after");
  if (given !== undefined) return Math.max(0, given);
  if (reply.retryAfter !== null && reply.retryAfter.trim() !== "") {
    const seconds = Number(reply.retryAfter);
    if (Number.isFinite(seconds)) return Math.max(0, seconds);
    const date = Date.parse(reply.retryAfter);
    if (Number.isFinite(date)) return Math.max(0, (date - nowMs) / 1000);
  }
  const reset = numberField(body, "reset");
  return reset === undefined ? undefined : Math.max(0, reset - nowMs / 1000);
}

function bodyOf(text: string): JsonObject {
  try {
    return objectOf(JSON.parse(text)) ?? {};
  } catch {
    return {}; // The status says enough; pages of proxies are of no use to anyone.
  }
}

/** `code` first, then a known `error`, then what the status means: on media conflicts `error` is prose. */
function codeOf(status: number, body: JsonObject, isDeletion: boolean): ServiceErrorCode {
  for (const word of [textField(body, "code"), textField(body, "error")]) {
    if (word === undefined) continue;
    if (isRequestErrorCode(word)) return word;
    const alias = Object.hasOwn(ALIASES, word) ? ALIASES[word] : undefined;
    if (alias !== undefined) return alias;
  }
  if (status === 409) return isDeletion ? "job_not_deletable" : mediaConflict(body);
  if (GATEWAY_STATUSES.includes(status)) return "service_unavailable";
  if (status === 413) return "file_too_large";
  if (status === 401 || status === 407) return "unauthorized";
  if (status === 422) return "invalid_input";
  if (status >= 500) return "internal_error";
  if (status === 403) return "feature_not_available";
  if (status === 429) return "rate_limit_exceeded";
  if (status < 400) return "reply_unreadable";
  return entryOfStatus(status) ?? "invalid_input";
}

function entryOfStatus(status: number): RequestErrorCode | undefined {
  const codes = Object.keys(REQUEST_ERRORS).filter(isRequestErrorCode);
  return codes.find((code) => REQUEST_ERRORS[code].status === status);
}

function mediaConflict(body: JsonObject): RequestErrorCode {
  const state = textField(body, "upload_status") ?? textField(body, "error", "message") ?? "";
  return uploadOutcome(state) === "failed" ? "upload_failed" : "upload_not_ready";
}

/** `message`; else prose in `error`; else a framework's `detail`. */
function messageOf(body: JsonObject): string | undefined {
  const message = textField(body, "message");
  if (message !== undefined) return message;
  const error = textField(body, "error");
  if (error !== undefined && /\s/.test(error)) return error;
  const nested = objectOf(body["error"]);
  if (nested !== null) return textField(nested, "message");
  const detail = body["detail"];
  if (typeof detail === "string") return detail;
  return detail === undefined ? undefined : JSON.stringify(detail);
}

function foreignCodeOf(body: JsonObject, code: ServiceErrorCode): string | undefined {
  const word = textField(body, "code", "error");
  return word === undefined || word === code || /\s/.test(word) ? undefined : word;
}

function standardMessage(code: ServiceErrorCode, status: number): string {
  if (code === "service_unavailable") return `a gateway answered in the service's place (HTTP ${status})`;
  if (code === "reply_unreadable") {
    return status >= 300
      ? `the address redirects elsewhere (HTTP ${status}); give the address it redirects to`
      : `the reply cannot be understood (HTTP ${status})`;
  }
  return `${REQUEST_ERRORS[code].meaning} (HTTP ${status})`;
}

function rateLimitOf(body: JsonObject): { limit: number; remaining: number; reset: number } | undefined {
  const limit = numberField(body, "limit");
  const remaining = numberField(body, "remaining");
  const reset = numberField(body, "reset");
  return limit === undefined || remaining === undefined || reset === undefined
    ? undefined
    : { limit, remaining, reset };
}

/** Longest text of someone else's that is repeated to a person, in characters. */
const MAX_CHARACTERS = 500;

/** Characters of a text that are looked at; a reply may be as long as it likes. */
const READ_CHARACTERS = 8_000;

/** The beginning of a text, up to the last blank or, where it has none, the last quotation mark. */
function cutBeforeWord(text: string, characters: number): string {
  const cut = text.slice(0, characters);
  return /\s/.test(cut) ? cut.replace(/\s\S*$/, "") : cut.replace(/["'<>][^"'<>]*$/, "");
}

/**
 * A text of unknown origin made fit to be shown or logged: the given secrets, keys by their form and the queries of
 * addresses are hidden, control characters become spaces, and what is too long is cut.
 */
export function redact(text: string, secrets: readonly string[] = []): string {
  // What the cut leaves of a word at the end goes too: it may be half a secret.
  let clean = text.length > READ_CHARACTERS ? cutBeforeWord(text, READ_CHARACTERS) : text;
  for (const secret of secrets) {
    if (secret !== "") clean = clean.replaceAll(secret, HIDDEN);
  }
  clean = hideSecrets(clean)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .trim();
  return clean.length > MAX_CHARACTERS ? `${clean.slice(0, MAX_CHARACTERS - 1)}…` : clean;
}
