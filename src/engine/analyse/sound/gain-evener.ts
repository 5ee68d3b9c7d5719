import { gainFromDecibels } from "../../../core/level.ts";

/** Samples per second of everything the speech network hears. */
export const NETWORK_RATE = 16_000;

/** Samples of one step of level measurement and of gain: 100 ms. */
export const EVENER_STEP = NETWORK_RATE / 10;

/** Steps on either side that a gain is judged from: 10 s, so that it follows scenes, not words. */
const AROUND_STEPS = 100;

/** How far past a sample the sound must be known for its gain to be known, in samples. */
export const EVENER_LOOKAHEAD = (AROUND_STEPS + 2) * EVENER_STEP;

/** The level that the loud moments of a stretch are brought to, in dBFS, and how far a gain may go, in dB. */
const TARGET = { level: -20, minimum: -6, maximum: 36 };

/** Which moments are the loud ones: the 95th percentile, so that single bangs do not count. */
const LOUD_SHARE = 0.95;

/**
 * Brings quiet scenes up to a level that the speech network was made for: it misses parts of faint speech (a meeting at
 * -41 dBFS) that it finds at -20.
 *
 * @param levels Level in dBFS of each 100 ms of the whole sound, from {@link stepLevels}.
 * @param samples A part of the sound.
 * @param at Index of its first sample in the whole.
 */
export function evenGain(samples: Float32Array, at: number, levels: ArrayLike<number>): Float32Array {
  const evened = new Float32Array(samples.length);
  const middle = (index: number) => (at + index) / EVENER_STEP - 0.5;
  const firstStep = Math.floor(middle(0));
  const lastStep = Math.floor(middle(samples.length)) + 1;
  const gains = Array.from({ length: lastStep - firstStep + 1 }, (_, i) => gainAt(firstStep + i, levels));
  for (let i = 0; i < samples.length; i++) {
    const position = middle(i) - firstStep;
    const step = Math.floor(position);
    const [low = 0, high = low] = [gains[step], gains[step + 1]];
    evened[i] = (samples[i] ?? 0) * (low + (high - low) * (position - step));
  }
  return evened;
}

/** Level of a full step of samples in dBFS. */
export function stepLevel(samples: Float32Array): number {
  let energy = 0;
  for (const sample of samples) energy += sample * sample;
  return 10 * Math.log10(energy / Math.max(1, samples.length) + 1e-12);
}

function gainAt(step: number, levels: ArrayLike<number>): number {
  const around: number[] = [];
  const known = levels.length;
  const centre = Math.min(known - 1, Math.max(0, step));
  for (let i = Math.max(0, centre - AROUND_STEPS); i <= Math.min(known - 1, centre + AROUND_STEPS); i++) {
    around.push(levels[i] ?? 0);
  }
  around.sort((a, b) => a - b);
  const loud = around[Math.floor(LOUD_SHARE * around.length)] ?? TARGET.level;
  return gainFromDecibels(Math.max(TARGET.minimum, Math.min(TARGET.maximum, TARGET.level - loud)));
}

/** A list of numbers that grows without keeping each as an object. */
export class GrowingFloats {
  #values = new Float32Array(4096);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = new Float32Array(2 * this.#length);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length++] = value;
  }

  /** The numbers added so far; shares memory with the list. */
  toArray(): Float32Array {
    return this.#values.subarray(0, this.#length);
  }
}
