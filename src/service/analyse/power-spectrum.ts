/** Power spectra of real signals of one length, a power of two, through a window. */
export class PowerSpectrum {
  readonly size: number;
  readonly #window: ArrayLike<number>;
  readonly #real: Float64Array;
  readonly #imaginary: Float64Array;
  readonly #cosines: Float64Array;
  readonly #sines: Float64Array;
  readonly #places: Uint32Array;

  /**
   * @param size Samples per spectrum, a power of two.
   * @param window Weight of each sample. Default: Hann.
   * @throws RangeError when `size` is no power of two.
   */
  constructor(size: number, window: ArrayLike<number> = hannWindow(size)) {
    const bits = Math.log2(size);
    if (!Number.isInteger(bits)) throw new RangeError(`spectrum size ${size} is no power of two`);
    this.size = size;
    this.#window = window;
    this.#real = new Float64Array(size);
    this.#imaginary = new Float64Array(size);
    this.#cosines = Float64Array.from({ length: size / 2 }, (_, i) => Math.cos((2 * Math.PI * i) / size));
    this.#sines = Float64Array.from({ length: size / 2 }, (_, i) => -Math.sin((2 * Math.PI * i) / size));
    this.#places = Uint32Array.from({ length: size }, (_, i) => reverseBits(i, bits));
  }

  /**
   * Writes the power of each frequency from 0 up to half the sample rate into `into` (`size / 2 + 1` numbers, or fewer for
   * the lowest only).
   *
   * @param at Index of the first sample in `samples`; what lies beyond its end counts as silence.
   */
  measure(samples: Float32Array, at: number, into: Float32Array | Float64Array): void {
    const [real, imaginary] = [this.#real, this.#imaginary];
    for (let i = 0; i < this.size; i++) {
      const place = this.#places[i] ?? 0;
      real[place] = (samples[at + i] ?? 0) * (this.#window[i] ?? 0);
      imaginary[place] = 0;
    }
    this.#transform();
    for (let i = 0; i < into.length; i++) into[i] = (real[i] ?? 0) ** 2 + (imaginary[i] ?? 0) ** 2;
  }

  /** Radix 2, in place; the input already stands in bit-reversed order. Every index is inside its array. */
  #transform(): void {
    const real = this.#real;
    const imaginary = this.#imaginary;
    for (let half = 1; half < this.size; half *= 2) {
      const step = this.size / (2 * half);
      for (let i = 0; i < half; i++) {
        const cos = this.#cosines[i * step] as number;
        const sin = this.#sines[i * step] as number;
        for (let low = i; low < this.size; low += 2 * half) {
          const high = low + half;
          const re = (real[high] as number) * cos - (imaginary[high] as number) * sin;
          const im = (real[high] as number) * sin + (imaginary[high] as number) * cos;
          real[high] = (real[low] as number) - re;
          imaginary[high] = (imaginary[low] as number) - im;
          real[low] = (real[low] as number) + re;
          imaginary[low] = (imaginary[low] as number) + im;
        }
      }
    }
  }
}

/** The periodic Hann window. */
function hannWindow(size: number): Float64Array {
  return Float64Array.from({ length: size }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / size));
}

function reverseBits(value: number, bits: number): number {
  let reversed = 0;
  for (let bit = 0; bit < bits; bit++) if ((value & (1 << bit)) !== 0) reversed |= 1 << (bits - 1 - bit);
  return reversed;
}
