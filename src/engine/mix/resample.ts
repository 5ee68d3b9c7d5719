import { greatestCommonDivisor } from "../../core/frame-rate.ts";

/** Zero crossings of the sinc on either side of its centre: the transition band is a seventh of the lower rate wide. */
const HALF_WIDTH = 24;

/** Shape of the Kaiser window: side lobes at -100 dB, below the noise of 16 bits. */
const KAISER_BETA = 10;

/** Pass band as a share of the lower rate's half, so that what folds back lies in the transition band. */
const PASS_BAND = 0.95;

/** Largest number of phases kept in a table; rates with a smaller common divisor than this are not met in practice. */
const MAX_PHASES = 4_096;

/**
 * Samples at another rate, by a windowed sinc at the exact positions of the new samples: sample 0 stays where it is. The
 * length is `ceil(length × to / from)`.
 *
 * @throws RangeError when a rate is not a whole number of at least 1 per second.
 */
export function resample(samples: Float32Array, from: number, to: number): Float32Array {
  for (const rate of [from, to])
    if (!Number.isSafeInteger(rate) || rate < 1) throw new RangeError(`sample rate ${rate}`);
  if (from === to) return samples;
  const divisor = greatestCommonDivisor(from, to);
  const phases = to / divisor;
  const step = from / divisor;
  const cutoff = PASS_BAND * Math.min(1, to / from);
  const reach = Math.ceil(HALF_WIDTH / Math.min(1, to / from));
  const kernelAt =
    phases <= MAX_PHASES
      ? kernelTable(phases, reach, cutoff)
      : (phase: number) => kernel(phase / phases, reach, cutoff);
  const resampled = new Float32Array(Math.ceil((samples.length * to) / from));
  for (let i = 0; i < resampled.length; i++) {
    const position = i * step;
    const whole = Math.floor(position / phases);
    const weights = kernelAt(position % phases);
    const first = whole - reach + 1;
    const start = Math.max(0, -first);
    const end = Math.min(weights.length, samples.length - first);
    let sum = 0;
    for (let k = start; k < end; k++) sum += (weights[k] ?? 0) * (samples[first + k] ?? 0);
    resampled[i] = sum;
  }
  return resampled;
}

const tables = new Map<string, (phase: number) => Float64Array>();

/** Kernels of all phases, made when first needed and kept: a job resamples many lines between the same two rates. */
function kernelTable(phases: number, reach: number, cutoff: number): (phase: number) => Float64Array {
  const key = `${phases} ${reach} ${cutoff}`;
  const known = tables.get(key);
  if (known !== undefined) return known;
  const kernels: Float64Array[] = [];
  const at = (phase: number) => {
    const made = kernels[phase] ?? kernel(phase / phases, reach, cutoff);
    kernels[phase] = made;
    return made;
  };
  tables.set(key, at);
  return at;
}

/** Weights of the `2 × reach` samples around a position `fraction` after a sample; they sum to 1. */
function kernel(fraction: number, reach: number, cutoff: number): Float64Array {
  const weights = new Float64Array(2 * reach);
  let sum = 0;
  for (let k = 0; k < weights.length; k++) {
    const distance = k - reach + 1 - fraction;
    const weight = sinc(distance * cutoff) * kaiser(distance / reach);
    weights[k] = weight;
    sum += weight;
  }
  return weights.map((weight) => weight / sum);
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

function kaiser(x: number): number {
  return Math.abs(x) >= 1 ? 0 : bessel(KAISER_BETA * Math.sqrt(1 - x * x)) / bessel(KAISER_BETA);
}

/** Modified Bessel function of the first kind, order 0, by its series. */
function bessel(x: number): number {
  let sum = 1;
  let term = 1;
  for (let k = 1; term > sum * 1e-16; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}
