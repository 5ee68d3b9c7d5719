import * as z from "zod/mini";
import { gain, language, sound } from "./generation.ts";

/** Longest line that is voiced at once, in characters: about a minute of speech. */
const MAXIMUM_CHARACTERS = 1_000;

/** Longest time that a line may be asked to fit, in seconds. */
const MAXIMUM_SECONDS = 600;

/** `POST voice_line`, an addition of this service: one line, voiced at once as a job would voice it. */
export const VoiceLineRequest = z.object({
  /** At most {@link LINE_LIMITS} characters: the service refuses more with a code of its own. */
  text: z.string().check(z.minLength(1)),
  language: language(),
  ...sound,
  /** Length of the cue: a line that takes longer is spoken faster, within the limit. Left out: at the normal rate. */
  seconds: z.exactOptional(z.number().check(z.positive(), z.maximum(MAXIMUM_SECONDS))),
  /** Gains of an earlier mix, `voicing` of its report; one that is left out is found from this line alone. */
  narration_gain_db: z.exactOptional(gain()),
  track_gain_db: z.exactOptional(gain()),
});

/** What `GET voice_line` says of {@link VoiceLineRequest}. */
export const LINE_LIMITS = { maximum_characters: MAXIMUM_CHARACTERS } as const;

/** Reply of `GET voice_line`: this service voices single lines, of up to this length. */
export const LineVoicingReplySchema = z.strictObject({
  status: z.literal("available"),
  maximum_characters: z.int(),
});

/** Reply of `POST voice_line`. */
export const VoicedLineReplySchema = z.strictObject({
  /** Length of the speech. */
  seconds: z.number(),
  /** Speaking rate relative to the voice's normal one. */
  rate: z.number(),
  /** Whether it is no longer than the `seconds` that were asked for. */
  fits: z.boolean(),
  /** The sound as WAV, Base64: two channels alike, 48 kHz, 24 bits, as the narration of a job. */
  audio: z.string(),
  /** SHA-256 of the WAV file, in hexadecimal digits. */
  sha256: z.string(),
  ignored: z.exactOptional(z.readonly(z.array(z.string()))),
});

/** A line as it is sent: defaults may be left out. */
export type VoiceLineSent = z.input<typeof VoiceLineRequest>;

/** A line as it arrived: defaults filled in. */
export type VoiceLineAsked = z.output<typeof VoiceLineRequest>;

/** Reply of `GET voice_line`. */
export type LineVoicingReply = z.output<typeof LineVoicingReplySchema>;

/** Reply of `POST voice_line`. */
export type VoicedLineReply = z.output<typeof VoicedLineReplySchema>;
