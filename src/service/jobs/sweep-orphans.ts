import type { Database } from "../storage/database.ts";
import type { ObjectStore } from "../storage/object-store.ts";

/**
 * How old a stored object or a local file must be before it counts as left behind: whoever made it may still be about to
 * note it.
 */
export const ORPHAN_AGE_HOURS = 24;

/** Objects looked up in one query. */
const BATCH = 500;

/**
 * Removes stored objects that no record names: what a process stored and died before it could note, or noted as not
 * needed and died before it could remove. Fresh objects stay, because their note may still be on its way.
 */
export async function sweepOrphans(parts: {
  readonly database: Database;
  readonly objects: ObjectStore;
}): Promise<number> {
  let removed = 0;
  let batch: string[] = [];
  const flush = async () => {
    const named = await parts.database.query<{ key: string }>(
      `SELECT storage_key AS key FROM aside.artifact WHERE storage_key = ANY($1::text[])
       UNION ALL
       SELECT storage_key FROM aside.media WHERE storage_key = ANY($1::text[]) AND removed_at IS NULL
         AND canonical_id IS NULL AND upload_status <> 'failed'`,
      [batch],
    );
    const kept = new Set(named.map(({ key }) => key));
    for (const key of batch) {
      if (kept.has(key)) continue;
      await parts.objects.remove(key);
      removed++;
    }
    batch = [];
  };
  const youngest = Date.now() - ORPHAN_AGE_HOURS * 3_600_000;
  for await (const { key, modifiedAt } of parts.objects.list("teams/")) {
    if (modifiedAt.getTime() > youngest) continue;
    batch.push(key);
    if (batch.length === BATCH) await flush();
  }
  await flush();
  return removed;
}
