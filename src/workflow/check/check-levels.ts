import type { Cue } from "../../core/cue.ts";
import type { Finding } from "../../core/finding.ts";
import { meanLevel, SILENCE_LUFS, type SoundMeasure } from "../../core/measures.ts";
import {
  clipRanges,
  mergeRanges,
  overlapWithRanges,
  rangeDuration,
  subtractRanges,
  type TimeRange,
} from "../../core/time-range.ts";
import { below } from "./check.ts";
import type { CheckProfile } from "./check-profile.ts";

/** What a level may fall short of its advice: whoever mixes to a loudness meets it to this (EBU R 128). In LU. */
const LEVEL_TOLERANCE_LU = 0.5;

/** How far around a line of a mix the bed is looked for, in seconds, and how short a pause may be to hear it. */
const BED_REACH_SECONDS = 5;
const BED_PAUSE_SECONDS = 0.3;

/** What levels are checked in. */
interface LevelParts {
  readonly result: {
    readonly programme?: SoundMeasure;
    readonly narration?: SoundMeasure;
    readonly mix?: SoundMeasure;
  };
  readonly heardCues: readonly Cue[];
  readonly music: readonly TimeRange[];
  readonly profile: CheckProfile;
}

/** Holds narration against what lies under it: as mixed where there is a mix, else beside the programme as it stands. */
export function checkLevels(parts: LevelParts): Finding[] {
  const { result, heardCues, music, profile } = parts;
  const limitsFor = (range: TimeRange) => {
    const isMusic = overlapWithRanges(range, music) > rangeDuration(range) / 2;
    const limits = isMusic ? profile.levelOverMusic : profile.levelOverAmbience;
    return { ...limits, warn: Math.max(limits.fail, limits.warn - LEVEL_TOLERANCE_LU) };
  };
  const { narration, programme, mix } = result;
  const words = (difference: number) => `the narration is ${difference.toFixed(1)} LU above what lies under it`;
  if (narration !== undefined && (mix !== undefined || programme !== undefined)) {
    return heardCues.flatMap((cue) => {
      const voice = meanLevel(narration.levels, [cue]);
      const bed = mix === undefined ? meanLevel(programme?.levels ?? [], [cue]) : bedUnder(mix, voice, cue);
      if (voice === null || bed === null || voice <= SILENCE_LUFS) return [];
      const { warn } = limitsFor(cue);
      const found = (advice = "") => below(limitsFor(cue), voice - bed, "level", [cue], words(voice - bed) + advice);
      if (mix !== undefined) return found();
      // Whoever mixes a narration that comes alone still lowers the programme: that is advice, and no fault of the narration.
      const advised = found(`: lower the programme by ${(warn - voice + bed).toFixed(0)} dB there`);
      return advised.map((finding) => ({ ...finding, severity: "warn" }));
    });
  }
  if (mix?.heard === undefined) return [];
  return mixLevels(mix, heardCues).flatMap(({ range, cue, difference }) => {
    const found = below(limitsFor(range), difference, "level", cue === undefined ? [] : [cue], words(difference));
    return found.map((finding) => (cue === undefined ? { ...finding, range } : finding));
  });
}

/** Loudness of a mix without its narration: energies of sounds that have nothing to do with each other add up. */
function bedUnder(mix: SoundMeasure, voice: number | null, cue: TimeRange): number | null {
  const whole = meanLevel(mix.levels, [cue]);
  if (whole === null || voice === null) return null;
  const left = 10 ** (whole / 10) - 10 ** (voice / 10);
  return left > 0 ? Math.max(SILENCE_LUFS, 10 * Math.log10(left)) : SILENCE_LUFS;
}

/**
 * How far voices stand above their bed in a sound of which only the whole is there: the loudness while somebody speaks
 * against the loudness of the pauses beside it.
 */
function mixLevels(
  mix: SoundMeasure,
  cues: readonly Cue[],
): { readonly range: TimeRange; readonly cue?: Cue; readonly difference: number }[] {
  const speech = mergeRanges(mix.heard?.speech ?? []);
  const whole = { start: 0, end: mix.durationSeconds };
  const lines = cues.length > 0 ? cues.map((cue) => ({ range: cue, cue })) : speech.map((range) => ({ range }));
  const spoken = mergeRanges([...speech, ...cues]);
  return lines.flatMap((line) => {
    const { range } = line;
    const around = { start: range.start - BED_REACH_SECONDS, end: range.end + BED_REACH_SECONDS };
    const pauses = subtract(clipRanges([whole], around), spoken).filter(
      (pause) => rangeDuration(pause) >= BED_PAUSE_SECONDS,
    );
    const both = meanLevel(mix.levels, [range]);
    const bed = meanLevel(mix.levels, pauses);
    if (both === null || bed === null) return [];
    const voice = 10 ** (both / 10) - 10 ** (bed / 10);
    // A voice below its bed cannot be told from it: nothing is known but that it does not stand out.
    const difference = voice > 0 ? Math.max(0, 10 * Math.log10(voice) - bed) : 0;
    return [{ ...line, difference }];
  });
}

function subtract(ranges: readonly TimeRange[], holes: readonly TimeRange[]): TimeRange[] {
  return ranges.flatMap((range) => subtractRanges(range, holes));
}
