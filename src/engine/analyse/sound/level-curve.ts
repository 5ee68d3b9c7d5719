import { LEVEL_FLOOR_DB, LEVEL_PARTS, largestOfParts } from "../../../core/levels.ts";

/** Seconds of which the loudest sample is kept while a programme goes by: a few numbers per second. */
const STEP_SECONDS = 0.25;

/** How loud a programme is along its length, for a picture of it. */
export class LevelCurve {
  readonly #samplesPerStep: number;
  readonly #peaks: number[] = [];
  #peak = 0;
  #count = 0;

  constructor(sampleRate: number) {
    this.#samplesPerStep = Math.max(1, Math.round(sampleRate * STEP_SECONDS));
  }

  /** Adds what follows: the channels of a block, each as long as the others. */
  add(planes: readonly Float32Array[]): void {
    const length = planes[0]?.length ?? 0;
    for (let from = 0; from < length; ) {
      const to = Math.min(length, from + this.#samplesPerStep - this.#count);
      for (const plane of planes) {
        for (let i = from; i < to; i++) {
          const sample = Math.abs(plane[i] ?? 0);
          if (sample > this.#peak) this.#peak = sample;
        }
      }
      this.#count += to - from;
      from = to;
      if (this.#count < this.#samplesPerStep) continue;
      this.#peaks.push(this.#peak);
      this.#peak = 0;
      this.#count = 0;
    }
  }

  /** The loudest sample of each of {@link LEVEL_PARTS} equal parts of the programme; parts without sound are silent. */
  finish(durationSeconds: number): number[] {
    if (this.#count > 0) this.#peaks.push(this.#peak);
    const steps = durationSeconds / STEP_SECONDS;
    if (this.#peaks.length === 0 || steps <= 0) return [];
    return largestOfParts(this.#peaks, LEVEL_PARTS, steps).map((loudest) =>
      Math.max(0, Math.min(-LEVEL_FLOOR_DB, Math.round(20 * Math.log10(loudest || 1e-9) - LEVEL_FLOOR_DB))),
    );
  }
}
