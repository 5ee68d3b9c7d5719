/** Rate of all test signals. */
export const RATE = 48_000;

/** A sine; level of its peak in dBFS. */
export function sine(seconds: number, dbfs: number, hertz = 1_000, phaseDegrees = 0): Float32Array {
  const amplitude = 10 ** (dbfs / 20);
  const phase = (phaseDegrees * Math.PI) / 180;
  return Float32Array.from(
    { length: Math.round(seconds * RATE) },
    (_, i) => amplitude * Math.sin((2 * Math.PI * hertz * i) / RATE + phase),
  );
}

/** Sounds one after the other. */
export function joined(...parts: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Even noise of that root mean square, the same each time. */
export function noise(seconds: number, rmsDbfs: number, seed = 1): Float32Array {
  let state = seed;
  const scale = 10 ** (rmsDbfs / 20) * Math.sqrt(3);
  return Float32Array.from({ length: Math.round(seconds * RATE) }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return scale * (state / 2_147_483_648 - 1);
  });
}

/** Root mean square in dBFS. */
export function rmsDbfs(samples: Float32Array): number {
  return 10 * Math.log10(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
}

/** Largest sample in dBFS. */
export function peakDbfs(samples: Float32Array): number {
  return 20 * Math.log10(samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0));
}
