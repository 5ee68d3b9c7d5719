import type { FastifyReply, FastifyRequest } from "fastify";
import { callerOf } from "./service-parts.ts";
import { TeamTurns } from "./team-turns.ts";

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
