import * as z from "zod/mini";
import { type Answer, Deviation, fits, must, Skipped } from "./exchange.ts";

// What the interface promises of replies; anything more is the server's own affair.

const mediaFacts = { media_id: z.guid(), duration_seconds: z.nullable(z.number()), frame_rate: z.nullable(z.number()) };

/** Reply of a finished upload. */
export const Media = z.looseObject({ ...mediaFacts, status: z.enum(["created", "existing"]) });

/** Reply of a request for a signed upload. The names of path and type are the hosted service's. */
export const SignedUpload = z.looseObject({
  media_id: z.guid(),
  status: z.literal("pending_upload"),
  upload_url: z.url(),
  gcs_path: z.string(),
  content_type: z.string(),
});

/** Reply of `notify_upload_complete`. */
export const Notified = z.looseObject({ status: z.literal("accepted"), media_id: z.guid() });

/** Reply of a generation request. */
export const Submitted = z.looseObject({ job_id: z.string(), status: z.literal("queued"), media_id: z.guid() });

/** A job as polled. */
export const Polled = z.looseObject({ job_id: z.string(), status: z.string() });

/** A job that is done. */
export const Done = z.looseObject({
  job_id: z.string(),
  status: z.literal("done"),
  media_id: z.guid(),
  output: z.looseObject({ format: z.string(), content: z.string() }),
  created_at: z.iso.datetime({ offset: true }),
  updated_at: z.iso.datetime({ offset: true }),
  audio_signed_url: z.optional(z.url()),
  video_signed_url: z.optional(z.url()),
});

/** A job that failed. */
export const Failed = z.looseObject({ status: z.literal("failed"), error: z.string(), message: z.string() });

/** Reply of `DELETE`. */
export const Deleted = z.looseObject({ status: z.literal("success"), message: z.string() });

const ErrorBody = z.looseObject({ error: z.string(), message: z.string(), code: z.optional(z.string()) });

/** Reads a reply of status 200. What the key's plan leaves out is skipped. */
export function accepted<Schema extends z.ZodMiniType>(answer: Answer, schema: Schema, what: string): z.output<Schema> {
  if (answer.status === 403) {
    const { message } = fits(ErrorBody, answer.body, "a 403");
    throw new Skipped(`the key's plan does not allow it: ${message}`);
  }
  if (answer.status !== 200) {
    throw new Deviation(`${what} was answered with ${answer.status}: ${JSON.stringify(answer.body)?.slice(0, 300)}`);
  }
  must(/^application\/json/.test(answer.contentType), `${what} was answered as ${answer.contentType}, not as JSON`);
  return fits(schema, answer.body, what);
}

/**
 * Checks that a request was refused with one of these statuses, as an Error object, with this code where one is named.
 * Returns that object.
 */
export function refused(
  answer: Answer,
  statuses: readonly number[],
  what: string,
  code?: string,
): z.output<typeof ErrorBody> {
  must(statuses.includes(answer.status), `${what} was answered with ${answer.status}, not ${statuses.join(" or ")}`);
  must(/^application\/json/.test(answer.contentType), `${what} was refused as ${answer.contentType}, not as JSON`);
  const body = fits(ErrorBody, answer.body, `the refusal of ${what}`);
  const isCode = code === undefined || body.error === code || body.code === code;
  must(isCode, `${what} was refused as "${body.code ?? body.error}", not "${code}"`);
  return body;
}
