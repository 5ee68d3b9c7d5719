import type { Cue } from "../../src/core/cue.ts";
import type { Review } from "./saved.ts";

/** The cues of a result that are placed and voiced. */
export function soundingCues({ cues, mutedIds = [] }: Pick<Review, "cues" | "mutedIds">): readonly Cue[] {
  return mutedIds.length === 0 ? cues : cues.filter(({ id }) => !mutedIds.includes(id));
}
