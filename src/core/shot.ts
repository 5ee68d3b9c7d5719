import type { TimeRange } from "./time-range.ts";

/** How a shot begins: the first of the programme, a hard cut, or a gradual change ending at its start. */
export type ShotOpening = "start" | "cut" | "fade" | "dissolve";

/** How much the picture moves within a shot, by measured change between frames. */
export type Motion = "still" | "slow" | "fast";

/**
 * Picture between two cuts, with what was measured of it. Nothing here is an interpretation: a caller that describes
 * from it can be held to the numbers.
 */
export interface Shot extends TimeRange {
  readonly opening: ShotOpening;
  /** Mean luma of the shot, 0 (black) to 1 (white). */
  readonly brightness: number;
  /** Standard deviation of luma within a frame, averaged over the shot, 0 to 0.5. */
  readonly contrast: number;
  /** Saturation of the most saturated parts of its most saturated frame, 0 (grey) to 1. */
  readonly saturation: number;
  readonly motion: Motion;
  /** Up to three colours that cover most of the picture, most first; each `share` is of all pixels, 0 to 1. */
  readonly colours: readonly ShotColour[];
  /** Seconds of the shot in which the picture does not change at all. */
  readonly frozenSeconds: number;
  /** Whether it looks like a title card: large flat areas with sharp, text-like edges that stay in place. */
  readonly titleCard: boolean;
  /** The instant of the clearest frame, on the programme clock. */
  readonly keyFrameAt: number;
}

/** One dominant colour of a shot. */
export interface ShotColour {
  readonly name: ColourName;
  readonly share: number;
}

/** The colour names this project uses, after the basic colour terms of Berlin and Kay (1969). */
export type ColourName =
  | "black"
  | "white"
  | "grey"
  | "red"
  | "orange"
  | "yellow"
  | "green"
  | "blue"
  | "purple"
  | "pink"
  | "brown";
