import * as z from "zod/mini";
import type { JobFailureCode } from "../../contract/error-codes.ts";
import { AudioDescriptionError } from "../../core/error.ts";
import { hideSecrets } from "../../core/text.ts";
import { faultOf, type ServerReply, spokenReason } from "./exchange.ts";
import { type Preset, placeOf } from "./presets.ts";
import type { VisionSettings } from "./vision-settings.ts";

/** Why a model could not be asked, or not be used. */
export type VisionErrorCode =
  /** No answer came, or not in time. */
  | "vision_unreachable"
  /** The endpoint answered with an error: a wrong key, no such model, a broken request. */
  | "vision_refused"
  /** The account has no money left. */
  | "vision_out_of_credit"
  /** It said "later" for ten minutes. */
  | "vision_rate_limited"
  /** It answered, and too much of what it said could not be used. */
  | "vision_unusable"
  /** It answers, and does not see the pictures. */
  | "vision_blind"
  /** The next request would cost more than is allowed. */
  | "vision_ceiling"
  /** What was asked for needs a setting that is missing. */
  | "vision_incomplete"
  /** A model could not be fetched. */
  | "vision_pull_failed"
  /** The program that runs a model of this computer could not be started, or ended. */
  | "vision_engine_failed";

/** Header by which a process is told that the model of this computer does not run: its code. The body is the sentence. */
export const ENGINE_FAULT_HEADER = "x-aside-engine-fault";

/** What a job fails with for each. */
const JOB_CODES: Readonly<Record<VisionErrorCode, JobFailureCode>> = {
  vision_unreachable: "model_unreachable",
  vision_refused: "model_refused",
  vision_out_of_credit: "model_out_of_credit",
  vision_rate_limited: "model_rate_limited",
  vision_unusable: "model_unusable",
  vision_blind: "model_unusable",
  vision_ceiling: "cost_limit_reached",
  vision_incomplete: "setup_incomplete",
  vision_pull_failed: "model_unreachable",
  vision_engine_failed: "model_unreachable",
};

/** A vision model could not be asked or used. Names the endpoint's host at most, never the key. */
export class VisionError extends AudioDescriptionError<VisionErrorCode> {
  /** What a job fails with because of it. */
  get jobCode(): JobFailureCode {
    return JOB_CODES[this.code];
  }
}

/**
 * A server's refusal as an error: its own words in brackets, without the key, and what to do. Those about a wrong key may
 * repeat it, and are left out.
 *
 * @param isBlind - Whether the refusal says that the model does not see.
 */
export function refusal(reply: ServerReply, settings: VisionSettings, preset: Preset, isBlind = false): VisionError {
  const { baseUrl, model, apiKey } = settings;
  const { status, isHidden = false } = reply;
  const { host } = new URL(baseUrl);
  if (status >= 200 && status < 300) {
    const body = typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body);
    const came = hideSecrets(spokenReason(body.slice(0, MOST_SAID), apiKey));
    const message = `What answers at ${host} is no model server${came === "" ? "" : ` (it says “${came}”)`}. Check the path in ASIDE_VISION_URL; most end with /v1.`;
    return new VisionError("vision_refused", message);
  }
  // What it says is the only clue: a model that is not there, a picture too many, memory that does not suffice.
  const said = status === 401 || status === 403 ? "" : spokenReason(faultOf(reply).message, apiKey);
  const reason = said === "" ? "" : ` (${said})`;
  const happened = isHidden ? `answered with an error${reason}` : `refused the request with status ${status}${reason}`;
  const next = isBlind
    ? 'It does not see pictures. Use a model that does, or load its part for pictures; "aside describers" lists those of this computer.'
    : nextStep(reply, said, model, preset);
  return new VisionError(
    isBlind ? "vision_blind" : codeOf(reply),
    `The vision model ${model} ${placeOf(baseUrl)} ${happened}. ${next}`,
  );
}

function codeOf(reply: ServerReply): VisionErrorCode {
  if (isAboutMoney(reply)) return "vision_out_of_credit";
  if (reply.status === 429) return "vision_rate_limited";
  // A server that stumbles or is not ready has refused nothing.
  return reply.status >= 500 || reply.status === 408 ? "vision_unreachable" : "vision_refused";
}

function nextStep(reply: ServerReply, said: string, model: string, preset: Preset): string {
  const { status } = reply;
  if (isAboutMoney(reply)) return "The account has no credit left: see to it with the provider.";
  if (status === 401 || status === 403) return "Check ASIDE_VISION_KEY.";
  if (status === 429) return "Go on later, or lower ASIDE_VISION_PARALLEL.";
  if (status === 503 || status === 529) return "The server is busy or still loading. Try again later.";
  if (status === 413) return "The pictures are too large for this provider: use another one.";
  if (/context (?:size|length|window)/i.test(said)) return "Give the model a larger context in its server.";
  if (status >= 500) return "Look at the server's own log, or use another model.";
  if (status === 404 && preset.api === "ollama") return `Fetch the model with: aside models install ollama:${model}`;
  if (/\bapi[ -_]?key\b|\bcredentials?\b|unauthori[sz]ed/i.test(said)) return "Check ASIDE_VISION_KEY.";
  if (status === 404) return "Check ASIDE_VISION_MODEL and the path in ASIDE_VISION_URL.";
  return "Check ASIDE_VISION_MODEL, or use another model.";
}

/** The two names of the parameter that limits an answer; servers take the one or the other. */
const LENGTHS = ["max_tokens", "max_completion_tokens"] as const;

/** Parameters that a question can do without, and words by which servers complain of them. */
const DISPENSABLE: Readonly<Record<string, RegExp>> = {
  response_format: /response_format|json_schema|json_object|\bschema\b|\bgrammar\b|structured output/i,
  format: /\bformat\b|\bschema\b|\bgrammar\b/i,
  max_completion_tokens: /max_completion_tokens/i,
  max_tokens: /max_tokens/i,
  reasoning_effort: /reasoning_effort|reasoning\.effort|thinking|\breasoning\b/i,
  think: /\bthink(?:ing)?\b/i,
  temperature: /temperature/i,
  seed: /\bseed\b/i,
  keep_alive: /keep_alive/i,
};

/** The parameters of a run that its server refused. They are left out of all later requests. */
export class RefusedParameters {
  readonly #refused = new Set<string>();

  /** A request without them; where the server refused one name of the length, it stands under the other. */
  without(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const entries = Object.entries(body).flatMap(([name, value]): [string, unknown][] => {
      if (!this.#refused.has(name)) return [[name, value]];
      const other = LENGTHS.find((length) => length !== name && LENGTHS.some((one) => one === name));
      return other === undefined || this.#refused.has(other) ? [] : [[other, value]];
    });
    return Object.fromEntries(entries);
  }

  /**
   * Whether the server refused a request because of a parameter that it can do without. It is remembered.
   *
   * @param sent The request that was refused.
   */
  learn(reply: ServerReply, sent: Readonly<Record<string, unknown>>): boolean {
    if (reply.status !== 400 && reply.status !== 422) return false;
    const { message, parameter } = faultOf(reply);
    const candidates = Object.entries(DISPENSABLE).filter(([name]) => name in sent);
    const blamed =
      candidates.find(([name]) => parameter === name || parameter.startsWith(`${name}.`)) ??
      candidates.find(([, words]) => words.test(message));
    if (blamed === undefined) return false;
    this.#refused.add(blamed[0]);
    return true;
  }
}

/** Tries of one request that a fault of the server or the network ends: the fault may be over by the next. */
export const FAULT_TRIES = 3;

/** Longest time that one request waits for its turn in all, in milliseconds; beyond it a person decides. */
const WAIT_BUDGET_MS = 10 * 60_000;

/** First pause of our own choosing, in milliseconds; doubled each time. */
const FIRST_PAUSE_MS = 500;

/** Longest pause of our own choosing, in milliseconds. */
const LONGEST_PAUSE_MS = 30_000;

/** So often a server's own time is taken as it is; one that keeps saying "at once" is asked less and less often then. */
const TRUSTED_TRIES = 5;

/** Characters of an answer that are looked through for what is said of it. */
const MOST_SAID = 2_000;

/** Statuses that say "later": too many requests, a model that is being loaded, a provider that is overloaded. */
const LATER = new Set([429, 503, 529]);

/** Codes of a 429 that no waiting mends: the account has no money. */
export const NO_MONEY = /insufficient_(?:quota|balance|funds)|billing/i;

/** Whether a refusal is about money, which a person has to see to. */
function isAboutMoney(reply: ServerReply): boolean {
  return reply.status === 402 || (reply.status === 429 && NO_MONEY.test(faultOf(reply).codes));
}

/**
 * How long to wait before the same request is sent again, in milliseconds; `null`: not at all. The server's own time wins.
 *
 * @param tries Times it was sent so far.
 * @param waitedMs Time it has waited so far.
 */
export function pauseAfter(reply: ServerReply, tries: number, waitedMs: number): number | null {
  if (isAboutMoney(reply)) return null;
  if (LATER.has(reply.status)) {
    const told = toldPauseMs(reply) ?? 0;
    const pause = told > 0 && tries <= TRUSTED_TRIES ? told : Math.max(told, ownPauseMs(tries));
    return waitedMs + pause > WAIT_BUDGET_MS ? null : pause;
  }
  const isFault = reply.status === 408 || reply.status >= 500;
  return isFault && tries < FAULT_TRIES ? (toldPauseMs(reply) ?? ownPauseMs(tries)) : null;
}

/** Pause where nobody says how long, in milliseconds. */
export function ownPauseMs(tries: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (tries - 1));
}

const Details = z.object({ error: z.object({ details: z.array(z.unknown()) }) });
const RetryInfo = z.object({ retryDelay: z.string().check(z.regex(/^\d+(?:\.\d+)?s$/)) });

/** The time that a server asks for, in milliseconds: `retry-after-ms`, `retry-after` (seconds or a date), Gemini's detail. */
export function toldPauseMs({ headers, body }: Pick<ServerReply, "headers" | "body">): number | undefined {
  const milliseconds = numberOf(headers["retry-after-ms"]);
  if (milliseconds !== undefined) return milliseconds;
  const after = headers["retry-after"];
  const seconds = numberOf(after);
  if (seconds !== undefined) return seconds * 1000;
  const date = after === undefined ? Number.NaN : Date.parse(after);
  if (Number.isFinite(date)) return Math.max(0, date - Date.now());
  const told = Details.safeParse(Array.isArray(body) ? body[0] : body);
  for (const detail of told.success ? told.data.error.details : []) {
    const info = RetryInfo.safeParse(detail);
    if (info.success) return Number.parseFloat(info.data.retryDelay) * 1000;
  }
  return undefined;
}

function numberOf(header: string | readonly string[] | undefined): number | undefined {
  if (typeof header !== "string" || header.trim() === "") return undefined;
  const value = Number(header);
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}
