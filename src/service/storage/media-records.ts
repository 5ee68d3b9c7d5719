import type { RequestErrorCode } from "../../contract/error-codes.ts";
import type { UploadStatus } from "../../contract/media.ts";
import type { Queries } from "./database.ts";

/** One media of a team. */
export interface MediaRecord {
  readonly id: string;
  readonly teamId: string;
  /** How it came: by multipart, fetched from an address, by signed upload. */
  readonly arrival: "file" | "url" | "signed_url";
  readonly fileName: string | null;
  readonly contentType: string | null;
  /** Where its bytes are stored. */
  readonly storageKey: string;
  /** Where a signed upload's bytes arrive, the interface's `gcs_path`; `null` for other arrivals. */
  readonly uploadKey: string | null;
  readonly uploadStatus: UploadStatus;
  /** The media of the same content that stands for this one; `null` when it stands for itself. */
  readonly canonicalId: string | null;
  /** SHA-256 of the bytes, in hex; `null` until they are read. */
  readonly contentHash: string | null;
  readonly sizeBytes: number | null;
  readonly durationSeconds: number | null;
  readonly frameRate: number | null;
  /** Why verification failed. */
  readonly failureCode: RequestErrorCode | null;
  readonly failureMessage: string | null;
}

/** What reading the bytes of a media told. */
export interface MediaFacts {
  readonly contentHash: string;
  readonly sizeBytes: number;
  readonly durationSeconds: number | null;
  readonly frameRate: number | null;
}

const COLUMNS = `id, team_id AS "teamId", arrival, file_name AS "fileName", content_type AS "contentType",
  storage_key AS "storageKey", upload_key AS "uploadKey", upload_status AS "uploadStatus", canonical_id AS "canonicalId",
  content_hash AS "contentHash", size_bytes AS "sizeBytes", duration_seconds AS "durationSeconds",
  frame_rate AS "frameRate", failure_code AS "failureCode", failure_message AS "failureMessage"`;

/** The media of an id, if the team owns it. */
export async function findMedia(queries: Queries, teamId: string, id: string): Promise<MediaRecord | null> {
  const rows = await queries.query<MediaRecord>(
    `SELECT ${COLUMNS} FROM aside.media WHERE id = $1 AND team_id = $2 AND removed_at IS NULL`,
    [id, teamId],
  );
  return rows[0] ?? null;
}

/** The media of an id, for the service's own work. */
export async function getMedia(queries: Queries, id: string): Promise<MediaRecord | null> {
  const rows = await queries.query<MediaRecord>(`SELECT ${COLUMNS} FROM aside.media WHERE id = $1`, [id]);
  return rows[0] ?? null;
}

/** The media whose signed upload arrives under a key. */
export async function findMediaByUploadKey(queries: Queries, uploadKey: string): Promise<MediaRecord | null> {
  const rows = await queries.query<MediaRecord>(
    `SELECT ${COLUMNS} FROM aside.media WHERE upload_key = $1 AND removed_at IS NULL`,
    [uploadKey],
  );
  return rows[0] ?? null;
}

/** The usable media of a team with this content. */
export async function findMediaByContent(
  queries: Queries,
  teamId: string,
  contentHash: string,
): Promise<MediaRecord | null> {
  const rows = await queries.query<MediaRecord>(
    `SELECT ${COLUMNS} FROM aside.media
     WHERE team_id = $1 AND content_hash = $2 AND canonical_id IS NULL AND upload_status = 'completed'
       AND removed_at IS NULL`,
    [teamId, contentHash],
  );
  return rows[0] ?? null;
}

/**
 * Notes that a media is used, which keeps it from being swept; `false` when it just was. The row changes, so a sweep that
 * runs at the same moment looks at it again.
 */
export async function touchMedia(queries: Queries, id: string): Promise<boolean> {
  const rows = await queries.query(
    "UPDATE aside.media SET updated_at = now() WHERE id = $1 AND removed_at IS NULL RETURNING id",
    [id],
  );
  return rows.length > 0;
}

/** Notes a signed upload whose bytes are awaited. */
export async function insertPendingMedia(
  queries: Queries,
  media: Pick<MediaRecord, "id" | "teamId" | "fileName" | "contentType"> & { readonly uploadKey: string },
): Promise<void> {
  await queries.query(
    `INSERT INTO aside.media (id, team_id, arrival, file_name, content_type, storage_key, upload_key, upload_status)
     VALUES ($1, $2, 'signed_url', $3, $4, $5, $5, 'pending_upload')`,
    [media.id, media.teamId, media.fileName, media.contentType, media.uploadKey],
  );
}

/**
 * Notes a media whose bytes are stored and read. Resolves with the media that stands for this content: the new one, or
 * the one the team had before, in which case the new bytes are not needed.
 */
export async function insertReadyMedia(
  queries: Queries,
  media: Pick<MediaRecord, "id" | "teamId" | "arrival" | "fileName" | "storageKey">,
  facts: MediaFacts,
): Promise<MediaRecord> {
  const rows = await queries.query<MediaRecord>(
    `INSERT INTO aside.media
       (id, team_id, arrival, file_name, storage_key, upload_status, content_hash, size_bytes, duration_seconds, frame_rate)
     VALUES ($1, $2, $3, $4, $5, 'completed', $6, $7, $8, $9)
     ON CONFLICT (team_id, content_hash)
       WHERE canonical_id IS NULL AND upload_status = 'completed' AND removed_at IS NULL DO NOTHING
     RETURNING ${COLUMNS}`,
    [
      media.id,
      media.teamId,
      media.arrival,
      media.fileName,
      media.storageKey,
      facts.contentHash,
      facts.sizeBytes,
      facts.durationSeconds,
      facts.frameRate,
    ],
  );
  const record = rows[0] ?? (await findMediaByContent(queries, media.teamId, facts.contentHash));
  if (record === null) throw new Error("the media of a repeated content vanished");
  return record;
}

/** Moves a signed upload into verification; `false` when it is past that point already. */
export async function beginVerification(queries: Queries, id: string): Promise<boolean> {
  const rows = await queries.query(
    `UPDATE aside.media SET upload_status = 'processing', updated_at = now()
     WHERE id = $1 AND upload_status = 'pending_upload' RETURNING id`,
    [id],
  );
  return rows.length > 0;
}

/**
 * Holds a signed upload open until the transaction ends: it cannot be sent into verification meanwhile. `false` when it
 * was, and takes no more bytes.
 */
export async function holdPendingUpload(queries: Queries, id: string): Promise<boolean> {
  const rows = await queries.query(
    "SELECT id FROM aside.media WHERE id = $1 AND upload_status = 'pending_upload' AND removed_at IS NULL FOR UPDATE",
    [id],
  );
  return rows.length > 0;
}

/** Notes what was stored for a signed upload, while its verification is still to come. */
export async function noteStoredBytes(
  queries: Queries,
  id: string,
  bytes: { readonly sizeBytes: number; readonly contentHash: string | null },
): Promise<void> {
  await queries.query(
    `UPDATE aside.media SET size_bytes = $2, content_hash = $3, updated_at = now()
     WHERE id = $1 AND upload_status = 'pending_upload'`,
    [id, bytes.sizeBytes, bytes.contentHash],
  );
}

/**
 * Ends the verification of a signed upload well, its verified bytes now under `storageKey`. Resolves with the media that
 * stands for its content, which is another one when the team had the same content before.
 */
export async function completeVerification(
  queries: Queries,
  media: MediaRecord,
  facts: MediaFacts,
  storageKey: string,
): Promise<MediaRecord> {
  const known = await findMediaByContent(queries, media.teamId, facts.contentHash);
  const isRepeat = known !== null && known.id !== media.id && (await touchMedia(queries, known.id));
  await queries.query(
    `UPDATE aside.media
     SET upload_status = 'completed', canonical_id = $2, content_hash = $3, size_bytes = $4, duration_seconds = $5,
         frame_rate = $6, storage_key = $7, updated_at = now()
     WHERE id = $1 AND upload_status = 'processing'`,
    [
      media.id,
      isRepeat ? known.id : null,
      facts.contentHash,
      facts.sizeBytes,
      facts.durationSeconds,
      facts.frameRate,
      storageKey,
    ],
  );
  return isRepeat ? known : { ...media, storageKey };
}

/** Ends a signed upload badly. */
export async function failVerification(
  queries: Queries,
  id: string,
  failure: { readonly code: RequestErrorCode; readonly message: string },
): Promise<void> {
  await queries.query(
    `UPDATE aside.media SET upload_status = 'failed', failure_code = $2, failure_message = $3, updated_at = now()
     WHERE id = $1 AND upload_status IN ('pending_upload', 'processing')`,
    [id, failure.code, failure.message],
  );
}

/** Takes back a signed upload that was not sent into verification; `false` when it is past that point. */
export async function forgetUpload(queries: Queries, id: string): Promise<boolean> {
  const rows = await queries.query(
    `DELETE FROM aside.media
     WHERE id = $1 AND arrival = 'signed_url' AND upload_status IN ('pending_upload', 'failed') RETURNING id`,
    [id],
  );
  return rows.length > 0;
}
