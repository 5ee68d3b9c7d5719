import type { FastifyReply, FastifyRequest } from "fastify";
import type { ServiceParts } from "./service-parts.ts";
import { senderSignal } from "./service-parts.ts";

/** Longest time in seconds that an answer is held, whatever its sender prefers. */
const LONGEST_HOLD_SECONDS = 15;

/**
 * Looks at a job or an upload for a poll. Where it is not over yet and the sender prefers to wait for it (`Prefer:
 * wait=10`, RFC 7240 section 4.3), the answer is held until it is over, but no longer than the pause that the answer would
 * ask for; `Preference-Applied` says so. Only a service that does the work itself hears of its end: others answer at once.
 *
 * @param pauseOf Seconds until the next poll, 0 for what is over.
 */
export async function lookOrWait<Found>(
  parts: Pick<ServiceParts, "endings">,
  { request, reply, id }: { readonly request: FastifyRequest; readonly reply: FastifyReply; readonly id: string },
  look: () => Promise<Found>,
  pauseOf: (found: Found) => number,
): Promise<Found> {
  const preferred = preferredWaitSeconds(request.headers["prefer"]);
  if (preferred === 0 || parts.endings === null) return look();
  using ending = parts.endings.listen(id);
  const found = await look();
  const seconds = Math.min(preferred, LONGEST_HOLD_SECONDS, pauseOf(found));
  if (seconds <= 0) return found;
  reply.header("preference-applied", `wait=${preferred}`);
  await ending.within(seconds * 1000, senderSignal(reply));
  return look();
}

/** Seconds of a `Prefer` header's `wait`; 0 without a whole number there. */
function preferredWaitSeconds(header: string | readonly string[] | undefined): number {
  const wait = /(?:^|[,;])\s*wait\s*=\s*"?(\d{1,5})"?\s*(?:$|[,;])/i.exec([header ?? ""].flat().join(","))?.[1];
  return Number(wait ?? 0);
}
