import { DEFAULT_VOICE, VOICES } from "../../contract/choices.ts";
import type { GenerationConfig } from "../../contract/generation.ts";
import { settingsFromConfig, voiceFromConfig } from "../../contract/settings-on-wire.ts";
import type { DescriptionSettings, TrackKind, VoiceSettings } from "../../core/settings.ts";
import type { JobKind } from "../../engine/index.ts";
import { readCues } from "../../formats/registry.ts";
import type { TeamPlan } from "../configuration.ts";
import { RequestError } from "../request-error.ts";
import { requireFeature } from "./authenticate.ts";

/** What a request calls the parameters that are checked beyond their form, for messages. */
export interface ParameterNames {
  readonly voice: string;
  readonly captions: string;
  readonly script: string;
}

/** A parameter's value with what the request calls it. */
export interface NamedValue {
  readonly value: string;
  readonly name: string;
}

/** What a generation request asks for, in the project's own words. */
export interface GenerationOrder {
  readonly kind: JobKind;
  readonly settings: DescriptionSettings & VoiceSettings;
  readonly track: TrackKind;
  readonly resolution: string;
  /** Texts of the settings that must hold a cue; they are not read yet. */
  readonly texts: readonly RequestText[];
}

/**
 * Reads a validated configuration.
 *
 * @throws RequestError `invalid_input` for a voice that is in no catalogue, and for a resolution that is none.
 */
export function orderFromConfig(
  kind: JobKind,
  config: GenerationConfig,
  { resolution, names }: { readonly resolution: NamedValue; readonly names: ParameterNames },
): GenerationOrder {
  const voice = "voice" in config ? voiceFromConfig(config) : { voice: DEFAULT_VOICE };
  const unknown = unknownVoice({ value: voice.voice, name: names.voice });
  if (unknown !== null) throw new RequestError("invalid_input", unknown);
  const settings = { ...settingsFromConfig(config), ...voice };
  return {
    kind,
    settings,
    track: "audio_track_type" in config ? config.audio_track_type : "mixed",
    resolution: parseResolution(resolution),
    texts: givenTexts(settings, names),
  };
}

/** What is wrong with a voice that is in no catalogue, as a sentence; `null` for one that is. */
export function unknownVoice({ value, name }: NamedValue): string | null {
  if (VOICES.some((voice) => voice.name === value)) return null;
  const known = VOICES.map((voice) => voice.name).join(", ");
  return `"${name}" names no known voice: "${value.slice(0, 40)}". Known are ${known}.`;
}

/** Smallest and largest height of a rendered picture, in lines. */
const HEIGHTS = { minimum: 144, maximum: 4320 };

/**
 * The height that a `resolution` stands for, or `Auto`: `720`, `720p` and `1280x720` all mean 720 lines.
 *
 * @throws RequestError `invalid_input`.
 */
function parseResolution({ value, name }: NamedValue): string {
  if (/^auto$/i.test(value)) return "Auto";
  const height = Number(/^(?:\d{2,5}x)?(\d{3,4})p?$/i.exec(value)?.[1] ?? Number.NaN);
  if (height >= HEIGHTS.minimum && height <= HEIGHTS.maximum) return String(height);
  throw new RequestError(
    "invalid_input",
    `"${name}" must be "Auto" or a height of ${HEIGHTS.minimum} to ${HEIGHTS.maximum} lines, such as "720p" or "1280x720".`,
  );
}

/** @throws RequestError `feature_not_available` for the first thing asked for that a plan leaves out. */
export function requireFeatures(plan: TeamPlan, { kind, settings }: GenerationOrder): void {
  requireFeature(plan, `generate_${kind}`);
  if (settings.type === "standard") requireFeature(plan, "standard_ad");
  if (settings.instructions !== "") requireFeature(plan, "custom_instructions");
  if (settings.category !== "Auto") requireFeature(plan, "video_categories");
  if (settings.volume !== undefined) requireFeature(plan, "volume");
  if (settings.script !== undefined) requireFeature(plan, "custom_description");
}

/**
 * Members of a configuration that were sent and have no effect beside the others, by the interface's own words
 * ("only effective when ...").
 */
export function withoutEffect(sent: unknown, config: GenerationConfig, prefix: string): string[] {
  if (typeof sent !== "object" || sent === null) return [];
  const isStandard = config.ad_type === "standard_ad";
  const idle: Record<string, boolean> = {
    read_all_onscreen_text: isStandard,
    auto_fit: !isStandard,
    allow_descriptions_over_music: !isStandard,
    standard_ad_min_cue_length: !isStandard || !config.auto_fit,
    describing: config.description_content !== undefined && config.description_content.trim() !== "",
    voicing: config.description_content === undefined || config.description_content.trim() === "",
    volume_level_db: !("volume_option" in config) || config.volume_option !== "max",
  };
  return Object.keys(sent)
    .filter((name) => Object.hasOwn(config, name) && idle[name] === true)
    .map((name) => `${prefix}${name}`);
}

/** A text with cues that came with a request. */
export interface RequestText {
  /** What the request calls it. */
  readonly parameter: string;
  readonly content: string;
  readonly hints?: Pick<NonNullable<DescriptionSettings["captions"]>, "format" | "filename">;
  /** What may be sent, for the sentence of a refusal. */
  readonly formats: string;
}

/** Captions and script of a request, by the names it has for them. */
function givenTexts(
  { captions, script }: DescriptionSettings,
  names: { readonly captions: string; readonly script: string },
): RequestText[] {
  const texts: RequestText[] = [];
  if (captions !== undefined) {
    const { content, ...hints } = captions;
    texts.push({ parameter: names.captions, content, hints, formats: "WebVTT, SubRip or timestamped plain text" });
  }
  if (script !== undefined) {
    const formats = "EDL, WebVTT, SubRip, JSON or timestamped plain text";
    texts.push({ parameter: names.script, content: script, formats });
  }
  return texts;
}

/**
 * Why a text cannot be taken, in a sentence that names the parameter and the first place that cannot be read: it holds no
 * cue. `null` when it holds one; what a reader repairs or drops beside that is the job's to report.
 */
export function cueFault({ parameter, content, hints = {}, formats }: RequestText): string | null {
  const { cues, issues } = readCues(content, hints);
  if (cues.length > 0) return null;
  const first = issues.find((issue) => issue.effect === "dropped");
  const where =
    first === undefined ? "" : first.line === 0 ? ` (${first.message})` : ` (line ${first.line}: ${first.message})`;
  return `"${parameter}" holds no cue that can be read${where}. Send ${formats}.`;
}
