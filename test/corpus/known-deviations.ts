/** Why a file reads otherwise than its corpus expects. Each is a difference we stand by; anything else is a fault. */
export const KNOWN_DEVIATIONS: Readonly<Record<string, string>> = {
  "webvtt/vttjs/cue-times/min-top-digits.vtt":
    "older standard: three digits in front are hours today and need minutes and seconds; read, and reported, unless strict",
  "webvtt/vttjs/cue-times/minimum-spots-over-sixty.vtt":
    "older standard: 120 in front are hours today and need minutes and seconds; read, and reported, unless strict",
  "webvtt/vttjs/file-layout/header-no-new-line.vtt":
    "older standard: today times right below the signature begin the first cue",
};
