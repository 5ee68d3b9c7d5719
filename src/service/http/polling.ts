import type { FastifyReply, FastifyRequest } from "fastify";
import type { JobRecord } from "../storage/job-records.ts";
import { type ServiceParts, senderSignal } from "./service-parts.ts";

/** Share of the time a job has taken so far that its client may learn of its end too late. */
const SHARE = 0.03;

/** Whole seconds between two polls at least. */
export const SHORTEST_POLL_PAUSE_SECONDS = 1;

/** Whole seconds between two polls at most. */
const LONGEST_POLL_PAUSE_SECONDS = 15;

/**
 * Seconds, a whole number, after which a client should ask again for a job that waits or runs: short while the job is
 * young and where its progress says that it ends soon, longer the longer it takes. A job of an hour costs its client some
 * 300 polls.
 */
export function pollPauseSeconds(
  { createdAt, startedAt, fraction }: Pick<JobRecord, "createdAt" | "startedAt" | "fraction">,
  nowMs: number,
): number {
  const taken = Math.max(0, nowMs - (startedAt ?? createdAt).getTime()) / 1000;
  const left = fraction === null || fraction <= 0 ? Number.POSITIVE_INFINITY : (taken * (1 - fraction)) / fraction;
  const pause = Math.min(SHARE * taken, left / 2);
  return Math.min(LONGEST_POLL_PAUSE_SECONDS, Math.max(SHORTEST_POLL_PAUSE_SECONDS, Math.round(pause)));
}

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
  const seconds = Math.min(preferred, pauseOf(found));
  if (seconds <= 0) return found;
  reply.header("preference-applied", `wait=${preferred}`);
  await ending.within(seconds * 1000, senderSignal(reply));
  return await look();
}

/** Seconds of a `Prefer` header's `wait`; 0 without a whole number there. */
function preferredWaitSeconds(header: string | readonly string[] | undefined): number {
  const wait = /(?:^|[,;])\s*wait\s*=\s*"?(\d{1,5})"?\s*(?:$|[,;])/i.exec([header ?? ""].flat().join(","))?.[1];
  return Number(wait ?? 0);
}
