import type { TimeRange } from "./time-range.ts";

/** A stretch in which analysis heard something, with how sure it is. */
export interface HeardRange extends TimeRange {
  /** 0 (a guess) to 1 (certain): the mean of the detector's own probability over the range. */
  readonly confidence: number;
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
}
