import { createHash, randomBytes, randomInt, timingSafeEqual } from "node:crypto";
import { PAIRING_CODE_DIGITS, PAIRING_CODE_SECONDS } from "../../contract/pairing.ts";
import type { Database, Queries } from "./database.ts";
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

/** Wrong codes after which those that are open end: of a million, whoever guesses sees five. */
const WRONG_CODES = 5;

/** What keys of panels are called that were paired by a code. */
const PAIRED_NAME = "panel, paired by a code";

/** Tries to find digits that no other team's code has just now. */
const TRIES = 20;

/**
 * Makes a code by which a panel gets a key of a team, once, within minutes. An earlier one of the team ends. Its hash is kept,
 * which keeps it from eyes that fall on the records; six digits are no secret from whoever can compute.
 */
export async function createPairingCode(database: Database, team: string): Promise<string> {
  for (let tries = 1; ; tries++) {
    const code = String(randomInt(10 ** PAIRING_CODE_DIGITS)).padStart(PAIRING_CODE_DIGITS, "0");
    const isMade = await database.transaction(async (queries) => {
      const { id } = await ensureTeam(queries, team);
      await queries.query("DELETE FROM aside.pairing_code WHERE team_id = $1 OR expires_at < now()", [id]);
      const made = await queries.query(
        `INSERT INTO aside.pairing_code (hash, team_id, wrong_codes_left, expires_at)
         VALUES ($1, $2, $3, now() + $4::int * interval '1 second') ON CONFLICT DO NOTHING RETURNING hash`,
        [keyHash(code), id, WRONG_CODES, PAIRING_CODE_SECONDS],
      );
      return made.length > 0;
    });
    if (isMade) return code;
    if (tries >= TRIES) throw new Error("no code is free");
  }
}

/**
 * Takes a code, for good: gives a key of its team; `null` for one that is wrong, used, too old, or was guessed at too often. A
 * wrong one counts against every open code, whoever sent it and from wherever: the rows are held meanwhile, so that guesses
 * at the same time count one after the other.
 */
export async function takePairingCode(database: Database, code: string): Promise<CreatedKey | null> {
  const hash = keyHash(code);
  return database.transaction(async (queries) => {
    const open = await queries.query<{ hash: string; team: string }>(
      `SELECT c.hash, t.name AS team FROM aside.pairing_code c JOIN aside.team t ON t.id = c.team_id
       WHERE c.expires_at > now() AND c.wrong_codes_left > 0 ORDER BY c.team_id FOR UPDATE OF c`,
    );
    const found = open.find((one) => one.hash === hash);
    if (found === undefined) {
      const hashes = open.map((one) => one.hash);
      await queries.query(
        "UPDATE aside.pairing_code SET wrong_codes_left = wrong_codes_left - 1 WHERE hash = ANY($1::text[])",
        [hashes],
      );
      return null;
    }
    await queries.query("DELETE FROM aside.pairing_code WHERE hash = $1", [hash]);
    return createKey(queries, { team: found.team, name: PAIRED_NAME });
  });
}

/** How long a log-in link may wait to be opened, in seconds. */
const LINK_SECONDS = 300;

/** How long somebody stays logged in, in seconds. */
const SESSION_SECONDS = 12 * 3600;

const TOKEN_BYTES = 32;

/** What keys of people who logged in are called. */
export const SESSION_NAME = "log-in to the page";

/** Makes the secret of a log-in link of a team: 256 random bits, of which the hash alone is kept. It opens the page once. */
export async function createLogInLink(queries: Queries, team: string): Promise<string> {
  const { id } = await ensureTeam(queries, team);
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  await queries.query("DELETE FROM aside.log_in_link WHERE expires_at < now()");
  await queries.query(
    `INSERT INTO aside.log_in_link (hash, team_id, expires_at) VALUES ($1, $2, now() + $3::int * interval '1 second')`,
    [keyHash(token), id, LINK_SECONDS],
  );
  return token;
}

/**
 * Takes a log-in link, for good: gives an administrator's key that ends by itself; `null` for a link that is unknown, used or
 * too old.
 */
export async function takeLogInLink(queries: Queries, token: string): Promise<CreatedKey | null> {
  const [row] = await queries.query<{ team: string }>(
    `DELETE FROM aside.log_in_link l USING aside.team t WHERE l.hash = $1 AND l.expires_at > now() AND t.id = l.team_id
     RETURNING t.name AS team`,
    [keyHash(token)],
  );
  if (row === undefined) return null;
  return createKey(queries, {
    team: row.team,
    name: SESSION_NAME,
    isAdministrator: true,
    lifeSeconds: SESSION_SECONDS,
  });
}
