import { type Cue, compareCues } from "../../src/core/cue.ts";
import type { KnownSpeech } from "../../src/core/heard.ts";
import { soundAfterRecut } from "../../src/core/sound-after-recut.ts";
import { shiftRange } from "../../src/core/time-range.ts";
import type { ConformPlan } from "../../src/workflow/conform/conform-sequence.ts";
import type { SequenceRecord } from "../../src/workflow/place/sequence-record.ts";
import { isSameRange } from "./result-record.ts";
import type { JobEntry, Review } from "./saved.ts";
import { voicedIn } from "./stale-voices.ts";

/**
 * A result after its cues followed a re-cut, with the edits that are not placed yet. Cues that a person must look at carry
 * the reason and are no longer accepted. Speech and music go where their sound went; where sound came in, nobody knows of them.
 */
export function conformedReview(review: Review, job: JobEntry, before: SequenceRecord, plan: ConformPlan): Review {
  if (!isSameRange(before, review)) return review;
  const { offsetSeconds, durationSeconds, cues } = plan.record;
  // The record's clock may have been moved on, so that no cue lies before its 0.
  const rebase = before.offsetSeconds - offsetSeconds;
  const was = new Map(before.cues.map((cue) => [cue.id, cue.start]));
  const shifts = new Map(cues.map((cue) => [cue.id, cue.start - (was.get(cue.id) ?? cue.start - rebase)]));
  const moved = (cue: Cue): Cue => {
    const shift = shifts.get(cue.id) ?? rebase;
    return { ...cue, start: Math.max(0, cue.start + shift), end: cue.end + shift };
  };
  const touched = new Set(plan.findings.flatMap(({ cueIds }) => cueIds));
  return {
    ...review,
    exported: { ...review.exported, offsetSeconds, durationSeconds },
    cues: review.cues.map(moved).sort(compareCues),
    original: review.original.map(moved).sort(compareCues),
    ...(plan.record.toWrite === undefined ? {} : { toWrite: plan.record.toWrite }),
    acceptedIds: review.acceptedIds.filter((id) => !touched.has(id)),
    voiced: Object.fromEntries(
      Object.entries(voicedIn(review, job)).map(([id, voiced]) => [id, shiftRange(voiced, rebase)]),
    ),
    isRecut: true,
    standing: plan.findings,
    findings: [...review.findings.filter(({ rule }) => !rule.startsWith("conform-")), ...plan.findings],
    speech: review.speech === null ? null : heardAfter(review.speech, review, before, plan),
    music: heardAfter(review.music ?? [], review, before, plan) ?? [],
  };
}

/** Ranges of what was heard, on the new cut's programme clock; `null` where sound came in that nobody listened to. */
function heardAfter(
  heard: readonly KnownSpeech[],
  { exported }: Review,
  before: SequenceRecord,
  { record }: ConformPlan,
): readonly KnownSpeech[] | null {
  const moved = (ranges: readonly KnownSpeech[], by: number) => ranges.map((range) => shiftRange(range, by));
  const { offsetSeconds, durationSeconds } = exported;
  const listened = { start: offsetSeconds, end: offsetSeconds + durationSeconds };
  const after = soundAfterRecut(moved(heard, offsetSeconds), listened, before.layout, record.layout);
  return after.isAllKnown ? moved(after.ranges, -record.offsetSeconds) : null;
}
