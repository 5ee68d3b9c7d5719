import { type Cue, compareCues } from "../../core/cue.ts";
import type { FrameRate } from "../../core/frame-rate.ts";
import { type HoldingCue, holdProgramme } from "../../core/held-programme.ts";
import { defined } from "../../core/objects.ts";
import { ROUNDING_ERROR_SECONDS, rangeDuration } from "../../core/time-range.ts";
import { heldCues, voiceLengths } from "../../result/held.ts";
import { extendedCues, type Result, soundingCues } from "../../result/result.ts";
import { staleIn } from "../../result/stale.ts";
import { standingOf } from "../remedies.ts";

/** A line that the programme is held for, because it is longer than its pause. */
export interface HeldLine {
  /** When it begins, on the programme clock: where it stands, or where the nearest pause does. */
  readonly start: number;
  /** Seconds that it is spoken. */
  readonly seconds: number;
  /** Seconds that the film grows by: whole frames, with a breath. 0 where it fits its pause. */
  readonly addedSeconds: number;
}

/** What becomes of a line of a standard description when the programme is held for it, at the end of its pause. */
export function heldLine(result: Result, cue: Cue, rate: FrameRate): HeldLine {
  const holding = holdingCue(result, cue, standing(result, cue).seconds);
  const { map } = holdProgramme([holding], clockOf(result, rate));
  return { start: holding.start, seconds: holding.narrationSeconds, addedSeconds: map.addedSeconds };
}

/**
 * A standard description whose extended lines are heard, for a copy of its sequence: what is held for them, and nothing else of it
 * changed. They are to be voiced; all others keep their sound. `null` where it has none, or all of them fit their pauses by now.
 *
 * @param lengths Seconds of the lines that were voiced for this; the others are estimated.
 */
export function heldForLines(
  result: Result,
  rate: FrameRate,
  lengths: ReadonlyMap<string, number> = new Map(),
): Result | null {
  const extended = new Set(extendedCues(result).map(({ id }) => id));
  if (extended.size === 0) return null;
  const { extendedIds: _, mutedIds = [], ...whole } = result;
  const heardAll: Result = { ...whole, mutedIds: mutedIds.filter((id) => !extended.has(id)) };
  const voiced = voiceLengths(heardAll);
  const cues = soundingCues(heardAll);
  const holding = cues.map((cue): HoldingCue => {
    // Lines that are held for take none of each other's pauses.
    if (extended.has(cue.id)) return holdingCue(result, cue, lengths.get(cue.id) ?? standing(heardAll, cue).seconds);
    return { ...cue, narrationSeconds: voiced.get(cue.id) ?? rangeDuration(cue), holdSeconds: 0 };
  });
  const { map, cues: heard } = holdProgramme(holding.sort(compareCues), clockOf(result, rate));
  const held = heldCues(cues, { holds: map.holds, heard });
  if (held === undefined) return null;
  const { pieces, ...kept } = heardAll;
  const without = <Kept>(byId: Readonly<Record<string, Kept>>) =>
    Object.fromEntries(Object.entries(byId).filter(([id]) => !extended.has(id)));
  return {
    ...kept,
    voiced: without(kept.voiced),
    ...defined({ pieces: pieces && without(pieces) }),
    held,
  };
}

/** A line that runs on through its pause and is held for at its end. */
function holdingCue(result: Result, cue: Cue, seconds: number): HoldingCue {
  const { gap } = standing(result, cue);
  const start = Math.min(Math.max(cue.start, gap.start), gap.end);
  const beyond = start + seconds - gap.end;
  // A line that fills its pause ends there but for the last digit, as the sum of two times.
  const isHeld = beyond > ROUNDING_ERROR_SECONDS;
  const end = isHeld ? gap.end : start + seconds;
  return { ...cue, start, end, narrationSeconds: seconds, holdSeconds: isHeld ? beyond : 0 };
}

function standing(result: Result, cue: Cue) {
  const stale = staleIn(result);
  return standingOf(result, cue, stale.has(cue.id), stale);
}

/** The frames of the sequence: its programme begins on one. */
function clockOf({ durationSeconds }: Result, rate: FrameRate) {
  return { rate, firstFrameSeconds: 0, durationSeconds };
}
