import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { ServiceConfiguration } from "../configuration.ts";
import { ArrivingFile } from "../ingest/arriving-file.ts";
import type { Database } from "../storage/database.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import type { DataFolders } from "./data-folders.ts";

const HOUR_SECONDS = 3_600;

/** Removes uploads that nobody finished, and media that nobody has used for long. */
export async function sweepMedia(
  parts: { readonly database: Database; readonly objects: ObjectStore; readonly folders: DataFolders },
  retention: ServiceConfiguration["retention"],
): Promise<{ readonly uploads: number; readonly media: number }> {
  const uploads = await remove(
    parts,
    "m.upload_status IN ('pending_upload', 'failed') AND m.updated_at < now() - make_interval(secs => $1)",
    retention.abandoned_upload_hours * HOUR_SECONDS,
  );
  if (retention.media_days === null) return { uploads, media: 0 };
  const media = await remove(
    parts,
    `m.upload_status = 'completed' AND m.updated_at < now() - make_interval(secs => $1) AND NOT EXISTS
       (SELECT 1 FROM aside.job j WHERE j.media_id = m.id AND j.status IN ('queued', 'processing'))`,
    retention.media_days * 24 * HOUR_SECONDS,
  );
  return { uploads, media };
}

async function remove(
  parts: { readonly database: Database; readonly objects: ObjectStore; readonly folders: DataFolders },
  condition: string,
  seconds: number,
): Promise<number> {
  const rows = await parts.database.query<{ id: string; storageKey: string; uploadKey: string | null }>(
    `UPDATE aside.media m SET removed_at = now() WHERE m.removed_at IS NULL AND ${condition}
     RETURNING m.id, m.storage_key AS "storageKey", m.upload_key AS "uploadKey"`,
    [seconds],
  );
  for (const { id, storageKey, uploadKey } of rows) {
    await parts.objects.remove(storageKey);
    // A client with an address from before may have sent bytes again.
    if (uploadKey !== null && uploadKey !== storageKey) await parts.objects.remove(uploadKey);
    await rm(join(parts.folders.programmes, id), { recursive: true, force: true });
    await (await ArrivingFile.in(parts.folders.incoming, `slices-${id}`)).remove();
  }
  return rows.length;
}
