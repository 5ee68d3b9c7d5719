import type { SubmissionReply } from "../../contract/generation.ts";
import { submitJob } from "../jobs/submit-job.ts";
import type { MediaRecord } from "../storage/media-records.ts";
import type { Caller } from "./authenticate.ts";
import { type GenerationOrder, requireFeatures } from "./generation-settings.ts";
import { reportIgnored } from "./media-routes.ts";
import type { ServiceParts } from "./service-parts.ts";

/** A generation request, validated, its media not yet looked at. */
export interface AskedFor {
  readonly order: GenerationOrder;
  /** What was sent and is not used. */
  readonly ignored: readonly string[];
}

/** Checks what a request asks for against the plan, finds or takes in its media, and accepts the job. */
export function submit(
  parts: ServiceParts,
  team: Caller,
  asked: AskedFor,
  findMedia: () => Promise<MediaRecord>,
): Promise<SubmissionReply> {
  requireFeatures(team.plan, asked.order);
  return parts.slots.with(team, async () => accept(parts, team, asked, await findMedia()));
}

/** Accepts a job for media that is ready. */
export async function accept(
  parts: ServiceParts,
  team: Caller,
  asked: AskedFor,
  media: MediaRecord,
): Promise<SubmissionReply> {
  const jobId = await submitJob(parts, { team, media, ...asked.order });
  return { job_id: jobId, status: "queued", media_id: media.id, ...reportIgnored(asked.ignored) };
}
