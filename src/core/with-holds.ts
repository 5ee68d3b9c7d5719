import type { TimeMap } from "./time-map.ts";
import type { TimeRange } from "./time-range.ts";
import type { Timeline, TimelineClip } from "./timeline.ts";

/** The parts of a range that the holds inside it leave, on the clock before and after them. At least one, in order. */
export function partsAround(range: TimeRange, map: TimeMap): readonly { before: TimeRange; after: TimeRange }[] {
  const cuts = map.holds.map(({ at }) => at).filter((at) => at > range.start && at < range.end);
  const edges = [range.start, ...cuts, range.end];
  return edges.slice(1).map((end, index) => {
    const start = edges[index] ?? range.start;
    return { before: { start, end }, after: { start: map.departure(start), end: map.arrival(end) } };
  });
}

/**
 * A timeline with an empty stretch for each hold, on every track: what lies behind a hold comes later, what lies across it is
 * parted there. Markers stay where they are: hosts differ in what they do with them.
 *
 * @param map Its holds on the sequence clock.
 */
export function withHolds(timeline: Timeline, map: TimeMap): Timeline {
  const tracks = timeline.tracks.map((track) => ({
    ...track,
    clips: track.clips.flatMap((clip) => partsOfClip(clip, map)),
  }));
  return { ...timeline, tracks };
}

function partsOfClip(clip: TimelineClip, map: TimeMap): TimelineClip[] {
  return partsAround(clip, map).map(({ before, after }) => ({
    ...clip,
    ...after,
    sourceStart: clip.sourceStart + (before.start - clip.start) * clip.speed,
  }));
}
