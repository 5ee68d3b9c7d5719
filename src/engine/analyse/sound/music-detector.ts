import { PowerSpectrum } from "../power-spectrum.ts";
import { NETWORK_RATE } from "./gain-evener.ts";
import { GrowingFloats } from "./growing-floats.ts";

/** Spectra that music is looked for in: 128 ms long, every 32 ms, at 16 kHz; bins of 7.8 Hz. */
const SPECTRUM = { size: 2048, hop: 512 };

/** Bins that count: 125 Hz, above mains hum, to 4 kHz. */
const BINS = { first: 16, end: 512 };

/** Bins on either side that a bin is compared with, and by how many decibels a tone stands out from them. */
const TONE = { around: 14, contrastDb: 9, quietestDb: -35 };

/** Spectra per block in which tones are counted, about 2 s, and between the ends of two blocks, about 1 s. */
const BLOCK = { spectra: 62, step: 31 };

/** Seconds from one score to the next, and from a block's middle to the time of its score. */
export const MUSIC_STEP_SECONDS = (BLOCK.step * SPECTRUM.hop) / NETWORK_RATE;

/** Steady tones that make up a score. */
const COUNTED_TONES = 5;

/**
 * Detects music by "continuous frequency activation" (Seyerlehner, Pohle, Schedl, Widmer, DAFx 2007): music holds
 * its tones, speech glides and noise has none. In each block, every bin gets the share of time in which it holds a tone;
 * the score is the sum of the five bins that stand out most from their neighbours in that, 0 to 5.
 *
 * It finds tonal music even under speech, 18 dB below it; it does not find drums alone.
 */
export class MusicDetector {
  readonly #spectrum = new PowerSpectrum(SPECTRUM.size);
  readonly #power = new Float64Array(BINS.end + TONE.around + 1);
  readonly #scores = new GrowingFloats();
  /** Which bins held a tone in each spectrum of the block, in turn, and how often each did in all of them. */
  readonly #tones = Array.from({ length: BLOCK.spectra }, () => new Uint8Array(BINS.end));
  readonly #counts = new Float64Array(BINS.end);
  #spectra = 0;
  #pending = new Float32Array(0);

  /** Adds sound at 16 kHz. */
  add(samples: Float32Array): void {
    const sound = new Float32Array(this.#pending.length + samples.length);
    sound.set(this.#pending);
    sound.set(samples, this.#pending.length);
    let at = 0;
    for (; at + SPECTRUM.size <= sound.length; at += SPECTRUM.hop) this.#hear(sound, at);
    this.#pending = sound.slice(at);
  }

  /** Scores, one per {@link MUSIC_STEP_SECONDS}; the first is that of the first second. */
  scores(): Float32Array {
    if (this.#spectra % BLOCK.step !== 0 || this.#spectra === 0) this.#scores.add(this.#score());
    return this.#scores.toArray();
  }

  #hear(sound: Float32Array, at: number): void {
    this.#spectrum.measure(sound, at, this.#power);
    const decibels = this.#power;
    for (let bin = 0; bin < decibels.length; bin++) decibels[bin] = 10 * Math.log10((decibels[bin] ?? 0) + 1e-9);
    const tones = this.#tones[this.#spectra % BLOCK.spectra] ?? new Uint8Array(BINS.end);
    let sum = 0;
    for (let bin = BINS.first - TONE.around; bin < BINS.first + TONE.around; bin++) sum += decibels[bin] ?? 0;
    for (let bin = BINS.first; bin < BINS.end; bin++) {
      sum += decibels[bin + TONE.around] ?? 0;
      const level = decibels[bin] ?? 0;
      const isTone = level > sum / (2 * TONE.around + 1) + TONE.contrastDb && level > TONE.quietestDb ? 1 : 0;
      this.#counts[bin] = (this.#counts[bin] ?? 0) + isTone - (tones[bin] ?? 0);
      tones[bin] = isTone;
      sum -= decibels[bin - TONE.around] ?? 0;
    }
    if (++this.#spectra % BLOCK.step === 0) this.#scores.add(this.#score());
  }

  /** Sum of the most outstanding peaks of the counts, each measured from the higher one of the valleys beside it. */
  #score(): number {
    const counts = this.#counts;
    const peaks: number[] = [];
    let valley = counts[BINS.first] ?? 0;
    for (let bin = BINS.first + 1; bin < BINS.end; ) {
      while (bin < BINS.end && (counts[bin] ?? 0) <= (counts[bin - 1] ?? 0)) bin++;
      valley = counts[bin - 1] ?? 0;
      while (bin < BINS.end && (counts[bin] ?? 0) >= (counts[bin - 1] ?? 0)) bin++;
      const peak = counts[bin - 1] ?? 0;
      let next = bin;
      while (next < BINS.end && (counts[next] ?? 0) <= (counts[next - 1] ?? 0)) next++;
      peaks.push(peak - Math.max(valley, counts[next - 1] ?? 0));
    }
    peaks.sort((a, b) => b - a);
    const known = Math.max(1, Math.min(this.#spectra, BLOCK.spectra));
    return peaks.slice(0, COUNTED_TONES).reduce((sum, peak) => sum + Math.max(0, peak), 0) / known;
  }
}
