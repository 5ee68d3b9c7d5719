import type { Heard } from "./heard.ts";
import type { TimeRange } from "./time-range.ts";

/** Levels of a sound are given this often, per second. */
export const LEVELS_PER_SECOND = 10;

/** What was measured of a sound file. */
export interface SoundMeasure {
  readonly durationSeconds: number;
  /** Loudness of each tenth of a second in LUFS (ITU-R BS.1770-4, not gated); -120 for silence. */
  readonly levels: readonly number[];
  /** Integrated loudness in LUFS; `null` when all is silent. */
  readonly integratedLufs: number | null;
  /** Largest true peak in dBTP; `null` when all is silent. */
  readonly truePeakDbtp: number | null;
  /** Loudness range in LU (EBU Tech 3342); absent where nobody measured. */
  readonly rangeLu?: number;
  /** Highest momentary (400 ms) and short-term (3 s) loudness in LUFS (EBU Tech 3341); absent where nobody measured, or all is silent. */
  readonly momentaryLufs?: number;
  readonly shortTermLufs?: number;
  /** Where anything is heard at all, to 10 ms: above -50 dBFS, pauses under a quarter of a second bridged. */
  readonly active: readonly TimeRange[];
  /** What was heard; absent when nobody listened. */
  readonly heard?: Heard;
}

/** What is known of a sound file before anybody measured it. */
export const NOT_MEASURED: SoundMeasure = {
  durationSeconds: 0,
  levels: [],
  integratedLufs: null,
  truePeakDbtp: null,
  active: [],
};

/** Mean loudness of the levels in some ranges, in LUFS: the mean of their energies. `null` when no level lies in them. */
export function meanLevel(levels: readonly number[], ranges: readonly TimeRange[]): number | null {
  let energy = 0;
  let count = 0;
  for (const { start, end } of ranges) {
    const last = Math.min(levels.length, Math.round(end * LEVELS_PER_SECOND));
    for (let at = Math.max(0, Math.round(start * LEVELS_PER_SECOND)); at < last; at++) {
      energy += 10 ** ((levels[at] ?? SILENCE_LUFS) / 10);
      count += 1;
    }
  }
  return count === 0 ? null : Math.max(SILENCE_LUFS, 10 * Math.log10(energy / count));
}

/** The loudness given for silence, in LUFS. */
export const SILENCE_LUFS = -120;
