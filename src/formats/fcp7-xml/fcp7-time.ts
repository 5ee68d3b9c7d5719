import { type FrameRate, frameRate } from "../../core/frame-rate.ts";
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
