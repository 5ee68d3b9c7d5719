import { randomUUID } from "node:crypto";
import { RequestError } from "../request-error.ts";
import type { Database } from "../storage/database.ts";
import { lockTeam } from "../storage/team-records.ts";
import type { Caller } from "./authenticate.ts";

/** A slot whose process has not been heard of for this long is free: the process is dead. */
const SLOT_LIFE_SECONDS = 30;

/** How often a process says that it still holds its slots. */
const RENEWAL_MS = 10_000;

/** What a client is told to wait, in seconds: a validation takes about as long. */
const RETRY_AFTER_SECONDS = 1;

/**
 * Bounds how many submissions and uploads of a team are being validated at once, over all processes. Slots end with
 * their process: embedded records have one process only, which counts in its memory; else slots are records that live
 * as long as their process renews them.
 */
export class ValidationSlots {
  readonly #database: Database;
  /** Slots that this process holds, by team. */
  readonly #held = new Map<string, Set<string>>();
  #renewal: NodeJS.Timeout | null = null;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Does `work` while holding a slot. @throws RequestError `concurrency_limit_exceeded` when all are taken. */
  async with<Result>(team: Caller, work: () => Promise<Result>): Promise<Result> {
    const id = randomUUID();
    const limit = team.plan.concurrent_validations;
    const isShared = this.#database.kind === "server";
    const isTaken = isShared ? await this.#record(team.id, id, limit) : this.#heldBy(team.id).size < limit;
    if (!isTaken) {
      throw new RequestError(
        "concurrency_limit_exceeded",
        `The team has ${limit} submissions in validation, as many as it may. Send the request again in a moment.`,
        { headers: { "retry-after": String(RETRY_AFTER_SECONDS) } },
      );
    }
    // Looked up only now: another one of the team may have been recorded meanwhile.
    const held = this.#heldBy(team.id).add(id);
    this.#held.set(team.id, held);
    if (isShared) this.#keepRenewing();
    try {
      return await work();
    } finally {
      held.delete(id);
      if (held.size === 0 && this.#held.get(team.id) === held) this.#held.delete(team.id);
      if (isShared) await this.#database.query("DELETE FROM aside.validation WHERE id = $1", [id]);
    }
  }

  #heldBy(teamId: string): Set<string> {
    return this.#held.get(teamId) ?? new Set();
  }

  async #record(teamId: string, id: string, limit: number): Promise<boolean> {
    return this.#database.transaction(async (queries) => {
      await lockTeam(queries, teamId);
      await queries.query("DELETE FROM aside.validation WHERE team_id = $1 AND expires_at < now()", [teamId]);
      const rows = await queries.query(
        `INSERT INTO aside.validation (id, team_id, expires_at)
         SELECT $1, $2, now() + make_interval(secs => $4)
         WHERE (SELECT count(*) FROM aside.validation WHERE team_id = $2) < $3
         RETURNING id`,
        [id, teamId, limit, SLOT_LIFE_SECONDS],
      );
      return rows.length > 0;
    });
  }

  #keepRenewing(): void {
    this.#renewal ??= setInterval(() => {
      const ids = [...this.#held.values()].flatMap((held) => [...held]);
      if (ids.length > 0) {
        // Where the records are out of reach the slots run out, as those of a dead process do.
        this.#renew(ids).catch(() => undefined);
        return;
      }
      if (this.#renewal !== null) clearInterval(this.#renewal);
      this.#renewal = null;
    }, RENEWAL_MS).unref();
  }

  async #renew(ids: readonly string[]): Promise<void> {
    await this.#database.query(
      "UPDATE aside.validation SET expires_at = now() + make_interval(secs => $2) WHERE id = ANY($1::uuid[])",
      [ids, SLOT_LIFE_SECONDS],
    );
  }
}
