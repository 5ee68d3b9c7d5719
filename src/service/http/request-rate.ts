import { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { hostname } from "node:os";
import type { FastifyRequest } from "fastify";
import type { Clock } from "../../core/ports.ts";
import type { ServiceConfiguration } from "../configuration.ts";
import { RequestError } from "../request-error.ts";
import type { Database } from "../storage/database.ts";
import type { Caller } from "./authenticate.ts";

/** Requests are counted in windows of this length. */
const WINDOW_SECONDS = 60;

/** A window's requests are fetched from the records in this many portions, so that not every request costs a write. */
const PORTIONS = 50;

/** How much of a team's rate is left. */
export interface RateState {
  readonly limit: number;
  readonly remaining: number;
  /** Unix time in seconds at which the next window begins. */
  readonly reset: number;
}

interface Allowance {
  /** Unix time in seconds at which the window began. */
  readonly startedAt: number;
  /** Requests this process may still let through. */
  left: number;
  /** Requests of the window that no process has fetched yet. */
  unclaimed: number;
}

/**
 * Counts requests per team over all processes. Each process fetches the right to a portion of the window's requests and
 * spends it in memory: the limit is never exceeded, and a request usually costs no query.
 */
export class RequestRate {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #allowances = new Map<string, Allowance>();
  readonly #fetching = new Map<string, Promise<void>>();

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Lets one request of a team through. @throws RequestError `rate_limit_exceeded` with the numbers the interface names. */
  async take(team: Caller): Promise<RateState> {
    const limit = team.plan.requests_per_minute;
    for (;;) {
      const now = this.#clock.now() / 1000;
      const startedAt = Math.floor(now / WINDOW_SECONDS) * WINDOW_SECONDS;
      const reset = startedAt + WINDOW_SECONDS;
      const allowance = this.#allowances.get(team.id);
      if (allowance !== undefined && allowance.startedAt === startedAt) {
        if (allowance.left > 0) {
          allowance.left--;
          return { limit, remaining: allowance.left + allowance.unclaimed, reset };
        }
        if (allowance.unclaimed === 0) throw refusal(limit, reset, Math.max(1, Math.ceil(reset - now)));
      }
      await this.#fetchOnce(team.id, limit, startedAt);
    }
  }

  #fetchOnce(teamId: string, limit: number, startedAt: number): Promise<void> {
    const current = this.#fetching.get(teamId);
    if (current !== undefined) return current;
    const fetching = this.#fetch(teamId, limit, startedAt).finally(() => this.#fetching.delete(teamId));
    this.#fetching.set(teamId, fetching);
    return fetching;
  }

  async #fetch(teamId: string, limit: number, startedAt: number): Promise<void> {
    const portion = Math.max(1, Math.floor(limit / PORTIONS));
    await this.#database.transaction(async (queries) => {
      await queries.query(
        "INSERT INTO aside.request_window (team_id, started_at, used) VALUES ($1, $2, 0) ON CONFLICT (team_id) DO NOTHING",
        [teamId, startedAt],
      );
      const [row] = await queries.query<{ startedAt: number; used: number }>(
        `SELECT started_at AS "startedAt", used FROM aside.request_window WHERE team_id = $1 FOR UPDATE`,
        [teamId],
      );
      const used = row !== undefined && row.startedAt === startedAt ? row.used : 0;
      const left = Math.max(0, Math.min(portion, limit - used));
      await queries.query("UPDATE aside.request_window SET started_at = $2, used = $3 WHERE team_id = $1", [
        teamId,
        startedAt,
        used + left,
      ]);
      this.#allowances.set(teamId, { startedAt, left, unclaimed: Math.max(0, limit - used - left) });
    });
  }
}

/** Headers that tell how much of the rate is left. */
export function rateHeaders({ limit, remaining, reset }: RateState): Record<string, string> {
  return {
    "x-ratelimit-limit": String(limit),
    "x-ratelimit-remaining": String(remaining),
    "x-ratelimit-reset": String(reset),
  };
}

function refusal(limit: number, reset: number, retryAfter: number): RequestError {
  return new RequestError(
    "rate_limit_exceeded",
    `The team has sent its ${limit} requests of this minute. Wait ${retryAfter} s before the next one.`,
    {
      body: { limit, remaining: 0, reset, retry_after: retryAfter },
      headers: { ...rateHeaders({ limit, remaining: 0, reset }), "retry-after": String(retryAfter) },
    },
  );
}

/**
 * The names under which the service is reached. A page of somebody else can have its own name lead to this computer (DNS
 * rebinding) and read what needs no key; its requests bear that name. An IP address, and a name without a dot, is nobody's
 * to give away: those are always known.
 */
export class KnownHosts {
  readonly #names: Set<string>;

  constructor({ public_url, allowed_hosts }: Pick<ServiceConfiguration, "public_url" | "allowed_hosts">) {
    const own = hostname();
    const names = [...allowed_hosts, own, `${own}.local`];
    if (public_url !== undefined) names.push(new URL(public_url).hostname);
    this.#names = new Set(names.map((name) => name.toLowerCase()));
  }

  /** Adds the name that the service listens on. */
  add(name: string): void {
    this.#names.add(name.toLowerCase());
  }

  /**
   * Why a request is refused for the host that it names; `null` where that is known. What a program asks of the service in
   * its own process comes from no page.
   */
  refusalOf(request: FastifyRequest): RequestError | null {
    if (!(request.raw instanceof IncomingMessage)) return null;
    const name = nameIn(request.host);
    if (name === null) {
      return new RequestError("invalid_input", "The Host header names no host. Send that of the service.");
    }
    const isAddress = isIP(name.replace(/^\[|\]$/g, "")) !== 0;
    if (isAddress || !name.includes(".") || name.endsWith(".localhost") || this.#names.has(name)) return null;
    return new RequestError(
      "invalid_input",
      "The service is not known under the name in the Host header. Its operator adds it to allowed_hosts, or sets public_url.",
    );
  }
}

/** Characters of a host with its port, at most: names have 253. */
const LONGEST_HOST = 260;

/** The name in a Host header, without port, in lower case; `null` for what is no host. */
function nameIn(host: string): string | null {
  // What a URL would take for more than a host, or for a longer one than there is.
  if (host === "" || host.length > LONGEST_HOST || /[\s/\\?#@]/.test(host)) return null;
  const url = URL.parse(`http://${host}`);
  return url === null ? null : url.hostname.replace(/\.$/, "");
}
