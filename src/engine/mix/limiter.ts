import { TRUE_PEAK_DELAY, TruePeakDetector } from "../loudness/true-peak.ts";

/** How far ahead a peak is met: the gain glides down over this many samples (2 ms at 48 kHz), which no ear hears as a step. */
const LOOK_AHEAD = 96;

/** Time in which the gain recovers to within 1/e of unity after a peak. */
const RELEASE_SECONDS = 0.08;

/** Above this the gain counts as recovered. */
const RECOVERED = 0.99999;

/** The gain changes during the interpolator's length, so peaks between samples are met this much lower. */
const HEADROOM = 10 ** (-0.05 / 20);

/**
 * Holds the true peak of a sound at a ceiling: all channels by one gain, lowered before the peak arrives and let go
 * slowly after it. Sound that stays below the ceiling passes bit by bit unchanged.
 *
 * What goes in comes out {@link Limiter.latency} samples later.
 */
export class Limiter {
  /** Delay in samples. */
  readonly latency = LOOK_AHEAD + TRUE_PEAK_DELAY;
  readonly #ceiling: number;
  readonly #recovery: number;
  readonly #detectors: readonly TruePeakDetector[];
  /** Sound that is still to come out: the last `latency` samples of each channel. */
  readonly #delayed: Float32Array[];
  #peaks = new Float32Array(0);
  #given: Float32Array[] = [];
  /** Gains wanted by the last `LOOK_AHEAD` samples, then their means over time. */
  readonly #window = new Minimum(LOOK_AHEAD + 1);
  readonly #smoothing = new Float64Array(LOOK_AHEAD).fill(1);
  #smoothingAt = 0;
  #smoothingSum = LOOK_AHEAD;
  #released = 1;
  /** Samples for which the gain has been unity throughout; above the look-ahead nothing is pending. */
  #idleSamples = Number.POSITIVE_INFINITY;

  /** @param ceiling Highest true peak that leaves it, as a gain. */
  constructor(channels: number, sampleRate: number, ceiling: number) {
    this.#ceiling = ceiling;
    this.#recovery = 1 - Math.exp(-1 / (RELEASE_SECONDS * sampleRate));
    this.#detectors = Array.from({ length: channels }, () => new TruePeakDetector());
    this.#delayed = Array.from({ length: channels }, () => new Float32Array(this.latency));
  }

  /**
   * Takes a block, one array per channel, and gives one as long: what went in {@link Limiter.latency} samples before. What a
   * call gives is valid until the next one.
   */
  process(planes: readonly Float32Array[]): Float32Array[] {
    const length = planes[0]?.length ?? 0;
    if (this.#peaks.length === length) this.#peaks.fill(0);
    else {
      this.#peaks = new Float32Array(length);
      this.#given = this.#delayed.map(() => new Float32Array(length));
    }
    const peaks = this.#peaks;
    let highest = 0;
    for (const [channel, detector] of this.#detectors.entries()) {
      highest = Math.max(highest, detector.detect(planes[channel] ?? new Float32Array(length), peaks, this.#ceiling));
    }
    const given = this.#given;
    for (const [channel, tail] of this.#delayed.entries()) {
      exchange(tail, planes[channel] ?? new Float32Array(length), given[channel] ?? new Float32Array(length));
    }
    if (highest > this.#ceiling || this.#idleSamples <= 2 * LOOK_AHEAD) this.#limit(given, peaks);
    else {
      this.#idleSamples += length;
      // At rest every gain in sight is unity; the place in the ring still goes by the sample, whatever came before.
      this.#smoothingAt = (this.#smoothingAt + length) % LOOK_AHEAD;
    }
    return given;
  }

  #limit(planes: readonly Float32Array[], peaks: Float32Array): void {
    for (let i = 0; i < peaks.length; i++) {
      const peak = peaks[i] ?? 0;
      const wanted = peak > this.#ceiling ? (this.#ceiling * HEADROOM) / peak : 1;
      const recovered = this.#released + (1 - this.#released) * this.#recovery;
      this.#released = Math.min(wanted, recovered > RECOVERED ? 1 : recovered);
      const lowest = this.#window.push(this.#released);
      // The mean over the look-ahead of the lowest gain in sight reaches that gain just as the peak comes out.
      const gain = this.#smooth(lowest);
      this.#idleSamples = gain === 1 && lowest === 1 ? this.#idleSamples + 1 : 0;
      if (gain === 1) continue;
      for (const plane of planes) plane[i] = (plane[i] ?? 0) * gain;
    }
  }

  #smooth(lowest: number): number {
    this.#smoothingSum += lowest - (this.#smoothing[this.#smoothingAt] ?? 1);
    this.#smoothing[this.#smoothingAt] = lowest;
    this.#smoothingAt = (this.#smoothingAt + 1) % LOOK_AHEAD;
    // Sums of rounded values drift; at rest the sum is known.
    if (this.#smoothingAt === 0) this.#smoothingSum = this.#smoothing.reduce((sum, value) => sum + value, 0);
    return Math.min(1, this.#smoothingSum / LOOK_AHEAD);
  }
}

/** The smallest of the last `size` values, in constant time per value: a queue of candidates in rising order. */
class Minimum {
  readonly #size: number;
  readonly #values: number[] = [];
  readonly #ages: number[] = [];
  #count = 0;

  constructor(size: number) {
    this.#size = size;
  }

  push(value: number): number {
    while (this.#values.length > 0 && (this.#values.at(-1) ?? 0) >= value) {
      this.#values.pop();
      this.#ages.pop();
    }
    this.#values.push(value);
    this.#ages.push(this.#count);
    if ((this.#ages[0] ?? 0) <= this.#count - this.#size) {
      this.#values.shift();
      this.#ages.shift();
    }
    this.#count += 1;
    return this.#values[0] ?? 1;
  }
}

/** Puts a block behind what is delayed: gives as many of the oldest samples, and keeps the rest as delayed. */
function exchange(tail: Float32Array, block: Float32Array, given: Float32Array): void {
  const old = Math.min(tail.length, block.length);
  given.set(tail.subarray(0, old));
  given.set(block.subarray(0, block.length - old), old);
  tail.copyWithin(0, old);
  tail.set(block.subarray(block.length - old), tail.length - old);
}
