/**
 * Frames per second as an exact fraction, in lowest terms: 30000/1001, never 29.97.
 *
 * Drop-frame is not part of a rate: it is a way of counting labels and always stands beside it as its own flag.
 */
export interface FrameRate {
  readonly numerator: number;
  readonly denominator: number;
}

/**
 * Makes a rate from two positive whole numbers, reduced to lowest terms.
 *
 * @throws RangeError when either is not a positive safe integer.
 */
export function frameRate(numerator: number, denominator = 1): FrameRate {
  if (!Number.isSafeInteger(numerator) || numerator <= 0) throw new RangeError(`frame rate numerator ${numerator}`);
  if (!Number.isSafeInteger(denominator) || denominator <= 0) {
    throw new RangeError(`frame rate denominator ${denominator}`);
  }
  const divisor = greatestCommonDivisor(numerator, denominator);
  return { numerator: numerator / divisor, denominator: denominator / divisor };
}

/** Whether two rates are the same fraction. */
export function equalRates(a: FrameRate, b: FrameRate): boolean {
  return a.numerator * b.denominator === b.numerator * a.denominator;
}

/** Frames per second as a floating-point number, for display and estimates only; never for arithmetic on frames. */
export function framesPerSecond(rate: FrameRate): number {
  return rate.numerator / rate.denominator;
}

/** Seconds from time 0 to the first instant of frame `frame`. */
export function secondsFromFrames(frame: number, rate: FrameRate): number {
  return (frame * rate.denominator) / rate.numerator;
}

/** How a time between two frames becomes a frame: the nearest one (halves go up), the one before, the one after. */
export type FrameRounding = "nearest" | "floor" | "ceil";

/**
 * Tolerance, in frames, within which a time counts as exactly on a frame. A double holds 100 hours to 5e-11 s, so one
 * part in a million of a frame at 120 fps (8e-9 s) is far above its error and far below anything anyone can place.
 */
export const FRAME_TOLERANCE = 1e-6;

/** The frame shown at `seconds`, by the named rounding; a time within a millionth of a frame of one is on it. */
export function framesFromSeconds(seconds: number, rate: FrameRate, rounding: FrameRounding = "nearest"): number {
  const exact = (seconds * rate.numerator) / rate.denominator;
  if (rounding === "floor") return Math.floor(exact + FRAME_TOLERANCE) + 0;
  if (rounding === "ceil") return Math.ceil(exact - FRAME_TOLERANCE) + 0;
  return Math.floor(exact + 0.5 + FRAME_TOLERANCE) + 0;
}

/** `seconds` moved to the frame grid of `rate`, by the named rounding. */
export function snapToFrame(seconds: number, rate: FrameRate, rounding: FrameRounding = "nearest"): number {
  return secondsFromFrames(framesFromSeconds(seconds, rate, rounding), rate);
}

/** The largest whole number that divides two whole numbers, not both 0. */
export function greatestCommonDivisor(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y !== 0) [x, y] = [y, x % y];
  return x;
}
