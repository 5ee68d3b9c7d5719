import { mergeRanges, overlapWithRanges, rangeDuration, subtractRanges, type TimeRange } from "./time-range.ts";

/** A stretch in which analysis heard something, with how sure it is. */
export interface HeardRange extends TimeRange {
  /**
   * 0 to 1. Of speech: the share of such ranges' time that is speech, measured on labelled sound (`docs/benchmarks.md`,
   * "Hearing"). Of music: the detector's own score.
   */
  readonly confidence: number;
}

/** A stretch in which somebody speaks. */
export interface KnownSpeech extends TimeRange {
  /** Where it was heard: see {@link HeardRange}. Absent where it is known for certain: captions, a transcript. */
  readonly confidence?: number;
}

/**
 * What analysis heard in the main programme audio. Each list is ordered and disjoint; speech and music may overlap each
 * other, silence overlaps neither. Seconds on the programme clock.
 */
export interface Heard {
  readonly speech: readonly HeardRange[];
  readonly music: readonly HeardRange[];
  /** Where the sound lies below the threshold of silence; no confidence, for it is a plain measurement. */
  readonly silence: readonly TimeRange[];
  /**
   * Where nobody can tell what is heard: sound that cannot be decoded, is missing or ends too early. No pause lies there. Ordered
   * and disjoint, beside the three above; absent where all is known.
   */
  readonly unknown?: readonly TimeRange[];
  /** Instants inside long speech at which the sound dips, as where somebody breathes; in order. Absent where there is none. */
  readonly dips?: readonly number[];
}

/**
 * Orders what is known of speech or music and joins what overlaps or touches. Where two were joined the surer one counts:
 * a missed word is worse than a lost gap.
 */
export function mergeKnown<Range extends KnownSpeech>(ranges: readonly Range[]): Range[] {
  const ordered = ranges.filter((range) => range.end > range.start).sort((a, b) => a.start - b.start);
  const merged: Range[] = [];
  for (const range of ordered) {
    const last = merged.at(-1);
    if (last === undefined || range.start > last.end) merged.push(range);
    else merged.splice(-1, 1, { ...surerOf(last, range), start: last.start, end: Math.max(last.end, range.end) });
  }
  return merged;
}

function surerOf<Range extends KnownSpeech>(a: Range, b: Range): Range {
  return (a.confidence ?? Number.POSITIVE_INFINITY) >= (b.confidence ?? Number.POSITIVE_INFINITY) ? a : b;
}

/** What is heard in a gap: `silence` and `ambience` are free; `music` may be refused by a setting. */
type GapSound = "silence" | "ambience" | "music";

/** A range without speech, usable for a cue. */
export interface Gap extends TimeRange {
  readonly sound: GapSound;
}

/** What {@link findGaps} needs to know. */
export interface GapOptions {
  /** Length of the programme in seconds. */
  readonly durationSeconds: number;
  /** Ranges in which someone speaks, heard or captioned; any order, overlapping allowed. */
  readonly speech: readonly TimeRange[];
  /** Ranges with music; any order, overlapping allowed. */
  readonly music: readonly TimeRange[];
  /** Ranges that are silent; any order, overlapping allowed. */
  readonly silence: readonly TimeRange[];
  /** `false` takes music out of the gaps altogether; `true` keeps it, graded `music`. */
  readonly allowMusic: boolean;
  /** Gaps shorter than this many seconds are dropped. */
  readonly minimumSeconds: number;
}

/**
 * Derives the gaps of a programme, ordered and disjoint.
 *
 * Music splits a gap: the part under music and the part beside it are separate gaps, so that a cue can prefer the quiet
 * part. Two parts that touch may still be used together by one cue (see `placement.ts`).
 */
export function findGaps(options: GapOptions): Gap[] {
  const whole = { start: 0, end: options.durationSeconds };
  const music = mergeRanges(options.music);
  const silence = mergeRanges(options.silence);
  const free = subtractRanges(whole, options.speech);
  const gaps: Gap[] = [];
  for (const range of free) {
    const quiet = subtractRanges(range, music);
    const loud = options.allowMusic ? subtractRanges(range, quiet) : [];
    const parts: Gap[] = [
      ...quiet.map((part) => ({ ...part, sound: quietSound(part, silence) })),
      ...loud.map((part) => ({ ...part, sound: "music" as const })),
    ];
    gaps.push(...parts.sort((a, b) => a.start - b.start));
  }
  return dropShort(gaps, options.minimumSeconds);
}

/** Share of a range that must be silent for it to be called silence; below, it is ambience. */
const SILENT_SHARE = 0.8;

function quietSound(part: TimeRange, silence: readonly TimeRange[]): GapSound {
  const silentSeconds = overlapWithRanges(part, silence);
  return silentSeconds >= SILENT_SHARE * rangeDuration(part) ? "silence" : "ambience";
}

/** Drops runs of touching gaps whose joint length is below the minimum; a run's parts are kept or dropped together. */
function dropShort(gaps: readonly Gap[], minimumSeconds: number): Gap[] {
  const kept: Gap[] = [];
  let run: Gap[] = [];
  const flush = () => {
    const first = run[0];
    const last = run.at(-1);
    if (first !== undefined && last !== undefined && last.end - first.start >= minimumSeconds) kept.push(...run);
    run = [];
  };
  for (const gap of gaps) {
    const last = run.at(-1);
    if (last !== undefined && gap.start > last.end) flush();
    run.push(gap);
  }
  flush();
  return kept;
}

/** How sure a detector must be of speech or music for it to count as heard; from 0 to 1. */
const CONFIDENT = 0.5;

/** Ranges of `heard` that a detector was sure of, as plain ranges. */
export function confidentRanges(heard: readonly HeardRange[]): TimeRange[] {
  return heard.filter((range) => range.confidence >= CONFIDENT).map(({ start, end }) => ({ start, end }));
}
