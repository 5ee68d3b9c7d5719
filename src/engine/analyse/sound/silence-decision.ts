import type { TimeRange } from "../../../core/time-range.ts";
import { LEVELS_PER_SECOND } from "./level-track.ts";

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
