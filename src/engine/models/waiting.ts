import * as z from "zod/mini";
import type { ServerReply } from "./exchange.ts";
import { faultOf } from "./server-words.ts";

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

/** Statuses that say "later": too many requests, a model that is being loaded, a provider that is overloaded. */
const LATER = new Set([429, 503, 529]);

/** Codes of a 429 that no waiting mends: the account has no money. */
const NO_MONEY = /insufficient_(?:quota|balance|funds)|billing/i;

/** Whether a refusal is about money, which a person has to see to. */
export function isAboutMoney(reply: ServerReply): boolean {
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
