import type { Database } from "../storage/database.ts";
import type { ObjectStore } from "../storage/object-store.ts";

/** Forgets jobs that ended before this month and longer ago than so many days. Resolves with how many. */
export async function purgeJobs(
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
