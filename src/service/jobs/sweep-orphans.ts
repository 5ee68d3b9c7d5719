import type { Database, Queries } from "../storage/database.ts";
import { type ObjectFacts, type ObjectStore, requireOwnStore } from "../storage/object-store.ts";

/**
 * How old a stored object or a local file must be before it counts as left behind: whoever made it may still be about to
 * note it.
 */
export const ORPHAN_AGE_HOURS = 24;

/** Objects looked up in one query. */
const BATCH = 500;

/** What is looked at, and for how many days unknown objects are held; `null` is for ever. */
interface OrphanParts {
  readonly database: Database;
  readonly objects: ObjectStore;
  readonly holdDays: number | null;
}

/**
 * Removes stored objects that nobody needs. What the records know and have done with goes at once: media that were
 * removed or repeated, results of jobs that were deleted or did not end that way. What the records know nothing of may
 * belong to records of another day: it is noted as unknown, held where it is, so that these records would find it, and
 * removed only when it was unknown at every sweep for so many days. Fresh objects are not looked at, because their note
 * may still be on its way.
 *
 * @throws ServiceStartError `store_of_other_records`: nothing is removed from a store that other records work with.
 */
export async function sweepOrphans({ database, objects, holdDays }: OrphanParts): Promise<number> {
  await requireOwnStore(objects, database);
  let removed = 0;
  let batch: ObjectFacts[] = [];
  const flush = async () => {
    for (const key of await notNeeded(database, batch, holdDays)) {
      await objects.remove(key);
      await database.query("DELETE FROM aside.unknown_object WHERE key = $1", [key]);
      removed++;
    }
    batch = [];
  };
  const [started] = await database.query<{ at: Date }>("SELECT now() AS at");
  const youngest = Date.now() - ORPHAN_AGE_HOURS * 3_600_000;
  for await (const object of objects.list("teams/")) {
    if (object.modifiedAt.getTime() > youngest) continue;
    batch.push(object);
    if (batch.length === BATCH) await flush();
  }
  await flush();
  // What is gone or known by now.
  await database.query("DELETE FROM aside.unknown_object WHERE seen_at < $1", [started?.at]);
  return removed;
}

/** Keys of those objects that can go; notes which are unknown. */
async function notNeeded(
  database: Database,
  objects: readonly ObjectFacts[],
  holdDays: number | null,
): Promise<string[]> {
  const keys = objects.map(({ key }) => key);
  const needed = await database.query<{ key: string }>(
    `SELECT storage_key AS key FROM aside.artifact WHERE storage_key = ANY($1::text[])
     UNION ALL
     SELECT storage_key FROM aside.media WHERE storage_key = ANY($1::text[]) AND removed_at IS NULL
       AND canonical_id IS NULL AND upload_status <> 'failed'`,
    [keys],
  );
  const owners = await database.query<{ id: string }>(
    `SELECT id::text AS id FROM aside.media WHERE id::text = ANY($1::text[])
     UNION ALL SELECT id::text FROM aside.job WHERE id::text = ANY($1::text[])`,
    [keys.map(ownerOf)],
  );
  const neededKeys = new Set(needed.map(({ key }) => key));
  const knownIds = new Set(owners.map(({ id }) => id));
  const rest = objects.filter(({ key }) => !neededKeys.has(key));
  const unknown = rest.filter(({ key }) => !knownIds.has(ownerOf(key)));
  for (const { key, sizeBytes } of unknown) {
    await database.query(
      `INSERT INTO aside.unknown_object (key, size_bytes) VALUES ($1, $2)
       ON CONFLICT (key) DO UPDATE SET size_bytes = $2, seen_at = now()`,
      [key, sizeBytes],
    );
  }
  const held = await database.query<{ key: string }>(
    `SELECT key FROM aside.unknown_object WHERE key = ANY($1::text[])
       AND ($2::float8 IS NULL OR first_seen_at >= now() - make_interval(secs => $2 * 86400))`,
    [unknown.map(({ key }) => key), holdDays],
  );
  const heldKeys = new Set(held.map(({ key }) => key));
  return rest.map(({ key }) => key).filter((key) => !heldKeys.has(key));
}

/** The media or job that an object belongs to by its key: `teams/TEAM/KIND/ID/...`. */
function ownerOf(key: string): string {
  return key.split("/")[3] ?? "";
}

/** Objects that no record names, as the last sweep saw them. */
export interface UnknownObjects {
  readonly objects: number;
  readonly bytes: number;
}

/** How much is stored that no record names. */
export async function countUnknownObjects(queries: Queries): Promise<UnknownObjects> {
  const [row] = await queries.query<UnknownObjects>(
    `SELECT count(*)::int AS objects, coalesce(sum(size_bytes), 0)::float8 AS bytes FROM aside.unknown_object`,
  );
  return row ?? { objects: 0, bytes: 0 };
}
