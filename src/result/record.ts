import type { Cue } from "../core/cue.ts";
import { fingerprintOf } from "../core/fingerprint.ts";
import type { PlacedClip } from "../core/layout.ts";
import type { PauseToWrite } from "../core/pause-to-write.ts";
import type { DescriptionSettings, TrackKind, VoiceSettings, Voicing } from "../core/settings.ts";
import type { VoicedCue } from "../core/voiced-cue.ts";
import type { SignOff } from "./sign-off.ts";

/** Raised when the meaning of a record changes. */
export const SEQUENCE_RECORD_VERSION = 2;

/**
 * What is known of the descriptions of a sequence. It is kept with the project and beside it, so that markers can be
 * read back later, on another computer too.
 */
export interface SequenceRecord {
  readonly version: typeof SEQUENCE_RECORD_VERSION;
  /** Counts up with each change: an undo in the host can bring an older one back. */
  readonly revision: number;
  readonly sequenceId: string;
  readonly runId: string;
  readonly jobId: string;
  readonly settings: DescriptionSettings & VoiceSettings;
  readonly track: TrackKind | "none";
  /** Sequence time of the programme's time 0, and the programme's length. */
  readonly offsetSeconds: number;
  readonly durationSeconds: number;
  /** The cues as last placed, on the programme clock. */
  readonly cues: readonly Cue[];
  /**
   * The cues of the last result as the service wrote them, under the ids of {@link cues}: what the editor's work is told
   * apart from, however often it was placed since. `null` when an earlier record was lost: nobody knows whose words are whose.
   */
  readonly generated: readonly Cue[] | null;
  /** Pauses that the service left for a person to write, those that are written by now among them; absent where it left none. */
  readonly toWrite?: readonly PauseToWrite[];
  /**
   * What each cue's sound was made from, by cue; cues that were deleted since are in it as long as they are heard. Empty
   * where that is not known.
   */
  readonly voiced: Readonly<Record<string, VoicedCue>>;
  /** What the next voicing of changed lines takes over, where the service gave it. */
  readonly voicing?: Voicing;
  /** Host identity of each cue's marker. */
  readonly markerIds: Readonly<Record<string, string>>;
  /** Clips of ours on the narration track. */
  readonly clipNames: readonly string[];
  readonly layout: readonly PlacedClip[];
  /**
   * The cut whose picture was described, where the cues have followed a newer one since: what is in {@link layout} and not in
   * this one was never described. Absent where nothing is left undescribed.
   */
  readonly described?: readonly PlacedClip[];
  /** Who found the cues right; counts only while they are those that were signed, see `signOffState`. */
  readonly signOff?: SignOff;
}

/** What reading a record gives: the record, or why there is none. */
export type SequenceRecordReading =
  | { readonly ok: true; readonly record: SequenceRecord }
  | { readonly ok: false; readonly fault: "not-a-record" | "damaged" | "other-version" };

/** A record as text: its hash, a space, its JSON. */
export function writeSequenceRecord(record: SequenceRecord): string {
  const json = JSON.stringify(record);
  return `${fingerprintOf(json)} ${json}`;
}

/** Reads what {@link writeSequenceRecord} wrote, and notices when a letter of it was changed. */
export function readSequenceRecord(text: string): SequenceRecordReading {
  const [, hash, json] = /^([0-9a-f]{16}) (\{[\s\S]*)$/.exec(text) ?? [];
  if (hash === undefined || json === undefined) return { ok: false, fault: "not-a-record" };
  if (fingerprintOf(json) !== hash) return { ok: false, fault: "damaged" };
  // The hash says that this project wrote it; the version says with which meaning.
  const record = JSON.parse(json) as SequenceRecord | RecordOfVersion1;
  if (record.version === 1) return { ok: true, record: fromVersion1(record) };
  return record.version === SEQUENCE_RECORD_VERSION ? { ok: true, record } : { ok: false, fault: "other-version" };
}

/** Version 1 knew the cues as placed alone: whatever the editor had changed by then counts as the service's. */
type RecordOfVersion1 = Omit<SequenceRecord, "version" | "generated" | "voiced"> & { readonly version: 1 };

function fromVersion1(record: RecordOfVersion1): SequenceRecord {
  return { ...record, version: SEQUENCE_RECORD_VERSION, generated: record.cues, voiced: {} };
}
