import type { DescriptionSettings, VoiceSettings } from "../../core/settings.ts";
import { toThousandth } from "../../core/time-range.ts";
import { timecodeAt } from "../../core/timecode.ts";
import { REPORT_GENERATOR } from "../../result/read-report.ts";
import { type ScriptOutcome, scriptCounts } from "../../result/script-outcome.ts";
import type { FinishedRun } from "../describe/describe.ts";
import { programmeGrid } from "../spoken-lines.ts";

/** What a report says beside the result itself. */
export interface ReportContext {
  readonly settings: DescriptionSettings & VoiceSettings;
  /** Host of the service, or `embedded`. */
  readonly service: string;
  /** Version of this project. */
  readonly version: string;
  /** ISO 8601. */
  readonly finishedAt: string;
  /** Names of the files that were written with the report. */
  readonly files: readonly string[];
}

/**
 * The report of a run as plain data: what was asked for, what came of it, and how long each step took. Holds no key, no
 * address and no path.
 */
export function reportOf(run: Omit<FinishedRun, "exported">, context: ReportContext) {
  const { result, sequence, audio, video, report, stepSeconds } = run;
  const { cues, toWrite } = result;
  const grid = programmeGrid(sequence, result.offsetSeconds);
  const { captions, script, voicing: _, ...settings } = context.settings;
  return {
    generator: REPORT_GENERATOR,
    version: context.version,
    finished_at: context.finishedAt,
    service: context.service,
    job_id: result.jobId,
    programme: {
      name: sequence.name,
      duration_seconds: toThousandth(result.durationSeconds),
      frame_rate: `${sequence.rate.numerator}/${sequence.rate.denominator}`,
      drop_frame: sequence.isDropFrame,
      start_timecode: timecodeAt(grid, 0),
    },
    settings: {
      ...settings,
      track: result.track,
      ...(captions === undefined ? {} : { captions: captions.filename ?? "given" }),
      ...(script === undefined ? {} : { script: "given" }),
    },
    ...(audio === undefined ? {} : { audio: audioOf(audio) }),
    ...(video === undefined ? {} : { video: { size_bytes: video.sizeBytes } }),
    cues: cues.map((cue) => ({
      id: cue.id,
      start: toThousandth(cue.start),
      end: toThousandth(cue.end),
      timecode: timecodeAt(grid, cue.start),
      text: cue.text,
    })),
    ...(toWrite === undefined
      ? {}
      : {
          to_write: toWrite.map((pause) => ({
            ...pause,
            timecode: timecodeAt(grid, pause.start),
          })),
        }),
    ...(result.script === undefined
      ? {}
      : { script: scriptReport(result.script, (seconds) => timecodeAt(grid, seconds)) }),
    findings: result.findings,
    issues: result.issues,
    notices: result.notices,
    ...(report === undefined ? {} : { service_report: report }),
    step_seconds: Object.fromEntries(
      Object.entries(stepSeconds).map(([step, seconds]) => [step, toThousandth(seconds)]),
    ),
    files: context.files,
  };
}

/** A run's report, as {@link reportOf} makes it. */
export type RunReport = ReturnType<typeof reportOf>;

/** Whether something that was asked for did not come about: a line of a given script, the sound of a line, any line at all. */
export function isIncomplete({ script, service_report }: RunReport): boolean {
  const { left_out: leftOut } = script?.counts ?? { left_out: 0 };
  return leftOut > 0 || service_report?.findings?.some(({ severity }) => severity === "fail") === true;
}

/** What became of a given script: counts that add up, and every line that is not spoken at its time. */
export function scriptReport(script: ScriptOutcome, labelAt: (seconds: number) => string) {
  const { given, asWritten, moved, leftOut } = scriptCounts(script);
  return {
    counts: { given, as_written: asWritten, moved, left_out: leftOut },
    moved: script.moved.map(({ cueId, start, bySeconds }) => ({
      id: cueId,
      timecode: labelAt(start),
      by_seconds: toThousandth(bySeconds),
    })),
    left_out: script.leftOut.map(({ text, start, reason, neededSeconds, lackingSeconds, waysOut }) => ({
      timecode: labelAt(start),
      start: toThousandth(start),
      text,
      reason,
      needed_seconds: toThousandth(neededSeconds),
      lacking_seconds: toThousandth(lackingSeconds),
      ways_out: waysOut.map(({ kind, isPossible, outcome }) => ({ kind, possible: isPossible, outcome })),
    })),
  };
}

function audioOf(audio: NonNullable<FinishedRun["audio"]>) {
  const { channels, sampleRate, bits } = audio.format;
  return {
    duration_seconds: toThousandth(audio.durationSeconds),
    channels,
    sample_rate: sampleRate,
    bits_per_sample: bits,
  };
}
