/** A time as FCPXML states it: an exact fraction of seconds. */
export interface RationalTime {
  readonly numerator: bigint;
  /** Positive. */
  readonly denominator: bigint;
}

/** Time 0. */
export const ZERO_TIME: RationalTime = { numerator: 0n, denominator: 1n };

const TIME = /^(-?\d{1,30})(?:\/(\d{1,30}))?s$/;
const DECIMAL = /^(-?\d{1,15})\.(\d{1,15})s$/;

/** Reads `1001/30000s`, `5s`, `3.2s`; `null` when it is no such time. */
export function parseRationalTime(text: string | undefined): RationalTime | null {
  const trimmed = (text ?? "").trim();
  const parts = TIME.exec(trimmed);
  if (parts?.[1] !== undefined) {
    const denominator = BigInt(parts[2] ?? "1");
    return denominator === 0n ? null : { numerator: BigInt(parts[1]), denominator };
  }
  const decimal = DECIMAL.exec(trimmed);
  if (decimal === null) return null;
  return { numerator: BigInt(`${decimal[1]}${decimal[2]}`), denominator: 10n ** BigInt(decimal[2]?.length ?? 0) };
}

/** The sum of two times; `b` is taken away when `sign` is -1. */
export function addTimes(a: RationalTime, b: RationalTime, sign: 1 | -1 = 1): RationalTime {
  if (a.denominator === b.denominator) {
    return { numerator: a.numerator + BigInt(sign) * b.numerator, denominator: a.denominator };
  }
  const numerator = a.numerator * b.denominator + BigInt(sign) * b.numerator * a.denominator;
  return reduced(numerator, a.denominator * b.denominator);
}

/** A time multiplied by a fraction of whole numbers. */
export function scaleTime(time: RationalTime, numerator: number, denominator: number): RationalTime {
  return reduced(time.numerator * BigInt(numerator), time.denominator * BigInt(denominator));
}

/** Sums reduce, so that a chain of any length keeps small numbers. */
function reduced(numerator: bigint, denominator: bigint): RationalTime {
  let [x, y] = [numerator < 0n ? -numerator : numerator, denominator];
  while (y !== 0n) [x, y] = [y, x % y];
  return x <= 1n ? { numerator, denominator } : { numerator: numerator / x, denominator: denominator / x };
}

/** A time in seconds, as the nearest double. */
export function timeSeconds(time: RationalTime): number {
  const whole = time.numerator / time.denominator;
  const rest = time.numerator % time.denominator;
  const small = Number(rest) / Number(time.denominator);
  // Numbers below 2^53 divide exactly rounded in one step; larger ones need their whole part apart.
  const fits = time.numerator < MAX && time.numerator > -MAX && time.denominator < MAX;
  return fits ? Number(time.numerator) / Number(time.denominator) : Number(whole) + small;
}

const MAX = 2n ** 53n;
