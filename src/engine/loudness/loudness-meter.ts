import { KWeighting } from "./k-weighting.ts";

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
