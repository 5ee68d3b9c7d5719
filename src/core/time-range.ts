/**
 * A half-open stretch of time: `start` belongs to it, `end` does not.
 *
 * Both are seconds on the programme clock (0 = first instant of the programme) unless a field's own comment names
 * another clock. `end` is never before `start` in a range this project makes.
 */
export interface TimeRange {
  readonly start: number;
  readonly end: number;
}

/** The same thing so many seconds later; earlier where they are negative. */
export function shiftRange<Shifted extends TimeRange>(range: Shifted, seconds: number): Shifted {
  return { ...range, start: range.start + seconds, end: range.end + seconds };
}

/** Length of a range in seconds. */
export function rangeDuration(range: TimeRange): number {
  return range.end - range.start;
}

/** Sum of the lengths of ranges in seconds; time covered twice counts twice. */
export function totalDuration(ranges: readonly TimeRange[]): number {
  let seconds = 0;
  for (const range of ranges) seconds += rangeDuration(range);
  return seconds;
}

/** Seconds that two ranges share; 0 when they only touch. */
export function overlapDuration(a: TimeRange, b: TimeRange): number {
  return Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start));
}

/** Seconds of `range` that lie inside `others`, which must be ordered and disjoint (see {@link mergeRanges}). */
export function overlapWithRanges(range: TimeRange, others: readonly TimeRange[]): number {
  let seconds = 0;
  for (let i = firstEndingAfter(others, range.start); i < others.length; i++) {
    const other = others[i];
    if (other === undefined || other.start >= range.end) break;
    seconds += overlapDuration(range, other);
  }
  return seconds;
}

/**
 * Orders ranges and joins those that overlap or lie no further apart than `bridgeSeconds` (default 0: only touching
 * ones). Empty ranges are dropped. The result is ordered and disjoint.
 */
export function mergeRanges(ranges: readonly TimeRange[], bridgeSeconds = 0): TimeRange[] {
  const ordered = ranges.filter((range) => range.end > range.start).sort((a, b) => a.start - b.start);
  const merged: { start: number; end: number }[] = [];
  for (const range of ordered) {
    const last = merged.at(-1);
    if (last !== undefined && range.start - last.end <= bridgeSeconds) last.end = Math.max(last.end, range.end);
    else merged.push({ start: range.start, end: range.end });
  }
  return merged;
}

/** What is left of `whole` once `holes` (any order, overlapping allowed) are taken out; ordered and disjoint. */
export function subtractRanges(whole: TimeRange, holes: readonly TimeRange[]): TimeRange[] {
  const rest: TimeRange[] = [];
  let start = whole.start;
  for (const hole of mergeRanges(holes)) {
    if (hole.end <= start) continue;
    if (hole.start >= whole.end) break;
    if (hole.start > start) rest.push({ start, end: hole.start });
    start = Math.max(start, hole.end);
  }
  if (start < whole.end) rest.push({ start, end: whole.end });
  return rest;
}

/** The parts of ordered, disjoint `ranges` that lie inside `window`. */
export function clipRanges(ranges: readonly TimeRange[], window: TimeRange): TimeRange[] {
  const clipped: TimeRange[] = [];
  for (let i = firstEndingAfter(ranges, window.start); i < ranges.length; i++) {
    const range = ranges[i];
    if (range === undefined || range.start >= window.end) break;
    clipped.push({ start: Math.max(range.start, window.start), end: Math.min(range.end, window.end) });
  }
  return clipped;
}

/** Index of the first of ordered, disjoint `ranges` that ends after `time`; `ranges.length` when none does. */
export function firstEndingAfter(ranges: readonly TimeRange[], time: number): number {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const range = ranges[middle];
    if (range !== undefined && range.end <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A number as reports and texts have it, to a thousandth: seconds, what is saved and read back, are the same then. */
export function toThousandth(value: number): number {
  return Math.round(value * 1000) / 1000;
}

// How near two values may lie and still count as one. What is near in another sense has a name of its own where it is used.

/**
 * One time computed in two ways, in seconds. A double holds 100 hours to 5e-11 s; the shortest thing that anyone places, a
 * sample at 192 kHz, is 5e-6 s long.
 */
export const ROUNDING_ERROR_SECONDS = 1e-6;

/** One speed computed in two ways: speeds are fractions of source times, which carry the same error. */
export const SAME_SPEED = 1e-6;

/** What caption formats count in, in seconds: two times of one such step may be one time. */
export const TIMESTAMP_SECONDS = 0.001;

/** Half a frame at 120 fps, in seconds: times of a timeline that are nearer are on one frame. */
const SAME_FRAME_SECONDS = 0.004;

/** No frame is longer, in seconds (20 fps): a time that a timeline or a list rounded to a frame of its own is nearer. */
export const LONGEST_FRAME_SECONDS = 0.05;

/** Whether two times of a timeline, in seconds, are the same frame at any rate in use. */
export function isSameTime(a: number, b: number): boolean {
  return Math.abs(a - b) < SAME_FRAME_SECONDS;
}

/** The value in the middle of some, the higher of two; 0 of none. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}
