import { framesFromSeconds } from "../../core/frame-rate.ts";
import type { DescriptionSettings, TrackKind, VoiceSettings } from "../../core/settings.ts";
import { formatTimecode } from "../../core/timecode.ts";
import { writeCues } from "../../formats/write-cues.ts";
import type { Files } from "../../host/files.ts";
import type { Description } from "../describe/describe.ts";
import { programmeGrid } from "../programme-grid.ts";

/** A text file to be written. */
export interface TextFile {
  /** Name without folder. */
  readonly name: string;
  readonly text: string;
}

/** Formats in which our own cue files are written, always all of them. */
const CUE_FORMATS = ["vtt", "srt", "edl", "json"] as const;

/** The caption and edit list files of a result: the reply's text as returned, and our own from the cues read out of it. */
export function captionFiles(
  description: Pick<Description, "sequence" | "exported" | "raw" | "cues">,
  language: string,
): TextFile[] {
  const { sequence, exported, raw, cues } = description;
  const grid = programmeGrid(sequence, exported.offsetSeconds);
  const own = CUE_FORMATS.map((format) => ({
    name: `cues.${format}`,
    text: writeCues(cues, format, { grid, title: sequence.name, language }),
  }));
  return [{ name: `raw.${raw.format}`, text: raw.content }, ...own];
}

/** Files of a video whose programme is held: its pauses, and the cues on its own clock. */
export const VIDEO_CLOCK_FILES = ["time-map.json", "described.vtt"] as const;

/**
 * The files that tell the clock of a video, made or yet to be made, where the service reports it: none for one without
 * pauses, which has the programme's.
 */
export function videoClockFiles(
  { cues, report, exported }: Pick<Description, "cues" | "report" | "exported">,
  language: string,
): TextFile[] {
  const video = report?.video ?? report?.held;
  if (video === undefined || video.pauses.length === 0) return [];
  const map = {
    programme_seconds: rounded(exported.durationSeconds),
    video_seconds: video.duration_seconds,
    pauses: video.pauses,
    cues: video.cues.map(({ id, start, end }) => {
      const cue = cues.find((one) => one.id === id);
      return {
        id,
        ...(cue === undefined ? {} : { programme: [rounded(cue.start), rounded(cue.end)] }),
        video: [start, end],
      };
    }),
  };
  const heard = video.cues.flatMap(({ id, start, end }) => {
    const text = cues.find((one) => one.id === id)?.text;
    return text === undefined ? [] : [{ id, start, end, text }];
  });
  const [mapName, cuesName] = VIDEO_CLOCK_FILES;
  return [
    { name: mapName, text: `${JSON.stringify(map, null, 2)}\n` },
    { name: cuesName, text: writeCues(heard, "vtt", { language }) },
  ];
}

/** What a report says beside the result itself. */
export interface ReportContext {
  readonly settings: DescriptionSettings & VoiceSettings;
  readonly track: TrackKind | "none";
  /** Host of the service, or `embedded`. */
  readonly service: string;
  /** Version of this project. */
  readonly version: string;
  /** ISO 8601. */
  readonly finishedAt: string;
  /** Names of the files that were written with the report. */
  readonly files: readonly string[];
}

/** Says that a report is one of this project's. */
export const REPORT_GENERATOR = "aside";

/**
 * The report of a run as plain data: what was asked for, what came of it, and how long each step took. Holds no key, no
 * address and no path.
 */
export function reportOf(description: Description, context: ReportContext) {
  const { sequence, exported, cues } = description;
  const { captions, script, voicing: _, ...settings } = context.settings;
  return {
    generator: REPORT_GENERATOR,
    version: context.version,
    finished_at: context.finishedAt,
    service: context.service,
    job_id: description.jobId,
    programme: {
      name: sequence.name,
      duration_seconds: rounded(exported.durationSeconds),
      frame_rate: `${sequence.rate.numerator}/${sequence.rate.denominator}`,
      drop_frame: sequence.isDropFrame,
      start_timecode: timecodeAt(description, 0),
    },
    settings: {
      ...settings,
      track: context.track,
      ...(captions === undefined ? {} : { captions: captions.filename ?? "given" }),
      ...(script === undefined ? {} : { script: "given" }),
    },
    ...(description.audio === undefined ? {} : { audio: audioOf(description.audio) }),
    ...(description.video === undefined ? {} : { video: { size_bytes: description.video.sizeBytes } }),
    cues: cues.map((cue) => ({
      id: cue.id,
      start: rounded(cue.start),
      end: rounded(cue.end),
      timecode: timecodeAt(description, cue.start),
      text: cue.text,
    })),
    ...(description.toWrite === undefined
      ? {}
      : {
          to_write: description.toWrite.map((pause) => ({
            ...pause,
            timecode: timecodeAt(description, pause.start),
          })),
        }),
    findings: description.findings,
    issues: description.issues,
    notices: description.notices,
    ...(description.report === undefined ? {} : { service_report: description.report }),
    step_seconds: Object.fromEntries(
      Object.entries(description.stepSeconds).map(([step, seconds]) => [step, rounded(seconds)]),
    ),
    files: context.files,
  };
}

/** A run's report, as {@link reportOf} makes it. */
export type RunReport = ReturnType<typeof reportOf>;

/** Timecode on the sequence of a time on the programme clock. */
export function timecodeAt(description: Pick<Description, "sequence" | "exported">, seconds: number): string {
  const { sequence, exported } = description;
  const grid = programmeGrid(sequence, exported.offsetSeconds);
  return formatTimecode(grid.startFrame + framesFromSeconds(seconds, grid.rate), grid);
}

/** Writes text files, each whole or not at all. */
export async function writeTextFiles(
  files: Pick<Files, "writeText">,
  texts: readonly TextFile[],
  pathOf: (name: string) => string,
): Promise<void> {
  for (const { name, text } of texts) await files.writeText(pathOf(name), text);
}

function audioOf(audio: NonNullable<Description["audio"]>) {
  const { channels, sampleRate, bits } = audio.header;
  return {
    duration_seconds: rounded(audio.durationSeconds),
    channels,
    sample_rate: sampleRate,
    bits_per_sample: bits,
  };
}

function rounded(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
