import { ServiceError } from "../client/errors.ts";
import { isRequestErrorCode } from "../contract/error-codes.ts";
import { AudioDescriptionError } from "../core/error.ts";
import { hideSecrets, worded } from "../core/text.ts";
import { HostError } from "../host/host-error.ts";
import { JobFailedError } from "./errors.ts";
import { type CodeWords, ERROR_STRINGS } from "./messages.ts";

/** An error as it is shown. */
export interface Explanation {
  /** Stable, for the details and for scripts. */
  readonly code: string;
  readonly sentence: string;
  readonly next: string;
  /** What was asked of the host, and how it answered; absent where it did as it should. */
  readonly tried?: readonly string[];
}

const WORDS = worded(ERROR_STRINGS);

/** An error in words for people. What is none of this project's errors is called by its own message. */
export function explain(error: unknown): Explanation {
  if (!(error instanceof AudioDescriptionError)) {
    const detail = error instanceof Error ? error.message : String(error);
    return { code: "internal_error", sentence: WORDS.unforeseen({ detail: hideSecrets(detail) }), next: WORDS.report };
  }
  const found = wordsOf(error);
  if (found === undefined) return { code: error.code, sentence: asSentence(error.message), next: "" };
  if (error instanceof HostError) {
    const { code, tried } = error;
    const sentence = asSentence(error.message);
    if (tried.length === 0) return { code, sentence, next: found.next };
    // What made no sense is tried again, and reported; what was refused has a way of its own first.
    const next = code === "host_failed" || code === "no_sequence" ? WORDS.again : `${found.next} ${WORDS.sendReport}`;
    return { code, sentence, next, tried };
  }
  const quoted = found.quotes === true ? [asSentence(error.message)] : [];
  const sentence = [found.sentence, ...quoted, ...aboutPlan(error)].join(" ");
  return { code: error.code, sentence, next: waitOf(error) ?? found.next };
}

function wordsOf(error: AudioDescriptionError) {
  const { service, job, client, host, workflow } = WORDS;
  const { code } = error;
  if (error instanceof JobFailedError) return job[error.code];
  if (error instanceof HostError) return host[error.code];
  if (isRequestErrorCode(code)) return service[code];
  const others: Readonly<Record<string, CodeWords>> = { ...client, ...host, ...workflow };
  return Object.hasOwn(others, code) ? others[code] : undefined;
}

function aboutPlan(error: AudioDescriptionError): string[] {
  if (!(error instanceof ServiceError)) return [];
  const { feature, planName } = error;
  return [
    ...(feature === undefined ? [] : [WORDS.feature({ name: feature })]),
    ...(planName === undefined ? [] : [WORDS.plan({ name: planName })]),
  ];
}

function waitOf(error: AudioDescriptionError): string | undefined {
  if (!(error instanceof ServiceError) || error.retryAfterSeconds === undefined) return undefined;
  return WORDS.wait({ seconds: Math.ceil(error.retryAfterSeconds) });
}

/** With a capital at its start and a full stop at its end. */
function asSentence(text: string): string {
  const trimmed = text.trim();
  return `${trimmed.charAt(0).toUpperCase()}${trimmed.slice(1)}${/[.!?…]$/.test(trimmed) ? "" : "."}`;
}
