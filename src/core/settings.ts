import type { FrameRate } from "./frame-rate.ts";

/** How description text is written out. */
export type TextFormat = "vtt" | "srt" | "json" | "edl";

/** `standard`: inside the runtime. `extended`: the programme is paused where a description needs longer. */
export type DescriptionType = "standard" | "extended";

/** What an audio job returns: the whole mix, or the narration alone. */
export type TrackKind = "mixed" | "ad_only";

/** Captions given by the user, as text in WebVTT, SubRip or timestamped plain text. */
export interface GivenCaptions {
  readonly content: string;
  /** A hint; detected from the content where absent. */
  readonly format?: "vtt" | "srt" | "plaintext";
  /** A hint: its ending names a format. */
  readonly filename?: string;
}

/**
 * Everything a description run can be asked for, in this project's own words. `contract/generation.ts` maps it to and
 * from the wire; nothing else knows the wire's names.
 */
export interface DescriptionSettings {
  readonly format: TextFormat;
  /** BCP-47 code. */
  readonly language: string;
  /** One of the interface's category names; `Auto` lets the service decide. */
  readonly category: string;
  readonly type: DescriptionType;
  /** Free text that guides terminology, style and focus; empty means none. */
  readonly instructions: string;
  /** Whether all on-screen text is read instead of summarised. Counts with extended descriptions only. */
  readonly readsAllOnscreenText: boolean;
  /** Whether descriptions are fitted into gaps; `false` allows them over speech. Counts with standard ones only. */
  readonly autoFit: boolean;
  /** Whether a description may lie over music where no better time exists. Counts with standard ones only. */
  readonly allowsOverMusic: boolean;
  /** Gaps shorter than this many seconds stay empty, 0.75 to 5. Counts with standard ones and `autoFit` only. */
  readonly minimumCueSeconds: number;
  readonly captions?: GivenCaptions;
  /**
   * Which sound track of the programme's file holds its dialogue: its number from 1, its language or its title. Heard where absent.
   * An addition of our service.
   */
  readonly audioTrack?: string;
  /** Finished descriptions (EDL, WebVTT, SubRip, JSON or timestamped plain text); no others are written then. */
  readonly script?: string;
  /** How a model goes about it; without effect beside a script. */
  readonly describing?: DescribingSettings;
}

/** Whether descriptions may lie over music: elsewhere than in standard ones that are fitted into gaps they may lie anywhere. */
export function mayLieOverMusic({
  type,
  autoFit,
  allowsOverMusic,
}: Pick<DescriptionSettings, "type" | "autoFit" | "allowsOverMusic">): boolean {
  return allowsOverMusic || !autoFit || type !== "standard";
}

/** What our own service can be told about describing beside the interface's settings. */
export interface DescribingSettings {
  /** What the editor knows of the film, as `formats/bible-text.ts` writes it; it stands over what a model finds. */
  readonly bible?: string;
  /** Where the picture of the cut changes, as `core/edit-points.ts` finds it: seconds on the programme clock. */
  readonly cuts?: readonly number[];
  /** Extended AD: time that holds may add to the programme, as a share of its length; default {@link ADDED_SHARE}. */
  readonly maximumAddedShare?: number;
  /** Money that asking a hosted model may cost at the most, in the currency of its stated price; no limit by default. */
  readonly maximumCost?: number;
}

/** Share of the programme's length that the holds of extended AD add at the most, unless somebody says otherwise. */
export const ADDED_SHARE = 0.5;

/** What a run that makes sound can be asked for beside {@link DescriptionSettings}. */
export interface VoiceSettings {
  readonly voice: string;
  /** `auto`: the default peak. `max`: the peak is `levelDbfs`. Absent: as `auto`. */
  readonly volume?: { readonly option: "auto" | "max"; readonly levelDbfs?: number };
  /** What is taken over from an earlier mix of the same programme; counts together with a script, in our service alone. */
  readonly voicing?: Voicing;
}

/** A line of an earlier mix as it was spoken there. */
export interface KeptLine {
  /** Fingerprint of its words, white space folded. */
  readonly words: string;
  /** Seconds on the programme clock at which it begins, and its length, both exact. */
  readonly start: number;
  readonly seconds: number;
  /** Speaking rate relative to the voice's normal one. */
  readonly rate: number;
  /** Loudness of the programme under it in LUFS; `null` for silence, absent where only narration was mixed. */
  readonly programmeLufs?: number | null;
}

/**
 * What a mix of other lines depends on beside the lines themselves. A later mix that takes it over changes only where
 * lines changed.
 */
export interface Voicing {
  readonly track: TrackKind;
  /** The one gain of all narration, in dB; found anew where absent. */
  readonly narrationGainDb?: number;
  /** The gain that a volume setting gave the whole track, in dB; found anew where absent. */
  readonly trackGainDb?: number;
  readonly lines: readonly KeptLine[];
}

/** Defaults of the interface, standard descriptions as WebVTT. */
export const DEFAULT_SETTINGS: DescriptionSettings & VoiceSettings = {
  format: "vtt",
  language: "en-US",
  category: "Auto",
  type: "standard",
  instructions: "",
  readsAllOnscreenText: false,
  autoFit: true,
  allowsOverMusic: true,
  minimumCueSeconds: 0.75,
  voice: "Achernar",
};

/** The frame grid that text with frame numbers (EDL) is written on. */
export interface FrameGrid {
  readonly rate: FrameRate;
  readonly isDropFrame: boolean;
  /** Frame number of the label of programme time 0. */
  readonly startFrame: number;
}

/** What a word says of a switch; `null` for a word that says nothing. No word at all is off. */
export function isSwitchedOn(word: string): boolean | null {
  if (/^(?:on|1|true|yes)$/i.test(word.trim())) return true;
  return /^(?:off|0|false|no)?$/i.test(word.trim()) ? false : null;
}

/** ISO 639-2/T codes of the interface's languages, by the first subtag of their BCP-47 codes. */
const BY_SUBTAG: Readonly<Record<string, string>> = {
  ar: "ara", bg: "bul", bn: "ben", cmn: "zho", cs: "ces", da: "dan", de: "deu", el: "ell", en: "eng", es: "spa",
  et: "est", fi: "fin", fr: "fra", gu: "guj", he: "heb", hi: "hin", hr: "hrv", hu: "hun", id: "ind", it: "ita",
  ja: "jpn", kn: "kan", ko: "kor", lt: "lit", lv: "lav", ml: "mal", mr: "mar", nb: "nob", nl: "nld", pa: "pan",
  pl: "pol", pt: "por", ro: "ron", ru: "rus", sk: "slk", sl: "slv", sr: "srp", sv: "swe", sw: "swa", ta: "tam",
  te: "tel", th: "tha", tr: "tur", uk: "ukr", ur: "urd", vi: "vie", yue: "zho",
}; // biome-ignore format: a table reads better in rows

/** The three-letter code by which media files name a track's language; `und` for one that is not known here. */
export function trackLanguage(bcp47: string): string {
  return BY_SUBTAG[bcp47.split("-")[0] ?? ""] ?? "und";
}
