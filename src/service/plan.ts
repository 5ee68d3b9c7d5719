import * as z from "zod/mini";

/** A feature that a plan may lack, by the name that error replies and the configuration file use. */
const FEATURES = [
  "generate_text",
  "generate_audio",
  "generate_video",
  "standard_ad",
  "url_input",
  "custom_instructions",
  "custom_description",
  "video_categories",
  "volume",
] as const;

/** Name of a feature. */
export type Feature = (typeof FEATURES)[number];

const count = z.int().check(z.minimum(0));
const positive = z.number().check(z.minimum(0));
const minuteWeight = z.number().check(z.minimum(0));

/**
 * Everything a plan limits, each with its default: what one machine bears, for whoever runs the service on it. Limits
 * count per team, over all its keys.
 */
export const Plan = z.strictObject({
  /** Requests a minute, over all endpoints. */
  requests_per_minute: z._default(z.int().check(z.minimum(1)), 120_000),
  /** Jobs that may be waiting or running at once. */
  queued_jobs: z._default(count, 500),
  /** Submissions and uploads that may be in validation at once. */
  concurrent_validations: z._default(count, 32),
  /** Minutes of programme a calendar month (UTC), weighted by kind; `null`: no limit. */
  minutes_per_month: z._default(z.nullable(positive), null),
  /** What one minute of programme counts, by kind of job. */
  minute_weights: z._default(z.strictObject({ text: minuteWeight, audio: minuteWeight, video: minuteWeight }), {
    text: 0.5,
    audio: 0.75,
    video: 1,
  }),
  /** Longest programme in seconds. */
  maximum_duration_seconds: z._default(positive, 8 * 3600),
  /** Largest file in bytes. */
  maximum_file_bytes: z._default(positive, 100_000_000_000),
  /** Features the plan leaves out. */
  without: z._default(z.array(z.enum(FEATURES)), []),
  /** Where a person can get a larger plan; shown in refusals. */
  upgrade_url: z.optional(z.url()),
});

/** A plan's limits. */
export type Plan = z.output<typeof Plan>;

/** The plan of a team for which the configuration names none. */
export const DEFAULT_PLAN_NAME = "default";
