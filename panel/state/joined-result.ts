import { type Cue, compareCues } from "../../src/core/cue.ts";
import type { Finding } from "../../src/core/finding.ts";
import { shiftRange } from "../../src/core/time-range.ts";
import type { PlaceAudio } from "../../src/host/edit-plan.ts";
import type { SequenceInfo } from "../../src/host/host.ts";
import type { ConformPlan } from "../../src/workflow/conform/conform-sequence.ts";
import type { SequenceRecord } from "../../src/workflow/place/sequence-record.ts";
import { type VoicingSettings, voicedCues } from "../../src/workflow/revoice/stale-cues.ts";
import { conformedReview } from "./conformed-review.ts";
import { isSameRange } from "./result-record.ts";
import type { JobEntry, Review, VoicePiece } from "./saved.ts";

/** Where new cues go, as it is before. */
export interface JoinTarget {
  readonly sequence: SequenceInfo;
  readonly record: SequenceRecord;
  readonly review: Review;
  /** The job that the rest came from. */
  readonly job: JobEntry;
}

/** What joins it. */
interface Joining {
  /** What the new cues were described and voiced with. */
  readonly settings: VoicingSettings;
  /** On the sequence clock. */
  readonly cues: readonly Cue[];
  readonly findings: readonly Finding[];
  /** Their voices, by cue; on the sequence clock. */
  readonly pieces: ReadonlyMap<string, VoicePiece>;
}

/** The record with the new cues and their voices. The layout is that of the cut as it is, and all of it is described. */
export function recordWithNew(
  record: SequenceRecord,
  { record: conformed }: ConformPlan,
  { cues, pieces, settings, sounds }: Joining & { readonly sounds: readonly PlaceAudio[] },
): SequenceRecord {
  const ids = new Set(cues.map(({ id }) => id));
  const voiced = conformed.cues.filter(({ id }) => ids.has(id) && pieces.has(id));
  const { described: _, ...next } = { ...record, ...conformed };
  return {
    ...next,
    revision: record.revision + 1,
    voiced: { ...record.voiced, ...voicedCues(voiced, settings) },
    clipNames: [...record.clipNames, ...sounds.map(({ clipName }) => clipName)],
  };
}

/** The result with the new cues, marked as new until they are accepted; nothing else in it changes but for the cut. */
export function reviewWithNew(
  { review, record, job }: JoinTarget,
  plan: ConformPlan,
  { settings, cues, findings, pieces }: Joining,
): Review {
  if (!isSameRange(record, review)) return review;
  const moved = conformedReview(review, job, record, plan);
  const { offsetSeconds } = plan.record;
  const fresh = cues.map((cue) => shiftRange(cue, -offsetSeconds));
  const voices = [...pieces].map(([id, piece]) => [id, { ...piece, start: piece.start - offsetSeconds }] as const);
  // What stood before the cut was followed stands still, unless it was found anew.
  const found = new Set(plan.findings.flatMap(({ cueIds }) => cueIds));
  const isOld = ({ rule, cueIds }: Finding) => rule.startsWith("conform-") && cueIds.every((id) => !found.has(id));
  const voicedNow = fresh.filter(({ id }) => pieces.has(id));
  return {
    ...moved,
    cues: [...moved.cues, ...fresh].sort(compareCues),
    original: [...moved.original, ...fresh].sort(compareCues),
    voiced: { ...moved.voiced, ...voicedCues(voicedNow, settings) },
    ...(voices.length === 0 ? {} : { pieces: { ...review.pieces, ...Object.fromEntries(voices) } }),
    standing: [...(review.standing ?? []).filter(isOld), ...plan.findings],
    findings: [...moved.findings, ...findings, ...review.findings.filter(isOld)],
  };
}
