import type { Queries } from "./database.ts";

/** A request that its sender can tell from any other by a key of its own making. */
export interface KeyedRequest {
  readonly teamId: string;
  /** Path of the endpoint: the same key on another one is another request. */
  readonly endpoint: string;
  /** 1 to 255 characters. */
  readonly key: string;
  /** SHA-256 of what was asked, in hex. */
  readonly fingerprint: string;
}

/** What came of a keyed request: enough to make its reply again. */
export interface AnsweredRequest {
  readonly fingerprint: string;
  readonly jobId: string | null;
  readonly mediaId: string;
  /** `status` of the media in the reply, where it was media that was asked for. */
  readonly mediaStatus: "created" | "existing" | "pending_upload" | null;
}

/** How long a key is known, in seconds. */
export const KEY_MAX_AGE_SECONDS = 86_400;

/** What came of the request with a key, as long as it is known and its job or media is there; `null` otherwise. */
export async function findAnswered(queries: Queries, request: KeyedRequest): Promise<AnsweredRequest | null> {
  const rows = await queries.query<AnsweredRequest>(
    `SELECT a.fingerprint, a.job_id AS "jobId", a.media_id AS "mediaId", a.media_status AS "mediaStatus"
     FROM aside.answered_request a
     JOIN aside.media m ON m.id = a.media_id
     LEFT JOIN aside.job j ON j.id = a.job_id
     WHERE a.team_id = $1 AND a.endpoint = $2 AND a.key = $3 AND a.created_at > now() - make_interval(secs => $4)
       AND CASE WHEN a.job_id IS NULL THEN m.removed_at IS NULL ELSE j.deleted_at IS NULL END`,
    [request.teamId, request.endpoint, request.key, KEY_MAX_AGE_SECONDS],
  );
  return rows[0] ?? null;
}

/** Keeps what came of a keyed request, and forgets what the team's keys of yesterday brought. Call inside a transaction. */
export async function noteAnswered(
  queries: Queries,
  request: KeyedRequest,
  { jobId, mediaId, mediaStatus }: Omit<AnsweredRequest, "fingerprint">,
): Promise<void> {
  await queries.query(
    `DELETE FROM aside.answered_request
     WHERE team_id = $1 AND (created_at <= now() - make_interval(secs => $4) OR (endpoint = $2 AND key = $3))`,
    [request.teamId, request.endpoint, request.key, KEY_MAX_AGE_SECONDS],
  );
  await queries.query(
    `INSERT INTO aside.answered_request (team_id, endpoint, key, fingerprint, job_id, media_id, media_status)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [request.teamId, request.endpoint, request.key, request.fingerprint, jobId, mediaId, mediaStatus],
  );
}
