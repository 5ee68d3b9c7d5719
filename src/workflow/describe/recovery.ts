import type { SentFile } from "../../client/upload.ts";
import type { JobReport } from "../../contract/job.ts";
import { isObject } from "../../core/objects.ts";
import type { TextFormat } from "../../core/settings.ts";
import type { ExportedMedia, QueuedExport } from "../../host/host.ts";

/** Raised when the meaning of a record changes; a record of another version is not used. */
export const RECORD_VERSION = 1;

/** Media that a run may use for generation. */
export interface RunMedia {
  readonly mediaId: string;
  /** `false` where the service offers no way to ask whether it is ready. */
  readonly isVerified: boolean;
}

/**
 * A generation request of a run. `sending` is saved before it leaves and says that a job may exist whose id never
 * arrived; `accepted` holds the id.
 */
type RunSubmission =
  | { readonly state: "sending" }
  | { readonly state: "accepted"; readonly jobId: string; readonly notices: readonly string[] };

/** What a finished job returned: kept, so that nothing paid for is lost. Holds no link. */
export interface RunResult {
  readonly format: TextFormat | null;
  readonly content: string;
  readonly report?: JobReport;
}

/**
 * What must survive of a run that has not ended: saved after every step, so that a closed panel, a crash or a dead
 * network resumes where it stood and never pays twice. Plain data without keys and signed addresses.
 */
export interface RunRecord {
  readonly version: typeof RECORD_VERSION;
  /** Given by the caller: the same for the same media, settings and service. */
  readonly runId: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** Name of the sequence, for a history. */
  readonly name: string;
  readonly exported?: ExportedMedia;
  /** An export that goes on without the run, in the queue of another program. */
  readonly queued?: QueuedExport;
  /** The last upload that was begun: where neither `sent` nor `media` are there, what of it has arrived is of no use. */
  readonly sending?: SentFile;
  readonly sent?: SentFile;
  readonly media?: RunMedia;
  readonly submission?: RunSubmission;
  readonly result?: RunResult;
  /** Why the service would not describe this media, once it said so: asking again would bring the same. */
  readonly refusal?: { readonly code: string; readonly message: string };
  /** Where the fetched sound is, as the host's file port reads it. */
  readonly audioPath?: string;
  /** Where the fetched video is, likewise, and the worksheet. */
  readonly videoPath?: string;
  readonly worksheetPath?: string;
}

/** Whether the export of a run was made, or goes on without it: what is edited from here on is not in it. */
export function hasExport(record: RunRecord | null): boolean {
  return record?.exported !== undefined || record?.queued !== undefined;
}

/** Fields of a record that a run fills in and may take back. */
export type RunFact = Exclude<keyof RunRecord, "version" | "runId" | "startedAt" | "name">;

/** A record without what does not hold any more. */
export function withoutFacts(record: RunRecord, ...names: readonly RunFact[]): RunRecord {
  const left = Object.entries(record).filter(([name]) => !names.some((forgotten) => forgotten === name));
  // Only fields that a record may lack were left out.
  return Object.fromEntries(left) as unknown as RunRecord;
}

/** Keeps records of runs. An unreadable record counts as none. */
export interface RecoveryStore {
  /** The record of a run; `null` when there is none. */
  load(runId: string): Promise<RunRecord | null>;
  /** Keeps a record in place of an older one of the same run: afterwards either the old or the new one is there whole. */
  save(record: RunRecord): Promise<void>;
  /** Forgets a run; nothing happens when there is no record. */
  remove(runId: string): Promise<void>;
}

/** A record read from text; `null` when it is none of this version. */
export function parseRunRecord(text: string): RunRecord | null {
  try {
    const value: unknown = JSON.parse(text);
    const isRecord = isObject(value) && value["version"] === RECORD_VERSION && typeof value["runId"] === "string";
    // Written by this project under this version; a damaged one does not get past the checks above but for its details,
    // which every step verifies with the service.
    return isRecord ? (value as unknown as RunRecord) : null;
  } catch {
    return null;
  }
}

/** Identity of the run of one stretch of several, counted from 1. */
export function stretchRunId(runId: string, number: number): string {
  return `${runId}-${number}`;
}
