import type { SubmissionReply } from "../../contract/generation.ts";
import { findRepeated } from "../jobs/repeated-request.ts";
import { type AcceptedJob, submitJob } from "../jobs/submit-job.ts";
import type { KeyedRequest } from "../storage/answered-requests.ts";
import type { MediaRecord } from "../storage/media-records.ts";
import type { Caller } from "./authenticate.ts";
import { type GenerationOrder, requireFeatures } from "./generation-settings.ts";
import { reportIgnored } from "./media-routes.ts";
import type { ServiceParts } from "./service-parts.ts";
import { findUsableMedia } from "./usable-media.ts";

/** A generation request, validated, its media not yet looked at. */
export interface AskedFor {
  readonly order: GenerationOrder;
  /** What was sent and is not used. */
  readonly ignored: readonly string[];
  /** By which it can be told from any other; `null` without a key. */
  readonly keyed: KeyedRequest | null;
}

/** Where the media of a request is: among the team's, or yet to be taken in. */
export type SubmittedMedia = { readonly mediaId: string } | { readonly takeIn: () => Promise<MediaRecord> };

/**
 * Checks what a request asks for against the plan, then accepts it within a validation slot. What was accepted before by
 * the same key is answered again.
 */
export async function submit(
  parts: ServiceParts,
  team: Caller,
  asked: AskedFor,
  source: SubmittedMedia,
): Promise<SubmissionReply> {
  const earlier = await answeredBefore(parts, asked);
  if (earlier !== null) return earlier;
  requireFeatures(team.plan, asked.order);
  return parts.slots.with(team, () => accept(parts, team, asked, source));
}

/**
 * Accepts a job, the cheapest check first: its media, where the team has it; the texts that it brings; its media, where
 * that must be taken in.
 */
export async function accept(
  parts: ServiceParts,
  team: Caller,
  asked: AskedFor,
  source: SubmittedMedia,
): Promise<SubmissionReply> {
  const known = "mediaId" in source ? await findUsableMedia(parts.database, team, source.mediaId) : null;
  const { texts, ...order } = asked.order;
  for (const text of texts) await parts.texts.requireCues(team.id, text);
  const media = "takeIn" in source ? await source.takeIn() : known;
  if (media === null) throw new Error("the media was found and is none");
  const { ignored, keyed } = asked;
  const job = await submitJob(parts, { team, media, keyed, ...order });
  return submissionReply(job, ignored);
}

/** The reply to a keyed request that was accepted before; `null` where it was not. */
export async function answeredBefore(
  { database }: ServiceParts,
  { keyed, ignored }: Pick<AskedFor, "keyed" | "ignored">,
): Promise<SubmissionReply | null> {
  const earlier = await findRepeated(database, keyed);
  return earlier?.jobId == null ? null : submissionReply({ id: earlier.jobId, mediaId: earlier.mediaId }, ignored);
}

function submissionReply({ id, mediaId }: AcceptedJob, ignored: readonly string[]): SubmissionReply {
  return { job_id: id, status: "queued", media_id: mediaId, ...reportIgnored(ignored) };
}
