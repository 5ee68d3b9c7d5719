/** Taps of one phase of the interpolator. */
const TAPS = 32;

/** Shape of its Kaiser window: side lobes some 90 dB down. */
const KAISER_BETA = 9;

/**
 * The three phases between one sample and the next of an interpolator that makes four samples of one (ITU-R BS.1770-4, annex
 * 2), longer than the example given there: that one reads up to 0.3 dB too little of what lies high, and FFmpeg's `ebur128`
 * then finds peaks above a ceiling that was held.
 */
const PHASES = [phase(1 / 4), phase(1 / 2), phase(3 / 4)] as const;

/** The most that interpolation can raise a sample peak: the largest sum of a phase's weights without their signs. */
const LARGEST_RISE = Math.max(...PHASES.map((weights) => weights.reduce((sum, weight) => sum + Math.abs(weight), 0)));

/** Weights of the samples around an instant that lies a share of a sample behind the one in the middle. */
function phase(behind: number): Float64Array {
  const weights = Float64Array.from({ length: TAPS }, (_, tap) => {
    const distance = tap - (TAPS / 2 - 1) - behind;
    const angle = Math.PI * distance;
    return (Math.sin(angle) / angle) * bessel(KAISER_BETA * Math.sqrt(Math.max(0, 1 - ((2 * distance) / TAPS) ** 2)));
  });
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

/** Modified Bessel function of the first kind, order 0. */
function bessel(x: number): number {
  let [sum, term] = [1, 1];
  for (let k = 1; term > sum * 1e-12; k++) {
    term *= (x / 2 / k) ** 2;
    sum += term;
  }
  return sum;
}

/** Samples between a sample and the instant whose peaks are known once it is given: half the interpolator. */
export const TRUE_PEAK_DELAY = TAPS / 2;

/** Samples looked at together when asking whether interpolation can matter at all. */
const STRIDE = 64;

/**
 * True peaks of one channel, four times oversampled, across any block borders. Stretches so quiet that no interpolated
 * value can pass a level of interest are passed over; the result above that level is exact all the same.
 */
export class TruePeakDetector {
  /** The last `TAPS - 1` samples of the block before, then the block; used again while blocks are of one length. */
  #padded = new Float32Array(TAPS - 1);

  /**
   * Writes the peak around each sample into `peaks` where it is above what stands there: sample `i` of `peaks` belongs to
   * the sample `TRUE_PEAK_DELAY` before sample `i` of `block`. Peaks of at most `floor` may be left out.
   *
   * @returns the highest of those not left out.
   */
  detect(block: Float32Array, peaks: Float32Array, floor: number): number {
    const padded = this.#pad(block);
    let highest = 0;
    for (let from = 0; from < block.length; from += STRIDE) {
      const to = Math.min(block.length, from + STRIDE);
      if (largest(padded, from, to + TAPS - 1) * LARGEST_RISE <= floor) continue;
      for (let i = from; i < to; i++) {
        const peak = peakAt(padded, i);
        if (peak > (peaks[i] ?? 0)) peaks[i] = peak;
        if (peak > highest) highest = peak;
      }
    }
    return highest;
  }

  /** The largest peak of a block, and of samples before it whose surroundings it completes; at least `floor`. */
  highest(block: Float32Array, floor: number): number {
    const padded = this.#pad(block);
    let most = floor;
    for (let from = 0; from < block.length; from += STRIDE) {
      const to = Math.min(block.length, from + STRIDE);
      if (largest(padded, from, to + TAPS - 1) * LARGEST_RISE <= most) continue;
      for (let i = from; i < to; i++) most = Math.max(most, peakAt(padded, i));
    }
    return most;
  }

  #pad(block: Float32Array): Float32Array {
    const length = TAPS - 1 + block.length;
    const before = this.#padded;
    if (before.length !== length) this.#padded = new Float32Array(length);
    this.#padded.set(before.subarray(before.length - (TAPS - 1)));
    this.#padded.set(block, TAPS - 1);
    return this.#padded;
  }
}

/** Largest true peak, and largest sample, of sound of any length. */
export class TruePeakMeter {
  readonly #detectors: readonly TruePeakDetector[];
  #truePeak = 0;
  #samplePeak = 0;

  constructor(channels: number) {
    this.#detectors = Array.from({ length: channels }, () => new TruePeakDetector());
  }

  /** Adds sound: one array per channel, full scale 1. */
  add(planes: readonly Float32Array[]): void {
    const length = planes[0]?.length ?? 0;
    for (const [channel, detector] of this.#detectors.entries()) {
      const plane = planes[channel] ?? new Float32Array(length);
      this.#samplePeak = Math.max(this.#samplePeak, largest(plane, 0, length));
      this.#truePeak = detector.highest(plane, this.#truePeak);
    }
  }

  /** Adds the tail of the last samples and gives the largest true peak as a gain; nothing may be added after. */
  finish(): number {
    this.add(this.#detectors.map(() => new Float32Array(TAPS)));
    return this.#truePeak;
  }

  /** Largest sample so far, without its sign. */
  get samplePeak(): number {
    return this.#samplePeak;
  }
}

/** Largest value from `start` to before `end`, without its sign. */
function largest(samples: Float32Array, start: number, end: number): number {
  let most = 0;
  for (let i = start; i < end; i++) {
    const size = Math.abs(samples[i] ?? 0);
    if (size > most) most = size;
  }
  return most;
}

/** The largest of three interpolated values after the sample `TAPS / 2 - 1` behind `at`, and of that sample itself. */
function peakAt(padded: Float32Array, at: number): number {
  const [first, middle, last] = PHASES;
  let [a, b, c] = [0, 0, 0];
  for (let k = 0; k < TAPS; k++) {
    const sample = padded[at + k] as number; // callers pad by one tap less than all
    a += (first[k] as number) * sample; // as many weights as taps
    b += (middle[k] as number) * sample;
    c += (last[k] as number) * sample;
  }
  const itself = Math.abs(padded[at + TAPS / 2 - 1] ?? 0);
  return Math.max(itself, Math.abs(a), Math.abs(b), Math.abs(c));
}
