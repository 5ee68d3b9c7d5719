import { type FrameRate, frameRate } from "../../src/core/frame-rate.ts";
import { canDropFrames, type TimecodeFormat } from "../../src/core/timecode.ts";

const RATES: readonly FrameRate[] = [
  frameRate(24000, 1001),
  ...[24, 25, 30, 48, 50, 60, 100, 120].map((rate) => frameRate(rate)),
  ...[30, 48, 60, 120].map((rate) => frameRate(rate * 1000, 1001)),
];
/** Every rate in use, with and without drop-frame where it has both. */
export const FORMATS: readonly TimecodeFormat[] = RATES.flatMap((rate) => [
  { rate, isDropFrame: false },
  ...(canDropFrames(rate) && rate.denominator === 1001 ? [{ rate, isDropFrame: true }] : []),
]);
