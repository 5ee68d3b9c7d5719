import { stat } from "node:fs/promises";
import { contentHash } from "../ingest/content-hash.ts";
import type { Queries } from "../storage/database.ts";
import type { ObjectStore } from "../storage/object-store.ts";

/** A stored object that is not what the records say. */
interface DamagedObject {
  readonly kind: "media" | "result" | "settings";
  /** Of the media, or of the job. */
  readonly id: string;
  readonly state: "missing" | "damaged";
}

/** What comparing every stored object with its record told. */
export interface VerifiedObjects {
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
export async function verifyObjects(queries: Queries, objects: ObjectStore): Promise<VerifiedObjects> {
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
