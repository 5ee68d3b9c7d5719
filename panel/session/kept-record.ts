import type { Cue } from "../../src/core/cue.ts";
import { layoutOf } from "../../src/core/layout.ts";
import type { Timeline } from "../../src/core/timeline.ts";
import { type KeptText, NARRATION_TRACK_NAME } from "../../src/host/edit-plan.ts";
import { readBack } from "../../src/workflow/place/read-back.ts";
import { type ChosenRecord, chooseRecord, type SequenceMerge } from "../../src/workflow/place/round-trip.ts";
import {
  SEQUENCE_RECORD_VERSION,
  type SequenceRecord,
  writeSequenceRecord,
} from "../../src/workflow/place/sequence-record.ts";
import { voicedCues } from "../../src/workflow/revoice/stale-cues.ts";
import { fileNameOf } from "../state/file-name.ts";
import { trackOf } from "../state/form.ts";
import type { ReviewState } from "../state/review-state.ts";
import type { JobEntry } from "../state/saved.ts";
import { words } from "../words/words.ts";
import { nameBeside, RECORD_NOTE, recordTexts, textBeside } from "./record-texts.ts";
import type { Session } from "./session.ts";

/**
 * The record of a sequence: the one in the project or the one beside it, whichever the markers speak for. `originalId` is
 * the sequence that it may be a copy of: its record counts where the copy has none and holds its markers.
 */
export async function loadRecord(
  session: Session,
  sequenceId: string,
  timeline: Timeline,
  originalId = sequenceId,
): Promise<ChosenRecord> {
  const chosen = chooseRecord(await recordTexts(session, sequenceId), sequenceId, timeline);
  if (chosen.record !== null || originalId === sequenceId) return chosen;
  const copied = chooseRecord([await textBeside(session, originalId)], sequenceId, timeline);
  const { record } = copied;
  return record !== null && !readBack({ timeline, record, ...record }).isAllGone ? copied : chosen;
}

/** Keeps a record in the project and beside it: an undo in the host takes back the one, and not the other. */
export async function keepRecord(session: Session, record: SequenceRecord): Promise<void> {
  const { editor } = session.environment;
  await keepBeside(session, record);
  const note = { ...noteOf(record), label: words.keepRecord };
  await editor.writeNote(record.sequenceId, note, new AbortController().signal);
}

/** Keeps a record beside the project alone, where the plan that was applied has kept it in the project. */
export async function keepBeside(session: Session, record: SequenceRecord): Promise<void> {
  await session.library.saveText(nameBeside(record.sequenceId), writeSequenceRecord(record));
}

/** A record as the text that a plan keeps in the project. */
export function noteOf(record: SequenceRecord): KeptText {
  return { name: RECORD_NOTE, text: writeSequenceRecord(record) };
}

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
  const isNear = (a: number, b: number) => Math.abs(a - b) < 0.05;
  return (
    isNear(record.offsetSeconds, exported.offsetSeconds) && isNear(record.durationSeconds, exported.durationSeconds)
  );
}
