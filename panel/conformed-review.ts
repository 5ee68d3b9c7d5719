import { type Cue, compareCues } from "../src/core/cue.ts";
import { soundAfterRecut } from "../src/core/sound-after-recut.ts";
import type { TimeRange } from "../src/core/time-range.ts";
import type { ConformPlan } from "../src/workflow/conform-sequence.ts";
import type { SequenceRecord } from "../src/workflow/sequence-record.ts";
import { isSameRange } from "./kept-record.ts";
import type { JobEntry, Review } from "./saved.ts";
import { voicedIn } from "./stale-voices.ts";

/**
 * A result after its cues followed a re-cut, with the edits that are not placed yet. Cues that a person must look at carry
 * the reason and are no longer accepted. Speech goes where its sound went; where sound came in, nobody knows of speech.
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
    acceptedIds: review.acceptedIds.filter((id) => !touched.has(id)),
    voiced: Object.fromEntries(
      Object.entries(voicedIn(review, job)).map(([id, voiced]) => [
        id,
        { ...voiced, start: voiced.start + rebase, end: voiced.end + rebase },
      ]),
    ),
    isRecut: true,
    standing: plan.findings,
    findings: [...review.findings.filter(({ rule }) => !rule.startsWith("conform-")), ...plan.findings],
    speech: speechAfter(review, before, plan),
  };
}

function speechAfter({ speech, exported }: Review, before: SequenceRecord, { record }: ConformPlan): Review["speech"] {
  if (speech === null) return null;
  const moved = (ranges: Iterable<TimeRange>, by: number) =>
    Array.from(ranges, ({ start, end }) => ({ start: start + by, end: end + by }));
  const { offsetSeconds, durationSeconds } = exported;
  const listened = { start: offsetSeconds, end: offsetSeconds + durationSeconds };
  const after = soundAfterRecut(moved(speech, offsetSeconds), listened, before.layout, record.layout);
  return after.isAllKnown ? moved(after.ranges, -record.offsetSeconds) : null;
}
