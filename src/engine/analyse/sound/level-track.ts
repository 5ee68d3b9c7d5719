import { LEVEL_FLOOR_DB, LEVEL_PARTS, largestOfParts } from "../../../core/level.ts";
import type { TimeRange } from "../../../core/time-range.ts";
import { GrowingFloats } from "./gain-evener.ts";

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

/**
 * Level in dBFS below which sound counts as silence. The room of a quiet studio recording lies at -60, an audible
 * ambience at -45 and above.
 */
const SILENCE_DBFS = -50;

/** Shorter silences are pauses between syllables; shorter noises (a click) do not end a silence. In steps of a level. */
const STEPS = { shortest: 20, click: 2 };

/** Ranges in which the sound stays below the threshold of silence, in order and disjoint. */
export function decideSilence(levels: Float32Array, durationSeconds: number): TimeRange[] {
  const found: TimeRange[] = [];
  let start = -1;
  let lastSilent = -1;
  for (let step = 0; step <= levels.length; step++) {
    const isEnd = step === levels.length;
    if (!isEnd && (levels[step] ?? 0) < SILENCE_DBFS) {
      if (start < 0) start = step;
      lastSilent = step;
    }
    if (start < 0 || (!isEnd && step - lastSilent <= STEPS.click)) continue;
    const end = Math.min(durationSeconds, (lastSilent + 1) / LEVELS_PER_SECOND);
    if (lastSilent + 1 - start >= STEPS.shortest) found.push({ start: start / LEVELS_PER_SECOND, end });
    start = -1;
  }
  return found.filter((range) => range.end > range.start);
}

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
