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
  "after-end",
] as const satisfies readonly (UnplacedReason | "after-end")[];

/** Why a line is not voiced, whoever asks again: `code` of an `invalid_input` of `voice_line`. */
export const LINE_REFUSALS = ["line_too_long", "nothing_to_say", "voice_unavailable"] as const;

/** One of {@link LINE_REFUSALS}. */
export type LineRefusal = (typeof LINE_REFUSALS)[number];
