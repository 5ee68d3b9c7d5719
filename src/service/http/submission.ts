import type { SubmissionReply } from "../../contract/generation.ts";
import { submitJob } from "../jobs/submit-job.ts";
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
}

/** Where the media of a request is: among the team's, or yet to be taken in. */
export type MediaSource = { readonly mediaId: string } | { readonly takeIn: () => Promise<MediaRecord> };

/** Checks what a request asks for against the plan, then accepts it within a validation slot. */
export function submit(
  parts: ServiceParts,
  team: Caller,
  asked: AskedFor,
  source: MediaSource,
): Promise<SubmissionReply> {
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
  source: MediaSource,
): Promise<SubmissionReply> {
  const known = "mediaId" in source ? await findUsableMedia(parts.database, team, source.mediaId) : null;
  const { texts, ...order } = asked.order;
  for (const text of texts) await parts.texts.requireCues(team.id, text);
  const media = "takeIn" in source ? await source.takeIn() : known;
  if (media === null) throw new Error("the media was found and is none");
  const jobId = await parts.submissions.take(team.id, () => submitJob(parts, { team, media, ...order }));
  return { job_id: jobId, status: "queued", media_id: media.id, ...reportIgnored(asked.ignored) };
}
