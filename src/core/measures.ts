import type { Heard } from "./gap.ts";
import type { Shot } from "./shot.ts";
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
  /** Which of several sound tracks was measured, as a sentence; absent where there was no choice. */
  readonly soundChoice?: string;
}

/** What is known of a sound file before anybody measured it. */
export const NOT_MEASURED: SoundMeasure = {
  durationSeconds: 0,
  levels: [],
  integratedLufs: null,
  truePeakDbtp: null,
  active: [],
};

/** That a file ends before the length that it states, as a sentence without its full stop. Both in seconds. */
export function endsEarly(endSeconds: number, statedSeconds: number): string {
  const tenths = (seconds: number) => String(Math.round(seconds * 10) / 10);
  return `The file ends after ${tenths(endSeconds)} of ${tenths(statedSeconds)} s: export or upload it again`;
}

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

/** Light of a picture is given this often, per second. */
export const LIGHTS_PER_SECOND = 2;

/** What checks look at of a shot. */
export type MeasuredShot = Pick<Shot, "start" | "end" | "motion" | "colours" | "frozenSeconds">;

/** What stands on one frame. */
export interface ReadFrame {
  /** Seconds on the programme clock. */
  readonly at: number;
  /** Lines that can be trusted, in reading order. */
  readonly lines: readonly string[];
  /** Lines that may stand there and cannot be trusted. */
  readonly doubtful: readonly string[];
  /** Whether no detail is in it that could be lettering: one colour, or colours that blend softly. */
  readonly isPlain: boolean;
  /** Whether it looks like a title card, read or not. */
  readonly isTitle: boolean;
}

/** A picture that was kept as a file. */
export interface KeptStill {
  /** The time that was asked for, in seconds on the programme clock. */
  readonly at: number;
  /** Name of a JPEG file, without its folder. */
  readonly file: string;
}

/** What was measured of the picture of a programme, for checks of what is said about it. */
export interface PictureMeasure {
  /** Where the picture changes: starts of shots but the first, in seconds on the programme clock. */
  readonly changes: readonly number[];
  /** Mean luma of each half second, 0 (black) to 1 (white); `null` for one without a frame. */
  readonly light: readonly (number | null)[];
  /** In order, without holes; empty where there is no picture. */
  readonly shots: readonly MeasuredShot[];
  /** In order of time; absent where nobody read, or nothing could be read with. */
  readonly read?: readonly ReadFrame[];
  /** In order of time; absent where none were asked for. */
  readonly stills?: readonly KeptStill[];
}
