import { randomBytes } from "node:crypto";
import type { Queries } from "./database.ts";
import { type KeyHolder, keyHash, type ReviewGrant } from "./key-records.ts";
import type { Team } from "./team-records.ts";

/** A link for reviewing one film, as it is listed. Times are ISO 8601. */
export interface ReviewLink extends Omit<ReviewGrant, "linkId" | "jobIds" | "runId"> {
  readonly id: string;
  readonly team: string;
  readonly createdAt: string;
  /** When it was taken back; `null` where it was not. */
  readonly revokedAt: string | null;
}

/** A link at its creation, the only time its secret is known. */
export interface CreatedReviewLink extends ReviewLink {
  readonly token: string;
}

/** Tells secrets of review links from all others; what a browser sends as its key begins so too. */
const TOKEN_PREFIX = "review_";

const TOKEN_BYTES = 32;
const ID_BYTES = 4;

/** Which film is to be reviewed. */
export interface ReviewOrder {
  readonly team: string;
  /** Id of a job, or the name of a film's file, with or without its ending. */
  readonly film: string;
  readonly days: number;
}

/**
 * Makes a link for reviewing one film: its newest finished description, unless a job is named. Its hash alone is kept. `null`
 * where the team has no such film, or nothing of it that can be reviewed.
 */
export async function createReviewLink(
  queries: Queries,
  { team, film, days }: ReviewOrder,
): Promise<CreatedReviewLink | null> {
  const [owner] = await queries.query<Team>("SELECT id, name FROM aside.team WHERE name = $1", [team]);
  if (owner === undefined) return null;
  const [job] = await queries.query<{ id: string; mediaId: string; fileName: string | null }>(
    `SELECT j.id, j.media_id AS "mediaId", m.file_name AS "fileName"
     FROM aside.job j JOIN aside.media m ON m.id = j.media_id
     WHERE j.team_id = $1 AND j.status = 'done' AND j.kind <> 'video' AND j.deleted_at IS NULL
       AND (j.id::text = lower($2) OR lower(m.file_name) = lower($2)
         OR lower(regexp_replace(m.file_name, '\\.[^.]*$', '')) = lower($2))
     ORDER BY j.finished_at DESC LIMIT 1`,
    [owner.id, film],
  );
  if (job === undefined) return null;
  const token = TOKEN_PREFIX + randomBytes(TOKEN_BYTES).toString("base64url");
  const id = `review_${randomBytes(ID_BYTES).toString("hex")}`;
  const runId = (await runOf(queries, owner.id, job.id)) ?? id.replace("_", "");
  await queries.query("DELETE FROM aside.review_link WHERE expires_at < now()");
  const [row] = await queries.query<{ createdAt: Date; expiresAt: Date }>(
    `INSERT INTO aside.review_link (id, hash, team_id, job_id, run_id, expires_at)
     VALUES ($1, $2, $3, $4, $5, now() + $6::int * interval '1 day')
     RETURNING created_at AS "createdAt", expires_at AS "expiresAt"`,
    [id, keyHash(token), owner.id, job.id, runId, days],
  );
  if (row === undefined) throw new Error("the link was not kept");
  const { id: jobId, mediaId, fileName } = job;
  const times = { createdAt: row.createdAt.toISOString(), expiresAt: row.expiresAt.toISOString(), revokedAt: null };
  return { id, token, team: owner.name, jobId, mediaId, fileName, ...times };
}

/** The run under which the page, or another link, has a job's result already; `null` where nobody opened it. */
async function runOf(queries: Queries, teamId: string, jobId: string): Promise<string | null> {
  const [linked] = await queries.query<{ runId: string }>(
    `SELECT run_id AS "runId" FROM aside.review_link WHERE job_id = $1 LIMIT 1`,
    [jobId],
  );
  if (linked !== undefined) return linked.runId;
  const entries = await queries.query<{ path: string; content: string }>(
    `SELECT path, content FROM aside.page_text
     WHERE team_id = $1 AND path LIKE 'kept/results/%.job.json' AND position($2 in content) > 0
     ORDER BY updated_at DESC`,
    [teamId, jobId],
  );
  // Another job may name this one; its own entry says so in one place.
  const own = entries.find(({ content }) => jobIdIn(content) === jobId);
  return own === undefined ? null : (/([\w-]+)\.job\.json$/.exec(own.path)?.[1] ?? null);
}

function jobIdIn(entry: string): unknown {
  try {
    return JSON.parse(entry)?.value?.jobId;
  } catch {
    return undefined;
  }
}

/** All links that have not ended by themselves, newest last. */
export async function listReviewLinks(queries: Queries): Promise<ReviewLink[]> {
  const rows = await queries.query<
    Omit<ReviewLink, "createdAt" | "expiresAt" | "revokedAt"> & {
      readonly createdAt: Date;
      readonly expiresAt: Date;
      readonly revokedAt: Date | null;
    }
  >(
    `SELECT l.id, t.name AS team, l.job_id AS "jobId", j.media_id AS "mediaId", m.file_name AS "fileName",
       l.created_at AS "createdAt", l.expires_at AS "expiresAt", l.revoked_at AS "revokedAt"
     FROM aside.review_link l JOIN aside.team t ON t.id = l.team_id JOIN aside.job j ON j.id = l.job_id
       JOIN aside.media m ON m.id = j.media_id
     WHERE l.expires_at > now() ORDER BY l.created_at, l.id`,
  );
  return rows.map(({ createdAt, expiresAt, revokedAt, ...link }) => ({
    ...link,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    revokedAt: revokedAt?.toISOString() ?? null,
  }));
}

/** Takes a link back for good; `false` where there is none, or it is taken back already. */
export async function revokeReviewLink(queries: Queries, id: string): Promise<boolean> {
  const rows = await queries.query(
    "UPDATE aside.review_link SET revoked_at = now() WHERE id = $1 AND revoked_at IS NULL RETURNING id",
    [id],
  );
  return rows.length > 0;
}

/**
 * Who holds the secret of a link, and what it opens; `null` for one that is unknown, taken back, too old, or whose result was
 * deleted.
 */
export async function findReviewer(queries: Queries, token: string): Promise<KeyHolder | null> {
  if (!token.startsWith(TOKEN_PREFIX)) return null;
  const [row] = await queries.query<Omit<ReviewGrant, "expiresAt"> & { id: string; name: string; expiresAt: Date }>(
    `SELECT t.id, t.name, l.id AS "linkId", l.job_id AS "jobId", j.media_id AS "mediaId", l.run_id AS "runId",
       m.file_name AS "fileName", l.expires_at AS "expiresAt",
       ARRAY(SELECT o.id::text FROM aside.job o WHERE o.team_id = l.team_id AND o.media_id = j.media_id AND o.deleted_at IS NULL)
         AS "jobIds"
     FROM aside.review_link l JOIN aside.team t ON t.id = l.team_id JOIN aside.job j ON j.id = l.job_id
       JOIN aside.media m ON m.id = j.media_id
     WHERE l.hash = $1 AND l.revoked_at IS NULL AND l.expires_at > now() AND j.deleted_at IS NULL`,
    [keyHash(token)],
  );
  if (row === undefined) return null;
  const { id, name, expiresAt, ...opens } = row;
  return { id, name, role: "reviewer", review: { ...opens, expiresAt: expiresAt.toISOString() } };
}
