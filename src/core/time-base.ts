import type { FrameRate, FrameRounding } from "./frame-rate.ts";

/**
 * Whole units of time that a clock counts, per second, as a fraction: frames at 30000/1001, samples at 48000/1, the ticks
 * of an editing application. The same shape as a {@link FrameRate}, so that frames need no conversion.
 */
export type TimeBase = FrameRate;

/**
 * Units of one time base as units of another, exact at any size; only the last step rounds (`nearest`: halves go up).
 * `rescaleUnits(1n, { numerator: 30000, denominator: 1001 }, { numerator: 48000, denominator: 1 })` is 1602n (1601.6).
 */
export function rescaleUnits(value: bigint, from: TimeBase, to: TimeBase, rounding: FrameRounding = "nearest"): bigint {
  const dividend = value * BigInt(from.denominator) * BigInt(to.numerator);
  const divisor = BigInt(from.numerator) * BigInt(to.denominator);
  return divideRounded(dividend, divisor, rounding);
}

/** Seconds of a count of units, to within a double's last place even where the count itself exceeds 2^53. */
export function secondsFromUnits(value: bigint, base: TimeBase): number {
  const dividend = value * BigInt(base.denominator);
  const divisor = BigInt(base.numerator);
  const whole = dividend / divisor;
  const rest = dividend % divisor;
  return Number(whole) + Number(rest) / Number(divisor);
}

/**
 * The unit at `seconds`, by the named rounding. The double is taken at its exact binary value, so nothing drifts; a time
 * that was itself computed may lie a hair beside its unit, which is what `nearest` is for.
 *
 * @throws RangeError when `seconds` is not finite.
 */
export function unitsFromSeconds(seconds: number, base: TimeBase, rounding: FrameRounding = "nearest"): bigint {
  if (!Number.isFinite(seconds)) throw new RangeError(`time ${seconds} is not finite`);
  const { significand, exponent } = binaryParts(seconds);
  const dividend = significand * BigInt(base.numerator);
  const divisor = BigInt(base.denominator);
  if (exponent >= 0) return divideRounded(dividend << BigInt(exponent), divisor, rounding);
  return divideRounded(dividend, divisor << BigInt(-exponent), rounding);
}

/** `seconds` as `significand * 2 ** exponent`, exactly. */
function binaryParts(seconds: number): { readonly significand: bigint; readonly exponent: number } {
  let value = seconds;
  let exponent = 0;
  while (!Number.isInteger(value)) {
    value *= 2;
    exponent -= 1;
  }
  return { significand: BigInt(value), exponent };
}

function divideRounded(dividend: bigint, divisor: bigint, rounding: FrameRounding): bigint {
  if (rounding === "nearest") return floorDivide(2n * dividend + divisor, 2n * divisor);
  if (rounding === "ceil") return -floorDivide(-dividend, divisor);
  return floorDivide(dividend, divisor);
}

/** Quotient rounded towards minus infinity; `divisor` is positive. */
function floorDivide(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend % divisor < 0n ? quotient - 1n : quotient;
}
