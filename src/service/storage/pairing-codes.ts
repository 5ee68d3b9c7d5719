import { randomInt } from "node:crypto";
import { PAIRING_CODE_DIGITS, PAIRING_CODE_SECONDS } from "../../contract/pairing-code.ts";
import type { Database } from "./database.ts";
import { type CreatedKey, createKey, keyHash } from "./key-records.ts";
import { ensureTeam } from "./team-records.ts";

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
