import type { UnplacedReason } from "../core/placement.ts";

/** Text formats of the nested form: every generation endpoint, all four. */
export const TEXT_FORMATS = ["vtt", "srt", "json", "edl"] as const;

/** Text formats of the flat forms: `srt` is missing from their enumerations. */
export const FLAT_TEXT_FORMATS = ["json", "vtt", "edl"] as const;

/** The 12 video categories of the flat forms. */
export const FLAT_VIDEO_CATEGORIES = [
  "Auto",
  "Educational Lecture",
  "Documentary",
  "Narrative Story",
  "Social Media",
  "Tutorial/How-To",
  "Vlog",
  "Commercial/Advertisement",
  "News",
  "Entertainment",
  "Home Video",
  "Video Call",
] as const;

/** The 14 video categories of the nested form. */
export const VIDEO_CATEGORIES = [...FLAT_VIDEO_CATEGORIES, "Educational Kids", "Government Meeting"] as const;

/** Description types on the wire. */
export const AD_TYPES = ["extended_ad", "standard_ad"] as const;

/** Why a line of a script has no place: as in `UnplacedReason`, or it begins after the programme's end. */
export const LEFT_OUT_REASONS = [
  "no-gap-near",
  "too-long",
  "longer-than-programme",
  "crowded",
  "added-time",
  "nothing-to-say",
  "no-sound",
  "after-end",
] as const satisfies readonly (UnplacedReason | "after-end")[];

/** What our service finds of its own work: names of rules, as findings have them. */
export const JOB_FINDING_RULES = [
  /** Nothing at all was told of a film. */
  "nothing-told",
  /** Captions cannot be of this film, or may be meant in several ways, and were not used. */
  "captions-held-back",
  /** Words for which the voice gave no sound. */
  "no-sound",
  /** Sound that cannot be decoded, is missing or damaged: nobody can tell whether somebody speaks there. */
  "sound-unknown",
  /** The file ends before the length that it states. */
  "ends-early",
  /** The sound of a line cannot be all of its words, or not those alone. */
  "voice-length",
  /** A line was written in another language or script than was ordered, and is not spoken. */
  "other-language",
  /** Text stands on screen that could not be read for certain, and is not spoken. */
  "text-not-read",
] as const;

/** Why a line is not voiced, whoever asks again: `code` of an `invalid_input` of `voice_line`. */
export const LINE_REFUSALS = ["line_too_long", "nothing_to_say", "voice_unavailable"] as const;

/** One of {@link LINE_REFUSALS}. */
export type LineRefusal = (typeof LINE_REFUSALS)[number];

/** The 38 language codes the interface lists. */
export const LISTED_LANGUAGES = [
  "en-US", "en-GB", "en-AU", "en-IN", "es-ES", "es-US", "fr-FR", "fr-CA", "de-DE", "it-IT", "pt-BR", "ja-JP", "ko-KR",
  "cmn-CN", "ar-XA", "hi-IN", "bn-IN", "da-DK", "fi-FI", "gu-IN", "id-ID", "kn-IN", "ml-IN", "mr-IN", "nb-NO", "nl-NL",
  "nl-BE", "pl-PL", "ru-RU", "sv-SE", "sw-KE", "ta-IN", "te-IN", "th-TH", "tr-TR", "uk-UA", "ur-IN", "vi-VN",
] as const; // biome-ignore format: a table reads better in rows

/**
 * The 15 codes that the interface counts (53 in all) but does not name. Unconfirmed: inferred from the vendor whose
 * voices carry the default voice's name. Taken by our service; shown as suggestions by clients.
 */
export const SUGGESTED_LANGUAGES = [
  "bg-BG", "cs-CZ", "el-GR", "et-EE", "he-IL", "hr-HR", "hu-HU", "lt-LT", "lv-LV", "ro-RO", "sk-SK", "sl-SI", "sr-RS",
  "pa-IN", "yue-HK",
] as const; // biome-ignore format: a table reads better in rows

/** All 53 language codes. */
export const LANGUAGES = [...LISTED_LANGUAGES, ...SUGGESTED_LANGUAGES] as const;

/** A language code our service takes. */
export type Language = (typeof LANGUAGES)[number];

/** The default of every endpoint. */
export const DEFAULT_LANGUAGE = "en-US" satisfies Language;

/** Gender of a voice, as its catalogue states it. */
export type VoiceGender = "female" | "male";

/** One entry of the voice catalogue. */
export interface VoiceName {
  readonly name: string;
  readonly gender: VoiceGender;
  /** `true` for the one name the interface states; the others are inferred from the vendor whose name it is. */
  readonly isConfirmed: boolean;
}

/** Used when a request names no voice. */
export const DEFAULT_VOICE = "Achernar";

/**
 * The 31 voice identifiers: `Achernar` from the interface, 29 suggested by the vendor's public list (`service-facts.md`
 * 7), and `Narrator`, our own, in place of the one that no source names.
 */
export const VOICES: readonly VoiceName[] = [
  { name: "Achernar", gender: "female", isConfirmed: true },
  ...suggested("female", [
    "Aoede", "Autonoe", "Callirrhoe", "Despina", "Erinome", "Gacrux", "Kore", "Laomedeia", "Leda", "Pulcherrima",
    "Sulafat", "Vindemiatrix", "Zephyr",
  ]),
  ...suggested("male", [
    "Achird", "Algenib", "Algieba", "Alnilam", "Charon", "Enceladus", "Fenrir", "Iapetus", "Orus", "Puck",
    "Rasalgethi", "Sadachbia", "Sadaltager", "Schedar", "Umbriel", "Zubenelgenubi",
  ]),
  { name: "Narrator", gender: "male", isConfirmed: false },
]; // biome-ignore format: a table reads better in rows

function suggested(gender: VoiceGender, names: readonly string[]): VoiceName[] {
  return names.map((name) => ({ name, gender, isConfirmed: false }));
}

/**
 * Largest file the service takes as a direct multipart upload, in bytes: the interface says 32 MB; read as MiB, the
 * larger reading, so that no file a client may think allowed is refused.
 */
export const DIRECT_UPLOAD_MAX_BYTES = 33_554_432;

/** Above this many bytes a client uses the signed flow: 32 MB in the smaller reading, right under either. */
export const SIGNED_FLOW_ABOVE_BYTES = 32_000_000;

/** Bounds and default of `standard_ad_min_cue_length`, in seconds. */
export const MIN_CUE_LENGTH_SECONDS = { minimum: 0.75, maximum: 5, default: 0.75 } as const;

/** Bounds of `volume_level_db`, in dBFS. */
export const VOLUME_LEVEL_DBFS = { minimum: -10, maximum: 0 } as const;

/** Credits per minute of source video, by kind of job (the hosted service's price list; custom plans may differ). */
const CREDITS_PER_MINUTE = { text: 0.5, audio: 0.75, video: 1 } as const;

/** Credits of the hosted service at its list price, by kind of job. */
export type Credits = Readonly<Record<keyof typeof CREDITS_PER_MINUTE, number>>;

/** What so many minutes of source video take. */
export function creditsFor(minutes: number): Credits {
  const { text, audio, video } = CREDITS_PER_MINUTE;
  return { text: minutes * text, audio: minutes * audio, video: minutes * video };
}

/** Most times that one request for pictures of moments may name. */
export const MOST_MOMENTS = 50;

/** Edit points that an order names at the most: one a second of nearly three hours. */
export const MOST_CUTS = 10_000;

/** What a reader makes of any server's `upload_status`: unknown words mean "still verifying". */
export function uploadOutcome(status: string): "ready" | "failed" | "verifying" {
  const word = status.toLowerCase();
  if (word === "completed" || word === "ready" || word === "verified") return "ready";
  return /fail|error|reject/.test(word) ? "failed" : "verifying";
}

/** Characters that `custom_instructions` may have: they go along with every question to a model. */
export const MOST_INSTRUCTION_CHARACTERS = 10_000;

/** What a model is for: to see, to write down what is said, to tell singing from music, to speak. */
export const MODEL_KINDS = ["eyes", "ears", "sounds", "voice"] as const;
