import type { TimelineClip } from "../core/timeline.ts";

/**
 * Clips in order, each cut off where the next begins: Premiere writes sound as long as the transition of its picture, past
 * the cut, and offsets in FCPXML need not agree with lengths.
 */
export function withoutOverlap(clips: readonly TimelineClip[]): TimelineClip[] {
  const ordered = [...clips].sort((a, b) => a.start - b.start);
  return ordered.flatMap((clip, index) => {
    const end = Math.min(clip.end, ordered[index + 1]?.start ?? clip.end);
    return end > clip.start ? [end === clip.end ? clip : { ...clip, end }] : [];
  });
}
