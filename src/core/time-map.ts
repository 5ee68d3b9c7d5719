import type { TimeRange } from "./time-range.ts";
import type { Timeline, TimelineClip } from "./timeline.ts";

/** A hold of the programme: at `at` on the programme clock its picture stands still for `seconds`. */
export interface Hold {
  readonly at: number;
  readonly seconds: number;
}

/**
 * The two clocks of a programme that is held for extended descriptions: the programme clock, and the clock of the longer
 * video in which every hold has its time. Without holds they are the same.
 */
export class TimeMap {
  /** In order, each at an instant of its own, all longer than 0. */
  readonly holds: readonly Hold[];
  /** Seconds added by all holds before each one. */
  readonly #addedBefore: readonly number[];
  /** Seconds by which the video is longer than the programme. */
  readonly addedSeconds: number;

  /** @param holds Any order; those at one instant are one hold. */
  constructor(holds: readonly Hold[]) {
    const merged = new Map<number, number>();
    for (const { at, seconds } of holds) if (seconds > 0) merged.set(at, (merged.get(at) ?? 0) + seconds);
    this.holds = [...merged].sort((a, b) => a[0] - b[0]).map(([at, seconds]) => ({ at, seconds }));
    let added = 0;
    this.#addedBefore = this.holds.map(({ seconds }) => {
      added += seconds;
      return added - seconds;
    });
    this.addedSeconds = added;
  }

  /** When an instant of the programme is reached in the video; at a hold, when that begins. */
  arrival(programmeSeconds: number): number {
    return programmeSeconds + this.#added(this.#count((at) => at < programmeSeconds));
  }

  /** When the programme goes on from an instant in the video; at a hold, when that is over. */
  departure(programmeSeconds: number): number {
    return programmeSeconds + this.#added(this.#count((at) => at <= programmeSeconds));
  }

  /** The instant of the programme that is shown at a time of the video. */
  programmeTime(videoSeconds: number): number {
    const index = this.#count((at, added) => at + added <= videoSeconds) - 1;
    const hold = this.holds[index];
    if (hold === undefined) return videoSeconds;
    return Math.max(hold.at, videoSeconds - (this.#addedBefore[index] ?? 0) - hold.seconds);
  }

  #added(count: number): number {
    return count === this.holds.length ? this.addedSeconds : (this.#addedBefore[count] ?? 0);
  }

  /** How many of the holds, from the first on, satisfy a test that later ones stop to satisfy. */
  #count(test: (at: number, addedBefore: number) => boolean): number {
    let low = 0;
    let high = this.holds.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (test(this.holds[middle]?.at ?? 0, this.#addedBefore[middle] ?? 0)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

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
