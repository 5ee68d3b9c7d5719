import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Queries } from "./database.ts";
import { ensureTeam, type Team } from "./team-records.ts";

/** What is known of an API key after its creation: everything but the key. */
export interface KeyRecord {
  /** Names the key in `aside keys`; not secret. */
  readonly id: string;
  readonly team: string;
  /** What the key is for, in its maker's words. */
  readonly name: string;
  /** Whether it may change the settings of the service. */
  readonly isAdministrator: boolean;
  /** Whether it reads `/metrics`, and nothing else. */
  readonly isForMetrics: boolean;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly revokedAt: string | null;
}

/** What a key is made for. */
export interface KeyOrder {
  readonly team: string;
  readonly name: string;
  /** Default: it is none. */
  readonly isAdministrator?: boolean;
  /** Whether it reads `/metrics`, and nothing else. Default: it does not. */
  readonly isForMetrics?: boolean;
  /** Seconds after which it ends by itself. Default: never. */
  readonly lifeSeconds?: number;
}

/** A key at its creation, the only time it is known. */
export interface CreatedKey extends KeyRecord {
  readonly key: string;
}

const KEY_BYTES = 32;
const ID_BYTES = 4;

/** A fresh API key: 256 random bits behind a prefix that secret scanners can find. */
export function freshKey(): string {
  return `aside_${randomBytes(KEY_BYTES).toString("base64url")}`;
}

/**
 * What is kept of a key. A plain SHA-256 does: a key is 256 random bits, so there is nothing to guess that a slow hash
 * would have to protect.
 */
export function keyHash(key: string): string {
  return createHash("sha256").update(key, "utf8").digest("hex");
}

/** What is kept of a key for metrics: other than of any other key, so that none is ever taken for one. */
function metricsHash(key: string): string {
  return keyHash(`metrics ${key}`);
}

/** Whether two hashes are equal, in a time that does not depend on where they differ. */
function equalHashes(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a, "hex"), Buffer.from(b, "hex")];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Makes a key for a team, and the team if need be. Keys that ended by themselves are forgotten. */
export async function createKey(
  queries: Queries,
  { team, name, isAdministrator = false, isForMetrics = false, lifeSeconds }: KeyOrder,
): Promise<CreatedKey> {
  await queries.query("DELETE FROM aside.api_key WHERE expires_at < now()");
  const { id: teamId } = await ensureTeam(queries, team);
  const key = freshKey();
  const id = `key_${randomBytes(ID_BYTES).toString("hex")}`;
  const [row] = await queries.query<{ createdAt: Date }>(
    `INSERT INTO aside.api_key (id, team_id, name, hash, is_administrator, is_for_metrics, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, now() + $7::int * interval '1 second')
     RETURNING created_at AS "createdAt"`,
    [
      id,
      teamId,
      name,
      isForMetrics ? metricsHash(key) : keyHash(key),
      isAdministrator,
      isForMetrics,
      lifeSeconds ?? null,
    ],
  );
  return {
    id,
    team,
    name,
    isAdministrator,
    isForMetrics,
    key,
    createdAt: (row?.createdAt ?? new Date()).toISOString(),
    revokedAt: null,
  };
}

/** All keys but those that ended by themselves, newest last. */
export async function listKeys(queries: Queries): Promise<KeyRecord[]> {
  const rows = await queries.query<
    Omit<KeyRecord, "createdAt" | "revokedAt"> & { createdAt: Date; revokedAt: Date | null }
  >(
    `SELECT k.id, t.name AS team, k.name, k.is_administrator AS "isAdministrator",
       k.is_for_metrics AS "isForMetrics", k.created_at AS "createdAt", k.revoked_at AS "revokedAt"
     FROM aside.api_key k JOIN aside.team t ON t.id = k.team_id
     WHERE k.expires_at IS NULL OR k.expires_at > now() ORDER BY k.created_at, k.id`,
  );
  return rows.map(({ createdAt, revokedAt, ...key }) => ({
    ...key,
    createdAt: createdAt.toISOString(),
    revokedAt: revokedAt?.toISOString() ?? null,
  }));
}

/** Withdraws a key for good; `false` when there is no such key or it is withdrawn already. */
export async function revokeKey(queries: Queries, id: string): Promise<boolean> {
  const rows = await queries.query(
    "UPDATE aside.api_key SET revoked_at = now() WHERE id = $1 AND revoked_at IS NULL RETURNING id",
    [id],
  );
  return rows.length > 0;
}

/**
 * What the holder of a key is to the service: a `program` of a team, an `administrator` of the service, a `reviewer` of one
 * film, or a `monitor`, which reads its metrics.
 */
export type Role = "program" | "administrator" | "reviewer" | "monitor";

/** What a link for reviewing one film opens, as its holder's requests are held against it. */
export interface ReviewGrant {
  readonly linkId: string;
  /** The description that is reviewed. */
  readonly jobId: string;
  /** Every job of the film: a description that was voiced anew is another one. */
  readonly jobIds: readonly string[];
  readonly mediaId: string;
  /** The run under which the page keeps the film's result. */
  readonly runId: string;
  readonly fileName: string | null;
  /** ISO 8601. */
  readonly expiresAt: string;
}

/** Whose a valid key is, and what it may. */
export interface KeyHolder extends Team {
  readonly role: Role;
  /** The film that a reviewer may open. */
  readonly review?: ReviewGrant;
}

/** The holder of a valid key; `null` for an unknown or withdrawn one. */
export async function findHolderByKey(queries: Queries, key: string): Promise<KeyHolder | null> {
  const hashes = [keyHash(key), metricsHash(key)];
  const [row] = await queries.query<
    Team & { readonly isAdministrator: boolean; readonly isForMetrics: boolean; readonly hash: string }
  >(
    `SELECT t.id, t.name, k.is_administrator AS "isAdministrator", k.is_for_metrics AS "isForMetrics", k.hash
     FROM aside.api_key k JOIN aside.team t ON t.id = k.team_id
     WHERE k.hash = ANY($1::text[]) AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())`,
    [hashes],
  );
  if (row === undefined) return null;
  const { id, name, isAdministrator, isForMetrics } = row;
  if (!equalHashes(row.hash, isForMetrics ? metricsHash(key) : keyHash(key))) return null;
  return { id, name, role: isForMetrics ? "monitor" : isAdministrator ? "administrator" : "program" };
}
