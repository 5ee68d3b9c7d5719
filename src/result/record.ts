import { fingerprintOf } from "../core/bytes.ts";
import type { Cue } from "../core/cue.ts";
import { defined } from "../core/objects.ts";
import type { DescriptionSettings, VoiceSettings } from "../core/settings.ts";
import {
  askedSettings,
  type DescribedSequence,
  describedSequence,
  type Placed,
  type PlacedResult,
  RESULT_VERSION,
  type Result,
} from "./result.ts";
import { voicedCues } from "./stale.ts";

/** What reading a record gives: the result as it was placed, or why there is none. */
export type RecordReading =
  | { readonly ok: true; readonly record: PlacedResult }
  | { readonly ok: false; readonly fault: "not-a-record" | "damaged" | "other-version" };

/**
 * What of a placed result travels with a project: markers can be read back, followed and voiced again on another computer.
 * What names places on this one, what every check makes anew, what is said in the film and what is known of it stay behind.
 */
export function portableRecord(record: PlacedResult): PlacedResult {
  const { audio: _, pieces: __, standing: ___, dialogue: ____, levels: _____, bible: ______, ...portable } = record;
  return { ...portable, findings: [], issues: [], notices: [] };
}

/** A record as text: its hash, a space, its JSON. */
export function writeRecord(record: PlacedResult): string {
  const json = JSON.stringify(record);
  return `${fingerprintOf(json)} ${json}`;
}

/** Reads what {@link writeRecord} wrote, in this version or an earlier one, and notices when a letter of it was changed. */
export function readRecord(text: string): RecordReading {
  const [, hash, json] = /^([0-9a-f]{16}) (\{[\s\S]*)/.exec(text) ?? [];
  if (hash === undefined || json === undefined) return { ok: false, fault: "not-a-record" };
  if (fingerprintOf(json) !== hash) return { ok: false, fault: "damaged" };
  // The hash says that this project wrote it; the version says with which meaning.
  const migrated: MigratedResult = resultFromRecord(JSON.parse(json));
  if (migrated === null) return { ok: false, fault: "other-version" };
  return isPlaced(migrated) ? { ok: true, record: migrated } : { ok: false, fault: "damaged" };
}

function isPlaced(result: Result): result is PlacedResult {
  return result.placed !== undefined;
}

/** A result of this version; `null` for one that a newer version wrote. */
type MigratedResult = Result | null;

/** The record of a sequence as versions 1 and 2 wrote it. */
interface EarlierRecord
  extends Pick<
      Result,
      | "revision"
      | "runId"
      | "jobId"
      | "track"
      | "offsetSeconds"
      | "durationSeconds"
      | "cues"
      | "toWrite"
      | "voicing"
      | "signOff"
    >,
    Placed {
  readonly version: 1 | 2;
  readonly settings: DescriptionSettings & VoiceSettings;
  /** Version 1 knew the cues as placed alone: whatever the editor had changed by then counts as the service's. */
  readonly generated?: Result["generated"];
  readonly voiced?: NonNullable<Result["voiced"]>;
}

/** What earlier records had not. */
const NOT_RECORDED = { findings: [], issues: [], notices: [], acceptedIds: [] };

/** Brings a record that was kept with a sequence up to this version. */
function resultFromRecord(record: Result | EarlierRecord | { readonly version: number }): MigratedResult {
  if (isThisVersion(record)) return record;
  if (!isEarlierRecord(record)) return null;
  const { version: _, sequenceId, markerIds, clipNames, layout, described, settings, ...kept } = record;
  return {
    ...kept,
    ...NOT_RECORDED,
    version: RESULT_VERSION,
    settings: askedSettings(settings),
    generated: record.generated === undefined ? record.cues : record.generated,
    voiced: record.voiced ?? {},
    placed: { sequenceId, markerIds, clipNames, layout, ...defined({ described }) },
  };
}

function isThisVersion(record: { readonly version: number }): record is Result {
  return record.version === RESULT_VERSION;
}

function isEarlierRecord(record: { readonly version: number }): record is EarlierRecord {
  return record.version === 1 || record.version === 2;
}

/** A result as the panel kept it before this version, beside the job that it came from. */
export interface EarlierReview
  extends Pick<
    Result,
    "runId" | "cues" | "findings" | "standing" | "issues" | "notices" | "acceptedIds" | "mutedIds" | "signOff"
  > {
  readonly exported: { readonly offsetSeconds: number; readonly durationSeconds: number };
  /** The cues as the service wrote them. */
  readonly original: readonly Cue[];
  /** `null` when nobody has looked. */
  readonly speech: NonNullable<Result["speech"]> | null;
  /** Absent before cues were voiced anew: then the narration was made from {@link original}. */
  readonly voiced?: NonNullable<Result["voiced"]>;
  readonly toWrite?: NonNullable<Result["toWrite"]>;
  readonly music?: NonNullable<Result["music"]>;
  readonly wordings?: NonNullable<Result["wordings"]>;
  readonly audio?: NonNullable<Result["audio"]>;
  readonly pieces?: NonNullable<Result["pieces"]>;
  readonly isRecut?: NonNullable<Result["isRecut"]>;
  readonly voicing?: NonNullable<Result["voicing"]>;
  /** Known from the job and from its text. */
  readonly rawFormat: string;
  readonly type: string;
}

/** What the job of an {@link EarlierReview} knows of it. */
export interface EarlierJob extends Pick<Result, "track"> {
  readonly jobId?: string;
  readonly settings: DescriptionSettings & VoiceSettings;
  readonly sequence: DescribedSequence;
}

/** Brings a result that the panel kept up to this version. */
export function resultFromReview(review: EarlierReview, job: EarlierJob): Result {
  const { exported, original, speech, voiced, rawFormat: _, type: __, ...kept } = review;
  const isVoiced = job.track !== "none" && review.audio !== undefined;
  return {
    ...kept,
    version: RESULT_VERSION,
    revision: 0,
    jobId: job.jobId ?? "",
    settings: askedSettings(job.settings),
    track: job.track,
    sequence: describedSequence(job.sequence),
    offsetSeconds: exported.offsetSeconds,
    durationSeconds: exported.durationSeconds,
    generated: original,
    ...(speech === null ? {} : { speech }),
    voiced: voiced ?? (isVoiced ? voicedCues(original, job.settings) : {}),
  };
}
