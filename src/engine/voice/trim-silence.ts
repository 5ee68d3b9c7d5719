import type { SpokenLine } from "../spoken-line.ts";

/** Length of the windows in which loudness is compared. */
const WINDOW_SECONDS = 0.005;

/**
 * How far below the loudest window a window counts as silence, in dB. Soft consonants (f, h, th) lie 25 to 35 dB under
 * vowels; the noise of a quiet room lies 45 dB and more under a voice that speaks into a near microphone.
 */
const SILENCE_DEPTH_DB = 40;

/** Sound kept on either side of the speech, so that no onset is cut; its outer part is faded as a click guard. */
const GUARD_SECONDS = 0.012;

/** Length of the fade at either end. */
const FADE_SECONDS = 0.004;

/** The line without the silence that an engine puts before and after speech; no samples when it is silent throughout. */
export function trimSilence(line: SpokenLine): SpokenLine {
  const { samples, sampleRate } = line;
  const window = Math.max(1, Math.round(WINDOW_SECONDS * sampleRate));
  const energies = windowEnergies(samples, window);
  const loudest = energies.reduce((most, energy) => Math.max(most, energy), 0);
  if (loudest === 0) return { samples: new Float32Array(0), sampleRate };
  const threshold = loudest * 10 ** (-SILENCE_DEPTH_DB / 10);
  const first = energies.findIndex((energy) => energy >= threshold);
  const last = energies.findLastIndex((energy) => energy >= threshold);
  const guard = Math.round(GUARD_SECONDS * sampleRate);
  const start = Math.max(0, first * window - guard);
  const end = Math.min(samples.length, (last + 1) * window + guard);
  const trimmed = samples.slice(start, end);
  fadeEnds(trimmed, Math.round(FADE_SECONDS * sampleRate));
  return { samples: trimmed, sampleRate };
}

function windowEnergies(samples: Float32Array, window: number): number[] {
  const energies: number[] = [];
  for (let at = 0; at < samples.length; at += window) {
    const part = samples.subarray(at, at + window);
    let energy = 0;
    for (const sample of part) energy += sample * sample;
    energies.push(energy / part.length);
  }
  return energies;
}

/** Raised-cosine fades, so that the first and the last sample are zero whatever the engine left there. */
function fadeEnds(samples: Float32Array, length: number): void {
  const fade = Math.min(length, samples.length >> 1);
  for (let i = 0; i < fade; i++) {
    const gain = 0.5 - 0.5 * Math.cos((Math.PI * i) / fade);
    const end = samples.length - 1 - i;
    samples[i] = (samples[i] ?? 0) * gain;
    samples[end] = (samples[end] ?? 0) * gain;
  }
}
