/** Why a file reads otherwise than its corpus expects. Each is a difference we stand by; anything else is a fault. */
export const KNOWN_DEVIATIONS: Readonly<Record<string, string>> = {
  "webvtt/vttjs/cue-times/min-top-digits.vtt":
    "older standard: three digits in front are hours today and need minutes and seconds; read, and reported, unless strict",
  "webvtt/vttjs/cue-times/minimum-spots-over-sixty.vtt":
    "older standard: 120 in front are hours today and need minutes and seconds; read, and reported, unless strict",
  "webvtt/vttjs/file-layout/header-no-new-line.vtt":
    "older standard: today times right below the signature begin the first cue",
  "exchange/ebu-stl/overlapping_tti.stl": "both subtitles keep the times that they state; that they overlap is said",
  "exchange/scc/with_unknown_commands.scc":
    "the commands that would show the letters are broken; nothing is shown, and that is said",
  "exchange/protools/Robin_Hood_Spotting.txt":
    "its one marker holds tags; the lines to be spoken are the names of clips",
  "exchange/protools/Test_for_ptulsconv.txt": "its marker holds tags; the lines to be spoken are the names of clips",
};
