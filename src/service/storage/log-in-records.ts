import { randomBytes } from "node:crypto";
import type { Queries } from "./database.ts";
import { type CreatedKey, createKey, keyHash } from "./key-records.ts";
import { ensureTeam } from "./team-records.ts";

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
