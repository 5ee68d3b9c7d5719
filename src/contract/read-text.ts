import * as z from "zod/mini";
import { RATE_NAME, START_LABEL, TIME_UNITS } from "../core/verdict.ts";

/** Longest file that is read, in bytes: Base64 of it fits into a request's body. */
const MAXIMUM_BYTES = 5 * 1024 * 1024;

const range = () => z.tuple([z.number().check(z.nonnegative()), z.number().check(z.nonnegative())]);

/** `POST read_text`, an addition of this service: a file of captions or descriptions, read as the film that it belongs to allows. */
export const ReadTextRequest = z.object({
  /** The file, Base64; at most {@link READ_TEXT_LIMITS}. */
  content: z.string().check(z.minLength(1)),
  filename: z.string().check(z.minLength(1), z.maxLength(255)),
  holds: z.enum(["dialogue", "descriptions"]),
  /** What is known of the film; what is not, is left out. */
  film: z.prefault(
    z.object({
      duration_seconds: z.exactOptional(z.number().check(z.positive())),
      /** A fraction: `30000/1001`. Counts with `start_timecode`. */
      frame_rate: z.exactOptional(z.string().check(z.regex(/^\d{1,6}\/\d{1,6}$/))),
      /** Label of the film's first frame; drop-frame with a semicolon before the frames. */
      start_timecode: z.exactOptional(z.string().check(z.regex(/^\d\d:\d\d:\d\d[:;]\d{2,3}$/))),
      /** Where somebody is known to speak: start and end in seconds, ordered. */
      speech: z.exactOptional(z.array(range()).check(z.maxLength(20_000))),
    }),
    {},
  ),
  /** What a person said of a text that may be meant in several ways, by the `choice` of a reading. */
  choice: z.prefault(
    z.object({
      start: z.exactOptional(z.string().check(z.regex(START_LABEL))),
      unit: z.exactOptional(z.enum(TIME_UNITS)),
      /** The frame rate that its times were made for: `25`, `23.976`. */
      rate: z.exactOptional(z.string().check(z.regex(RATE_NAME))),
      column: z.exactOptional(z.string().check(z.minLength(1), z.maxLength(200))),
    }),
    {},
  ),
});

/** What `GET read_text` says of {@link ReadTextRequest}. */
export const READ_TEXT_LIMITS = { maximum_bytes: MAXIMUM_BYTES } as const;

/** Reply of `GET read_text`: this service reads files of captions and descriptions, of up to this size, with these endings. */
export const TextReadingReplySchema = z.strictObject({
  status: z.literal("available"),
  maximum_bytes: z.int(),
  endings: z.readonly(z.array(z.string())),
});

const cue = z.strictObject({ start: z.number(), end: z.number(), text: z.string() });

const choice = z.strictObject({
  start: z.exactOptional(z.string()),
  unit: z.exactOptional(z.enum(TIME_UNITS)),
  rate: z.exactOptional(z.string()),
  column: z.exactOptional(z.string()),
});

/** What is held of a text, see `Verdict`. */
const verdict = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("fits") }),
  z.strictObject({ kind: z.literal("repaired"), how: z.readonly(z.array(z.string())) }),
  z.strictObject({
    kind: z.literal("unsure"),
    question: z.string(),
    readings: z.readonly(
      z.array(
        z.strictObject({
          label: z.string(),
          choice,
          fit: z.number(),
          fitting: z.int(),
          lines: z.int(),
          preview: z.readonly(z.array(cue)),
        }),
      ),
    ),
  }),
  z.strictObject({
    kind: z.literal("does not fit"),
    why: z.string(),
    mend: z.exactOptional(z.enum(["start", "unit", "rate", "column"])),
  }),
]);

/** Reply of `POST read_text`. */
export const ReadTextReplySchema = z.strictObject({
  /** Name of the format; `null` for a file in none that is read. */
  format: z.nullable(z.string()),
  /** The cues as WebVTT on the film's clock; empty where none is read before a person has chosen, or none can be. */
  webvtt: z.string(),
  verdict,
  receipt: z.strictObject({
    facts: z.readonly(z.array(z.string())),
    left_out: z.readonly(
      z.array(
        z.strictObject({
          what: z.string(),
          count: z.int(),
          /** What stands there, as far as it can be told. */
          words: z.exactOptional(z.readonly(z.array(z.string()))),
        }),
      ),
    ),
    /** What was taken for each thing that `choice` can say otherwise, a sentence each. */
    choices: z.exactOptional(
      z.strictObject({
        start: z.exactOptional(z.string()),
        unit: z.exactOptional(z.string()),
        rate: z.exactOptional(z.string()),
        column: z.exactOptional(z.string()),
      }),
    ),
  }),
  ignored: z.exactOptional(z.readonly(z.array(z.string()))),
});

/** A file as it is sent: defaults may be left out. */
export type ReadTextSent = z.input<typeof ReadTextRequest>;

/** A file as it arrived: defaults filled in. */
export type ReadTextAsked = z.output<typeof ReadTextRequest>;

/** Reply of `GET read_text`. */
export type TextReadingReply = z.output<typeof TextReadingReplySchema>;

/** Reply of `POST read_text`. */
export type ReadTextReply = z.output<typeof ReadTextReplySchema>;
