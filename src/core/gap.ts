import type { HeardRange } from "./heard.ts";
import { mergeRanges, overlapWithRanges, rangeDuration, subtractRanges, type TimeRange } from "./time-range.ts";

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
