import type { TimeRange } from "./time-range.ts";

/**
 * One description: the words that describe picture, and when they are spoken.
 *
 * `start` and `end` are seconds on the programme clock. `id` is stable for the life of the description: it survives
 * re-timing and re-wording, and no two cues of one list share it.
 */
export interface Cue extends TimeRange {
  readonly id: string;
  /** Plain text without markup; paragraphs are joined by a single space, so it never holds a line break. */
  readonly text: string;
}

/** Orders cues by start, then end, then id, so that equal input always gives equal output. */
export function compareCues(a: Cue, b: Cue): number {
  return a.start - b.start || a.end - b.end || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/** The id of the `index`-th cue (counted from 0) of a list that brings no ids of its own: `cue-0001`, `cue-0002`, ... */
export function cueIdAt(index: number): string {
  return `cue-${String(index + 1).padStart(4, "0")}`;
}
