import { type FrameRate, framesFromSeconds } from "./frame-rate.ts";
import type { FrameGrid } from "./settings.ts";

/** How frames are labelled: the rate, and whether labels are dropped to stay near the clock. Never inferred. */
export interface TimecodeFormat {
  readonly rate: FrameRate;
  readonly isDropFrame: boolean;
}

/** The whole rate labels count to: 30 at 30000/1001, 24 at 24000/1001, 13 at 25/2. */
export function nominalFrameRate(rate: FrameRate): number {
  return Math.floor((rate.numerator + rate.denominator - 1) / rate.denominator);
}

/**
 * Whether drop-frame labels exist at a rate: multiples of 30000/1001 (SMPTE ST 12-1 and its high-rate forms), and of
 * exactly 30, where film work uses the same count.
 */
export function canDropFrames(rate: FrameRate): boolean {
  return (
    (rate.denominator === 1001 && rate.numerator % 30000 === 0) || (rate.denominator === 1 && rate.numerator % 30 === 0)
  );
}

/** What stands before the frames of a label. */
export type FrameSeparator = ":" | ";" | "." | ",";

/**
 * The label of a frame counted from 00:00:00:00, `HH:MM:SS:FF`, with `;` before FF when drop-frame unless `separator`
 * says otherwise. Hours are not wrapped at 24; a negative frame is written with a leading `-`. FF has three digits above
 * 100 frames per second.
 *
 * @throws RangeError when `frame` is not a whole number, or drop-frame is asked for at a rate that has none.
 */
export function formatTimecode(frame: number, format: TimecodeFormat, separator?: FrameSeparator): string {
  if (!Number.isSafeInteger(frame)) throw new RangeError(`frame number ${frame} is not a whole number`);
  const nominal = nominalFrameRate(format.rate);
  const count = Math.abs(frame);
  const label = format.isDropFrame ? labelFromDropFrame(count, nominal, droppedLabels(format.rate)) : count;
  const frames = String(label % nominal).padStart(frameDigits(nominal), "0");
  const seconds = Math.floor(label / nominal);
  const clock = `${twoDigits(Math.floor(seconds / 3600))}:${twoDigits(Math.floor(seconds / 60) % 60)}:${twoDigits(seconds % 60)}`;
  return `${frame < 0 ? "-" : ""}${clock}${separator ?? (format.isDropFrame ? ";" : ":")}${frames}`;
}

/** The label of a time in seconds, on the clock whose 0 is the grid's first frame: of a programme, or of a sequence. */
export function timecodeAt(grid: FrameGrid, seconds: number): string {
  return formatTimecode(grid.startFrame + framesFromSeconds(seconds, grid.rate), grid);
}

/**
 * Labels that drop-frame skips at the start of each minute but every tenth: 2 at 29.97, 4 at 59.94, 8 at 119.88.
 *
 * @throws RangeError when the rate has no drop-frame labels.
 */
export function droppedLabels(rate: FrameRate): number {
  if (!canDropFrames(rate)) throw new RangeError(`no drop-frame labels at ${rate.numerator}/${rate.denominator}`);
  return nominalFrameRate(rate) / 15;
}

/** Frames that 24 hours of labels count: 2 589 408 at 29.97 drop-frame, 2 592 000 without. */
export function framesPerDay(format: TimecodeFormat): number {
  const nominal = nominalFrameRate(format.rate);
  return nominal * 86400 - (format.isDropFrame ? droppedLabels(format.rate) * 9 * 144 : 0);
}

/** Digits that the frames of a label are written with: 2, and 3 above 100 frames per second. */
function frameDigits(nominal: number): number {
  return Math.max(2, String(nominal - 1).length);
}

function labelFromDropFrame(frame: number, nominal: number, dropped: number): number {
  const perMinute = nominal * 60 - dropped;
  const perTenMinutes = nominal * 600 - 9 * dropped;
  const tens = Math.floor(frame / perTenMinutes);
  const rest = frame % perTenMinutes;
  const minutes = rest < nominal * 60 ? 0 : 1 + Math.floor((rest - nominal * 60) / perMinute);
  return frame + dropped * (9 * tens + minutes);
}

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}
