import { type FrameRate, frameRate, framesFromSeconds, secondsFromFrames } from "../../core/frame-rate.ts";
import { childAt, numberAt, textAt, type XmlElement } from "../xml/xml-element.ts";

/**
 * The rate an element states in its `rate` child: `timebase`, slowed by 1000/1001 where `ntsc` is TRUE. `null` when it
 * states none.
 */
export function rateOf(element: XmlElement | undefined): FrameRate | null {
  const timebase = numberAt(element, "rate", "timebase");
  if (timebase === null || !Number.isInteger(timebase) || timebase < 1 || timebase > 1e6) return null;
  const isNtsc = textAt(element, "rate", "ntsc").toUpperCase() === "TRUE";
  return isNtsc ? frameRate(timebase * 1000, 1001) : frameRate(timebase);
}

/** The highest rate that the format is given in place of one that it cannot state; editors know none above. */
const HIGHEST_RATE = 120;

/**
 * The rate that a timeline of a rate is written at: the same where the format can state it, else the least multiple that it can, so
 * that each frame stays where it is (12.5 becomes 25); where there is none, the nearest whole rate.
 */
export function writtenRate(rate: FrameRate): FrameRate {
  const { numerator, denominator } = rate;
  if (denominator === 1 || (denominator === 1001 && numerator % 1000 === 0)) return rate;
  return frameRate(numerator <= HIGHEST_RATE ? numerator : timebaseOf(rate).timebase);
}

/** A frame of a timeline as it is counted at the rate that is written. */
export function writtenFrame(frame: number, rate: FrameRate): number {
  return framesFromSeconds(secondsFromFrames(frame, rate), writtenRate(rate));
}

/** A rate as `timebase` and `ntsc`; a rate that is neither whole nor slowed by 1000/1001 becomes the nearest whole one. */
export function timebaseOf(rate: FrameRate): { readonly timebase: number; readonly isNtsc: boolean } {
  const isNtsc = rate.denominator === 1001 && rate.numerator % 1000 === 0;
  const timebase = isNtsc ? rate.numerator / 1000 : Math.max(1, Math.round(rate.numerator / rate.denominator));
  return { timebase, isNtsc };
}

/** The timecode of an element: its first frame's label, as a frame, and how it counts. */
export interface Fcp7Timecode {
  readonly frame: number;
  readonly isDropFrame: boolean;
  readonly rate: FrameRate | null;
}

/** Reads the `timecode` child of a sequence or file. */
export function timecodeOf(element: XmlElement | undefined): Fcp7Timecode {
  const timecode = childAt(element, "timecode");
  const string = textAt(timecode, "string");
  return {
    frame: Math.round(numberAt(timecode, "frame") ?? 0),
    isDropFrame: textAt(timecode, "displayformat").toUpperCase() === "DF" || string.includes(";"),
    rate: rateOf(timecode),
  };
}
