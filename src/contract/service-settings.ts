import * as z from "zod/mini";

/** The parts that are numbers alone: what work may take, how long things are kept, and where the service listens. */
export const NUMBER_PARTS = ["limits", "retention", "network"] as const;

/** Name of a part that is numbers alone. */
export type NumberPart = (typeof NUMBER_PARTS)[number];

/** The parts of a service's settings: who describes, who says what is said, who speaks, what may leave the computer, its models, and numbers. */
export const SETTING_PARTS = ["describer", "dialogue", "voice", "privacy", "models", ...NUMBER_PARTS] as const;

/** Name of a part of a service's settings. */
export type SettingPart = (typeof SETTING_PARTS)[number];

/** Longest value of a setting, in characters. */
const LONGEST_VALUE = 4_000;

const value = () => z.string().check(z.maxLength(LONGEST_VALUE), z.regex(/^[^\p{Cc}]*$/u));

const Values = z.record(z.string().check(z.maxLength(40)), value());

/**
 * Settings that are to be other ones, by part and name (`{"describer": {"server": "openai", "model": "…", "key": "…"}}`).
 * A part is replaced as a whole: what it does not name has its default again, but for a key whose server stays the same.
 */
export const ChangeSettingsRequest = z.strictObject({
  describer: z.exactOptional(Values),
  dialogue: z.exactOptional(Values),
  voice: z.exactOptional(Values),
  privacy: z.exactOptional(Values),
  models: z.exactOptional(Values),
  limits: z.exactOptional(Values),
  retention: z.exactOptional(Values),
  network: z.exactOptional(Values),
});

/** Some parts of the settings, by name: all of each. */
export type ChangedSettings = { readonly [Part in SettingPart]?: Readonly<Record<string, string>> };

/** `POST settings/test`: tries one part as it would be with these values, without keeping them. */
export const TestSettingsRequest = z.strictObject({
  part: z.enum(["describer", "dialogue", "voice"]),
  /** Default: the settings as they are. */
  values: z.exactOptional(Values),
  /** For a voice: whom to hear, and in which language. */
  voice: z.exactOptional(z.string()),
  language: z.exactOptional(z.string()),
});

/** What is asked of a test. */
export type TestSettingsAsked = z.output<typeof TestSettingsRequest>;

/** Whose word counts: `settings`, `environment` (variables of the service's process, which win), or `nobody`: the default. */
const DecidedBy = z.enum(["settings", "environment", "nobody"]);

/** A number that can be set, as it is in force. */
const NumberSettingSchema = z.strictObject({
  /** Its name in the part. */
  name: z.string(),
  /** What it is, with its unit: for people. */
  title: z.string(),
  /** The number in decimal digits, or {@link word}. */
  value: z.string(),
  decided_by: DecidedBy,
  /** The smallest and the largest that are taken. */
  minimum: z.number(),
  maximum: z.number(),
  /** What is taken in place of a number where there is no limit, such as `forever`; `null` where there has to be one. */
  word: z.nullable(z.string()),
  /** Whether it is another one than the service was started with, and counts from its next start. */
  waits_for_start: z.boolean(),
});

/** A number that can be set, as it is in force. */
export type NumberInForce = z.output<typeof NumberSettingSchema>;

/** One part of the settings as it is in force. */
const SettingsOfPart = z.strictObject({
  decided_by: DecidedBy,
  /** What is set, without keys, and without credentials and queries of addresses. */
  values: z.record(z.string(), z.string()),
  /** Whether a key is kept; it is never told. */
  has_key: z.boolean(),
  /** Whether it can be used, as far as is known without asking anybody. */
  is_ready: z.boolean(),
  /** What it is, or what is missing: a sentence for people. */
  state: z.string(),
  /** Host that is sent pictures, sound or words by it; `null` where nothing leaves the service's computer. */
  sends_to: z.nullable(z.string()),
  /** The numbers of a part that is numbers alone, each with its own `decided_by`. */
  numbers: z.array(NumberSettingSchema),
});

/** One part of the settings as it is in force. */
export type PartInForce = z.output<typeof SettingsOfPart>;

/** A voice that can be heard. */
const HeardVoiceSchema = z.strictObject({
  /** What an order names it by. */
  voice: z.string(),
  /** What a person knows it by. */
  title: z.string(),
  gender: z.nullable(z.enum(["female", "male"])),
  /** BCP-47 codes that it speaks by this name. */
  languages: z.array(z.string()),
});

/** A voice that can be heard, by the name that orders it. */
export type HeardVoice = z.output<typeof HeardVoiceSchema>;

/** Reply of `GET settings` and `POST settings`. To keys that may not change them, no values are told. */
export const SettingsReplySchema = z.strictObject({
  /** Whether the key of the request may change them. */
  may_change: z.boolean(),
  describer: SettingsOfPart,
  dialogue: SettingsOfPart,
  voice: SettingsOfPart,
  privacy: SettingsOfPart,
  models: SettingsOfPart,
  limits: SettingsOfPart,
  retention: SettingsOfPart,
  network: SettingsOfPart,
  /** The voices that can be heard as it is set, each once; empty where none can. */
  voices: z.readonly(z.array(HeardVoiceSchema)),
});

/** The settings that are in force, by part. */
export type SettingsInForce = { readonly [Part in SettingPart]: PartInForce };

/** Reply of `GET settings` and `POST settings`. */
export type SettingsReply = z.output<typeof SettingsReplySchema>;

/** Something that can be chosen, with the values that choose it. */
const Choice = z.strictObject({
  /** For people. */
  title: z.string(),
  /** What it costs, where it runs, what it is good for: for people. */
  detail: z.string(),
  /** The values of the part that choose it; a model or a key may be missing, see {@link needs}. */
  values: z.record(z.string(), z.string()),
  /** Names of values that a person has to add. */
  needs: z.array(z.string()),
  /** Whether nothing leaves this computer by it. */
  is_local: z.boolean(),
});

/** Something that can be chosen. */
export type SettingChoice = z.output<typeof Choice>;

/** A voice that the system has. */
const SystemVoiceSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  /** BCP-47 code. */
  language: z.string(),
  gender: z.nullable(z.enum(["female", "male"])),
});

/** Reply of `GET settings/choices`: what there is on this computer now, and the providers that are known. */
export const SettingChoicesReplySchema = z.strictObject({
  describer: z.array(Choice),
  dialogue: z.array(Choice),
  voice: z.array(Choice),
  system_voices: z.array(SystemVoiceSchema),
});

/** Reply of `GET settings/choices`. */
export type SettingChoicesReply = z.output<typeof SettingChoicesReplySchema>;

/** Reply of `POST settings/test`. */
export const SettingsTestReplySchema = z.strictObject({
  works: z.boolean(),
  /** What was said or heard, or why it does not work: a sentence for people. */
  message: z.string(),
  seconds: z.number(),
  /** What the test cost by the stated price, in the price's currency; absent where none is stated. */
  cost: z.exactOptional(z.number()),
  /** Tokens that a model counted. */
  tokens: z.exactOptional(z.int()),
  /** The sound of a voice as WAV, Base64. */
  audio: z.exactOptional(z.string()),
});

/** Reply of `POST settings/test`. */
export type SettingsTestReply = z.output<typeof SettingsTestReplySchema>;

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
  /**
   * Of the model, a transcription and a voice, in the currency of the stated prices; `null` where none is stated, and where nothing
   * is paid.
   */
  cost: z.nullable(z.number()),
  /** Most that a job may cost by the settings; `null` where anything. */
  ceiling: z.nullable(z.number()),
  /**
   * How long this model took for earlier films, by their length, in seconds; for an installed one that described none here, by a
   * trial of one shot. `null` where neither is known.
   */
  seconds: z.nullable(z.number()),
  /** Why this computer is too weak for the model, with the other ways: for people. Absent where it is not, as far as is known. */
  remark: z.exactOptional(z.string()),
});

/** What describing a film would take of the model that is set. */
export type ModelEstimateReply = z.output<typeof ModelEstimateReplySchema>;
