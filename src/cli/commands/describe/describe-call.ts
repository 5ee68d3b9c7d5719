import { stat } from "node:fs/promises";
import { basename } from "node:path";
import {
  AD_TYPES,
  LANGUAGES,
  MIN_CUE_LENGTH_SECONDS,
  TEXT_FORMATS,
  VIDEO_CATEGORIES,
  VOICES,
} from "../../../contract/choices.ts";
import { defined } from "../../../core/objects.ts";
import {
  DEFAULT_SETTINGS,
  type DescriptionSettings,
  type TrackKind,
  type VoiceSettings,
} from "../../../core/settings.ts";
import type { FilmReading } from "../../../formats/gate/film-reading.ts";
import { formatOfName } from "../../../formats/registry.ts";
import { choiceOf, knownOf, numberOf, serviceFrom, textOf, volumeFrom } from "../../shell/arguments.ts";
import type { Arguments, Option } from "../../shell/command.ts";
import { AUDIO_TRACK_OPTION, TEXT_OPTIONS } from "../../shell/run-command.ts";
import { UsageError } from "../../shell/usage-error.ts";
import { readGivenText } from "../../source/cue-source.ts";
import { filmOf } from "../../source/described-source.ts";
import { readTextFile } from "../../source/text-file.ts";

const TRACKS = ["ad_only", "mixed", "none"] as const;

/** What `aside describe` was asked for. */
export interface DescribeCall {
  readonly media: string;
  readonly out: string;
  readonly settings: DescriptionSettings & VoiceSettings;
  readonly track: TrackKind | "none";
  /** Whether the timeline gets a clip for each cue in place of the whole narration. */
  readonly isInClips: boolean;
  /** What was read of captions and script, a line each. */
  readonly told: readonly string[];
  /** A video in place of a sound file. */
  readonly video?: { readonly resolution: string };
  /** The service to use; absent: the embedded one. */
  readonly server?: { readonly url: string; readonly apiKey: string };
  readonly dataFolder?: string;
  readonly overwrites: boolean;
  readonly sendsAgain: boolean;
  /** Whether the job is only ordered, and not waited for. */
  readonly isDetached: boolean;
  readonly isJson: boolean;
}

/**
 * Makes a call of the arguments, and reads the files they name.
 *
 * @throws UsageError naming what is wrong; HostError when a named file cannot be read.
 */
export async function describeCallFrom(given: Arguments, env: NodeJS.ProcessEnv): Promise<DescribeCall> {
  const { values, positionals } = given;
  const [media, ...rest] = positionals;
  if (media === undefined || rest.length > 0)
    throw new UsageError("name one media file: aside describe <media> [options]");
  if (await isFolder(media))
    throw new UsageError(`<media>: "${basename(media)}" is a folder; name a video or a timeline`);
  const service = serviceFrom(given, env);
  if (values["detach"] === true && service.server === undefined)
    throw new UsageError("--detach needs a service that continues without this command: --server URL");
  const { track, ...video } = productFrom(given);
  const format = choiceOf(given, "text", TEXT_FORMATS) ?? "vtt";
  const told: string[] = [];
  const settings = { ...(await settingsFrom(given, DEFAULT_SETTINGS, { media, told })), format };
  const isInClips = values["clips"] === true;
  if (isInClips && track !== "ad_only") throw new UsageError("--clips needs the narration alone: --track ad_only");
  return {
    media,
    out: textOf(given, "out") ?? "out",
    settings,
    told,
    track,
    isInClips,
    ...video,
    ...service,
    overwrites: values["force"] === true,
    sendsAgain: values["resend"] === true,
    isDetached: values["detach"] === true,
    isJson: values["json"] === true,
  };
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** What is to be made: a sound file, a video, or text alone. */
function productFrom(given: Arguments): Pick<DescribeCall, "track" | "video"> {
  const track = choiceOf(given, "track", TRACKS);
  const resolution = textOf(given, "resolution");
  if (given.values["video"] === true) {
    if (track !== undefined)
      throw new UsageError("--track belongs to a sound file; a video holds the programme's sound");
    return { track: "none", video: { resolution: resolution ?? "Auto" } };
  }
  if (resolution !== undefined) throw new UsageError("--resolution counts only together with --video");
  if (track !== "none" && choiceOf(given, "ad-type", AD_TYPES) === "extended_ad") {
    throw new UsageError(
      "--ad-type extended_ad needs --video or --track none: a sound file keeps the programme's length",
    );
  }
  return { track: track ?? "ad_only" };
}

/**
 * The settings that the arguments ask for.
 *
 * @param base What counts where an option is not given.
 * @param of `media` is the film that captions and script are held against; they are read as they stand where none is named. What is
 * told of them is added to `told`.
 */
export async function settingsFrom(
  given: Arguments,
  base: DescriptionSettings & VoiceSettings = DEFAULT_SETTINGS,
  { media, told = [] }: { readonly media?: string; readonly told?: string[] } = {},
): Promise<DescriptionSettings & VoiceSettings> {
  const { values } = given;
  const captionsFile = textOf(given, "captions");
  const scriptFile = textOf(given, "script");
  const volume = volumeFrom(given);
  const audioTrack = textOf(given, "audio-track");
  const isTold = captionsFile !== undefined || scriptFile !== undefined;
  const film = isTold && media !== undefined ? await filmOf(media) : {};
  const captions = captionsFile === undefined ? undefined : await captionsFrom(captionsFile, film);
  const script =
    scriptFile === undefined ? undefined : await readGivenText(scriptFile, { ...film, holds: "descriptions" });
  told.push(...(captions?.told ?? []), ...(script?.told ?? []));
  return {
    ...base,
    language: knownOf(given, "language", LANGUAGES) ?? base.language,
    voice:
      knownOf(
        given,
        "voice",
        VOICES.map(({ name }) => name),
      ) ?? base.voice,
    category: choiceOf(given, "category", VIDEO_CATEGORIES) ?? base.category,
    instructions: typeof values["instructions"] === "string" ? values["instructions"] : base.instructions,
    minimumCueSeconds: numberOf(given, "min-cue-length", MIN_CUE_LENGTH_SECONDS) ?? base.minimumCueSeconds,
    type: choiceOf(given, "ad-type", AD_TYPES) === "extended_ad" ? "extended" : "standard",
    readsAllOnscreenText: values["read-all-text"] === true,
    autoFit: values["no-auto-fit"] !== true,
    allowsOverMusic: values["no-over-music"] !== true,
    ...defined({ volume, audioTrack }),
    ...(captions === undefined ? {} : { captions: captions.given }),
    ...(script === undefined ? {} : { script: script.content }),
    ...(await describingFrom(given)),
  };
}

/** What may be added to a programme and spent on a model, as people give it. */
const ADDED_PERCENT = { minimum: 0, maximum: 1000 };
const COST = { minimum: 0, maximum: 1_000_000 };

/** How a model is to go about it; nothing where nothing was said. */
async function describingFrom(given: Arguments): Promise<Pick<DescriptionSettings, "describing">> {
  const bibleFile = textOf(given, "bible");
  const percent = numberOf(given, "max-added", ADDED_PERCENT);
  const maximumCost = numberOf(given, "max-cost", COST);
  const describing = {
    ...(bibleFile === undefined ? {} : { bible: await readTextFile(bibleFile) }),
    ...(percent === undefined ? {} : { maximumAddedShare: percent / 100 }),
    ...defined({ maximumCost }),
  };
  return Object.keys(describing).length === 0 ? {} : { describing };
}

async function captionsFrom(
  file: string,
  film: FilmReading,
): Promise<{ readonly given: NonNullable<DescriptionSettings["captions"]>; readonly told: readonly string[] }> {
  const { content, filename, told } = await readGivenText(file, { ...film, holds: "dialogue" });
  const named = formatOfName(filename);
  const format = named === "vtt" || named === "srt" || named === "plaintext" ? { format: named } : {};
  return { given: { content, filename, ...format }, told };
}

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
  instructions: { value: "TEXT", help: "Instructions: terms, style, focus." },
  captions: { value: "FILE", help: "Captions as transcript and context, in any format that aside convert reads." },
  script: { value: "FILE", help: "Your own descriptions, in any format that aside convert reads." },
  ...TEXT_OPTIONS,
  ...AUDIO_TRACK_OPTION,
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
  resend: { help: "Send a request again if it is not known whether it was accepted." },
  detach: { help: "Order it from --server and end; the same command without it fetches the result." },
  json: { help: "Print the report as JSON, and nothing else, on standard output." },
};
