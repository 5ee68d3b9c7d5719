/** Programme loudness after ITU-R BS.1770-4 and EBU R128, fed block by block; memory does not grow with duration. */
export class LoudnessMeter {
  readonly #channels: ChannelFilter[];
  readonly #stepSamples: number;
  /** Energies of the last four steps of 100 ms; together one gating block of 400 ms, overlapping by 75 %. */
  readonly #steps: number[] = [];
  #stepEnergy = 0;
  #stepFilled = 0;
  /** Per 0.1 LU of block loudness: how many blocks, and their energy. */
  readonly #counts = new Float64Array(BINS);
  readonly #energies = new Float64Array(BINS);

  /** @param gains Weight of each channel's energy, see {@link channelWeights}. */
  constructor(sampleRate: number, gains: readonly number[]) {
    this.#channels = gains.map((gain) => new ChannelFilter(sampleRate, gain));
    this.#stepSamples = Math.round(sampleRate / 10);
  }

  /** Adds sound, one array per channel, full scale ±1. */
  add(planes: readonly Float32Array[]): void {
    const length = planes[0]?.length ?? 0;
    for (let at = 0; at < length; ) {
      const size = Math.min(length - at, this.#stepSamples - this.#stepFilled);
      for (const [index, channel] of this.#channels.entries()) {
        const plane = planes[index];
        if (plane !== undefined) this.#stepEnergy += channel.energy(plane, at, at + size);
      }
      this.#stepFilled += size;
      at += size;
      if (this.#stepFilled === this.#stepSamples) this.#endStep();
    }
  }

  /** Integrated loudness of everything added, in LUFS; `null` when nothing passes the absolute gate of -70 LUFS. */
  integrated(): number | null {
    const absolute = this.#meanAbove(0);
    if (absolute === null) return null;
    const gate = loudness(absolute) - RELATIVE_GATE;
    return loudness(this.#meanAbove(Math.max(0, Math.ceil((gate - LOWEST) * BINS_PER_LU))) ?? absolute);
  }

  #endStep(): void {
    this.#steps.push(this.#stepEnergy / this.#stepSamples);
    if (this.#steps.length > STEPS_PER_BLOCK) this.#steps.shift();
    this.#stepEnergy = 0;
    this.#stepFilled = 0;
    if (this.#steps.length < STEPS_PER_BLOCK) return;
    const energy = this.#steps.reduce((sum, step) => sum + step, 0) / STEPS_PER_BLOCK;
    const bin = Math.floor((loudness(energy) - LOWEST) * BINS_PER_LU);
    if (bin < 0) return;
    const kept = Math.min(BINS - 1, bin);
    this.#counts[kept] = (this.#counts[kept] ?? 0) + 1;
    this.#energies[kept] = (this.#energies[kept] ?? 0) + energy;
  }

  #meanAbove(bin: number): number | null {
    let [count, energy] = [0, 0];
    for (let i = bin; i < BINS; i++) {
      count += this.#counts[i] ?? 0;
      energy += this.#energies[i] ?? 0;
    }
    return count === 0 ? null : energy / count;
  }
}

const STEPS_PER_BLOCK = 4;
/** The absolute gate in LUFS (BS.1770-4, 5.1), the lowest loudness that counts. */
const LOWEST = -70;
/** Distance of the relative gate below the absolutely gated loudness, in LU. */
const RELATIVE_GATE = 10;
const BINS_PER_LU = 10;
const BINS = 80 * BINS_PER_LU;

function loudness(energy: number): number {
  return -0.691 + 10 * Math.log10(energy);
}

/**
 * Weights of channels after BS.1770-4, table 3: 1.41 for surround channels, none for low-frequency effects.
 *
 * @param layout FFmpeg's name of the layout, such as `stereo` or `5.1(side)`.
 */
export function channelWeights(channels: number, layout: string): number[] {
  const hasEffects = /^\d\.1/.test(layout);
  return Array.from({ length: channels }, (_, index) => {
    if (channels <= 3 || index < 3) return 1;
    return hasEffects && index === 3 ? 0 : 1.41;
  });
}

/** One channel through the two filters of K-weighting. */
class ChannelFilter {
  readonly #gain: number;
  readonly #shelf: readonly number[];
  readonly #pass: readonly number[];
  #a1 = 0;
  #a2 = 0;
  #b1 = 0;
  #b2 = 0;

  constructor(sampleRate: number, gain: number) {
    this.#gain = gain;
    this.#shelf = shelf(sampleRate);
    this.#pass = highPass(sampleRate);
  }

  /** Weighted energy of some samples, in direct form II. */
  energy(samples: Float32Array, from: number, to: number): number {
    if (this.#gain === 0) return 0;
    const [s0 = 0, s1 = 0, s2 = 0, sa1 = 0, sa2 = 0] = this.#shelf;
    const [, , , pa1 = 0, pa2 = 0] = this.#pass;
    let [a1, a2, b1, b2, sum] = [this.#a1, this.#a2, this.#b1, this.#b2, 0];
    for (let i = from; i < to; i++) {
      const a = (samples[i] ?? 0) - sa1 * a1 - sa2 * a2;
      const shelved = s0 * a + s1 * a1 + s2 * a2;
      a2 = a1;
      a1 = a;
      const b = shelved - pa1 * b1 - pa2 * b2;
      const passed = b - 2 * b1 + b2;
      b2 = b1;
      b1 = b;
      sum += passed * passed;
    }
    // Numbers too small for the format would make the loop a hundred times slower during silence.
    this.#a1 = Math.abs(a1) < 1e-30 ? 0 : a1;
    this.#a2 = Math.abs(a2) < 1e-30 ? 0 : a2;
    this.#b1 = Math.abs(b1) < 1e-30 ? 0 : b1;
    this.#b2 = Math.abs(b2) < 1e-30 ? 0 : b2;
    return sum * this.#gain;
  }
}

/**
 * First stage, a shelf of +4 dB: the analogue prototype behind BS.1770's table for 48 kHz, designed anew for any rate
 * (centre 1681.97 Hz, Q 0.7072, from the table's coefficients).
 *
 * @returns b0, b1, b2, a1, a2.
 */
function shelf(sampleRate: number): readonly number[] {
  const k = Math.tan((Math.PI * 1681.974450955533) / sampleRate);
  const [q, high] = [0.7071752369554196, 10 ** (3.999843853973347 / 20)];
  const band = high ** 0.4996667741545416;
  const a0 = 1 + k / q + k * k;
  return [
    (high + (band * k) / q + k * k) / a0,
    (2 * (k * k - high)) / a0,
    (high - (band * k) / q + k * k) / a0,
    (2 * (k * k - 1)) / a0,
    (1 - k / q + k * k) / a0,
  ];
}

/** Second stage, a high-pass (38.14 Hz, Q 0.5003); the numerator is 1, -2, 1. */
function highPass(sampleRate: number): readonly number[] {
  const k = Math.tan((Math.PI * 38.13547087602444) / sampleRate);
  const q = 0.5003270373238773;
  const a0 = 1 + k / q + k * k;
  return [1, -2, 1, (2 * (k * k - 1)) / a0, (1 - k / q + k * k) / a0];
}
