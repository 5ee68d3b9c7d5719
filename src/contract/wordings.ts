import * as z from "zod/mini";

/** What wordings are asked for: for a pause without words, in place of a line that is too long, or of any other line. */
const WORDING_KINDS = ["suggest", "shorten", "other"] as const;

/** One of the kinds above. */
export type WordingKind = (typeof WORDING_KINDS)[number];

/** Why no wording is made, whoever asks again: `code` of an `invalid_input` of `jobs/{job_id}/wordings`. */
const WORDING_REFUSALS = ["no_model", "not_finished", "content_blocked"] as const;

/** One of the words above. */
export type WordingRefusal = (typeof WORDING_REFUSALS)[number];

/** Longest line that is sent, in characters. */
const MOST_CHARACTERS = 1_000;

/** Lines beside the one that is asked about, on either side. */
const MOST_LINES = 5;

const line = () => z.string().check(z.maxLength(MOST_CHARACTERS));

/** `POST jobs/{job_id}/wordings`, an addition of this service: wordings for one moment of a finished job. */
export const WordingsRequest = z.object({
  kind: z.enum(WORDING_KINDS),
  /** The stretch that is described, in seconds on the programme clock. */
  start: z.number().check(z.nonnegative()),
  end: z.number().check(z.nonnegative()),
  /** Seconds that a wording may take. */
  seconds: z.number().check(z.positive(), z.maximum(600)),
  /** The line as it is; empty for a pause. */
  text: z.prefault(line(), ""),
  /** The descriptions before and after it, in order. */
  before: z.prefault(z.array(line()).check(z.maxLength(MOST_LINES)), []),
  after: z.prefault(z.array(line()).check(z.maxLength(MOST_LINES)), []),
  /** The film notes as they are now; left out: none. */
  notes: z.prefault(z.string().check(z.maxLength(40_000)), ""),
});

/** Reply of `GET jobs/{job_id}/wordings`: who would be asked, and what it costs about. */
export const WordingOfferReplySchema = z.strictObject({
  status: z.literal("available"),
  model: z.string(),
  /** Whether it runs on the service's computer, and is free. */
  is_local: z.boolean(),
  /** Of one request, in the currency of the stated price; `null` where none is stated. */
  cost: z.nullable(z.number()),
});

/** Reply of `POST jobs/{job_id}/wordings`. */
export const WordingsReplySchema = z.strictObject({
  /** Up to three, in the language of the job. */
  wordings: z.readonly(
    z.array(
      z.strictObject({
        text: z.string(),
        /** Seconds that it takes about. */
        seconds: z.number(),
        /** Whether that is no more than was asked for. */
        fits: z.boolean(),
      }),
    ),
  ),
  model: z.string(),
  ignored: z.exactOptional(z.readonly(z.array(z.string()))),
});

/** A request for wordings as it is sent: defaults may be left out. */
export type WordingsSent = z.input<typeof WordingsRequest>;

/** A request for wordings as it arrived: defaults filled in. */
export type WordingsAsked = z.output<typeof WordingsRequest>;

/** Reply of `GET jobs/{job_id}/wordings`. */
export type WordingOfferReply = z.output<typeof WordingOfferReplySchema>;

/** Reply of `POST jobs/{job_id}/wordings`. */
export type WordingsReply = z.output<typeof WordingsReplySchema>;
