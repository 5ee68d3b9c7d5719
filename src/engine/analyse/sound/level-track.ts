import { GrowingFloats } from "./growing-floats.ts";

/** Levels per second. */
export const LEVELS_PER_SECOND = 100;

/** The lowest level reported, in dBFS; digital silence has none. */
const FLOOR_DBFS = -100;

/** Measures a signal's level every 10 ms, block by block. */
export class LevelTrack {
  readonly #values = new GrowingFloats();
  readonly #sampleRate: number;
  #samples = 0;
  #energy = 0;
  #filled = 0;
  #stepEnd: number;

  constructor(sampleRate: number) {
    this.#sampleRate = sampleRate;
    this.#stepEnd = Math.round(sampleRate / LEVELS_PER_SECOND);
  }

  /** Adds one signal or several that go on side by side; of several, the loudest sample counts. */
  add(planes: readonly Float32Array[]): void {
    const [first = new Float32Array(), ...others] = planes;
    for (let i = 0; i < first.length; i++) {
      let loudest = (first[i] ?? 0) ** 2;
      for (const plane of others) loudest = Math.max(loudest, (plane[i] ?? 0) ** 2);
      this.#energy += loudest;
      this.#filled++;
      if (++this.#samples >= this.#stepEnd) this.#endStep();
    }
  }

  /** Levels in dBFS (root mean square), one per 10 ms. */
  levels(): Float32Array {
    if (this.#filled > 0) this.#endStep();
    return this.#values.toArray();
  }

  #endStep(): void {
    const mean = this.#energy / this.#filled;
    this.#values.add(mean > 0 ? Math.max(FLOOR_DBFS, 10 * Math.log10(mean)) : FLOOR_DBFS);
    this.#energy = 0;
    this.#filled = 0;
    this.#stepEnd = Math.round(((this.#values.length + 1) * this.#sampleRate) / LEVELS_PER_SECOND);
  }
}
