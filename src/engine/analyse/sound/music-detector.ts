import type { HeardRange } from "../../../core/gap.ts";
import { PowerSpectrum } from "../power-spectrum.ts";
import { sigmoid } from "../speech-network/network-layer.ts";
import { GrowingFloats, NETWORK_RATE } from "./gain-evener.ts";

/** Spectra that music is looked for in: 128 ms long, every 32 ms, at 16 kHz; bins of 7.8 Hz. */
const SPECTRUM = { size: 2048, hop: 512 };

/** Bins that count: 125 Hz, above mains hum, to 4 kHz. */
const BINS = { first: 16, end: 512 };

/** Bins on either side that a bin is compared with, and by how many decibels a tone stands out from them. */
const TONE = { around: 14, contrastDb: 9, quietestDb: -35 };

/** Spectra per block in which tones are counted, about 2 s, and between the ends of two blocks, about 1 s. */
const BLOCK = { spectra: 62, step: 31 };

/** Seconds from one score to the next, and from a block's middle to the time of its score. */
const MUSIC_STEP_SECONDS = (BLOCK.step * SPECTRUM.hop) / NETWORK_RATE;

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

/** Scores on either side that a score is averaged with: music goes on for seconds, a sung vowel does not. */
const CONTEXT_SCORES = 2;

/**
 * A stretch counts as music while its mean score stays above `stay` if it reaches `reach` anywhere in it. Scores of
 * speech, noise and crowds stay below 1.7 nearly always, those of music above 2.2 (`npm run tool -- bench:hearing`).
 */
const SCORE = { stay: 1.5, reach: 1.9 };

/** Scores over which the confidence climbs from 0.5 to 0.73. */
const SCORE_SPREAD = 0.35;

/** Shorter music is not told apart from a ringing bell; shorter pauses (a drum alone, a general pause) belong to it. */
const SECONDS = { shortest: 3, bridge: 4 };

/** Ranges of music, in order and disjoint, exact to about a second. */
export function decideMusic(scores: Float32Array, durationSeconds: number): HeardRange[] {
  const even = Float32Array.from(scores, (_, i) =>
    mean(scores.subarray(Math.max(0, i - CONTEXT_SCORES), i + CONTEXT_SCORES + 1)),
  );
  const runs: { first: number; end: number }[] = [];
  for (let first = 0; first < even.length; first++) {
    if ((even[first] ?? 0) < SCORE.stay) continue;
    let end = first;
    let highest = 0;
    for (; (even[end] ?? 0) >= SCORE.stay; end++) highest = Math.max(highest, even[end] ?? 0);
    const last = runs.at(-1);
    const isNear = last !== undefined && (first - last.end) * MUSIC_STEP_SECONDS <= SECONDS.bridge;
    if (highest >= SCORE.reach && isNear) last.end = end;
    else if (highest >= SCORE.reach) runs.push({ first, end });
    first = end;
  }
  return runs.flatMap((run) => {
    const start = Math.max(0, (run.first - 0.5) * MUSIC_STEP_SECONDS);
    const end = Math.min(durationSeconds, (run.end - 0.5) * MUSIC_STEP_SECONDS);
    if (end - start < Math.min(SECONDS.shortest, durationSeconds)) return [];
    return [
      { start, end, confidence: sigmoid((mean(even.subarray(run.first, run.end)) - SCORE.reach) / SCORE_SPREAD) },
    ];
  });
}

function mean(values: Float32Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return values.length === 0 ? 0 : sum / values.length;
}
