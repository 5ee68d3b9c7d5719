import * as z from "zod/mini";

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
  /** Unix time in seconds at which the window starts anew. */
  reset: z.int(),
  /** Seconds to wait before the next request. */
  retry_after: z.int(),
});

/** Body of an error reply. */
export type ErrorBody = z.output<typeof ErrorSchema>;
