/** Light of a picture is given this often, per second. */
export const LIGHTS_PER_SECOND = 2;

/** What was measured of the picture of a programme, for checks of what is said about it. */
export interface PictureMeasure {
  /** Where the picture changes: starts of shots but the first, in seconds on the programme clock. */
  readonly changes: readonly number[];
  /** Mean luma of each half second, 0 (black) to 1 (white); `null` for one without a frame. */
  readonly light: readonly (number | null)[];
}
