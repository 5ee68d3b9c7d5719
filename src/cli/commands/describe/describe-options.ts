import type { Option } from "../../shell/command.ts";
import { ENCODING_OPTION } from "../../shell/text-reading.ts";

/** Options of `aside describe`, in the order of its help. */
export const DESCRIBE_OPTIONS: Readonly<Record<string, Option>> = {
  out: { value: "DIR", help: "Folder that the results go to (default: out)." },
  text: { value: "FORMAT", help: "Format of the reply's text: vtt (default), edl, srt or json." },
  track: { value: "TRACK", help: "Sound: ad_only (narration alone, default), mixed, or none (text alone)." },
  clips: { help: "Place a sound clip for each description, in place of one file with all of them." },
  video: { help: "Make a video with the descriptions in its sound, in place of a sound file." },
  "ad-type": { value: "TYPE", help: "standard_ad (default), or extended_ad: hold the programme where it needs time." },
  resolution: { value: "HEIGHT", help: "Height of the video, such as 720p (default: that of <media>)." },
  "read-all-text": { help: "Read all on-screen text word for word; counts with extended_ad." },
  language: { value: "CODE", help: "Language of the descriptions, as a BCP-47 code (default: en-US)." },
  voice: { value: "NAME", help: "Voice of the narration (default: Achernar)." },
  category: { value: "NAME", help: "Category of the video (default: Auto)." },
  instructions: { value: "TEXT", help: "What to mind: terms, style, focus." },
  captions: { value: "FILE", help: "Captions as transcript and context, in any format that aside convert reads." },
  script: { value: "FILE", help: "Descriptions of your own, in any format that aside convert reads." },
  ...ENCODING_OPTION,
  bible: {
    value: "FILE",
    help: "What you know of the film, as an earlier bible.md has it, corrected (default: DIR/bible.md).",
  },
  "max-added": { value: "PERCENT", help: "extended_ad: time that holds may add to the film (default: 50)." },
  "max-cost": { value: "AMOUNT", help: "Stop asking a paid model before it costs more; needs ASIDE_VISION_PRICE." },
  "min-cue-length": { value: "SECONDS", help: "Leave shorter pauses empty, 0.75 (default) to 5." },
  "no-auto-fit": { help: "Allow descriptions over speech." },
  "no-over-music": { help: "Keep descriptions away from music." },
  volume: { value: "OPTION", help: "Peak of the narration: auto (default) or max." },
  "volume-level-db": { value: "N", help: "Peak for --volume max in dBFS, -10 to 0." },
  server: { value: "URL", help: "Use the service at this address; its key comes from ASIDE_API_KEY." },
  data: { value: "DIR", help: "Data folder of the embedded service (default: one per user)." },
  force: { help: "Overwrite files in DIR that are not aside's." },
  resend: { help: "Send a request again of which nobody knows whether it was accepted." },
  json: { help: "Print the report as JSON, and nothing else, on standard output." },
};
