import * as z from "zod/mini";

/** `GET settings/estimate`: what describing so many seconds of film would take of the model that is set. */
export const ModelEstimateRequest = z.object({
  duration_seconds: z.string().check(z.regex(/^\d{1,7}(?:\.\d{1,6})?$/)),
});

/** Reply of `GET settings/estimate`: rather too much than too little. */
export const ModelEstimateReplySchema = z.strictObject({
  /** The model that would be asked; `null` where none is. */
  model: z.nullable(z.string()),
  requests: z.int(),
  /** Tokens of questions and answers. */
  tokens: z.int(),
  /** In the currency of the stated price; `null` where none is stated, and where nothing is paid. */
  cost: z.nullable(z.number()),
  /** Most that a job may cost by the settings; `null` where anything. */
  ceiling: z.nullable(z.number()),
  /** How long this model took for earlier films, by their length, in seconds; `null` where it described none here. */
  seconds: z.nullable(z.number()),
});

/** What describing a film would take of the model that is set. */
export type ModelEstimateReply = z.output<typeof ModelEstimateReplySchema>;
