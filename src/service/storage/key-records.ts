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

/** Whether two hashes are equal, in a time that does not depend on where they differ. */
function equalHashes(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a, "hex"), Buffer.from(b, "hex")];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Makes a key for a team, and the team if need be. Keys that ended by themselves are forgotten. */
export async function createKey(
  queries: Queries,
  { team, name, isAdministrator = false, lifeSeconds }: KeyOrder,
): Promise<CreatedKey> {
  await queries.query("DELETE FROM aside.api_key WHERE expires_at < now()");
  const { id: teamId } = await ensureTeam(queries, team);
  const key = freshKey();
  const id = `key_${randomBytes(ID_BYTES).toString("hex")}`;
  const [row] = await queries.query<{ createdAt: Date }>(
    `INSERT INTO aside.api_key (id, team_id, name, hash, is_administrator, expires_at)
     VALUES ($1, $2, $3, $4, $5, now() + $6::int * interval '1 second')
     RETURNING created_at AS "createdAt"`,
    [id, teamId, name, keyHash(key), isAdministrator, lifeSeconds ?? null],
  );
  return {
    id,
    team,
    name,
    isAdministrator,
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
    `SELECT k.id, t.name AS team, k.name, k.is_administrator AS "isAdministrator", k.created_at AS "createdAt", k.revoked_at AS "revokedAt"
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

/** Whose a valid key is, and what it may. */
export interface KeyHolder extends Team {
  readonly isAdministrator: boolean;
}

/** The holder of a valid key; `null` for an unknown or withdrawn one. */
export async function findHolderByKeyHash(queries: Queries, hash: string): Promise<KeyHolder | null> {
  const [row] = await queries.query<KeyHolder & { hash: string }>(
    `SELECT t.id, t.name, k.is_administrator AS "isAdministrator", k.hash FROM aside.api_key k JOIN aside.team t ON t.id = k.team_id
     WHERE k.hash = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())`,
    [hash],
  );
  if (row === undefined || !equalHashes(row.hash, hash)) return null;
  const { id, name, isAdministrator } = row;
  return { id, name, isAdministrator };
}
