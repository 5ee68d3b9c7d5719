import { defined } from "../core/objects.ts";
import type {
  DescribingSettings,
  DescriptionSettings,
  KeptLine,
  TrackKind,
  VoiceSettings,
  Voicing,
} from "../core/settings.ts";
import { FLAT_VIDEO_CATEGORIES, type Language, MIN_CUE_LENGTH_SECONDS, type VIDEO_CATEGORIES } from "./choices.ts";
import type {
  AudioConfigSent,
  DescribingOnWire,
  FlatTextSent,
  GenerationConfig,
  SoundGenerationConfig,
  TextConfigSent,
  VideoConfigSent,
  VoicingOnWire,
} from "./generation.ts";

/** Text settings on the wire, nested form; what equals the interface's default is left out where a server may lack it. */
export function textConfigFromSettings(settings: DescriptionSettings): TextConfigSent {
  return {
    ...sharedFromSettings(settings),
    ad_type: settings.type === "standard" ? "standard_ad" : "extended_ad",
    ...(settings.type === "extended" && settings.readsAllOnscreenText ? { read_all_onscreen_text: true } : {}),
  };
}

/** Audio settings on the wire. */
export function audioConfigFromSettings(
  settings: DescriptionSettings & VoiceSettings,
  track: TrackKind,
): AudioConfigSent {
  const { voicing } = settings;
  return {
    ...sharedFromSettings(settings),
    ...soundFromSettings(settings),
    audio_track_type: track,
    ...defined({ voicing: voicing && voicingOnWire(voicing) }),
  };
}

/**
 * Video settings on the wire.
 *
 * @param resolution `Auto`, or a height such as `720p`; our service alone takes it, so the default is left out.
 */
export function videoConfigFromSettings(
  settings: DescriptionSettings & VoiceSettings,
  resolution = "Auto",
): VideoConfigSent {
  return {
    ...textConfigFromSettings(settings),
    ...soundFromSettings(settings),
    ...(resolution === "Auto" ? {} : { resolution }),
  };
}

/** Text settings in the flat form, which has no timing settings; `srt` becomes `vtt`, to be converted by the client. */
export function flatTextFromSettings(mediaId: string, settings: DescriptionSettings): FlatTextSent {
  const isFlatCategory = (FLAT_VIDEO_CATEGORIES as readonly string[]).includes(settings.category);
  return {
    media_id: mediaId,
    format: settings.format === "srt" ? "vtt" : settings.format,
    // The lists are open for clients (free text); a server refuses what it does not know.
    language: settings.language as Language,
    video_category: (isFlatCategory ? settings.category : "Auto") as (typeof FLAT_VIDEO_CATEGORIES)[number],
    ad_type: settings.type === "standard" ? "standard_ad" : "extended_ad",
    ...(settings.instructions === "" ? {} : { custom_instructions: settings.instructions }),
  };
}

function sharedFromSettings(settings: DescriptionSettings) {
  const isStandard = settings.type === "standard";
  return {
    format: settings.format,
    // The lists are open for clients (free text); a server refuses what it does not know.
    language: settings.language as Language,
    video_category: settings.category as (typeof VIDEO_CATEGORIES)[number],
    ...(settings.instructions === "" ? {} : { custom_instructions: settings.instructions }),
    ...(isStandard ? { auto_fit: settings.autoFit, allow_descriptions_over_music: settings.allowsOverMusic } : {}),
    ...(isStandard && settings.minimumCueSeconds !== MIN_CUE_LENGTH_SECONDS.default
      ? { standard_ad_min_cue_length: settings.minimumCueSeconds }
      : {}),
    ...defined({
      custom_captions: settings.captions,
      audio_track: settings.audioTrack,
      description_content: settings.script,
      describing: settings.describing && describingOnWire(settings.describing),
    }),
  };
}

function soundFromSettings(settings: VoiceSettings) {
  const { volume } = settings;
  return defined({ voice: settings.voice, volume_option: volume?.option, volume_level_db: volume?.levelDbfs });
}

/** A voicing in the words of the wire. */
export function voicingOnWire({ track, narrationGainDb, trackGainDb, lines }: Voicing): VoicingOnWire {
  return {
    track,
    ...defined({ narration_gain_db: narrationGainDb, track_gain_db: trackGainDb }),
    lines: lines.map(({ programmeLufs, ...line }) => ({ ...line, ...defined({ programme_lufs: programmeLufs }) })),
  };
}

/** A voicing in this project's own words. */
export function voicingFromWire(voicing: VoicingOnWire): Voicing {
  const { track, narration_gain_db: narrationGainDb, track_gain_db: trackGainDb, lines } = voicing;
  return {
    track,
    ...defined({ narrationGainDb, trackGainDb }),
    lines: lines.map(
      ({ programme_lufs: programmeLufs, ...line }): KeptLine => ({ ...line, ...defined({ programmeLufs }) }),
    ),
  };
}

/** How a model goes about it, in the words of the wire. */
export function describingOnWire({
  bible,
  cuts,
  maximumAddedShare,
  maximumCost,
}: DescribingSettings): DescribingOnWire {
  const percent = maximumAddedShare === undefined ? undefined : maximumAddedShare * 100;
  return defined({ bible, cuts: cuts && [...cuts], maximum_added_percent: percent, maximum_cost: maximumCost });
}

/** The same in this project's own words. */
export function describingFromWire(sent: DescribingOnWire): DescribingSettings {
  const { bible, cuts, maximum_added_percent: percent, maximum_cost: maximumCost } = sent;
  return defined({ bible, cuts, maximumAddedShare: percent === undefined ? undefined : percent / 100, maximumCost });
}

/** Settings of this project's own words, read from a validated nested configuration of any kind. */
export function settingsFromConfig(config: GenerationConfig): DescriptionSettings {
  return {
    format: config.format,
    language: config.language,
    category: config.video_category,
    type: config.ad_type === "standard_ad" ? "standard" : "extended",
    instructions: config.custom_instructions,
    readsAllOnscreenText: "read_all_onscreen_text" in config && config.read_all_onscreen_text,
    autoFit: config.auto_fit,
    allowsOverMusic: config.allow_descriptions_over_music,
    minimumCueSeconds: config.standard_ad_min_cue_length,
    ...defined({
      captions: config.custom_captions && captionsFromWire(config.custom_captions),
      audioTrack: config.audio_track?.trim() === "" ? undefined : config.audio_track?.trim(),
      // Empty means none, as for instructions: clients that always send the field leave it empty.
      script: config.description_content?.trim() === "" ? undefined : config.description_content,
      describing: config.describing && describingFromWire(config.describing),
    }),
  };
}

/** Voice settings read from a validated configuration that has them. */
export function voiceFromConfig(
  config: Pick<SoundGenerationConfig, "voice" | "volume_option" | "volume_level_db"> & {
    readonly voicing?: VoicingOnWire | undefined;
  },
): VoiceSettings {
  const { volume_option: option, volume_level_db: levelDbfs, voicing } = config;
  return defined({
    voice: config.voice,
    volume: option && defined({ option, levelDbfs }),
    voicing: voicing && voicingFromWire(voicing),
  });
}

function captionsFromWire(
  captions: NonNullable<GenerationConfig["custom_captions"]>,
): DescriptionSettings["captions"] & object {
  return defined({ content: captions.content, format: captions.format, filename: captions.filename });
}
