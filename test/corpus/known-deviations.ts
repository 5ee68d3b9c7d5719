/** Why a file reads otherwise than its corpus expects. Each is a difference we stand by; anything else is a fault. */
export const KNOWN_DEVIATIONS: Readonly<Record<string, string>> = {
  "webvtt/vttjs/cue-settings/position/bad-position-align.vtt":
    "older standard: today a position with an unknown alignment is ignored as a whole (WebVTT, section 6.3)",
  "webvtt/vttjs/cue-settings/position/position-end-align.vtt":
    "older standard: the alignment of a position is line-left, center or line-right today, no longer end",
  "webvtt/vttjs/cue-settings/position/position-start-align.vtt":
    "older standard: the alignment of a position is line-left, center or line-right today, no longer start",
  "webvtt/vttjs/cue-settings/region/region-arrows.vtt":
    "older standard: regions were lines of the header; today they are REGION blocks",
  "webvtt/vttjs/cue-settings/region/valid.vtt":
    "older standard: regions were lines of the header; today they are REGION blocks",
  "webvtt/vttjs/cue-times/min-top-digits.vtt":
    "older standard: three digits in front are hours today and need minutes and seconds; read, and reported, unless strict",
  "webvtt/vttjs/cue-times/minimum-spots-over-sixty.vtt":
    "older standard: 120 in front are hours today and need minutes and seconds; read, and reported, unless strict",
  "webvtt/vttjs/file-layout/header-no-new-line.vtt":
    "older standard: today times right below the signature begin the first cue",
};
