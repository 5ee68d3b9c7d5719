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
