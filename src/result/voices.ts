import { LONGEST_FRAME_SECONDS } from "../core/tolerance.ts";
import type { VoicedCue } from "../core/voiced-cue.ts";
import { soundingCues, type VoicePiece } from "./result.ts";
import { soundStanding } from "./stale.ts";

/**
 * How long the voice of each cue is, in seconds by cue id: of all cues that sound and whose sound says their words. It begins
 * where the cue begins now, and may be longer than the cue.
 */
export function voiceLengths(result: Parameters<typeof soundStanding>[0]): ReadonlyMap<string, number> {
  const { voiced, pieces = {} } = result;
  const { untrue } = soundStanding(result);
  return new Map(
    soundingCues(result).flatMap(({ id }) => {
      const was = voiced[id];
      return was === undefined || untrue.has(id) ? [] : [[id, lengthOf(was, pieces[id])] as const];
    }),
  );
}

/** As long as somebody heard it; a piece is whole frames long, the last of which may be almost empty. */
function lengthOf({ start, end, seconds }: VoicedCue, piece: VoicePiece | undefined): number {
  const least = piece === undefined ? 0 : piece.start + piece.durationSeconds - LONGEST_FRAME_SECONDS - start;
  return seconds ?? Math.max(end - start, least);
}
