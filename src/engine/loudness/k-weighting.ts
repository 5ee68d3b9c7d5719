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
