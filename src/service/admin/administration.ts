import { stat } from "node:fs/promises";
import { JOB_STATUSES, type JobCost, type JobStatus } from "../../contract/job.ts";
import type { ChangedSettings, SettingsInForce } from "../../contract/service-settings.ts";
import { AudioDescriptionError } from "../../core/error.ts";
import type { JobKind } from "../../engine/index.ts";
import { planOfTeam, type ServiceConfiguration } from "../configuration.ts";
import { contentHash } from "../ingest/take-in.ts";
import { type CancelOutcome, cancelAndWait } from "../jobs/cancel-job.ts";
import type { Endings } from "../jobs/endings.ts";
import { settingsOf } from "../jobs/long-values.ts";
import { submitJob } from "../jobs/submit-job.ts";
import { countUnknownObjects, type UnknownObjects } from "../jobs/sweep-orphans.ts";
import type { WorkQueue } from "../jobs/work-queue.ts";
import type { ServiceSettings } from "../settings/service-settings.ts";
import type { DataFolders } from "../storage/data-folders.ts";
import type { Database, Queries } from "../storage/database.ts";
import type { DiskObjectStore } from "../storage/disk-object-store.ts";
import { getJob } from "../storage/job-records.ts";
import {
  type CreatedKey,
  createKey,
  createLogInLink,
  type KeyRecord,
  listKeys,
  revokeKey,
} from "../storage/key-records.ts";
import { getMedia } from "../storage/media-records.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import { COST_OF_JOB } from "../storage/paid-requests.ts";
import {
  type CreatedReviewLink,
  createReviewLink,
  listReviewLinks,
  type ReviewLink,
  type ReviewOrder,
  revokeReviewLink,
} from "../storage/review-links.ts";
import { findTeam } from "../storage/team-records.ts";
import { SYSTEM_CLOCK } from "../system-clock.ts";
import { isUuid } from "../uuid.ts";
import { type Backup, BackupError, backUp } from "./backup.ts";

/** An administration command that could not be carried out; `message` says why, and what to do. */
export class AdministrationError extends AudioDescriptionError<"administration_failed"> {
  constructor(message: string, options?: { readonly cause?: unknown }) {
    super("administration_failed", message, options);
  }
}

/** A job as `aside jobs` shows it. Times are ISO 8601. */
export interface JobSummary {
  readonly id: string;
  readonly team: string;
  readonly kind: JobKind;
  readonly status: JobStatus;
  readonly isDeleted: boolean;
  readonly mediaId: string;
  readonly fileName: string | null;
  readonly stage: string | null;
  readonly fraction: number | null;
  readonly attempts: number;
  readonly interruptions: number;
  readonly error: string | null;
  readonly message: string | null;
  /** What it has asked for so far; `null` where it has asked nobody. */
  readonly cost: JobCost | null;
  readonly createdAt: string;
  readonly finishedAt: string | null;
}

/** Which jobs to list. */
export interface JobFilter {
  readonly status?: JobStatus;
  readonly team?: string;
  /** At most this many, newest first. Default 50. */
  readonly limit?: number;
}

/** Team of keys made without naming one. */
export const DEFAULT_TEAM = "local";

/** What whoever runs a service can do, and nobody over the interface. */
export interface Administration {
  createKey(options?: {
    readonly team?: string;
    readonly name?: string;
    /** Whether it may change the settings of the service. Default: it may not. */
    readonly isAdministrator?: boolean;
    /** Whether it reads `/metrics`, and nothing else. Default: it does not. */
    readonly isForMetrics?: boolean;
  }): Promise<CreatedKey>;
  /** The secret of a link that logs an administrator of a team in to the page, once and soon. */
  createLogInLink(options?: { readonly team?: string }): Promise<string>;
  /** A link for reviewing one film. `null` where the team has no such film, or nothing of it that can be reviewed. */
  createReviewLink(order: ReviewOrder): Promise<CreatedReviewLink | null>;
  /** Every link for a review that has not ended by itself, newest last. */
  listReviewLinks(): Promise<ReviewLink[]>;
  /** `false` when there is no such link, or it is taken back already. */
  revokeReviewLink(id: string): Promise<boolean>;
  listKeys(): Promise<KeyRecord[]>;
  /** `false` when there is no such key, or it is withdrawn already. */
  revokeKey(id: string): Promise<boolean>;
  listJobs(filter?: JobFilter): Promise<JobSummary[]>;
  /** `null` when there is no such job. */
  showJob(id: string): Promise<JobSummary | null>;
  /**
   * Asks for the same again as a new job, whose id is resolved: an outcome once reported never changes. `null` when there
   * is no such job.
   *
   * @throws AdministrationError when its media or its long settings are gone.
   */
  retryJob(id: string): Promise<string | null>;
  /** Ends a job of whichever team that waits or runs; nothing is at work for it any more then. */
  cancelJob(id: string): Promise<CancelOutcome>;
  /** What is set, without keys. @throws SettingsError */
  readSettings(): Promise<SettingsInForce>;
  /** Sets some parts anew, as somebody at the service's computer may, see `ServiceSettings.change`. @throws SettingsError */
  changeSettings(change: ChangedSettings, how?: { readonly isAddition: boolean }): Promise<SettingsInForce>;
  /** Puts damaged settings aside, see `ServiceSettings.beginAnew`. @returns The name of the file now. @throws SettingsError */
  beginSettingsAnew(): Promise<string>;
  /** How much is stored that no record names, as the last sweep saw it. */
  countUnknownObjects(): Promise<UnknownObjects>;
  /** Reads every object that the records name, and compares it with their digest. */
  verifyObjects(): Promise<VerifiedObjects>;
  /** Backs up records and objects into a folder, see {@link backUp}. @throws BackupError */
  backUp(folder: string): Promise<Backup>;
  /**
   * Forgets jobs that ended longer ago than this many days, with their results; resolves with how many. Those of the
   * current month stay, because the allocation counts them.
   */
  purgeJobs(olderThanDays: number): Promise<number>;
}

/** What administration works on. */
export interface AdministrationParts {
  readonly database: Database;
  readonly queue: WorkQueue;
  readonly objects: ObjectStore;
  /** The same objects, where they stand in the data folder. */
  readonly disk: DiskObjectStore | null;
  readonly folders: DataFolders;
  readonly configuration: ServiceConfiguration;
  /** What people set of the service. */
  readonly settings: ServiceSettings;
  /** Where this process alone does all the work; `null` where others do it too, or nobody. */
  readonly endings: Endings | null;
  /** Called after a key was withdrawn. */
  readonly onKeysChanged: () => void;
}

const SUMMARY = `SELECT j.id, t.name AS team, j.kind, j.status, j.deleted_at IS NOT NULL AS "isDeleted",
    j.media_id AS "mediaId", m.file_name AS "fileName", j.stage, j.fraction, j.attempts, j.interruptions, j.error,
    j.message, ${COST_OF_JOB} AS cost, j.created_at AS "createdAt", j.finished_at AS "finishedAt"
  FROM aside.job j JOIN aside.team t ON t.id = j.team_id JOIN aside.media m ON m.id = j.media_id`;

const LISTED_JOBS = 50;

/** Administration of the service whose records are open in this process. */
export function createAdministration(parts: AdministrationParts): Administration {
  const { database } = parts;
  return {
    createKey: ({ team = DEFAULT_TEAM, name = "", isAdministrator = false, isForMetrics = false } = {}) =>
      createKey(database, { team, name, isAdministrator, isForMetrics }),
    createLogInLink: ({ team = DEFAULT_TEAM } = {}) => createLogInLink(database, team),
    createReviewLink: (order) => createReviewLink(database, order),
    listReviewLinks: () => listReviewLinks(database),
    async revokeReviewLink(id) {
      const isRevoked = await revokeReviewLink(database, id);
      parts.onKeysChanged();
      return isRevoked;
    },
    listKeys: () => listKeys(database),
    async revokeKey(id) {
      const isRevoked = await revokeKey(database, id);
      parts.onKeysChanged();
      return isRevoked;
    },
    async listJobs({ status, team, limit = LISTED_JOBS } = {}) {
      const rows = await database.query<SummaryRow>(
        `${SUMMARY} WHERE ($1::text IS NULL OR j.status = $1) AND ($2::text IS NULL OR t.name = $2)
         ORDER BY j.created_at DESC LIMIT $3`,
        [status !== undefined && JOB_STATUSES.includes(status) ? status : null, team ?? null, limit],
      );
      return rows.map(summaryFrom);
    },
    async showJob(id) {
      const [row] = await database.query<SummaryRow>(`${SUMMARY} WHERE j.id::text = $1`, [id]);
      return row === undefined ? null : summaryFrom(row);
    },
    retryJob: (id) => retryJob(parts, id),
    async cancelJob(id) {
      return isUuid(id) ? await cancelAndWait({ ...parts, clock: SYSTEM_CLOCK }, id) : "unknown";
    },
    readSettings: () => parts.settings.inForce(parts.configuration),
    async changeSettings(change, how) {
      await parts.settings.change(change, { isOnItsComputer: true, ...how });
      return parts.settings.inForce(parts.configuration);
    },
    beginSettingsAnew: () => parts.settings.beginAnew(),
    countUnknownObjects: () => countUnknownObjects(database),
    verifyObjects: () => verifyObjects(database, parts.objects),
    async backUp(folder) {
      if (database.kind === "embedded" && parts.disk !== null) {
        return backUp(parts.configuration.dataFolder, parts.disk, folder);
      }
      throw new BackupError(
        "backup_impossible",
        "Records on a server are backed up by its own tools (pg_dump), a bucket by those of its store. Back up the records first: objects are removed after them.",
      );
    },
    purgeJobs: (olderThanDays) => purgeJobs(parts, olderThanDays),
  };
}

interface SummaryRow extends Omit<JobSummary, "createdAt" | "finishedAt"> {
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

function summaryFrom({ createdAt, finishedAt, ...row }: SummaryRow): JobSummary {
  return { ...row, createdAt: createdAt.toISOString(), finishedAt: finishedAt?.toISOString() ?? null };
}

/** How long reading the settings of a job may take, which are megabytes at the most. */
const READ_TIMEOUT_MS = 30_000;

async function retryJob(parts: AdministrationParts, id: string): Promise<string | null> {
  const { database, configuration } = parts;
  const job = isUuid(id) ? await getJob(database, id) : null;
  if (job === null) return null;
  const [media, team] = [await getMedia(database, job.mediaId), await findTeam(database, job.teamId)];
  const isGone = async (key: string) => (await parts.objects.stat(key)) === null;
  if (media === null || team === null || (await isGone(media.storageKey))) {
    throw new AdministrationError(
      `The media of job ${id} is gone. Upload the video again, and order its description again.`,
    );
  }
  const { kind, track, resolution } = job;
  if ("storageKey" in job.settings && (await isGone(job.settings.storageKey))) {
    throw new AdministrationError(
      `Job ${id} was deleted, and the long script or captions that it was asked for with went with it. Order it again, with them.`,
    );
  }
  const settings = await settingsOf(parts.objects, job, AbortSignal.timeout(READ_TIMEOUT_MS));
  const plan = planOfTeam(await parts.settings.limits(configuration), team.name);
  const accepted = await submitJob(
    { ...parts, clock: SYSTEM_CLOCK },
    { team: { id: team.id, plan }, media, kind, settings, track, resolution, keyed: null },
  );
  return accepted.id;
}

/** Forgets jobs that ended before this month and longer ago than so many days. Resolves with how many. */
async function purgeJobs(
  parts: { readonly database: Database; readonly objects: ObjectStore },
  olderThanDays: number,
): Promise<number> {
  const { jobs, keys } = await parts.database.transaction(async (queries) => {
    const rows = await queries.query<{ id: string }>(
      `SELECT id FROM aside.job
       WHERE finished_at < now() - make_interval(secs => $1) AND finished_at < date_trunc('month', now() AT TIME ZONE 'UTC')
       FOR UPDATE`,
      [olderThanDays * 86_400],
    );
    const ids = rows.map(({ id }) => id);
    const artifacts = await queries.query<{ storageKey: string }>(
      `DELETE FROM aside.artifact WHERE job_id = ANY($1::uuid[]) RETURNING storage_key AS "storageKey"`,
      [ids],
    );
    await queries.query("DELETE FROM aside.usage WHERE job_id = ANY($1::uuid[])", [ids]);
    await queries.query("DELETE FROM aside.job WHERE id = ANY($1::uuid[])", [ids]);
    return { jobs: ids.length, keys: artifacts.map(({ storageKey }) => storageKey) };
  });
  // What is not removed now, because this process dies here, is an orphan that the sweep removes.
  for (const key of keys) await parts.objects.remove(key);
  return jobs;
}

/** A stored object that is not what the records say. */
interface DamagedObject {
  readonly kind: "media" | "result" | "settings";
  /** Of the media, or of the job. */
  readonly id: string;
  readonly state: "missing" | "damaged";
}

/** What comparing every stored object with its record told. */
interface VerifiedObjects {
  readonly objects: number;
  readonly bytes: number;
  readonly damaged: readonly DamagedObject[];
}

interface Named {
  readonly kind: DamagedObject["kind"];
  readonly id: string;
  readonly key: string;
  readonly sizeBytes: number;
  /** `null` for results that were stored before digests were kept: their size alone is compared. */
  readonly hash: string | null;
}

/** Reads every object that the records name, and compares it with the digest that they have of it. */
async function verifyObjects(queries: Queries, objects: ObjectStore): Promise<VerifiedObjects> {
  const named = await queries.query<Named>(
    `SELECT 'media' AS kind, id, storage_key AS key, size_bytes AS "sizeBytes", content_hash AS hash FROM aside.media
       WHERE upload_status = 'completed' AND canonical_id IS NULL AND removed_at IS NULL
     UNION ALL
     SELECT CASE kind WHEN 'settings' THEN kind ELSE 'result' END, job_id, storage_key, size_bytes, content_hash FROM aside.artifact ORDER BY 1, 2`,
  );
  const damaged: DamagedObject[] = [];
  let bytes = 0;
  for (const { kind, id, key, sizeBytes, hash } of named) {
    bytes += sizeBytes;
    const state = await stateOf(objects, key, sizeBytes, hash);
    if (state !== "whole") damaged.push({ kind, id, state });
  }
  return { objects: named.length, bytes, damaged };
}

async function stateOf(
  objects: ObjectStore,
  key: string,
  sizeBytes: number,
  hash: string | null,
): Promise<DamagedObject["state"] | "whole"> {
  if ((await objects.stat(key)) === null) return "missing";
  const { signal } = new AbortController();
  const file = await objects.borrow(key, signal);
  try {
    if ((await stat(file.path)).size !== sizeBytes) return "damaged";
    return hash === null || (await contentHash(file.path, signal)) === hash ? "whole" : "damaged";
  } finally {
    await file.release();
  }
}
