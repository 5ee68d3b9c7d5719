/** Ten steps a second: the momentary and gating blocks of 400 ms overlap by three quarters (BS.1770-4). */
const STEPS_PER_SECOND = 10;

/** Steps in a block of 400 ms, and in one of 3 s. */
const MOMENTARY_STEPS = 4;
const SHORT_TERM_STEPS = 30;

/** Absolute gate in LUFS; relative gate in LU below what passes it (BS.1770-4). */
const ABSOLUTE_GATE = -70;
const RELATIVE_GATE = -10;

/** Relative gate of the loudness range, in LU below what passes the absolute one (EBU Tech 3342). */
const RANGE_GATE = -20;

/** Loudness of a weighted mean square, in LUFS; `-Infinity` for silence. */
function lufsFromEnergy(meanSquare: number): number {
  return -0.691 + 10 * Math.log10(meanSquare);
}

/** Weighted mean square of a loudness. */
function energyFromLufs(lufs: number): number {
  return 10 ** ((lufs + 0.691) / 10);
}

/**
 * Loudness of a sound of any length as ITU-R BS.1770-4 and EBU Tech 3341 measure it, block by block; it keeps eight bytes
 * per tenth of a second.
 */
export class LoudnessMeter {
  readonly #weights: readonly number[];
  readonly #filters: readonly KWeighting[];
  readonly #stepSamples: number;
  #steps = new Float64Array(1_024);
  #stepCount = 0;
  #stepEnergy = 0;
  #stepFilled = 0;

  /** @param weights Share of each channel's energy; see `ChannelLayout`. */
  constructor(sampleRate: number, weights: readonly number[]) {
    this.#weights = weights;
    this.#filters = weights.map(() => new KWeighting(sampleRate));
    this.#stepSamples = Math.round(sampleRate / STEPS_PER_SECOND);
  }

  /** Adds sound: one array per channel, full scale 1. */
  add(planes: readonly Float32Array[]): void {
    this.#advance(planes[0]?.length ?? 0, (from, to) => {
      for (const [channel, filter] of this.#filters.entries()) {
        const weight = this.#weights[channel] ?? 0;
        const plane = planes[channel];
        if (weight > 0 && plane !== undefined) this.#stepEnergy += weight * filter.energy(plane, from, to);
      }
    });
  }

  /** Passes over so many samples per channel as if they were silent. What follows is right after a tenth of a second. */
  skip(samples: number): void {
    this.#advance(samples, () => {});
  }

  /** Length measured so far, in whole tenths of a second. */
  get seconds(): number {
    return this.#stepCount / STEPS_PER_SECOND;
  }

  /** Integrated loudness in LUFS; `-Infinity` when nothing passes the absolute gate. */
  integrated(): number {
    return gatedLoudness(this.#blocks(MOMENTARY_STEPS));
  }

  /** Highest loudness of any 400 ms, in LUFS. */
  maximumMomentary(): number {
    return lufsFromEnergy(this.#blocks(MOMENTARY_STEPS).reduce((most, energy) => Math.max(most, energy), 0));
  }

  /** Highest loudness of any 3 s, in LUFS. */
  maximumShortTerm(): number {
    return lufsFromEnergy(this.#blocks(SHORT_TERM_STEPS).reduce((most, energy) => Math.max(most, energy), 0));
  }

  /** Loudness range in LU (EBU Tech 3342): from the tenth to the 95th of a hundred short-term loudnesses. 0 for silence. */
  range(): number {
    const audible = this.#blocks(SHORT_TERM_STEPS).filter((energy) => energy >= energyFromLufs(ABSOLUTE_GATE));
    const gate = mean(audible) * 10 ** (RANGE_GATE / 10);
    const levels = audible.filter((energy) => energy >= gate).sort();
    if (levels.length === 0) return 0;
    const percentile = (share: number) => lufsFromEnergy(levels[Math.round((levels.length - 1) * share)] ?? 0);
    return percentile(0.95) - percentile(0.1);
  }

  /**
   * Loudness of a stretch, in LUFS, without gates: of the tenths of a second that lie in it by more than half, or of the
   * one at its middle when there are none.
   */
  between(startSeconds: number, endSeconds: number): number {
    const first = Math.round(startSeconds * STEPS_PER_SECOND);
    const last = Math.round(endSeconds * STEPS_PER_SECOND);
    if (last <= first) {
      const middle = Math.floor(((startSeconds + endSeconds) / 2) * STEPS_PER_SECOND);
      return lufsFromEnergy(middle < this.#stepCount ? (this.#steps[middle] ?? 0) : 0);
    }
    return lufsFromEnergy(mean(this.#steps.subarray(first, Math.min(last, this.#stepCount))));
  }

  #advance(samples: number, measure: (from: number, to: number) => void): void {
    for (let at = 0; at < samples; ) {
      const size = Math.min(samples - at, this.#stepSamples - this.#stepFilled);
      measure(at, at + size);
      at += size;
      this.#stepFilled += size;
      if (this.#stepFilled === this.#stepSamples) this.#endStep();
    }
  }

  #endStep(): void {
    if (this.#stepCount === this.#steps.length) {
      const grown = new Float64Array(this.#steps.length * 2);
      grown.set(this.#steps);
      this.#steps = grown;
    }
    this.#steps[this.#stepCount] = this.#stepEnergy / this.#stepSamples;
    this.#stepCount += 1;
    this.#stepEnergy = 0;
    this.#stepFilled = 0;
  }

  /** Mean square of every block of that many steps; a sound shorter than one block is one block, padded with silence. */
  #blocks(steps: number): Float64Array {
    const count = Math.max(1, this.#stepCount - steps + 1);
    const blocks = new Float64Array(count);
    for (let i = 0; i < count; i++) {
      let sum = 0;
      for (let k = i; k < Math.min(i + steps, this.#stepCount); k++) sum += this.#steps[k] ?? 0;
      blocks[i] = sum / steps;
    }
    return blocks;
  }
}

/** Loudness of blocks that pass both gates. */
function gatedLoudness(blocks: Float64Array): number {
  const audible = blocks.filter((energy) => energy >= energyFromLufs(ABSOLUTE_GATE));
  const gate = mean(audible) * 10 ** (RELATIVE_GATE / 10);
  return lufsFromEnergy(mean(audible.filter((energy) => energy >= gate)));
}

function mean(values: Float64Array): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Coefficients of a second-order filter, `a0` being 1. */
interface Biquad {
  readonly b0: number;
  readonly b1: number;
  readonly b2: number;
  readonly a1: number;
  readonly a2: number;
}

/**
 * The weighting of ITU-R BS.1770-4, annex 1, for one channel: a shelf for the head, then a high-pass. The standard gives
 * coefficients for 48 kHz; those of other rates follow from the same analogue filters.
 */
export class KWeighting {
  readonly #shelf: Biquad;
  readonly #highPass: Biquad;
  // Filter state, transposed direct form II.
  #s1 = 0;
  #s2 = 0;
  #h1 = 0;
  #h2 = 0;

  constructor(sampleRate: number) {
    this.#shelf = shelf(sampleRate);
    this.#highPass = highPass(sampleRate);
  }

  /** Sum of the squares of the weighted samples from `start` to before `end`; later calls go on where this one ended. */
  energy(samples: Float32Array, start: number, end: number): number {
    const { b0, b1, b2, a1, a2 } = this.#shelf;
    const { a1: c1, a2: c2 } = this.#highPass;
    let s1 = this.#s1;
    let s2 = this.#s2;
    let h1 = this.#h1;
    let h2 = this.#h2;
    let energy = 0;
    let first = start;
    // At rest, silence changes nothing.
    if (s1 === 0 && s2 === 0 && h1 === 0 && h2 === 0) while (first < end && samples[first] === 0) first++;
    for (let i = first; i < end; i++) {
      const x = samples[i] ?? 0;
      const y = b0 * x + s1;
      s1 = b1 * x - a1 * y + s2;
      s2 = b2 * x - a2 * y;
      // The high-pass has the numerator 1, -2, 1.
      const z = y + h1;
      h1 = -2 * y - c1 * z + h2;
      h2 = y - c2 * z;
      energy += z * z;
    }
    // Tails below the smallest normal number slow every later step down.
    this.#s1 = Math.abs(s1) < 1e-30 ? 0 : s1;
    this.#s2 = Math.abs(s2) < 1e-30 ? 0 : s2;
    this.#h1 = Math.abs(h1) < 1e-30 ? 0 : h1;
    this.#h2 = Math.abs(h2) < 1e-30 ? 0 : h2;
    return energy;
  }
}

function shelf(sampleRate: number): Biquad {
  const k = Math.tan((Math.PI * 1681.974450955533) / sampleRate);
  const q = 0.7071752369554196;
  const high = 10 ** (3.999843853973347 / 20);
  const band = high ** 0.4996667741545416;
  const a0 = 1 + k / q + k * k;
  return {
    b0: (high + (band * k) / q + k * k) / a0,
    b1: (2 * (k * k - high)) / a0,
    b2: (high - (band * k) / q + k * k) / a0,
    a1: (2 * (k * k - 1)) / a0,
    a2: (1 - k / q + k * k) / a0,
  };
}

function highPass(sampleRate: number): Biquad {
  const k = Math.tan((Math.PI * 38.13547087602444) / sampleRate);
  const q = 0.5003270373238773;
  const a0 = 1 + k / q + k * k;
  return { b0: 1, b1: -2, b2: 1, a1: (2 * (k * k - 1)) / a0, a2: (1 - k / q + k * k) / a0 };
}
