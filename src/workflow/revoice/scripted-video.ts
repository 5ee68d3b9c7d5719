import { DownloadError, ServiceError } from "../../client/errors.ts";
import type { Cue } from "../../core/cue.ts";
import type { Finding } from "../../core/finding.ts";
import type { DescriptionSettings, DescriptionType, FrameGrid, VoiceSettings } from "../../core/settings.ts";
import { writeCues } from "../../formats/service-formats.ts";
import { scriptsFrom } from "../describe/given-script.ts";
import type { DescribeOrder } from "../describe/run.ts";
import { revoicedCues } from "./revoice.ts";

/** A finished script that is to be heard in a video. */
interface ScriptedVideo {
  /** Those that the script was described with. */
  readonly settings: DescriptionSettings & VoiceSettings;
  readonly type: DescriptionType;
  /** As they are to be heard, on the programme clock. */
  readonly cues: readonly Cue[];
  /** The programme's frame grid. */
  readonly grid: FrameGrid;
  /** Where the video goes, as the host's file port reads it. */
  readonly path: string;
  /** Whether the service is known to be ours: it takes WebVTT, whose times no frame rate rounds. */
  readonly isOurService: boolean;
}

/** What a run asks for so that a script becomes a video: no other words, and no fitting of these into pauses. */
export function videoOrder(wanted: ScriptedVideo): Pick<DescribeOrder, "settings" | "scripts" | "track" | "video"> {
  const { settings, type, cues, grid, path, isOurService } = wanted;
  const { voicing: _, script: __, captions: ___, ...kept } = settings;
  const { language } = settings;
  const asked = { ...kept, type, format: "vtt", autoFit: false } as const;
  const video = { path, resolution: "Auto" };
  if (isOurService) {
    return { settings: { ...asked, script: writeCues(cues, "vtt", { language }) }, track: "none", video };
  }
  return { settings: asked, scripts: scriptsFrom(cues, { grid, language }), track: "none", video };
}

/** Statuses by which storage says that a file is not handed out any more, under a fresh link either. */
const GONE = [403, 404, 410];

/** Whether an error says that the service does not have a job or its file any more. */
export function isResultGone(error: unknown): boolean {
  if (error instanceof ServiceError) return error.code === "not_found";
  return error instanceof DownloadError && error.status !== null && GONE.includes(error.status);
}

/** A video and a programme that differ in length by no more are equally long, in seconds: frames and coded sound are cut in blocks. */
const SAME_LENGTH_SECONDS = 1;

/** A made video as it lies there. */
interface VideoOnDisk {
  readonly name: string;
  /** What its header states; `null` where it states none. */
  readonly durationSeconds: number | null;
  /** The cues as the service says that they are heard. */
  readonly heard: readonly Cue[];
}

/** Holds a video against its programme's length and its script: an extended one may be longer. */
export function checkScriptedVideo(
  { name, durationSeconds, heard }: VideoOnDisk,
  asked: Pick<ScriptedVideo, "cues" | "settings" | "type"> & { readonly programmeSeconds: number },
): Finding[] {
  const { cues, settings, type, programmeSeconds } = asked;
  const { moved, missing } = revoicedCues(cues, heard, settings);
  const difference = durationSeconds === null ? null : durationSeconds - programmeSeconds;
  const isAsLong =
    difference !== null &&
    difference >= -SAME_LENGTH_SECONDS &&
    (type === "extended" || difference <= SAME_LENGTH_SECONDS);
  const stated = durationSeconds === null ? "states no length" : `is ${durationSeconds.toFixed(1)} s long`;
  const about = (rule: string, cueIds: readonly string[], message: string): Finding[] =>
    cueIds.length === 0 ? [] : [{ rule, severity: "warn", cueIds, message }];
  return [
    ...(isAsLong
      ? []
      : [
          {
            rule: "video-length",
            severity: "fail",
            cueIds: [],
            message: `"${name}" ${stated}; the programme has ${programmeSeconds.toFixed(1)} s.`,
            ...(durationSeconds === null ? {} : { measured: durationSeconds, limit: programmeSeconds, unit: "s" }),
          } as const,
        ]),
    ...about("video-times", moved, "In the video these are heard at other times than the texts say."),
    ...about("video-words", missing, "In the video these are not heard."),
  ];
}
