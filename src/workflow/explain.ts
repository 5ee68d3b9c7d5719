import { ServiceError } from "../client/errors.ts";
import { isRequestErrorCode } from "../contract/error-codes.ts";
import { AudioDescriptionError } from "../core/error.ts";
import type { Worded } from "../core/pattern.ts";
import { HostError } from "../host/host-error.ts";
import { JobFailedError } from "./errors.ts";
import type { ERROR_STRINGS } from "./messages.ts";

/** What a code means to a person, and what they can do about it. */
export interface CodeWords {
  /** A whole sentence. */
  readonly sentence: string;
  /** A whole sentence with the next step. */
  readonly next: string;
  /** Whether the message that came with the error says more than the sentence, and is shown after it. */
  readonly quotes?: boolean;
}

/** An error as it is shown. */
export interface Explanation {
  /** Stable, for the details and for scripts. */
  readonly code: string;
  readonly sentence: string;
  readonly next: string;
}

/** What is said of errors in one language. */
export type ErrorWords = Worded<typeof ERROR_STRINGS>;

/** An error in words for people. What is none of this project's errors is called by its own message. */
export function explainIn(words: ErrorWords, error: unknown): Explanation {
  if (!(error instanceof AudioDescriptionError)) {
    const detail = error instanceof Error ? error.message : String(error);
    return { code: "internal_error", sentence: words.unforeseen({ detail }), next: words.report };
  }
  const found = wordsOf(words, error);
  if (found === undefined) return { code: error.code, sentence: asSentence(error.message), next: "" };
  if (error instanceof HostError) {
    return { code: error.code, sentence: asSentence(error.message), next: found.next };
  }
  const quoted = found.quotes === true ? [asSentence(error.message)] : [];
  const sentence = [found.sentence, ...quoted, ...aboutPlan(words, error)].join(" ");
  return { code: error.code, sentence, next: waitOf(words, error) ?? found.next };
}

function wordsOf({ service, job, client, host, workflow }: ErrorWords, error: AudioDescriptionError) {
  const { code } = error;
  if (error instanceof JobFailedError) return job[error.code];
  if (error instanceof HostError) return host[error.code];
  if (isRequestErrorCode(code)) return service[code];
  const others: Readonly<Record<string, CodeWords>> = { ...client, ...host, ...workflow };
  return Object.hasOwn(others, code) ? others[code] : undefined;
}

function aboutPlan(words: ErrorWords, error: AudioDescriptionError): string[] {
  if (!(error instanceof ServiceError)) return [];
  const { feature, planName } = error;
  return [
    ...(feature === undefined ? [] : [words.feature({ name: feature })]),
    ...(planName === undefined ? [] : [words.plan({ name: planName })]),
  ];
}

function waitOf(words: ErrorWords, error: AudioDescriptionError): string | undefined {
  if (!(error instanceof ServiceError) || error.retryAfterSeconds === undefined) return undefined;
  return words.wait({ seconds: Math.ceil(error.retryAfterSeconds) });
}

/** With a capital at its start and a full stop at its end. */
function asSentence(text: string): string {
  const trimmed = text.trim();
  return `${trimmed.charAt(0).toUpperCase()}${trimmed.slice(1)}${/[.!?…]$/.test(trimmed) ? "" : "."}`;
}
