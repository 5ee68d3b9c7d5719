import { randomUUID } from "node:crypto";
import { RequestError } from "../request-error.ts";
import type { Database } from "../storage/database.ts";
import { lockTeam } from "../storage/team-records.ts";
import type { Caller } from "./authenticate.ts";

/** A slot that was not given back, because its server died, is free again after this long. */
const SLOT_LIFE_MINUTES = 30;

/** What a client is told to wait, in seconds: a validation takes about as long. */
const RETRY_AFTER_SECONDS = 1;

/** Bounds how many submissions and uploads of a team are being validated at once, over all processes. */
export class ValidationSlots {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Does `work` while holding a slot. @throws RequestError `concurrency_limit_exceeded` when all are taken. */
  async with<Result>(team: Caller, work: () => Promise<Result>): Promise<Result> {
    const id = randomUUID();
    const limit = team.plan.concurrent_validations;
    const isTaken = await this.#database.transaction(async (queries) => {
      await lockTeam(queries, team.id);
      await queries.query("DELETE FROM aside.validation WHERE team_id = $1 AND expires_at < now()", [team.id]);
      const rows = await queries.query(
        `INSERT INTO aside.validation (id, team_id, expires_at)
         SELECT $1, $2, now() + make_interval(mins => $4)
         WHERE (SELECT count(*) FROM aside.validation WHERE team_id = $2) < $3
         RETURNING id`,
        [id, team.id, limit, SLOT_LIFE_MINUTES],
      );
      return rows.length > 0;
    });
    if (!isTaken) {
      throw new RequestError(
        "concurrency_limit_exceeded",
        `The team has ${limit} submissions in validation, as many as it may. Send the request again in a moment.`,
        { headers: { "retry-after": String(RETRY_AFTER_SECONDS) } },
      );
    }
    try {
      return await work();
    } finally {
      await this.#database.query("DELETE FROM aside.validation WHERE id = $1", [id]);
    }
  }
}
