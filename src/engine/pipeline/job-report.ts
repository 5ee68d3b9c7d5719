import type { JobReport, LeftOutLine, MixCueReport, VideoReport } from "../../contract/job.ts";
import { voicingOnWire } from "../../contract/settings-on-wire.ts";
import { defined } from "../../core/defined.ts";
import { dialogueLines } from "../../core/dialogue-lines.ts";
import type { FilmBible } from "../../core/film-bible.ts";
import type { Heard } from "../../core/heard.ts";
import type { Voicing } from "../../core/settings.ts";
import type { TranscriptLine } from "../../core/transcript.ts";
import { completeBible, writeBible } from "../../formats/bible-text.ts";
import type { MixReport } from "../mix/mix-report.ts";
import type { ProgrammeAnalysis } from "../programme-analysis.ts";

/** What a job's report is made from. */
export interface ReportParts {
  readonly analysis: ProgrammeAnalysis;
  readonly describer: string;
  /** What is said; empty where nothing tells. */
  readonly transcript: readonly TranscriptLine[];
  readonly notes: readonly string[];
  readonly stageSeconds: Readonly<Record<string, number>>;
  readonly mix?: MixReport | undefined;
  readonly voicing?: Voicing | undefined;
  readonly linesSpoken?: number | undefined;
  readonly wordings?: JobReport["wordings"] | undefined;
  readonly doubts?: JobReport["doubts"] | undefined;
  /** What was learned of the film; an editor's own words stand in `given`. */
  readonly bible?: { readonly found: FilmBible; readonly given: string | undefined } | undefined;
  readonly video?: VideoReport | undefined;
  readonly held?: JobReport["held"] | undefined;
  readonly toWrite?: JobReport["to_write"] | undefined;
  readonly leftOut?: readonly LeftOutLine[] | undefined;
}

/** What a finished job says about itself, in the words of the interface. */
export function jobReport(parts: ReportParts): JobReport {
  const { analysis, describer, notes, stageSeconds, mix, voicing, linesSpoken, wordings, video, held } = parts;
  const { doubts, bible, toWrite, leftOut = [] } = parts;
  const dialogue = dialogueLines(parts.transcript)?.map((line) => ({
    ...line,
    start: rounded(line.start),
    end: rounded(line.end),
  }));
  const { heard, levels, shots } = analysis;
  return {
    describer,
    ...heardOnWire(heard),
    ...(levels.length === 0 ? {} : { levels }),
    shots: shots.map(({ start }) => rounded(start)),
    ...defined({ dialogue }),
    notes,
    stage_seconds: stageSeconds,
    ...defined({ wordings, doubts }),
    ...(bible === undefined ? {} : { bible: bibleText(bible) }),
    ...defined({ lines_spoken: linesSpoken }),
    ...(mix === undefined ? {} : { mix: mixPart(mix, voicing) }),
    ...defined({ video, held, to_write: toWrite }),
    ...(leftOut.length === 0 ? {} : { left_out: leftOut.map(leftOutOnWire) }),
  };
}

function leftOutOnWire(line: LeftOutLine): LeftOutLine {
  return { ...line, start: rounded(line.start), end: rounded(line.end), seconds: rounded(line.seconds) };
}

function bibleText({ found, given }: NonNullable<ReportParts["bible"]>): string {
  return given === undefined ? writeBible(found) : completeBible(given, found);
}

/** What was heard, as replies have it. */
export function heardOnWire({ speech, music, silence }: Heard): Pick<JobReport, "speech" | "music" | "silence"> {
  return {
    speech: speech.map(({ start, end, confidence }) => [rounded(start), rounded(end), rounded(confidence)]),
    music: music.map(({ start, end, confidence }) => [rounded(start), rounded(end), rounded(confidence)]),
    silence: silence.map(({ start, end }) => [rounded(start), rounded(end)]),
  };
}

function mixPart(mix: MixReport, voicing: Voicing | undefined): NonNullable<JobReport["mix"]> {
  return {
    channels: mix.channels,
    integrated_lufs: level(mix.integratedLufs),
    true_peak_dbtp: level(mix.truePeakDbtp),
    ...(voicing === undefined ? {} : { voicing: voicingOnWire(voicing) }),
    cues: mix.cues.map(
      (cue): MixCueReport => ({
        id: cue.cueId,
        narration_lufs: tenth(cue.narrationLufs),
        programme_lufs: level(cue.programmeLufs),
        ducked_db: tenth(cue.duckDb),
        margin_lu: level(cue.marginLu),
        over_music: cue.isOverMusic,
      }),
    ),
  };
}

function level(value: number | null): number | null {
  return value === null ? null : tenth(value);
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}

function rounded(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
