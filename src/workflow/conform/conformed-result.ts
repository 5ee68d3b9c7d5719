import { type Cue, compareCues } from "../../core/cue.ts";
import { defined } from "../../core/defined.ts";
import type { Finding } from "../../core/finding.ts";
import type { KnownSpeech } from "../../core/heard.ts";
import { linesAfterRecut, soundAfterRecut } from "../../core/sound-after-recut.ts";
import { shiftRange } from "../../core/time-range.ts";
import type { DialogueLine } from "../../core/transcript.ts";
import { isSameRange, type PlacedResult, type Result } from "../../result/result.ts";
import type { ConformPlan } from "./conform-sequence.ts";

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
  const { speech, music, audio, dialogue, held, cut, ...kept } = result;
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
    ...(held === undefined ? {} : { held: { ...held, holds: null } }),
    ...(cut === undefined ? {} : { cut: followedCut(cut, plan) }),
    isRecut: true,
    standing: plan.findings,
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
