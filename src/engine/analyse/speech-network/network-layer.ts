import { packRows, type SimdKernel } from "./simd-kernel.ts";

/** Sounds that a layer treats side by side. */
export const LANES = 4;

/** A convolution of width 3 over time with rectified output. */
export class Convolution {
  readonly #kernel: SimdKernel;
  readonly #inputs: number;
  readonly #bias: Float32Array;
  readonly #taps: readonly Float32Array[];
  readonly #step: number;
  readonly #columns: number;
  readonly #sums: Float32Array;
  readonly #output: Float32Array;

  /**
   * @param weights Shape outputs × inputs × 3.
   * @param step Columns of input per column of output.
   * @param columns Columns of input, which are continued by silence on both sides.
   */
  constructor(kernel: SimdKernel, weights: Float32Array, bias: Float32Array, step: number, columns: number) {
    const inputs = weights.length / (3 * bias.length);
    this.#kernel = kernel;
    this.#inputs = inputs;
    this.#bias = perLane(bias);
    this.#step = step;
    this.#columns = columns;
    this.#sums = kernel.allocate(bias.length * LANES);
    this.#output = kernel.allocate(bias.length * this.outputColumns * LANES);
    this.#taps = [0, 1, 2].map((tap) => {
      const rows = Float32Array.from({ length: weights.length / 3 }, (_, i) => weights[3 * i + tap] ?? 0);
      return placed(kernel, packRows(rows, inputs));
    });
  }

  get outputColumns(): number {
    return Math.floor((this.#columns - 1) / this.#step) + 1;
  }

  /**
   * @param input From the kernel's memory: value `i` of column `c` of lane `l` stands at `(i * columns + c) * LANES + l`.
   * @returns The same way round; written anew at the next run.
   */
  run(input: Float32Array): Float32Array {
    const made = this.outputColumns;
    const sums = this.#sums;
    for (let column = 0; column < made; column++) {
      sums.set(this.#bias);
      for (let index = 0; index < this.#taps.length; index++) {
        const weights = this.#taps[index] as Float32Array; // the loop's bound
        const from = column * this.#step + index - 1;
        if (from < 0 || from >= this.#columns) continue;
        this.#kernel.multiplyAdd(weights, this.#inputs, input, from * LANES, this.#columns * LANES, sums);
      }
      for (let i = 0, to = column * LANES; i < sums.length; to += made * LANES) {
        for (let lane = 0; lane < LANES; lane++, i++) this.#output[to + lane] = Math.max(0, sums[i] ?? 0);
      }
    }
    return this.#output;
  }
}

/** A long short-term memory cell; remembers from run to run. */
export class MemoryCell {
  readonly #kernel: SimdKernel;
  readonly #size: number;
  readonly #fromInput: Float32Array;
  readonly #fromMemory: Float32Array;
  readonly #bias: Float32Array;
  readonly #sums: Float32Array;
  readonly #cell: Float32Array;
  readonly #output: Float32Array;

  /** @param fromInput Four gates after one another (input, forget, cell, output), a row per output; likewise the others. */
  constructor(kernel: SimdKernel, fromInput: Float32Array, fromMemory: Float32Array, bias: Float32Array) {
    this.#kernel = kernel;
    this.#size = bias.length / 4;
    this.#fromInput = placed(kernel, packRows(fromInput, this.#size));
    this.#fromMemory = placed(kernel, packRows(fromMemory, this.#size));
    this.#bias = perLane(bias);
    this.#sums = kernel.allocate(bias.length * LANES);
    this.#cell = new Float32Array(this.#size * LANES);
    this.#output = kernel.allocate(this.#size * LANES);
  }

  /** Forgets everything. */
  reset(): void {
    this.#cell.fill(0);
    this.#output.fill(0);
  }

  /**
   * @param input As many values as the cell has, lane beside lane, from the kernel's memory.
   * @returns The same way round; written anew at the next run.
   */
  run(input: Float32Array): Float32Array {
    const sums = this.#sums;
    sums.set(this.#bias);
    this.#kernel.multiplyAdd(this.#fromInput, this.#size, input, 0, LANES, sums);
    this.#kernel.multiplyAdd(this.#fromMemory, this.#size, this.#output, 0, LANES, sums);
    const gate = this.#size * LANES;
    for (let i = 0; i < gate; i++) {
      const kept = sigmoid(sums[gate + i] ?? 0) * (this.#cell[i] ?? 0);
      const added = sigmoid(sums[i] ?? 0) * Math.tanh(sums[2 * gate + i] ?? 0);
      this.#cell[i] = kept + added;
      this.#output[i] = sigmoid(sums[3 * gate + i] ?? 0) * Math.tanh(kept + added);
    }
    return this.#output;
  }
}

/** The logistic function. */
export function sigmoid(value: number): number {
  return 1 / (1 + Math.exp(-value));
}

function perLane(values: Float32Array): Float32Array {
  return Float32Array.from({ length: values.length * LANES }, (_, i) => values[Math.floor(i / LANES)] ?? 0);
}

function placed(kernel: SimdKernel, values: Float32Array): Float32Array {
  const place = kernel.allocate(values.length);
  place.set(values);
  return place;
}
