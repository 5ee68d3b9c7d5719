import { GrowingFloats, NETWORK_RATE } from "./gain-evener.ts";

/** Pitches per second. */
export const PITCHES_PER_SECOND = 50;

/** The sound is thinned to 4 kHz: its fundamental and first overtones are all that pitch needs. */
const THINNING = 4;
const RATE = NETWORK_RATE / THINNING;

/** Length of sound that is compared with itself, in samples of {@link RATE}: 50 ms, and from one pitch to the next. */
const WINDOW = RATE / 20;
const STEP = RATE / PITCHES_PER_SECOND;

/** Shifts at which it is compared: 400 to 70 Hz, the range of voices. */
const SHIFT = { shortest: RATE / 400, longest: Math.ceil(RATE / 70) };

/** Likeness of a sound and itself a period later, 0 to 1, from which it counts as voiced. */
const VOICED = 0.6;

/** By how much a longer period must be more alike than a shorter one: two periods are as alike as one. */
const LONGER = 0.05;

/** Energy of a window below which nothing is heard: -80 dBFS. */
const AUDIBLE = WINDOW * 1e-8;

/** Follows the pitch of the voice in a sound at 16 kHz, block by block, by how alike it is to itself a period later. */
export class PitchTrack {
  readonly #pitches = new GrowingFloats();
  #thinned = new Float32Array(0);
  #rest = new Float32Array(0);

  /** Adds sound at 16 kHz. */
  add(samples: Float32Array): void {
    const sound = joined(this.#rest, samples);
    const count = Math.floor(sound.length / THINNING);
    const thinned = new Float32Array(count);
    for (let i = 0; i < count; i++) {
      let sum = 0;
      for (let k = 0; k < THINNING; k++) sum += sound[i * THINNING + k] ?? 0;
      thinned[i] = sum / THINNING;
    }
    this.#rest = sound.slice(count * THINNING);
    const held = joined(this.#thinned, thinned);
    let at = 0;
    for (; at + WINDOW + SHIFT.longest + 1 <= held.length; at += STEP) this.#pitches.add(pitchAt(held, at));
    this.#thinned = held.slice(at);
  }

  /** Pitch in Hz every 20 ms; 0 where nothing is voiced. */
  pitches(): Float32Array {
    return this.#pitches.toArray();
  }
}

function joined(first: Float32Array, second: Float32Array): Float32Array {
  const both = new Float32Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

function pitchAt(sound: Float32Array, at: number): number {
  const window = energy(sound, at);
  if (window < AUDIBLE) return 0;
  let shifted = energy(sound, at + SHIFT.shortest - 1);
  let [before, here, best] = [0, 0, 0];
  let period = 0;
  for (let shift = SHIFT.shortest - 1; shift <= SHIFT.longest + 1; shift++) {
    const likeness = product(sound, at, shift) / Math.sqrt(window * shifted + AUDIBLE ** 2);
    if (here >= before && here >= likeness && shift > SHIFT.shortest) {
      // The peak lies between samples: the top of the parabola through its three.
      const bend = before - 2 * here + likeness;
      const beside = bend === 0 ? 0 : (0.5 * (before - likeness)) / bend;
      const top = here - 0.25 * (before - likeness) * beside;
      if (top > best + (period > 0 ? LONGER : 0)) [best, period] = [top, shift - 1 + beside];
    }
    [before, here] = [here, likeness];
    shifted += (sound[at + shift + WINDOW] ?? 0) ** 2 - (sound[at + shift] ?? 0) ** 2;
  }
  return best >= VOICED ? RATE / period : 0;
}

function energy(sound: Float32Array, from: number): number {
  let sum = 0;
  for (let i = from; i < from + WINDOW; i++) sum += (sound[i] ?? 0) ** 2;
  return sum;
}

function product(sound: Float32Array, at: number, shift: number): number {
  let sum = 0;
  for (let i = at; i < at + WINDOW; i++) sum += (sound[i] ?? 0) * (sound[i + shift] ?? 0);
  return sum;
}
