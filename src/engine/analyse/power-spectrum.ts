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
   * @param size Samples per spectrum, a power of two, at least 2.
   * @param window Weight of each sample. Default: Hann.
   * @throws RangeError when `size` is no power of two.
   */
  constructor(size: number, window: ArrayLike<number> = hannWindow(size)) {
    const bits = Math.log2(size);
    if (!Number.isInteger(bits) || bits < 1) throw new RangeError(`spectrum size ${size} is no power of two`);
    this.size = size;
    this.#window = window;
    this.#real = new Float64Array(size / 2);
    this.#imaginary = new Float64Array(size / 2);
    this.#cosines = Float64Array.from({ length: size / 2 }, (_, i) => Math.cos((2 * Math.PI * i) / size));
    this.#sines = Float64Array.from({ length: size / 2 }, (_, i) => -Math.sin((2 * Math.PI * i) / size));
    this.#places = Uint32Array.from({ length: size / 2 }, (_, i) => reverseBits(i, bits - 1));
  }

  /**
   * Writes the power of each frequency from 0 up to half the sample rate into `into` (`size / 2 + 1` numbers, or fewer for
   * the lowest only).
   *
   * The signal is transformed at half its size, as a complex one of which every second sample is the imaginary part: for a
   * real signal that is half the work.
   *
   * @param at Index of the first sample in `samples`; what lies beyond its end counts as silence.
   */
  measure(samples: Float32Array, at: number, into: Float32Array | Float64Array): void {
    const [real, imaginary] = [this.#real, this.#imaginary];
    const half = this.size / 2;
    for (let i = 0; i < half; i++) {
      const place = this.#places[i] ?? 0;
      real[place] = (samples[at + 2 * i] ?? 0) * (this.#window[2 * i] ?? 0);
      imaginary[place] = (samples[at + 2 * i + 1] ?? 0) * (this.#window[2 * i + 1] ?? 0);
    }
    this.#transform();
    // At the ends the spectrum is its own mirror.
    const [first, firstOdd] = [real[0] as number, imaginary[0] as number];
    into[0] = (first + firstOdd) ** 2;
    if (into.length > half) into[half] = (first - firstOdd) ** 2;
    for (let bin = 1; bin < Math.min(into.length, half); bin++) {
      // Twice what even and odd samples make of a frequency, parted by its mirror; every index is inside its array.
      const re = real[bin] as number;
      const im = imaginary[bin] as number;
      const mirrorRe = real[half - bin] as number;
      const mirrorIm = imaginary[half - bin] as number;
      const cos = this.#cosines[bin] as number;
      const sin = this.#sines[bin] as number;
      const oddRe = im + mirrorIm;
      const oddIm = mirrorRe - re;
      const sumRe = re + mirrorRe + oddRe * cos - oddIm * sin;
      const sumIm = im - mirrorIm + oddRe * sin + oddIm * cos;
      into[bin] = (sumRe * sumRe + sumIm * sumIm) / 4;
    }
  }

  /** Radix 2, in place; the input already stands in bit-reversed order. Every index is inside its array. */
  #transform(): void {
    const real = this.#real;
    const imaginary = this.#imaginary;
    const { length } = real;
    for (let half = 1; half < length; half *= 2) {
      const step = length / half;
      for (let i = 0; i < half; i++) {
        const cos = this.#cosines[i * step] as number;
        const sin = this.#sines[i * step] as number;
        for (let low = i; low < length; low += 2 * half) {
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
