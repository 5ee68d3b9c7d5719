import { type Cue, compareCues } from "../../core/cue.ts";
import type { DialogueLine } from "../../core/dialogue.ts";
import type { Finding } from "../../core/finding.ts";
import type { KnownSpeech } from "../../core/gap.ts";
import { newStretches } from "../../core/new-stretches.ts";
import { defined } from "../../core/objects.ts";
import { linesAfterRecut, soundAfterRecut } from "../../core/sound-after-recut.ts";
import { shiftRange } from "../../core/time-range.ts";
import { cutOf } from "../../host/edit-plan.ts";
import { isSameRange, type PlacedResult, type Result } from "../../result/result.ts";
import { type ConformInput, type ConformPlan, planConform } from "./conform-sequence.ts";

/**
 * A result after its cues followed a re-cut, with the edits that are not placed yet. Cues that a person must look at carry
 * the reason and are no longer accepted. Speech and music go where their sound went; where sound came in, nobody knows of them.
 *
 * @param before The result as it was placed on the cut of before; of another range, nothing changes.
 */
export function conformedResult(result: Result, before: PlacedResult, plan: ConformPlan): Result {
  if (!isSameRange(before, result)) return result;
  const { offsetSeconds, durationSeconds, cues, toWrite } = plan.record;
  // The record's clock may have been moved on, so that no cue lies before its 0.
  const rebase = before.offsetSeconds - offsetSeconds;
  const was = new Map(before.cues.map((cue) => [cue.id, cue.start]));
  const shifts = new Map(cues.map((cue) => [cue.id, cue.start - (was.get(cue.id) ?? cue.start - rebase)]));
  const moved = (cue: Cue): Cue => {
    const shift = shifts.get(cue.id) ?? rebase;
    return { ...cue, start: Math.max(0, cue.start + shift), end: cue.end + shift };
  };
  const touched = new Set(plan.findings.flatMap(({ cueIds }) => cueIds));
  const { speech, music, audio, pieces, dialogue, held, cut, ...kept } = result;
  const rebased = Object.entries(pieces ?? {}).map(([id, one]) => [id, { ...one, start: one.start + rebase }] as const);
  const speechNow = heardAfter(speech, result, before, plan);
  const musicNow = heardAfter(music, result, before, plan);
  return {
    ...kept,
    offsetSeconds,
    durationSeconds,
    cues: result.cues.map(moved).sort(compareCues),
    generated: result.generated?.map(moved).sort(compareCues) ?? null,
    ...defined({ toWrite }),
    acceptedIds: result.acceptedIds.filter((id) => !touched.has(id)),
    voiced: Object.fromEntries(Object.entries(result.voiced).map(([id, voiced]) => [id, shiftRange(voiced, rebase)])),
    ...(audio === undefined ? {} : { audio: { ...audio, start: (audio.start ?? 0) + rebase } }),
    ...(pieces === undefined ? {} : { pieces: Object.fromEntries(rebased) }),
    ...(held === undefined ? {} : { held: { ...held, holds: null } }),
    ...(cut === undefined ? {} : { cut: followedCut(cut, plan) }),
    isRecut: true,
    standing: [...(result.standing ?? []).filter((finding) => !isOfConforming(finding)), ...plan.findings],
    findings: [...result.findings.filter((finding) => !isOfConforming(finding)), ...plan.findings],
    ...defined({ dialogue: dialogue && saidAfter(dialogue, result, before, plan) }),
    ...(speechNow === undefined ? {} : { speech: speechNow }),
    ...(musicNow === undefined ? {} : { music: musicNow }),
  };
}

/** The cut that the cues lie on now, and the one whose picture was described. */
function followedCut(
  { layout, described = layout }: NonNullable<Result["cut"]>,
  { record }: ConformPlan,
): NonNullable<Result["cut"]> {
  return { layout: record.placed.layout, described };
}

/** What is said, on the new cut's programme clock; of sound that came in nobody knows it. */
function saidAfter(
  dialogue: readonly DialogueLine[],
  { offsetSeconds }: Result,
  before: PlacedResult,
  { record }: ConformPlan,
): readonly DialogueLine[] {
  const lines = dialogue.map((line) => shiftRange(line, offsetSeconds));
  const after = linesAfterRecut(lines, before.placed.layout, record.placed.layout);
  return after.map((line) => shiftRange(line, -record.offsetSeconds));
}

/** Whether a finding tells what a re-cut did to a cue. */
export function isOfConforming({ rule }: Finding): boolean {
  return rule.startsWith("conform-");
}

/** Ranges of what was heard, on the new cut's programme clock; `undefined` where sound came in that nobody listened to. */
function heardAfter(
  heard: readonly KnownSpeech[] | undefined,
  { offsetSeconds, durationSeconds }: Result,
  before: PlacedResult,
  { record }: ConformPlan,
): readonly KnownSpeech[] | undefined {
  if (heard === undefined) return undefined;
  const moved = (ranges: readonly KnownSpeech[], by: number) => ranges.map((range) => shiftRange(range, by));
  const listened = { start: offsetSeconds, end: offsetSeconds + durationSeconds };
  const after = soundAfterRecut(moved(heard, offsetSeconds), listened, before.placed.layout, record.placed.layout);
  return after.isAllKnown ? moved(after.ranges, -record.offsetSeconds) : undefined;
}

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
