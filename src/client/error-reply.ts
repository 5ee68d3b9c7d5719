import { isRequestErrorCode, REQUEST_ERRORS, type RequestErrorCode } from "../contract/error-codes.ts";
import { uploadOutcome } from "../contract/upload-outcome.ts";
import { defined } from "../core/defined.ts";
import { ServiceError, type ServiceErrorCode } from "./errors.ts";
import { type JsonObject, numberField, objectOf, textField } from "./field.ts";
import { redact } from "./redact.ts";

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
    return status >= 300 && status < 400
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
