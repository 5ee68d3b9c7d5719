import type { premierepro, TickTime } from "@adobe/premierepro";
import { type FrameRate, frameRate } from "../../core/frame-rate.ts";

/** Premiere's time unit: so many ticks are one second. Every common frame and sample length is a whole number of them. */
export const TICKS_PER_SECOND = 254_016_000_000n;

/** What Premiere reports for an in or out point that is not set: -400 000 s (`premiere-uxp.md` 2.4). */
export const UNSET_POINT_TICKS = -101_606_400_000_000_000n;

/**
 * Reads ticks as Premiere writes them: a whole decimal number as text, of any size.
 *
 * @throws RangeError when the text is anything else.
 */
export function ticksFromText(text: string): bigint {
  if (!/^-?\d+$/.test(text)) throw new RangeError(`"${text}" is not a number of ticks`);
  return BigInt(text);
}

/** Seconds of a number of ticks; exact to the last bit a double has, at any length of programme. */
export function secondsFromTicks(ticks: bigint): number {
  const whole = ticks / TICKS_PER_SECOND;
  return Number(whole) + Number(ticks - whole * TICKS_PER_SECOND) / Number(TICKS_PER_SECOND);
}

/**
 * Frames per second of a sequence whose frames last `ticksPerFrame`, as an exact fraction: 8 475 667 200 ticks are
 * 30000/1001.
 *
 * @throws RangeError when it is not positive.
 */
export function rateFromTicksPerFrame(ticksPerFrame: bigint): FrameRate {
  if (ticksPerFrame <= 0n) throw new RangeError(`a frame of ${ticksPerFrame} ticks`);
  return frameRate(Number(TICKS_PER_SECOND), Number(ticksPerFrame));
}

/** Ticks from time 0 to the first instant of a frame. */
export function ticksFromFrame(frame: number, ticksPerFrame: bigint): bigint {
  return BigInt(frame) * ticksPerFrame;
}

/** The frame nearest to a time; halves go up. */
export function nearestFrame(ticks: bigint, ticksPerFrame: bigint): number {
  const doubled = 2n * ticks + ticksPerFrame;
  const divisor = 2n * ticksPerFrame;
  const quotient = doubled / divisor;
  return Number(doubled % divisor < 0n ? quotient - 1n : quotient);
}

/** Ticks of a time in seconds, moved to the nearest frame of the sequence. */
export function ticksOnGrid(seconds: number, ticksPerFrame: bigint): bigint {
  return ticksFromFrame(nearestFrame(ticksFromSeconds(seconds), ticksPerFrame), ticksPerFrame);
}

/** Ticks of a time in seconds, to the nearest tick that a double can tell: 1e-9 s at ten hours. */
export function ticksFromSeconds(seconds: number): bigint {
  const whole = Math.floor(seconds);
  return BigInt(whole) * TICKS_PER_SECOND + BigInt(Math.round((seconds - whole) * Number(TICKS_PER_SECOND)));
}

/** Premiere's time object for a number of ticks. */
export function tickTime(premiere: premierepro, ticks: bigint): TickTime {
  return premiere.TickTime.createWithTicks(ticks.toString());
}
