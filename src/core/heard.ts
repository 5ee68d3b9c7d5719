import type { TimeRange } from "./time-range.ts";

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
