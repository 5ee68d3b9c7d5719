import * as z from "zod/mini";
import {
  AD_TYPES,
  DEFAULT_LANGUAGE,
  DEFAULT_VOICE,
  FLAT_TEXT_FORMATS,
  FLAT_VIDEO_CATEGORIES,
  LANGUAGES,
  MIN_CUE_LENGTH_SECONDS,
  MOST_CUTS,
  MOST_INSTRUCTION_CHARACTERS,
  TEXT_FORMATS,
  VIDEO_CATEGORIES,
  VOLUME_LEVEL_DBFS,
} from "./choices.ts";

/**
 * Addition of this service: `generation_config.describing`, how a model goes about a description. Without effect beside
 * `description_content`.
 */
export const DescribingSchema = z.object({
  /** What the editor knows of the film, as `report.bible` of an earlier job has it; it stands over what a model finds. */
  bible: z.exactOptional(z.string().check(z.maxLength(200_000))),
  /** Where the picture of the cut changes, in seconds on the programme clock, for pictures that look alike. */
  cuts: z.exactOptional(z.array(z.number().check(z.minimum(0))).check(z.maxLength(MOST_CUTS))),
  /** Extended AD: the time that holds may add, in hundredths of the programme's length. */
  maximum_added_percent: z.exactOptional(z.number().check(z.minimum(0), z.maximum(1000))),
  /** Money that asking a model may cost, in the currency of its stated price. */
  maximum_cost: z.exactOptional(z.number().check(z.minimum(0))),
});

/** These settings as they are sent. */
export type DescribingOnWire = z.output<typeof DescribingSchema>;

/** Decibels that a gain may have: what is beyond is no gain of a mix. */
export const gain = () => z.number().check(z.minimum(-80), z.maximum(80));

/**
 * Addition of this service: what a finished mix used for all lines. `report.mix.voicing` of one job, sent back as
 * `generation_config.voicing` of the next with `description_content`, changes nothing but the lines that changed. A gain
 * that is left out is found anew.
 */
export const VoicingSchema = z.object({
  track: z.enum(["mixed", "ad_only"]),
  narration_gain_db: z.exactOptional(gain()),
  track_gain_db: z.exactOptional(gain()),
  lines: z.readonly(
    z.array(
      z.readonly(
        z.object({
          words: z.string(),
          start: z.number().check(z.minimum(0)),
          seconds: z.number().check(z.minimum(0)),
          rate: z.number().check(z.minimum(0.5), z.maximum(2)),
          programme_lufs: z.exactOptional(z.nullable(z.number())),
        }),
      ),
    ),
  ),
});

/** A voicing as it is sent. */
export type VoicingOnWire = z.output<typeof VoicingSchema>;

/** Language of the descriptions. */
export const language = () => z._default(z.enum(LANGUAGES), DEFAULT_LANGUAGE);
const adType = () => z._default(z.enum(AD_TYPES), "extended_ad");
const instructions = () => z._default(z.string().check(z.maxLength(MOST_INSTRUCTION_CHARACTERS)), "");
const volumeLevel = () =>
  z.optional(z.number().check(z.minimum(VOLUME_LEVEL_DBFS.minimum), z.maximum(VOLUME_LEVEL_DBFS.maximum)));

/** Captions used as transcript and context instead of automatic ones. */
const CustomCaptions = z.object({
  content: z.string(),
  format: z.optional(z.enum(["vtt", "srt", "plaintext"])),
  filename: z.optional(z.string()),
});

/** Fields that text, audio and video share in the nested form, but for the default of `format`. */
const shared = {
  language: language(),
  video_category: z._default(z.enum(VIDEO_CATEGORIES), "Auto"),
  custom_instructions: instructions(),
  auto_fit: z._default(z.boolean(), true),
  allow_descriptions_over_music: z._default(z.boolean(), true),
  standard_ad_min_cue_length: z._default(
    z.number().check(z.minimum(MIN_CUE_LENGTH_SECONDS.minimum), z.maximum(MIN_CUE_LENGTH_SECONDS.maximum)),
    MIN_CUE_LENGTH_SECONDS.default,
  ),
  custom_captions: z.optional(CustomCaptions),
  /**
   * Addition of this service: which sound track of the media holds its dialogue, by its number from 1, its language (a code or
   * its English name) or its title. Where it is absent or empty the track with speech is found by listening.
   */
  audio_track: z.optional(z.string().check(z.maxLength(200))),
  description_content: z.optional(z.string()),
  describing: z.optional(DescribingSchema),
};

/** Who speaks, and how loud the whole is. */
export const sound = {
  voice: z._default(z.string(), DEFAULT_VOICE),
  volume_option: z.optional(z.enum(["auto", "max"])),
  volume_level_db: volumeLevel(),
};

/** `generation_config` of `generate_ad_video`. */
export const VideoConfig = z.object({
  format: z._default(z.enum(TEXT_FORMATS), "vtt"),
  ...shared,
  ...sound,
  ad_type: adType(),
  read_all_onscreen_text: z._default(z.boolean(), false),
  /** Addition of this service: the from-URL endpoint's field of this name, for uploaded media too. */
  resolution: z._default(z.string(), "Auto"),
});

/** `generation_config` of `generate_ad_audio`: Standard AD only. `ad_type` may say so; anything else is refused. */
export const AudioConfig = z.object({
  format: z._default(z.enum(TEXT_FORMATS), "vtt"),
  ...shared,
  ...sound,
  ad_type: z._default(z.literal("standard_ad"), "standard_ad"),
  audio_track_type: z._default(z.enum(["mixed", "ad_only"]), "mixed"),
  voicing: z.optional(VoicingSchema),
});

/**
 * `generation_config` of `generate_ad_text` in its nested form (`service-facts.md` 3). `description_content` is an
 * addition of this service: a given script is fitted and returned as text.
 */
export const TextConfig = z.object({
  format: z._default(z.enum(TEXT_FORMATS), "json"),
  ...shared,
  ad_type: adType(),
  read_all_onscreen_text: z._default(z.boolean(), false),
});

const filename = { filename: z.optional(z.string()) };

/** `input` of a generation request as JSON. */
const MediaInput = z.discriminatedUnion("type", [
  z.object({ type: z.literal("media_id"), media_id: z.guid(), ...filename }),
  z.object({ type: z.literal("url"), url: z.url(), ...filename }),
]);

/** `input` of any multipart request. */
export const FileInput = z.object({ type: z.literal("file"), ...filename });

/** `generate_ad_video` as JSON. */
export const VideoRequest = z.object({
  input: MediaInput,
  generation_config: z._default(VideoConfig, VideoConfig.parse({})),
});

/** `generate_ad_audio` as JSON. */
export const AudioRequest = z.object({
  input: MediaInput,
  generation_config: z._default(AudioConfig, AudioConfig.parse({})),
});

/** `generate_ad_text` as JSON, nested form. */
export const NestedTextRequest = z.object({
  input: MediaInput,
  generation_config: z._default(TextConfig, TextConfig.parse({})),
});

const flat = {
  language: language(),
  video_category: z._default(z.enum(FLAT_VIDEO_CATEGORIES), "Auto"),
  ad_type: adType(),
  custom_instructions: instructions(),
};

/** `generate_ad_text` as JSON, flat form. */
export const FlatTextRequest = z.object({
  media_id: z.guid(),
  format: z._default(z.enum(FLAT_TEXT_FORMATS), "json"),
  ...flat,
});

/** `generate_ad_text_from_url`. */
export const TextFromUrlRequest = z.object({
  source_url: z.url(),
  ...filename,
  format: z._default(z.enum(FLAT_TEXT_FORMATS), "json"),
  ...flat,
});

/** `generate_ad_video_from_url`. */
export const VideoFromUrlRequest = z.object({
  source_url: z.url(),
  ...filename,
  format: z._default(z.enum(FLAT_TEXT_FORMATS), "vtt"),
  ...flat,
  resolution: z._default(z.string(), "Auto"),
  volume_option: z.optional(z.enum(["auto", "max"])),
  volume_level_db: volumeLevel(),
  edl_content: z.optional(z.string()),
});

/** Reply of every generation endpoint. */
export const SubmissionReplySchema = z.strictObject({
  job_id: z.string(),
  status: z.literal("queued"),
  media_id: z.guid(),
  /** Addition of this service: fields of the request that this endpoint does not use; absent when there are none. */
  ignored: z.exactOptional(z.readonly(z.array(z.string()))),
});

/** Reply of every generation endpoint. */
export type SubmissionReply = z.output<typeof SubmissionReplySchema>;

/** What a client may send where this contract validates: defaults may be left out. */
export type MediaInputSent = z.input<typeof MediaInput>;
export type VideoConfigSent = z.input<typeof VideoConfig>;
export type AudioConfigSent = z.input<typeof AudioConfig>;
export type TextConfigSent = z.input<typeof TextConfig>;
export type FlatTextSent = z.input<typeof FlatTextRequest>;
export type TextFromUrlSent = z.input<typeof TextFromUrlRequest>;
export type VideoFromUrlSent = z.input<typeof VideoFromUrlRequest>;

/** A validated nested configuration that has sound. */
export type SoundGenerationConfig = z.output<typeof AudioConfig> | z.output<typeof VideoConfig>;

/** A validated nested configuration of any kind. */
export type GenerationConfig = z.output<typeof TextConfig> | SoundGenerationConfig;
