import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { ServiceConfiguration } from "../configuration.ts";
import { namesIn } from "../open-stores.ts";
import type { DataFolders } from "../storage/data-folders.ts";
import type { Database } from "../storage/database.ts";
import { purgeArtifacts } from "../storage/job-records.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import { sweepPaid } from "../storage/paid-requests.ts";
import { type RemoveMediaParts, removeMedia } from "./remove-media.ts";
import { ORPHAN_AGE_HOURS, sweepOrphans } from "./sweep-orphans.ts";
import type { WorkQueue } from "./work-queue.ts";

/** What sweeping needs. */
export interface SweepParts {
  readonly database: Database;
  readonly objects: ObjectStore;
  readonly queue: WorkQueue;
  readonly folders: DataFolders;
  readonly configuration: ServiceConfiguration;
}

/** What one sweep removed, by kind. */
export interface Swept {
  readonly uploads: number;
  readonly results: number;
  readonly media: number;
  readonly orphans: number;
  readonly files: number;
  readonly requeued: number;
  /** Requests of the ledger of jobs. */
  readonly paid: number;
}

/** Number of the lock under which one process sweeps while the others do not. */
const SWEEP_LOCK = 7_268_302;

/** Removes what nobody needs any more, and takes up again what was lost. Safe at any time, in any number of processes. */
export function sweep(parts: SweepParts): Promise<Swept> {
  return parts.database.exclusively(SWEEP_LOCK, async () => {
    const { retention } = parts.configuration;
    return {
      ...(await sweepMedia(parts, retention)),
      results: retention.result_days === null ? 0 : await sweepResults(parts, retention.result_days),
      files: await sweepFiles(parts),
      requeued: await requeueLost(parts),
      paid: await sweepPaid(parts.database),
      orphans: await sweepOrphans({ ...parts, holdDays: retention.unknown_object_days }),
    };
  });
}

/** Local files of this process's folders that nothing uses. */
async function sweepFiles({ database, folders, configuration }: SweepParts): Promise<number> {
  const open = await database.query<{ id: string }>(
    "SELECT id FROM aside.job WHERE status IN ('queued', 'processing')",
  );
  const openJobs = new Set(open.map(({ id }) => id));
  const kept = await database.query<{ id: string }>("SELECT id FROM aside.media WHERE removed_at IS NULL");
  const keptMedia = new Set(kept.map(({ id }) => id));
  const { narration_days } = configuration.retention;
  let removed = 0;
  removed += await removeEntries(folders.incoming, async (path) => isOlder(path, ORPHAN_AGE_HOURS));
  removed += await removeEntries(folders.work, async (path, name) => !openJobs.has(name) && isOlder(path, 1));
  removed += await removeEntries(folders.programmes, async (path, name) => !keptMedia.has(name) && isOlder(path, 1));
  if (narration_days !== null) {
    for (const team of await namesIn(folders.narration)) {
      const folder = join(folders.narration, team);
      removed += await removeEntries(folder, (path) => isOlder(path, narration_days * 24));
    }
  }
  return removed;
}

/** Work that is owed and stands in no queue: a queue entry was lost, or its records were restored from a backup. */
async function requeueLost({ database, queue }: SweepParts): Promise<number> {
  const live = "SELECT 1 FROM pgboss.job q WHERE q.name = $1 AND q.state < 'completed' AND q.data->>'id' = w.id::text";
  const jobs = await database.query<{ id: string; turn: number; teamId: string }>(
    `SELECT w.id, w.turn, w.team_id AS "teamId" FROM aside.job w WHERE w.status IN ('queued', 'processing') AND NOT EXISTS (${live})`,
    ["run-job"],
  );
  const uploads = await database.query<{ id: string }>(
    `SELECT w.id FROM aside.media w WHERE w.upload_status = 'processing' AND NOT EXISTS (${live})`,
    ["verify-upload"],
  );
  for (const { id, turn, teamId } of jobs) await queue.add(database, "run-job", id, { priority: -turn, teamId });
  for (const { id } of uploads) await queue.add(database, "verify-upload", id);
  if (jobs.length > 0) queue.wake("run-job");
  if (uploads.length > 0) queue.wake("verify-upload");
  return jobs.length + uploads.length;
}

async function removeEntries(
  folder: string,
  isNotNeeded: (path: string, name: string) => Promise<boolean>,
): Promise<number> {
  let removed = 0;
  for (const name of await namesIn(folder)) {
    const path = join(folder, name);
    if (!(await isNotNeeded(path, name))) continue;
    await rm(path, { recursive: true, force: true });
    removed++;
  }
  return removed;
}

async function isOlder(path: string, hours: number): Promise<boolean> {
  const facts = await stat(path).catch(() => null);
  return facts !== null && Date.now() - facts.mtimeMs > hours * 3_600_000;
}

const HOUR_SECONDS = 3_600;

/** Removes uploads that nobody finished, and media that nobody has used for long. */
async function sweepMedia(
  parts: RemoveMediaParts,
  retention: ServiceConfiguration["retention"],
): Promise<{ readonly uploads: number; readonly media: number }> {
  const uploads = await removeMedia(
    parts,
    "m.upload_status IN ('pending_upload', 'failed') AND m.updated_at < now() - make_interval(secs => $1)",
    [retention.abandoned_upload_hours * HOUR_SECONDS],
  );
  if (retention.media_days === null) return { uploads, media: 0 };
  const media = await removeMedia(
    parts,
    `m.upload_status = 'completed' AND m.updated_at < now() - make_interval(secs => $1) AND NOT EXISTS
       (SELECT 1 FROM aside.job j WHERE j.media_id = m.id AND j.status IN ('queued', 'processing'))`,
    [retention.media_days * 24 * HOUR_SECONDS],
  );
  return { uploads, media };
}

/** Hides finished jobs whose results are older than so many days, and removes what they produced. */
async function sweepResults(
  parts: { readonly database: Database; readonly objects: ObjectStore },
  resultDays: number,
): Promise<number> {
  const { jobs, keys } = await parts.database.transaction((queries) => purgeArtifacts(queries, resultDays));
  for (const key of keys) await parts.objects.remove(key);
  return jobs;
}
