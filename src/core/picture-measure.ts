import type { Shot } from "./shot.ts";

/** Light of a picture is given this often, per second. */
export const LIGHTS_PER_SECOND = 2;

/** What checks look at of a shot. */
export type MeasuredShot = Pick<Shot, "start" | "end" | "motion" | "colours" | "frozenSeconds">;

/** What stands on one frame. */
export interface ReadFrame {
  /** Seconds on the programme clock. */
  readonly at: number;
  /** Lines that can be trusted, in reading order. */
  readonly lines: readonly string[];
  /** Lines that may stand there and cannot be trusted. */
  readonly doubtful: readonly string[];
  /** Whether no detail is in it that could be lettering: one colour, or colours that blend softly. */
  readonly isPlain: boolean;
  /** Whether it looks like a title card, read or not. */
  readonly isTitle: boolean;
}

/** A picture that was kept as a file. */
export interface KeptStill {
  /** The time that was asked for, in seconds on the programme clock. */
  readonly at: number;
  /** Name of a JPEG file, without its folder. */
  readonly file: string;
}

/** What was measured of the picture of a programme, for checks of what is said about it. */
export interface PictureMeasure {
  /** Where the picture changes: starts of shots but the first, in seconds on the programme clock. */
  readonly changes: readonly number[];
  /** Mean luma of each half second, 0 (black) to 1 (white); `null` for one without a frame. */
  readonly light: readonly (number | null)[];
  /** In order, without holes; empty where there is no picture. */
  readonly shots: readonly MeasuredShot[];
  /** In order of time; absent where nobody read, or nothing could be read with. */
  readonly read?: readonly ReadFrame[];
  /** In order of time; absent where none were asked for. */
  readonly stills?: readonly KeptStill[];
}
