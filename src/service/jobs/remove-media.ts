import { rm } from "node:fs/promises";
import { join } from "node:path";
import { ArrivingFile } from "../ingest/arriving-file.ts";
import { RequestError } from "../request-error.ts";
import type { DataFolders } from "../storage/data-folders.ts";
import type { Database, Queries } from "../storage/database.ts";
import { findMedia } from "../storage/media-records.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import { lockTeam } from "../storage/team-records.ts";

/** Where media have what belongs to them. */
export interface RemoveMediaParts {
  readonly database: Database;
  readonly objects: ObjectStore;
  readonly folders: DataFolders;
}

/** A media that was removed from the records, and where its bytes are. */
interface Forgotten {
  readonly id: string;
  readonly storageKey: string;
  readonly uploadKey: string | null;
}

/**
 * Removes media with all that belongs to them: bytes, analyses, kept answers of models. The records stay for the jobs
 * that name them. Resolves with how many.
 *
 * @param condition Of SQL, over `aside.media m` and the values.
 */
export async function removeMedia(
  parts: RemoveMediaParts,
  condition: string,
  values: readonly unknown[],
): Promise<number> {
  const forgotten = await forget(parts.database, condition, values);
  await removeFiles(parts, forgotten);
  return forgotten.length;
}

/**
 * Removes one media of a team, with those that stand for the same content.
 *
 * @throws RequestError `not_found`; `job_not_deletable` while a job works on it.
 */
export async function deleteMedia(parts: RemoveMediaParts, teamId: string, id: string): Promise<void> {
  const forgotten = await parts.database.transaction(async (queries) => {
    // No job of the team is accepted meanwhile.
    await lockTeam(queries, teamId);
    const media = await findMedia(queries, teamId, id);
    if (media === null) throw new RequestError("not_found", `There is no media with the id ${id}.`);
    const open = await queries.query(
      "SELECT 1 FROM aside.job WHERE media_id = $1 AND status IN ('queued', 'processing') LIMIT 1",
      [media.id],
    );
    if (open.length > 0 || media.uploadStatus === "processing") {
      throw new RequestError("job_not_deletable", "The media is being worked on. Wait for its jobs to end.");
    }
    return forget(queries, "(m.id = $1 OR m.canonical_id = $1)", [media.id]);
  });
  await removeFiles(parts, forgotten);
}

function forget(queries: Queries, condition: string, values: readonly unknown[]): Promise<Forgotten[]> {
  return queries.query<Forgotten>(
    `UPDATE aside.media m SET removed_at = now() WHERE m.removed_at IS NULL AND ${condition}
     RETURNING m.id, m.storage_key AS "storageKey", m.upload_key AS "uploadKey"`,
    values,
  );
}

async function removeFiles({ objects, folders }: RemoveMediaParts, media: readonly Forgotten[]): Promise<void> {
  for (const { id, storageKey, uploadKey } of media) {
    await objects.remove(storageKey);
    // A client with an address from before may have sent bytes again.
    if (uploadKey !== null && uploadKey !== storageKey) await objects.remove(uploadKey);
    await rm(join(folders.programmes, id), { recursive: true, force: true });
    await (await ArrivingFile.in(folders.incoming, `slices-${id}`)).remove();
  }
}
