import { type FrameRate, frameRate, framesPerSecond } from "./frame-rate.ts";
import { canDropFrames, type TimecodeFormat } from "./timecode.ts";

/** Rates that are written as decimals, with the fraction they stand for. */
const NTSC_MULTIPLE = 1000 / 1001;

/** Frames a second by which a rate may lie beside a whole one and be meant as it: rates are written to six places. */
const WHOLE_TOLERANCE = 1e-6;

/** How far a written decimal may lie from a multiple of 1000/1001: 23.98 is 0.004 above 24000/1001. */
const DECIMAL_TOLERANCE = 0.0051;

/**
 * The fraction a decimal rate stands for: 23.98 and 23.976 are 24000/1001, 29.97 is 30000/1001, 25 is 25. A decimal near
 * no multiple of 1000/1001 and not whole is taken as it is, to six places.
 *
 * @throws RangeError when `decimal` is not a positive number below a million.
 */
export function rateFromDecimal(decimal: number): FrameRate {
  if (!(decimal > 0 && decimal < 1e6)) throw new RangeError(`frame rate ${decimal}`);
  const nearest = Math.round(decimal);
  if (nearest > 0 && Math.abs(decimal - nearest) < WHOLE_TOLERANCE) return frameRate(nearest);
  const above = Math.ceil(decimal);
  const isNtsc = above % 24 === 0 || above % 25 === 0 || above % 30 === 0;
  if (isNtsc && Math.abs(decimal - above * NTSC_MULTIPLE) < DECIMAL_TOLERANCE) return frameRate(above * 1000, 1001);
  return frameRate(Math.max(1, Math.round(decimal * 1e6)), 1e6);
}

const RATE_NAME =
  /^\s*(?:(\d{1,9})\s*\/\s*(\d{1,9})|(\d{1,6}(?:\.\d{1,9})?))\s*(?:fps|p)?\s*(ndf|df|d|drop|non-?drop)?\s*$/i;

/**
 * Reads a rate as editors write it: `25`, `23.976`, `23.98`, `29.97df`, `29.97 DF`, `59.94 ndf`, `30000/1001`. Without a
 * mark it is non-drop. `null` for anything else, and for drop-frame at a rate that has none.
 */
export function parseRateName(name: string): TimecodeFormat | null {
  const parts = RATE_NAME.exec(name);
  if (parts === null) return null;
  const numerator = Number(parts[1] ?? parts[3]);
  const denominator = Number(parts[2] ?? 1);
  if (!(numerator > 0 && denominator > 0)) return null;
  const rate = parts[1] === undefined ? rateFromDecimal(numerator) : frameRate(numerator, denominator);
  const isDropFrame = /^(?:d|df|drop)$/i.test(parts[4] ?? "");
  return isDropFrame && !canDropFrames(rate) ? null : { rate, isDropFrame };
}

/** The rate as editors write it: `25`, `23.976`, `29.97 DF`, `59.94`; other fractions as `37/2`. */
export function formatRateName(format: TimecodeFormat): string {
  const { numerator, denominator } = format.rate;
  const decimal = Number(framesPerSecond(format.rate).toFixed(3));
  const name = denominator === 1 || denominator === 1001 ? String(decimal) : `${numerator}/${denominator}`;
  return format.isDropFrame ? `${name} DF` : name;
}
