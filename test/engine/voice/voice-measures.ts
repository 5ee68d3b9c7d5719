import type { SpokenLine } from "../../../src/engine/spoken-line.ts";

/** Median pitch by autocorrelation, and the frequency about which the sound's energy lies. */
export function soundOf(line: SpokenLine): { readonly pitchHz: number; readonly brightnessHz: number } {
  const { samples, sampleRate } = line;
  const size = 1024;
  const pitches: number[] = [];
  for (let at = 0; at + 2 * size < samples.length; at += size / 2) {
    const pitch = pitchAt(samples.subarray(at, at + 2 * size), size, sampleRate);
    if (pitch !== null) pitches.push(pitch);
  }
  pitches.sort((a, b) => a - b);
  let energy = 0;
  let change = 0;
  for (let i = 1; i < samples.length; i++) {
    energy += (samples[i] ?? 0) ** 2;
    change += ((samples[i] ?? 0) - (samples[i - 1] ?? 0)) ** 2;
  }
  const brightnessHz = (Math.asin(Math.min(1, Math.sqrt(change / energy) / 2)) * sampleRate) / Math.PI;
  return { pitchHz: pitches[pitches.length >> 1] ?? 0, brightnessHz };
}

function pitchAt(window: Float32Array, size: number, sampleRate: number): number | null {
  const power = (from: number) => {
    let sum = 1e-12;
    for (let k = 0; k < size; k++) sum += (window[from + k] ?? 0) ** 2;
    return sum;
  };
  const still = power(0);
  if (still / size < 1e-3) return null;
  let best = 0;
  let bestLag = 0;
  for (let lag = Math.floor(sampleRate / 400); lag < sampleRate / 55; lag++) {
    let sum = 0;
    for (let k = 0; k < size; k++) sum += (window[k] ?? 0) * (window[k + lag] ?? 0);
    const likeness = sum / Math.sqrt(still * power(lag));
    if (likeness > best + 0.02) {
      best = likeness;
      bestLag = lag;
    }
  }
  return best > 0.6 ? sampleRate / bestLag : null;
}
