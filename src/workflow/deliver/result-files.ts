import { spokenText } from "../../core/direction.ts";
import { toThousandth } from "../../core/time-range.ts";
import { writeCues } from "../../formats/service-formats.ts";
import type { Files } from "../../host/files.ts";
import type { FinishedRun } from "../describe/describe.ts";
import { programmeGrid } from "../spoken-lines.ts";

/** A text file to be written. */
export interface TextFile {
  /** Name without folder. */
  readonly name: string;
  readonly text: string;
}

/** Formats in which our own cue files are written, always all of them. */
const CUE_FORMATS = ["vtt", "srt", "edl", "json"] as const;

/** Names of our own cue files. */
export const CUE_FILES = CUE_FORMATS.map((format) => `cues.${format}`);

/** The caption and edit list files of a result: the reply's text as returned, and our own from the cues read out of it. */
export function captionFiles(
  { result, sequence, raw }: Pick<FinishedRun, "result" | "sequence" | "raw">,
  language: string,
): TextFile[] {
  const { cues, offsetSeconds } = result;
  const grid = programmeGrid(sequence, offsetSeconds);
  const own = CUE_FORMATS.map((format) => ({
    name: `cues.${format}`,
    text: writeCues(cues, format, { grid, title: sequence.name, language }),
  }));
  return [{ name: `raw.${raw.format}`, text: raw.content }, ...own];
}

/**
 * Files of a video whose programme is held: its pauses, and the cues on its own clock, each as long as it is spoken. On the
 * programme's clock a cue that begins with its hold lasts no time at all.
 */
export const VIDEO_CLOCK_FILES = ["time-map.json", "described.vtt", "described.srt", "described.edl"] as const;

/**
 * The files that tell the clock of a video, made or yet to be made, where the service reports it: none for one without
 * pauses, which has the programme's.
 */
export function videoClockFiles(
  {
    result,
    sequence,
    report,
  }: Pick<FinishedRun, "result" | "sequence"> & {
    readonly report?: Pick<NonNullable<FinishedRun["report"]>, "video" | "held">;
  },
  language: string,
): TextFile[] {
  const { cues, durationSeconds, offsetSeconds } = result;
  const video = report?.video ?? report?.held;
  if (video === undefined || video.pauses.length === 0) return [];
  const map = {
    programme_seconds: toThousandth(durationSeconds),
    video_seconds: video.duration_seconds,
    pauses: video.pauses,
    cues: video.cues.map(({ id, start, end }) => {
      const cue = cues.find((one) => one.id === id);
      return {
        id,
        ...(cue === undefined ? {} : { programme: [toThousandth(cue.start), toThousandth(cue.end)] }),
        video: [start, end],
      };
    }),
  };
  const heard = video.cues.flatMap(({ id, start, end }) => {
    const text = cues.find((one) => one.id === id)?.text;
    return text === undefined ? [] : [{ id, start, end, text: spokenText(text) }];
  });
  const [mapName, vttName, subRipName, edlName] = VIDEO_CLOCK_FILES;
  const grid = programmeGrid(sequence, offsetSeconds);
  // One track of an EDL shows the cues of a hold one after another, which is how they are heard.
  const title = `${sequence.name}, on the clock of the described video`;
  return [
    { name: mapName, text: `${JSON.stringify(map, null, 2)}\n` },
    { name: vttName, text: writeCues(heard, "vtt", { language, title }) },
    { name: subRipName, text: writeCues(heard, "srt", {}) },
    { name: edlName, text: writeCues(heard, "edl", { grid, title }) },
  ];
}

/** Writes text files, each whole or not at all. */
export async function writeTextFiles(
  files: Pick<Files, "writeText">,
  texts: readonly TextFile[],
  pathOf: (name: string) => string,
): Promise<void> {
  for (const { name, text } of texts) await files.writeText(pathOf(name), text);
}
