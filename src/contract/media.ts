import { z } from "zod/mini";

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

/** `status` of a media reply. */
const MEDIA_STATUSES = ["created", "existing", "pending_upload"] as const;

/** Reply of `upload_media` and `upload_from_url`. */
export interface MediaReply {
  readonly media_id: string;
  readonly status: (typeof MEDIA_STATUSES)[number];
  readonly duration_seconds: number | null;
  readonly frame_rate: number | null;
}

/** Reply of `upload_media` for a signed upload. */
export interface SignedUploadReply extends MediaReply {
  readonly upload_url: string;
  readonly gcs_path: string;
  readonly content_type: string;
  /** Addition of this service: where a file can be sent in slices (`Content-Range`), to go on after a break. */
  readonly resumable_url?: string;
}

/** Reply of `notify_upload_complete`. */
export interface NotifyReply {
  readonly status: "accepted";
  readonly media_id: string;
}

/**
 * States of a signed upload as our service reports them in `upload_status`: bytes awaited, being verified, usable,
 * refused. The interface shows none of them; the first and last are decided here, the others are the hosted service's.
 */
export const UPLOAD_STATUSES = ["pending_upload", "processing", "completed", "failed"] as const;

/** State of a signed upload. */
export type UploadStatus = (typeof UPLOAD_STATUSES)[number];

/** Reply of `get_upload_status`. */
export interface UploadStatusReply {
  readonly media_id: string;
  readonly upload_status: UploadStatus;
  /** The media to use from now on; differs from `media_id` when the same content was uploaded before. */
  readonly canonical_media_id: string | null;
  readonly duration_seconds: number | null;
  readonly frame_rate: number | null;
  /** Addition of this service: why verification failed; absent otherwise. */
  readonly error?: string;
  readonly message?: string;
  /** Addition of this service while it verifies: seconds, a whole number, after which it is worth asking again. */
  readonly retry_after?: number;
}

/** `listen`, an addition of this service: a signed upload whose sound is heard once, or not at all, and thrown away. */
export const ListenRequest = z.object({ media_id: z.guid(), gcs_path: z.string().check(z.minLength(1)) });

/** Reply of `GET listen`: this service listens, to programmes of up to this length. */
export interface ListeningReply {
  readonly status: "available";
  readonly maximum_duration_seconds: number;
}

/** What was heard in a sound: the part of a job's report that needs no picture. */
export interface HeardReply {
  readonly duration_seconds: number;
  /** Seconds from the start of the sound: `[start, end, confidence]`. */
  readonly speech: readonly (readonly [number, number, number])[];
  readonly music: readonly (readonly [number, number, number])[];
  readonly silence: readonly (readonly [number, number])[];
}
