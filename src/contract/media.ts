import * as z from "zod/mini";
import { heardRanges } from "./job.ts";

/** `upload_media` as JSON: ingest an address, or ask for a signed upload address. */
export const UploadMediaRequest = z.object({
  input: z.discriminatedUnion("type", [
    z.object({ type: z.literal("url"), url: z.url(), filename: z.optional(z.string()) }),
    z.object({
      type: z.literal("signed_url"),
      filename: z.optional(z.string()),
      content_type: z.optional(z.string()),
    }),
  ]),
});

/** `notify_upload_complete`. */
export const NotifyRequest = z.object({ media_id: z.guid(), gcs_path: z.string().check(z.minLength(1)) });

/** Query of `get_upload_status`. */
export const UploadStatusQuery = z.object({ media_id: z.guid(), gcs_path: z.string().check(z.minLength(1)) });

/** `upload_from_url`. */
export const UploadFromUrlRequest = z.object({ source_url: z.url(), filename: z.optional(z.string()) });

const ignored = { ignored: z.exactOptional(z.readonly(z.array(z.string()))) };
const mediaFacts = {
  media_id: z.guid(),
  duration_seconds: z.nullable(z.number()),
  frame_rate: z.nullable(z.number()),
};

/** Reply of `upload_media` for bytes that were sent or fetched, and of `upload_from_url`. */
export const MediaReplySchema = z.strictObject({ ...mediaFacts, status: z.enum(["created", "existing"]), ...ignored });

/** Reply of `upload_media` for a signed upload. */
export const SignedUploadReplySchema = z.strictObject({
  ...mediaFacts,
  status: z.literal("pending_upload"),
  upload_url: z.url(),
  gcs_path: z.string(),
  content_type: z.string(),
  /** Addition of this service: where a file can be sent in slices (`Content-Range`), to go on after a break. */
  resumable_url: z.exactOptional(z.url()),
  ...ignored,
});

/** Reply of `notify_upload_complete`. */
export const NotifyReplySchema = z.strictObject({ status: z.literal("accepted"), media_id: z.guid(), ...ignored });

/**
 * States of a signed upload as our service reports them in `upload_status`: bytes awaited, being verified, usable,
 * refused. The interface shows none of them; the first and last are decided here, the others are the hosted service's.
 */
const UPLOAD_STATUSES = ["pending_upload", "processing", "completed", "failed"] as const;

/** State of a signed upload. */
export type UploadStatus = (typeof UPLOAD_STATUSES)[number];

/** Reply of `get_upload_status`. */
export const UploadStatusReplySchema = z.strictObject({
  ...mediaFacts,
  upload_status: z.enum(UPLOAD_STATUSES),
  /** The media to use from now on; differs from `media_id` when the same content was uploaded before. */
  canonical_media_id: z.nullable(z.guid()),
  /** Addition of this service: why verification failed; absent otherwise. */
  error: z.exactOptional(z.string()),
  message: z.exactOptional(z.string()),
  /** Addition of this service while it verifies: seconds, a whole number, after which it is worth asking again. */
  retry_after: z.exactOptional(z.int()),
});

/** `listen`, an addition of this service: a signed upload whose sound is heard once, or not at all, and thrown away. */
export const ListenRequest = z.object({ media_id: z.guid(), gcs_path: z.string().check(z.minLength(1)) });

/** Reply of `GET listen`: this service listens, to programmes of up to this length. */
export const ListeningReplySchema = z.strictObject({
  status: z.literal("available"),
  maximum_duration_seconds: z.number(),
});

/** Reply of `POST listen`: the part of a job's report that needs no picture. */
export const HeardReplySchema = z.strictObject({ duration_seconds: z.number(), ...heardRanges });

/** Reply of `upload_media` for bytes that were sent or fetched, and of `upload_from_url`. */
export type MediaReply = z.output<typeof MediaReplySchema>;

/** Reply of `upload_media` for a signed upload. */
export type SignedUploadReply = z.output<typeof SignedUploadReplySchema>;

/** Reply of `notify_upload_complete`. */
export type NotifyReply = z.output<typeof NotifyReplySchema>;

/** Reply of `get_upload_status`. */
export type UploadStatusReply = z.output<typeof UploadStatusReplySchema>;

/** Reply of `GET listen`. */
export type ListeningReply = z.output<typeof ListeningReplySchema>;

/** Reply of `POST listen`. */
export type HeardReply = z.output<typeof HeardReplySchema>;
