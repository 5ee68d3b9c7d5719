import { newStretches } from "../../core/new-stretches.ts";
import { cutOf } from "../../host/cut.ts";
import type { PlacedResult, Result } from "../../result/result.ts";
import { type ConformInput, type ConformPlan, planConform } from "./conform-sequence.ts";
import { conformedResult } from "./conformed-result.ts";

/** A result whose cues followed a cut that changed before anything of them was placed. */
export interface FollowedResult {
  readonly result: Result;
  /** What became of each cue; its steps are nobody's, because nothing of the result lies there yet. */
  readonly plan: ConformPlan<PlacedResult>;
}

/**
 * Takes the cues of a result, of which nothing is placed yet, along with a cut that was changed since its export: what was written
 * for a picture stays with it. Markers that lie there are of other results, and are not looked at.
 *
 * @returns `null` where the cut is as it was, or nobody knows what was exported.
 */
export function followCut(
  result: Result,
  { sequence, timeline }: Pick<ConformInput, "sequence" | "timeline">,
): FollowedResult | null {
  const { cut, offsetSeconds: start, durationSeconds } = result;
  // Most often it is the same to the letter, which is told a hundred times faster than what became of each cue.
  if (cut === undefined || JSON.stringify(cut.layout) === JSON.stringify(cutOf(timeline))) return null;
  const before = { ...result, placed: { sequenceId: sequence.id, markerIds: {}, clipNames: [], layout: cut.layout } };
  const plan = planConform({ sequence, timeline: { ...timeline, markers: [] }, record: before });
  const isAsItWas =
    plan.descriptions.every(({ state }) => state === "unchanged") &&
    newStretches(cut.layout, plan.record.placed.layout, sequence.rate, { start, end: start + durationSeconds })
      .length === 0;
  return isAsItWas ? null : { result: conformedResult(result, before, plan), plan };
}
