import type { JobFinding, JobReport, LeftOutLine, MixCueReport, VideoReport } from "../../contract/job.ts";
import { voicingOnWire } from "../../contract/settings-on-wire.ts";
import { dialogueLines, type TranscriptLine } from "../../core/dialogue.ts";
import type { FilmBible } from "../../core/film-bible.ts";
import type { Heard } from "../../core/gap.ts";
import { defined } from "../../core/objects.ts";
import type { Voicing } from "../../core/settings.ts";
import { type TimeRange, toThousandth } from "../../core/time-range.ts";
import { completeBible, writeBible } from "../../formats/bible-text.ts";
import { formatClockTime } from "../../formats/clock-time.ts";
import type { WrittenDescription } from "../describe/describer.ts";
import { JobFailure } from "../isolate/job-failure.ts";
import type { MixReport } from "../mix/mix-report.ts";
import type { ProgrammeAnalysis } from "../programme-analysis.ts";
import type { UnplacedWithSeconds } from "./fit.ts";

/** What a job's report is made from. */
export interface ReportParts {
  readonly analysis: ProgrammeAnalysis;
  readonly describer: string;
  /** What is said; empty where nothing tells. */
  readonly transcript: readonly TranscriptLine[];
  /** Where somebody sings, as far as that was listened for. */
  readonly singing?: readonly TimeRange[];
  readonly notes: readonly string[];
  readonly stageSeconds: Readonly<Record<string, number>>;
  readonly mix?: MixReport | undefined;
  readonly voicing?: Voicing | undefined;
  readonly linesSpoken?: number | undefined;
  readonly wordings?: JobReport["wordings"] | undefined;
  readonly doubts?: JobReport["doubts"] | undefined;
  readonly findings?: readonly JobFinding[] | undefined;
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
  const { doubts, findings = [], bible, toWrite, leftOut = [], singing = [] } = parts;
  const dialogue = dialogueLines(parts.transcript)?.map((line) => ({
    ...line,
    start: toThousandth(line.start),
    end: toThousandth(line.end),
  }));
  const { heard, levels, shots } = analysis;
  return {
    describer,
    ...heardOnWire(heard),
    ...(singing.length === 0 ? {} : { singing: rangesOnWire(singing) }),
    ...(levels.length === 0 ? {} : { levels }),
    shots: shots.map(({ start }) => toThousandth(start)),
    ...defined({ dialogue }),
    notes,
    stage_seconds: stageSeconds,
    ...defined({ wordings, doubts }),
    ...(findings.length === 0 ? {} : { findings }),
    ...(bible === undefined ? {} : { bible: bibleText(bible) }),
    ...defined({ lines_spoken: linesSpoken }),
    ...(mix === undefined ? {} : { mix: mixPart(mix, voicing) }),
    ...defined({ video, held, to_write: toWrite }),
    ...(leftOut.length === 0 ? {} : { left_out: leftOut.map(leftOutOnWire) }),
  };
}

function leftOutOnWire(line: LeftOutLine): LeftOutLine {
  return { ...line, start: toThousandth(line.start), end: toThousandth(line.end), seconds: toThousandth(line.seconds) };
}

function bibleText({ found, given }: NonNullable<ReportParts["bible"]>): string {
  return given === undefined ? writeBible(found) : completeBible(given, found);
}

type HeardOnWire = Pick<JobReport, "speech" | "music" | "silence" | "unknown">;

/** What was heard, as replies have it. */
export function heardOnWire({ speech, music, silence, unknown = [] }: Heard): HeardOnWire {
  return {
    speech: speech.map(({ start, end, confidence }) => [
      toThousandth(start),
      toThousandth(end),
      toThousandth(confidence),
    ]),
    music: music.map(({ start, end, confidence }) => [
      toThousandth(start),
      toThousandth(end),
      toThousandth(confidence),
    ]),
    silence: rangesOnWire(silence),
    ...(unknown.length === 0 ? {} : { unknown: rangesOnWire(unknown) }),
  };
}

function rangesOnWire(ranges: readonly TimeRange[]): [number, number][] {
  return ranges.map(({ start, end }) => [toThousandth(start), toThousandth(end)]);
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

/** A line that is left out as a sentence tells of it. */
type ToldLine = Pick<LeftOutLine, "text" | "reason">;

const REASONS: Readonly<Record<LeftOutLine["reason"], string>> = {
  "no-gap-near": "no gap lies near its picture",
  "too-long": "it is longer than every gap near its picture",
  "longer-than-programme": "it is longer than what is left of the programme",
  "added-time": "the time that holds may add went to what matters more",
  crowded: "its place went to other descriptions",
  "nothing-to-say": "it has no word to speak",
  "no-sound": "the voice gave no sound for it",
  "after-end": "it begins after the programme's end",
};

/** A sentence for each description that found no place, so that nothing is left out silently. */
export function leftOutNotes(lines: readonly ToldLine[]): string[] {
  return lines.map(({ text, reason }) => `Left out, because ${REASONS[reason]}: "${text}"`);
}

/**
 * The lines of a script that have no place, in order of time, at the script's own times.
 *
 * @param written The script's lines, those after the programme's end apart.
 */
export function leftOutLines(
  unplaced: readonly UnplacedWithSeconds[],
  written: { readonly descriptions: readonly WrittenDescription[]; readonly late?: readonly WrittenDescription[] },
): LeftOutLine[] {
  const times = new Map(written.descriptions.map(({ id, picture }) => [id, picture]));
  const without = unplaced.flatMap(({ id, text, seconds, reason }): LeftOutLine[] => {
    const time = times.get(id);
    return time === undefined ? [] : [{ text, ...time, seconds, reason }];
  });
  const late = (written.late ?? []).map(({ wordings, picture }): LeftOutLine => {
    const { start, end } = picture;
    return { text: wordings[0] ?? "", start, end, seconds: end - start, reason: "after-end" };
  });
  return [...without, ...late].sort((a, b) => a.start - b.start);
}

/** Lines of a script that are named; the rest is counted. */
const MOST_NAMED = 8;

/** Characters of a line that are shown. */
const SHOWN = 60;

/**
 * The failure of a standard job whose descriptions have no place between lines of speech.
 *
 * @param lines Of a script: its lines that have no place, with the seconds that each takes.
 * @param longestGap Seconds of the longest gap; 0 where there is none.
 */
export function notEnoughGaps(
  lines: readonly Pick<LeftOutLine, "text" | "start" | "seconds">[],
  longestGap: number,
): JobFailure {
  const named = lines.slice(0, MOST_NAMED).map(({ text, start, seconds }) => {
    const words = text.length > SHOWN ? `${text.slice(0, SHOWN - 1)}…` : text;
    return `${formatClockTime(start)} "${words}" takes ${seconds.toFixed(1)} s`;
  });
  const rest = lines.length > MOST_NAMED ? [`and ${lines.length - MOST_NAMED} lines more`] : [];
  const gap = longestGap > 0 ? `the longest gap lasts ${longestGap.toFixed(1)} s` : "there is no gap";
  const told = lines.length === 0 ? "" : ` Without a place, as ${gap}: ${[...named, ...rest].join("; ")}.`;
  return new JobFailure(
    "standard_ad_not_enough_gaps",
    `There are not enough long gaps between lines of speech for Standard AD.${told} Set auto_fit to false to allow descriptions over dialogue, or use Extended AD.`,
  );
}
