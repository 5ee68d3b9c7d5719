import type { UnplacedDescription, UnplacedReason } from "../../core/placement.ts";

const REASONS: Readonly<Record<UnplacedReason, string>> = {
  "no-gap-near": "no gap lies near its picture",
  "too-long": "it is longer than every gap near its picture",
  "longer-than-programme": "it is longer than what is left of the programme",
  "added-time": "the time that holds may add went to what matters more",
  crowded: "its place went to other descriptions",
  "nothing-to-say": "it has no word to speak",
};

/** A sentence for each description that found no place, so that nothing is left out silently. */
export function unplacedNotes(unplaced: readonly UnplacedDescription[]): string[] {
  return unplaced.map(({ text, reason }) => `Left out, because ${REASONS[reason]}: "${text}"`);
}
