import type { Cue } from "../../core/cue.ts";
import { type DuckGlide, planDucking } from "../../core/duck-plan.ts";
import { meanLevel, SILENCE_LUFS, type SoundMeasure } from "../../core/measures.ts";

/**
 * How the programme is lowered for a narration that goes beside it, as our own mix would lower it: by what both were measured to be.
 *
 * @param cues In order of time, each as long as it is spoken.
 * @param programme Heard too: over music the programme is lowered less.
 * @returns In order of time and disjoint, on the programme clock.
 */
export function deliveryFades(
  cues: readonly Cue[],
  narration: SoundMeasure,
  programme: SoundMeasure,
): readonly DuckGlide[] {
  const lines = cues.flatMap((cue) => {
    const narrationLufs = meanLevel(narration.levels, [cue]) ?? SILENCE_LUFS;
    const programmeLufs = meanLevel(programme.levels, [cue]) ?? SILENCE_LUFS;
    if (narrationLufs <= SILENCE_LUFS || programmeLufs <= SILENCE_LUFS) return [];
    return [{ cueId: cue.id, start: cue.start, end: cue.end, narrationLufs, programmeLufs }];
  });
  return planDucking(lines, programme.heard?.music ?? []).glides;
}
