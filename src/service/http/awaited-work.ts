import type { FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../../core/ports.ts";
import { RequestError } from "../request-error.ts";
import { deadline } from "../system-clock.ts";
import { callerOf, senderSignal } from "./service-parts.ts";
import { TeamTurns } from "./team-turns.ts";

/** What a client is told to wait while its team has as much in work as it may, in seconds. */
const RETRY_AFTER_SECONDS = 1;

/** Teams whose work goes on at the same time. */
const TEAMS_AT_ONCE = 2;

/** How much of a kind of work is done at once. */
export interface WorkLimits {
  /** What there is several of, for messages: `lines`. */
  readonly name: string;
  /** Requests of a team that are taken at once: one is worked on, the others wait for it. */
  readonly ofTeam: number;
  /** How long one may take, in seconds: who waits for longer has lost sight of it. */
  readonly seconds: number;
}

/** Work that a person waits for, beside the jobs: one piece of each team at a time, bounded in number and in time. */
export class AwaitedWork {
  readonly #limits: WorkLimits;
  readonly #clock: Clock;
  readonly #turns = new TeamTurns(TEAMS_AT_ONCE);
  /** Requests that wait or are worked on, by team. */
  readonly #asked = new Map<string, Set<object>>();

  constructor(limits: WorkLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /**
   * Does `work` when it is the team's turn. Its signal ends with the sender of the request, or when the time is over.
   *
   * @throws RequestError `concurrency_limit_exceeded` when too much of the team waits; `internal_error` when it takes too long.
   */
  async take<Result>(
    teamId: string,
    reply: Pick<FastifyReply, "raw">,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const asked = this.#asked.get(teamId) ?? new Set();
    if (asked.size >= this.#limits.ofTeam) throw this.#busy();
    const place = {};
    this.#asked.set(teamId, asked.add(place));
    const gone = senderSignal(reply);
    // Who is gone takes nobody's place, though the turn is still to come.
    gone.addEventListener("abort", () => asked.delete(place), { once: true });
    try {
      return await this.#turns.take(teamId, () => this.#inTime(gone, work));
    } finally {
      asked.delete(place);
      if (asked.size === 0 && this.#asked.get(teamId) === asked) this.#asked.delete(teamId);
    }
  }

  async #inTime<Result>(gone: AbortSignal, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const over = new AbortController();
    const limit = deadline(this.#clock, this.#limits.seconds * 1000, over.signal);
    try {
      return await work(AbortSignal.any([gone, limit]));
    } catch (error) {
      if (!limit.aborted) throw error;
      const message = `This took longer than ${this.#limits.seconds} s and was ended. Try again when less is going on.`;
      throw new RequestError("internal_error", message, { status: 504 });
    } finally {
      over.abort();
    }
  }

  #busy(): RequestError {
    const { name, ofTeam } = this.#limits;
    return new RequestError(
      "concurrency_limit_exceeded",
      `The team has ${ofTeam} requests for ${name} in work, as many as it may. Send the request again in a moment.`,
      { headers: { "retry-after": String(RETRY_AFTER_SECONDS) } },
    );
  }
}

/** Long bodies of one team that are in memory at a time: what comes of each takes up to 40 MB before it is answered. */
const BODIES_OF_TEAM = 2;

/** Bytes up to which a body waits for no other. */
const SHORT_BYTES = 16_384;

/** A turn ends with its reply, or after so long: a request may wait for a video that is fetched. */
const LONGEST_TURN_MS = 60_000;

/** Has long bodies wait unread, where their senders keep them, while others of their team are read and answered. */
export class BodyTurns {
  readonly #turns = new TeamTurns(Number.POSITIVE_INFINITY, BODIES_OF_TEAM);

  /** Resolves when the body of a request may be read. */
  async take(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { "content-length": length, "transfer-encoding": encoding } = request.headers;
    if (encoding === undefined && Number(length ?? 0) <= SHORT_BYTES) return;
    const begun = Promise.withResolvers<void>();
    const answered = () => {
      begun.resolve();
      return overWith(reply);
    };
    void this.#turns.take(callerOf(request).id, answered);
    await begun.promise;
  }
}

/** Resolves when a reply has left, its client is gone, or the turn is over. */
function overWith({ raw }: FastifyReply): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (raw.destroyed || raw.writableFinished) resolve();
  const timer = setTimeout(resolve, LONGEST_TURN_MS);
  timer.unref();
  for (const event of ["finish", "close"]) raw.once(event, resolve);
  return promise.finally(() => clearTimeout(timer));
}
