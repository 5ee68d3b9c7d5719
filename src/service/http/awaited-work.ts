import type { FastifyReply } from "fastify";
import { RequestError } from "../request-error.ts";
import { senderSignal } from "./service-parts.ts";
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
  readonly #turns = new TeamTurns(TEAMS_AT_ONCE);
  /** Requests that wait or are worked on, by team. */
  readonly #asked = new Map<string, Set<object>>();

  constructor(limits: WorkLimits) {
    this.#limits = limits;
  }

  /**
   * Does `work` when it is the team's turn. Its signal ends with the sender of the request, or when the time is over.
   *
   * @throws RequestError `concurrency_limit_exceeded` when too much of the team waits; `internal_error` when it takes too long.
   */
  async take<Result>(
    teamId: string,
    reply: FastifyReply,
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
    const limit = AbortSignal.timeout(this.#limits.seconds * 1000);
    try {
      return await work(AbortSignal.any([gone, limit]));
    } catch (error) {
      if (!limit.aborted) throw error;
      const message = `This took longer than ${this.#limits.seconds} s and was ended. Try again when less is going on.`;
      throw new RequestError("internal_error", message, { status: 504 });
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
