import type { JobFailureCode } from "../../contract/error-codes.ts";
import type { JobCost, JobReport, JobStatus } from "../../contract/job.ts";
import type { DescriptionSettings, TrackKind, VoiceSettings } from "../../core/settings.ts";
import type { JobKind, TaskProgress } from "../../engine/index.ts";
import type { Queries } from "./database.ts";
import { COST_OF_JOB } from "./paid-requests.ts";

/** One accepted generation request. */
export interface JobRecord {
  readonly id: string;
  readonly teamId: string;
  readonly mediaId: string;
  readonly kind: JobKind;
  /** `api`: asked for over the interface. Only such jobs can be deleted over it. */
  readonly origin: string;
  readonly settings: RowSettings;
  readonly track: TrackKind;
  readonly resolution: string;
  readonly status: JobStatus;
  /** Runs that ended badly. */
  readonly attempts: number;
  /** Runs that ended with their server, or for want of the records or the store. */
  readonly interruptions: number;
  readonly stage: string | null;
  readonly fraction: number | null;
  /** What came of it; `null` until it is done, and where it stands in an object of kind `text`, as its report does. */
  readonly content: string | null;
  readonly report: JobReport | null;
  readonly error: JobFailureCode | null;
  readonly message: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly deletedAt: Date | null;
}

/** Settings as a job's row holds them: whole, or in an object under a key where they are long (`jobs/long-values.ts`). */
type RowSettings =
  | (DescriptionSettings & VoiceSettings)
  | { readonly format: DescriptionSettings["format"]; readonly storageKey: string };

/** A stored file of a job: what it produced, or the settings that it was asked for with. */
export interface ArtifactRecord {
  /** `text`: the output and the report of a job whose row is too short for them, as members of its reply. */
  readonly kind: ResultKind | "settings" | "text";
  readonly storageKey: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  /** SHA-256 of the bytes in hex. */
  readonly contentHash: string;
}

/** Kinds of file that a finished job produced. */
type ResultKind = "audio" | "video" | "worksheet";

/** A file of a finished job. */
export interface ResultFile extends Omit<ArtifactRecord, "contentHash"> {
  readonly kind: ResultKind | "text";
}

/** A job as polls ask for it: without its settings. */
export interface PolledJob extends Omit<JobRecord, "settings"> {
  readonly format: DescriptionSettings["format"];
  /** `null` where it has asked nobody. */
  readonly cost: JobCost | null;
}

const POLLED_COLUMNS = `id, team_id AS "teamId", media_id AS "mediaId", kind, origin, format, track, resolution, status,
  attempts, interruptions, stage, fraction, kept_content AS content, report, error, message, created_at AS "createdAt",
  updated_at AS "updatedAt", started_at AS "startedAt", finished_at AS "finishedAt", deleted_at AS "deletedAt"`;

const COLUMNS = `${POLLED_COLUMNS}, kept_settings AS settings`;

const DAY_SECONDS = 86_400;

/** What a new job is made of. */
export type NewJob = Pick<
  JobRecord,
  "id" | "teamId" | "mediaId" | "kind" | "origin" | "settings" | "track" | "resolution"
>;

/**
 * Adds a job and resolves with its turn. Turns make the order fair between teams: a team's next job comes one turn after
 * its last waiting one, but never before the turn that is being served; so whoever has few jobs waits for few.
 */
export async function insertJob(queries: Queries, job: NewJob): Promise<number> {
  const [row] = await queries.query<{ turn: number }>(
    `INSERT INTO aside.job (id, team_id, media_id, kind, origin, kept_settings, track, resolution, status, turn)
     VALUES ($1, $2, $3, $4, $5, $6::jsonb, $7, $8, 'queued', 1 + greatest(
       (SELECT coalesce(max(turn), 0) FROM aside.job WHERE team_id = $2 AND status IN ('queued', 'processing')),
       (SELECT coalesce(max(turn), 0) FROM aside.job WHERE started_at IS NOT NULL)))
     RETURNING turn`,
    [job.id, job.teamId, job.mediaId, job.kind, job.origin, JSON.stringify(job.settings), job.track, job.resolution],
  );
  return row?.turn ?? 0;
}

/** The jobs of some ids that are not deleted, of whichever team, in any order. */
export function findJobs(queries: Queries, ids: readonly string[]): Promise<PolledJob[]> {
  return queries.query<PolledJob>(
    `SELECT ${POLLED_COLUMNS}, ${COST_OF_JOB} AS cost FROM aside.job j WHERE id = ANY($1::uuid[]) AND deleted_at IS NULL`,
    [ids],
  );
}

/** The job of an id, deleted or not, for the service's own work. */
export async function getJob(queries: Queries, id: string): Promise<JobRecord | null> {
  const rows = await queries.query<JobRecord>(`SELECT ${COLUMNS} FROM aside.job WHERE id = $1`, [id]);
  return rows[0] ?? null;
}

/** Jobs of a team that are waiting or running. */
export async function countOpenJobs(queries: Queries, teamId: string): Promise<number> {
  const [row] = await queries.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM aside.job WHERE team_id = $1 AND status IN ('queued', 'processing')",
    [teamId],
  );
  return row?.count ?? 0;
}

/**
 * Starts a run of a job under a lease: only its holder may end it. A job found running was left behind by a server that
 * died, which counts as an interruption. Resolves with `null` when the job is over already.
 */
export async function beginRun(queries: Queries, id: string, lease: string): Promise<JobRecord | null> {
  const rows = await queries.query<JobRecord>(
    `UPDATE aside.job
     SET status = 'processing', lease = $2, started_at = coalesce(started_at, now()), updated_at = now(),
         interruptions = interruptions + CASE WHEN status = 'processing' THEN 1 ELSE 0 END
     WHERE id = $1 AND status IN ('queued', 'processing')
     RETURNING ${COLUMNS}`,
    [id, lease],
  );
  return rows[0] ?? null;
}

/** Whether a run still has its job; where it has not, it works for nothing. */
export async function holdsJob(queries: Queries, id: string, lease: string): Promise<boolean> {
  const rows = await queries.query("SELECT id FROM aside.job WHERE id = $1 AND lease = $2 AND status = 'processing'", [
    id,
    lease,
  ]);
  return rows.length > 0;
}

/** Notes where a run stands. Says nothing when the lease is lost: the run's end will. */
export async function noteProgress(queries: Queries, id: string, lease: string, progress: TaskProgress): Promise<void> {
  await queries.query(
    `UPDATE aside.job SET stage = $3, fraction = $4, updated_at = now()
     WHERE id = $1 AND lease = $2 AND status = 'processing'`,
    [id, lease, progress.stage, Math.min(1, Math.max(0, progress.fraction))],
  );
}

/** Puts a run's job back into the queue, and counts why: the run itself ended badly, or something around it did. */
export async function giveBackJob(
  queries: Queries,
  id: string,
  lease: string,
  counted: "attempt" | "interruption" | null,
): Promise<JobRecord | null> {
  const rows = await queries.query<JobRecord>(
    `UPDATE aside.job
     SET status = 'queued', lease = NULL, updated_at = now(), attempts = attempts + $3::int,
         interruptions = interruptions + $4::int
     WHERE id = $1 AND lease = $2 AND status = 'processing'
     RETURNING ${COLUMNS}`,
    [id, lease, counted === "attempt" ? 1 : 0, counted === "interruption" ? 1 : 0],
  );
  return rows[0] ?? null;
}

/**
 * Ends a job well: its text, its report, its artifacts and what it cost, all or nothing. `false` when the lease was lost
 * and somebody else ends it. Call inside a transaction.
 *
 * @param result Its text is `null` where an artifact holds it.
 */
export async function finishJob(
  queries: Queries,
  id: string,
  lease: string,
  result: {
    readonly text: { readonly content: string; readonly report: JobReport } | null;
    readonly artifacts: readonly ArtifactRecord[];
  },
): Promise<boolean> {
  const rows = await queries.query(
    `UPDATE aside.job
     SET status = 'done', kept_content = $3, report = $4::jsonb, fraction = 1, lease = NULL, finished_at = now(),
         updated_at = now()
     WHERE id = $1 AND lease = $2 AND status = 'processing'
     RETURNING id`,
    [id, lease, result.text?.content ?? null, result.text === null ? null : JSON.stringify(result.text.report)],
  );
  if (rows.length === 0) return false;
  for (const artifact of result.artifacts) await insertArtifact(queries, id, artifact);
  await queries.query("UPDATE aside.usage SET state = 'spent' WHERE job_id = $1 AND state = 'reserved'", [id]);
  return true;
}

/** Ends a job badly and gives back what was reserved for it. `false` when the lease was lost. Call inside a transaction. */
export async function failJob(
  queries: Queries,
  id: string,
  lease: string,
  failure: { readonly code: JobFailureCode; readonly message: string },
): Promise<boolean> {
  const rows = await queries.query(
    `UPDATE aside.job
     SET status = 'failed', error = $3, message = $4, lease = NULL, finished_at = now(), updated_at = now()
     WHERE id = $1 AND lease = $2 AND status = 'processing'
     RETURNING id`,
    [id, lease, failure.code, failure.message],
  );
  if (rows.length === 0) return false;
  await queries.query("UPDATE aside.usage SET state = 'released' WHERE job_id = $1 AND state = 'reserved'", [id]);
  return true;
}

/** What `get_results` says of a cancelled job. */
const CANCELLED_MESSAGE =
  "This job was cancelled. What it has done is kept: order the same again, and it continues from there.";

/**
 * Ends a job that waits or runs, because its team says so. Its run can no longer end it, and keeps its lease until its process
 * is gone: {@link releaseJob}. `false` when the job is over already, cancelled or not. Call inside a transaction.
 */
export async function cancelJob(queries: Queries, id: string): Promise<boolean> {
  const rows = await queries.query(
    `UPDATE aside.job
     SET status = 'failed', error = 'cancelled', message = $2, finished_at = now(), updated_at = now()
     WHERE id = $1 AND status IN ('queued', 'processing')
     RETURNING id`,
    [id, CANCELLED_MESSAGE],
  );
  if (rows.length === 0) return false;
  await queries.query("UPDATE aside.usage SET state = 'released' WHERE job_id = $1 AND state = 'reserved'", [id]);
  return true;
}

/** Notes that nothing is at work any more for a job that is over. */
export async function releaseJob(queries: Queries, id: string): Promise<void> {
  await queries.query("UPDATE aside.job SET lease = NULL WHERE id = $1 AND finished_at IS NOT NULL", [id]);
}

/** Whether a run, ended or not, may still be at work for a job. */
export async function isJobHeld(queries: Queries, id: string): Promise<boolean> {
  const rows = await queries.query("SELECT id FROM aside.job WHERE id = $1 AND lease IS NOT NULL", [id]);
  return rows.length > 0;
}

/** Notes a stored file of a job. */
export async function insertArtifact(queries: Queries, jobId: string, artifact: ArtifactRecord): Promise<void> {
  const { kind, storageKey, contentType, sizeBytes, contentHash } = artifact;
  await queries.query(
    `INSERT INTO aside.artifact (job_id, kind, storage_key, content_type, size_bytes, content_hash)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [jobId, kind, storageKey, contentType, sizeBytes, contentHash],
  );
}

/** What a job produced. */
export function listResults(queries: Queries, jobId: string): Promise<ResultFile[]> {
  return queries.query<ResultFile>(
    `SELECT kind, storage_key AS "storageKey", content_type AS "contentType", size_bytes AS "sizeBytes"
     FROM aside.artifact WHERE job_id = $1 AND kind <> 'settings' ORDER BY kind`,
    [jobId],
  );
}

/** The size in bytes of an artifact, as it was stored; `null` when no job has one under this key. */
export async function artifactSize(queries: Queries, storageKey: string): Promise<number | null> {
  const [row] = await queries.query<{ sizeBytes: number }>(
    `SELECT size_bytes AS "sizeBytes" FROM aside.artifact WHERE storage_key = $1`,
    [storageKey],
  );
  return row?.sizeBytes ?? null;
}

/**
 * Hides a finished job of a team and forgets its artifacts; their keys are resolved for removal from storage. The row
 * stays, without its text. `null` when the job is not there or not deletable.
 */
export async function deleteJob(queries: Queries, teamId: string, id: string): Promise<string[] | null> {
  const rows = await queries.query(
    `UPDATE aside.job SET deleted_at = now(), updated_at = now(), kept_content = NULL, report = NULL
     WHERE id = $1 AND team_id = $2 AND status = 'done' AND origin = 'api' AND deleted_at IS NULL RETURNING id`,
    [id, teamId],
  );
  if (rows.length === 0) return null;
  const artifacts = await queries.query<{ storageKey: string }>(
    `DELETE FROM aside.artifact WHERE job_id = $1 RETURNING storage_key AS "storageKey"`,
    [id],
  );
  return artifacts.map((artifact) => artifact.storageKey);
}

/**
 * Hides done jobs that ended longer ago than so many days, as {@link deleteJob} does; resolves with how many, and with the
 * keys of their artifacts for removal from storage. Call inside a transaction.
 */
export async function purgeArtifacts(
  queries: Queries,
  olderThanDays: number,
): Promise<{ readonly jobs: number; readonly keys: string[] }> {
  const rows = await queries.query<{ id: string }>(
    `UPDATE aside.job SET deleted_at = now(), kept_content = NULL, report = NULL
     WHERE status = 'done' AND deleted_at IS NULL AND finished_at < now() - make_interval(secs => $1) RETURNING id`,
    [olderThanDays * DAY_SECONDS],
  );
  const artifacts = await queries.query<{ storageKey: string }>(
    `DELETE FROM aside.artifact WHERE job_id = ANY($1::uuid[]) RETURNING storage_key AS "storageKey"`,
    [rows.map(({ id }) => id)],
  );
  return { jobs: rows.length, keys: artifacts.map(({ storageKey }) => storageKey) };
}
