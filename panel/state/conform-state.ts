import { fingerprintOf } from "../../src/core/bytes.ts";
import type { NewStretch } from "../../src/core/new-stretches.ts";
import { totalDuration } from "../../src/core/time-range.ts";
import type { SequenceInfo } from "../../src/host/host.ts";
import { isSameRange, type PlacedResult, type Result } from "../../src/result/result.ts";
import { soundStanding } from "../../src/result/stale.ts";
import type { ConformPlan } from "../../src/workflow/conform/conform-sequence.ts";
import { type Form, trackOf } from "./form.ts";
import type { JobEntry } from "./saved.ts";

/** What a re-cut did to the cues of the active sequence. */
export interface ConformState {
  readonly sequence: SequenceInfo;
  readonly record: PlacedResult;
  readonly plan: ConformPlan<PlacedResult>;
  /** Lines that are recorded before their clips are placed; `null` where no narration can be cut into lines. */
  readonly toRecord: number | null;
  /** Stretches of the cut that were never described; none where nobody here knows how the rest was. */
  readonly stretches: readonly NewStretch[];
}

/** How many seconds of a cut are to be described, with what is known around them. */
export function newSeconds({ stretches }: ConformState): number {
  return totalDuration(stretches);
}

/** The form that what is new in a cut is described by: that of the rest, without what belongs to the old cut. */
export function formForNew(
  panel: { readonly jobs: readonly JobEntry[]; readonly form: Form },
  { record }: Pick<ConformState, "record">,
): Form {
  const described = panel.jobs.find(({ runId }) => runId === record.runId)?.form ?? panel.form;
  const { captionFile: _, scriptFile: __, ...form } = described;
  // A mix of the old cut is made anew as a whole: its new cues come without a voice.
  const wanted = trackOf(described) === "ad_only" ? "both" : "markers";
  return { ...form, captionSource: "none", range: "whole", wanted };
}

/**
 * The lines whose words changed since their narration on the timeline was recorded; `null` where that cannot become a clip
 * for each line: of a mix, of another range, or where none was placed.
 */
export function linesToRecord(
  { record, plan }: Pick<ConformState, "record" | "plan">,
  result: Result | null,
): readonly string[] | null {
  if (result === null || !plan.hasNarration || !isSameRange(record, result)) return null;
  const { track, audio, held } = result;
  return track === "ad_only" && audio !== undefined && held === undefined ? [...soundStanding(result).untrue] : null;
}

/** What tells one cut from another, for whoever put its notice away. */
export function cutKey({ plan, sequence }: Pick<ConformState, "plan" | "sequence">): string {
  return fingerprintOf(sequence.id, JSON.stringify(plan.record.placed.layout));
}

/** How many cues a re-cut moved, touched and orphaned. */
export function countConform({ plan }: Pick<ConformState, "plan">): Record<"moved" | "touched" | "orphaned", number> {
  const count = (wanted: string) => plan.descriptions.filter(({ state }) => state === wanted).length;
  return { moved: count("moved"), touched: count("touched"), orphaned: count("orphaned") };
}
