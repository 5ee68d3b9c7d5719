import type { Shot } from "./shot.ts";

/** Light of a picture is given this often, per second. */
export const LIGHTS_PER_SECOND = 2;

/** What checks look at of a shot. */
export type MeasuredShot = Pick<Shot, "start" | "end" | "motion" | "colours" | "frozenSeconds">;

/** What was measured of the picture of a programme, for checks of what is said about it. */
export interface PictureMeasure {
  /** Where the picture changes: starts of shots but the first, in seconds on the programme clock. */
  readonly changes: readonly number[];
  /** Mean luma of each half second, 0 (black) to 1 (white); `null` for one without a frame. */
  readonly light: readonly (number | null)[];
  /** In order, without holes; empty where there is no picture. */
  readonly shots: readonly MeasuredShot[];
}
