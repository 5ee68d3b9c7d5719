import type { Cue } from "../../src/core/cue.ts";
import { layoutOf } from "../../src/core/layout.ts";
import type { Timeline } from "../../src/core/timeline.ts";
import { NARRATION_TRACK_NAME } from "../../src/host/edit-plan.ts";
import type { SequenceMerge } from "../../src/workflow/place/round-trip.ts";
import { SEQUENCE_RECORD_VERSION, type SequenceRecord } from "../../src/workflow/place/sequence-record.ts";
import { voicedCues } from "../../src/workflow/revoice/stale-cues.ts";
import { fileNameOf } from "./file-name.ts";
import { trackOf } from "./form.ts";
import type { ReviewState } from "./review-state.ts";
import type { JobEntry } from "./saved.ts";

/** The first record of a result on a sequence, before anything of it is placed. */
export function newRecord({ review, sequence }: ReviewState, job: JobEntry, before: Timeline): SequenceRecord {
  return {
    version: SEQUENCE_RECORD_VERSION,
    revision: 0,
    sequenceId: sequence.id,
    ...recordOfResult(review, job),
    cues: review.cues,
    generated: review.original,
    voiced: {},
    markerIds: {},
    layout: layoutOf(before, NARRATION_TRACK_NAME),
  };
}

/** A record with what it takes over from another result of the same range. */
export function withResult(record: SequenceRecord, review: ReviewState["review"], job: JobEntry): SequenceRecord {
  // What a later voicing takes over belongs to the narration that it came with.
  const { voicing, described, toWrite: _, ...rest } = record;
  return {
    ...rest,
    ...(trackOf(job.form) === "none" && voicing !== undefined ? { voicing } : {}),
    // Another result described the cut as it is.
    ...(described === undefined || record.runId !== job.runId ? {} : { described }),
    ...recordOfResult(review, job),
  };
}

function recordOfResult(review: ReviewState["review"], job: JobEntry) {
  const { offsetSeconds, durationSeconds } = review.exported;
  const { captions: _, script: __, ...settings } = job.form.settings;
  return {
    settings,
    ...(review.voicing === undefined ? {} : { voicing: review.voicing }),
    runId: job.runId,
    jobId: job.jobId ?? "",
    track: trackOf(job.form),
    offsetSeconds,
    durationSeconds,
    ...(review.toWrite === undefined ? {} : { toWrite: review.toWrite }),
    ...(review.signOff === undefined ? {} : { signOff: review.signOff }),
    clipNames: review.audio === undefined ? [] : [fileNameOf(review.audio.path)],
  };
}

/** What a result's narration was made from, under the ids that its cues have on the timeline. */
export function voicedByResult({ review }: ReviewState, { generated }: SequenceMerge, job: JobEntry) {
  const idOf = ({ id }: Cue) => {
    const shown = review.cues.find((cue) => cue.id === id);
    const isShown = ({ start, end, text }: Cue) => start === shown?.start && end === shown.end && text === shown.text;
    return generated?.find(isShown)?.id ?? id;
  };
  return voicedCues(review.original, job.form.settings, idOf);
}

/** Whether a record is about the range that a result describes. */
export function isSameRange(record: SequenceRecord, { exported }: ReviewState["review"]): boolean {
  const isNear = (a: number, b: number) => Math.abs(a - b) < LONGEST_FRAME_SECONDS;
  return (
    isNear(record.offsetSeconds, exported.offsetSeconds) && isNear(record.durationSeconds, exported.durationSeconds)
  );
}
