import { clipRanges, mergeRanges, rangeDuration, subtractRanges, type TimeRange } from "./time-range.ts";

/** A stretch of picture that one line can tell of: a shot, a part of a long one, or several short ones. */
export interface Beat extends TimeRange {
  /** Seconds in it in which a line can be spoken. */
  readonly freeSeconds: number;
}

/** What {@link beatsOf} is told. Seconds on the programme clock. */
export interface BeatRequest {
  readonly durationSeconds: number;
  /** Starts of shots, in order. */
  readonly cuts: readonly number[];
  /** Instants at which something begins to be seen; any order. */
  readonly changes: readonly number[];
  /** Where lines may be spoken; any order. */
  readonly free: readonly TimeRange[];
  /** Free seconds that a line of some use takes: a beat with less is joined to its neighbour. */
  readonly leastSeconds: number;
  /** Free seconds from which on a beat is long enough to end at the next change. */
  readonly goodSeconds: number;
}

/**
 * Cuts a programme into beats, in order and without holes. A beat begins at a cut, where something begins to be seen, or
 * where a pause begins or ends; it is closed as soon as a good line fits into it, and never runs from one pause into
 * another. What lies under speech is a beat without room.
 */
export function beatsOf({ durationSeconds, cuts, changes, free, leastSeconds, goodSeconds }: BeatRequest): Beat[] {
  const whole = { start: 0, end: durationSeconds };
  const pauses = clipRanges(mergeRanges(free), whole).filter((pause) => rangeDuration(pause) >= leastSeconds);
  const taken = subtractRanges(whole, pauses).map((range): Beat => ({ ...range, freeSeconds: 0 }));
  const seams = [...cuts, ...changes].sort((a, b) => a - b);
  const told = pauses.flatMap((pause) =>
    beatsInPause(pause, { seams, cuts: new Set(cuts), leastSeconds, goodSeconds }),
  );
  return [...taken, ...told].sort((a, b) => a.start - b.start);
}

function beatsInPause(
  pause: TimeRange,
  {
    seams,
    cuts,
    leastSeconds,
    goodSeconds,
  }: {
    readonly seams: readonly number[];
    readonly cuts: ReadonlySet<number>;
    readonly leastSeconds: number;
    readonly goodSeconds: number;
  },
): Beat[] {
  const ends: number[] = [];
  let start = pause.start;
  for (const seam of seams) {
    // A cut ends a beat as soon as any line fits; what changes inside a shot only once a good one does.
    const enough = cuts.has(seam) ? (leastSeconds + goodSeconds) / 2 : goodSeconds;
    if (seam - start < enough || pause.end - seam < leastSeconds) continue;
    ends.push(seam);
    start = seam;
  }
  return [...ends, pause.end].map((end, index) => {
    const from = ends[index - 1] ?? pause.start;
    return { start: from, end, freeSeconds: end - from };
  });
}
