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
