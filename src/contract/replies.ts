import { z } from "zod/mini";
import { TEXT_FORMATS } from "./choices.ts";
import type { ErrorBody, RateLimitBody } from "./error-codes.ts";
import type { SubmissionReply } from "./generation.ts";
import {
  type DeleteReply,
  type DoneJobReply,
  type FailedJobReply,
  type JobReport,
  LEFT_OUT_REASONS,
  type RunningJobReply,
} from "./job.ts";
import {
  type HeardReply,
  type ListeningReply,
  type MediaReply,
  type NotifyReply,
  type SignedUploadReply,
  UPLOAD_STATUSES,
  type UploadStatusReply,
} from "./media.ts";
import { VoicingSchema } from "./voicing.ts";

// Replies as schemas, for the published description and for tests. What clients read stands as types beside the
// requests; `RepliesHold` keeps the two together.

const ignored = { ignored: z.exactOptional(z.readonly(z.array(z.string()))) };
const mediaFacts = { duration_seconds: z.nullable(z.number()), frame_rate: z.nullable(z.number()) };
const times = { created_at: z.iso.datetime(), updated_at: z.iso.datetime() };
const jobId = { job_id: z.string() };
const mediaId = { media_id: z.guid() };

/** Reply of `upload_media` for bytes that were sent or fetched, and of `upload_from_url`. */
export const MediaReplySchema = z.strictObject({
  ...mediaId,
  status: z.enum(["created", "existing"]),
  ...mediaFacts,
  ...ignored,
});

/** Reply of `upload_media` for a signed upload. */
export const SignedUploadReplySchema = z.strictObject({
  ...mediaId,
  status: z.literal("pending_upload"),
  ...mediaFacts,
  upload_url: z.url(),
  gcs_path: z.string(),
  content_type: z.string(),
  resumable_url: z.exactOptional(z.url()),
  ...ignored,
});

/** Reply of `notify_upload_complete`. */
export const NotifyReplySchema = z.strictObject({ status: z.literal("accepted"), ...mediaId, ...ignored });

/** Reply of `get_upload_status`. */
export const UploadStatusReplySchema = z.strictObject({
  ...mediaId,
  upload_status: z.enum(UPLOAD_STATUSES),
  canonical_media_id: z.nullable(z.guid()),
  ...mediaFacts,
  error: z.exactOptional(z.string()),
  message: z.exactOptional(z.string()),
  retry_after: z.exactOptional(z.int()),
});

/** Reply of every generation endpoint. */
export const SubmissionReplySchema = z.strictObject({ ...jobId, status: z.literal("queued"), ...mediaId, ...ignored });

const heard = z.readonly(z.array(z.readonly(z.tuple([z.number(), z.number(), z.number()]))));

const quiet = z.readonly(z.array(z.readonly(z.tuple([z.number(), z.number()]))));

/** Reply of `GET listen`. */
export const ListeningReplySchema = z.strictObject({
  status: z.literal("available"),
  maximum_duration_seconds: z.number(),
});

/** Reply of `POST listen`. */
export const HeardReplySchema = z.strictObject({
  duration_seconds: z.number(),
  speech: heard,
  music: heard,
  silence: quiet,
});

const MixCueSchema = z.strictObject({
  id: z.string(),
  narration_lufs: z.number(),
  programme_lufs: z.nullable(z.number()),
  ducked_db: z.number(),
  margin_lu: z.nullable(z.number()),
  over_music: z.boolean(),
});

/** A programme with its pauses. */
const held = {
  duration_seconds: z.number(),
  pauses: z.readonly(
    z.array(z.readonly(z.strictObject({ at: z.number(), video_time: z.number(), seconds: z.number() }))),
  ),
  cues: z.readonly(z.array(z.readonly(z.strictObject({ id: z.string(), start: z.number(), end: z.number() })))),
};

const PauseSchema = z.strictObject({
  id: z.string(),
  start: z.number(),
  end: z.number(),
  words: z.int(),
  unit: z.exactOptional(z.literal("characters")),
  hints: z.readonly(z.array(z.string())),
  before: z.exactOptional(z.string()),
  after: z.exactOptional(z.string()),
});

const ReportSchema = z.strictObject({
  describer: z.string(),
  speech: heard,
  music: heard,
  silence: quiet,
  shots: z.readonly(z.array(z.number())),
  notes: z.readonly(z.array(z.string())),
  stage_seconds: z.readonly(z.record(z.string(), z.number())),
  wordings: z.exactOptional(
    z.readonly(
      z.array(
        z.strictObject({
          said: z.string(),
          others: z.readonly(z.array(z.strictObject({ text: z.string(), seconds: z.number() }))),
        }),
      ),
    ),
  ),
  doubts: z.exactOptional(
    z.readonly(z.array(z.readonly(z.strictObject({ said: z.string(), confidence: z.number(), why: z.string() })))),
  ),
  bible: z.exactOptional(z.string()),
  lines_spoken: z.exactOptional(z.int()),
  mix: z.exactOptional(
    z.readonly(
      z.strictObject({
        channels: z.number(),
        integrated_lufs: z.nullable(z.number()),
        true_peak_dbtp: z.nullable(z.number()),
        cues: z.readonly(z.array(z.readonly(MixCueSchema))),
        voicing: z.exactOptional(VoicingSchema),
      }),
    ),
  ),
  video: z.exactOptional(
    z.readonly(
      z.strictObject({
        picture: z.enum(["copied", "encoded"]),
        encoded_seconds: z.exactOptional(z.number()),
        ...held,
      }),
    ),
  ),
  held: z.exactOptional(z.readonly(z.strictObject(held))),
  to_write: z.exactOptional(z.readonly(z.array(z.readonly(PauseSchema)))),
  left_out: z.exactOptional(
    z.readonly(
      z.array(
        z.readonly(
          z.strictObject({
            text: z.string(),
            start: z.number(),
            end: z.number(),
            seconds: z.number(),
            reason: z.enum(LEFT_OUT_REASONS),
          }),
        ),
      ),
    ),
  ),
});

/** Reply of `get_results` for a job in progress. */
export const RunningJobReplySchema = z.strictObject({
  ...jobId,
  status: z.enum(["queued", "processing"]),
  ...mediaId,
  ...times,
  progress: z.exactOptional(z.readonly(z.strictObject({ stage: z.string(), fraction: z.number() }))),
  retry_after: z.exactOptional(z.int()),
});

/** Reply of `get_results` for a finished job. */
export const DoneJobReplySchema = z.strictObject({
  ...jobId,
  status: z.literal("done"),
  ...mediaId,
  output: z.readonly(z.strictObject({ format: z.enum(TEXT_FORMATS), content: z.string() })),
  ...times,
  audio_signed_url: z.exactOptional(z.url()),
  video_signed_url: z.exactOptional(z.url()),
  worksheet_signed_url: z.exactOptional(z.url()),
  report: z.exactOptional(ReportSchema),
});

/** Reply of `get_results` for a failed job. */
export const FailedJobReplySchema = z.strictObject({
  ...jobId,
  status: z.literal("failed"),
  ...mediaId,
  error: z.string(),
  message: z.string(),
  ...times,
});

/** Reply of `DELETE /jobs/{job_id}`. */
export const DeleteReplySchema = z.strictObject({ status: z.literal("success"), message: z.string() });

/** Body of every error reply but the one below. */
export const ErrorSchema = z.strictObject({
  error: z.string(),
  code: z.exactOptional(z.string()),
  upload_status: z.exactOptional(z.string()),
  message: z.string(),
  details: z.exactOptional(z.string()),
  feature: z.exactOptional(z.string()),
  plan_name: z.exactOptional(z.string()),
  upgrade_url: z.exactOptional(z.url()),
});

/** Body of a 429 `rate_limit_exceeded`. */
export const RateLimitSchema = z.strictObject({
  error: z.literal("rate_limit_exceeded"),
  message: z.string(),
  limit: z.int(),
  remaining: z.int(),
  reset: z.int(),
  retry_after: z.int(),
});

type Fits<Given extends Wanted, Wanted> = Given;

/**
 * Compiles only while each schema gives what the type beside the requests promises.
 *
 * @public
 */
export type RepliesHold = [
  Fits<z.output<typeof MediaReplySchema>, MediaReply>,
  Fits<z.output<typeof SignedUploadReplySchema>, SignedUploadReply>,
  Fits<z.output<typeof NotifyReplySchema>, NotifyReply>,
  Fits<z.output<typeof UploadStatusReplySchema>, UploadStatusReply>,
  Fits<z.output<typeof ListeningReplySchema>, ListeningReply>,
  Fits<z.output<typeof HeardReplySchema>, HeardReply>,
  Fits<z.output<typeof SubmissionReplySchema>, SubmissionReply>,
  Fits<z.output<typeof ReportSchema>, JobReport>,
  Fits<z.output<typeof RunningJobReplySchema>, RunningJobReply>,
  Fits<z.output<typeof DoneJobReplySchema>, DoneJobReply>,
  Fits<z.output<typeof FailedJobReplySchema>, FailedJobReply>,
  Fits<z.output<typeof DeleteReplySchema>, DeleteReply>,
  Fits<z.output<typeof ErrorSchema>, ErrorBody>,
  Fits<z.output<typeof RateLimitSchema>, RateLimitBody>,
];
