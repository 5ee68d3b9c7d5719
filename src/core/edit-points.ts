import type { PlacedClip } from "./layout.ts";
import { clipRanges, type TimeRange } from "./time-range.ts";
import { sourceAt, visiblePicture } from "./visible-picture.ts";

/** A jump in the source that is smaller than this, in seconds, is none: the rounding of two halves of a frame. */
const LEAST_JUMP_SECONDS = 0.02;

/**
 * Where the picture of a cut changes from one piece to the next, in order: the beginning of every piece that is seen but the
 * first. A razor cut that leaves the picture as it was is none. Seconds from the beginning of the window.
 *
 * @param window The part of the sequence that counts, in seconds on the sequence clock.
 */
export function editPoints(layout: readonly PlacedClip[], window: TimeRange): number[] {
  const seen = visiblePicture(layout);
  return seen.flatMap((stretch, index) => {
    const before = seen[index - 1];
    if (before === undefined || clipRanges([stretch], window).length === 0 || stretch.start <= window.start) return [];
    const goesOn =
      before.source === stretch.source &&
      before.speed === stretch.speed &&
      Math.abs(sourceAt(before, stretch.start) - stretch.sourceStart) < LEAST_JUMP_SECONDS;
    return goesOn ? [] : [stretch.start - window.start];
  });
}
