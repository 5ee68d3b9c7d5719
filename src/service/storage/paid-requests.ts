import { randomUUID } from "node:crypto";
import {
  type Ledger,
  MOST_USELESS,
  type PaidEnd,
  type PaidKind,
  type PaidPlan,
  type PaidRefusal,
  type PaidTotals,
} from "../../engine/index.ts";
import { type Database, type Queries, RecordsAwayError } from "./database.ts";
import { lockTeam } from "./team-records.ts";

/** Whose book it is. */
export interface LedgerOwner {
  /** `null` for what is asked for without a job. */
  readonly jobId: string | null;
  readonly teamId: string;
  /** The month (UTC) that its requests count for, such as `2026-09`. */
  readonly period: () => string;
  /** Most that models may cost the team in a month; `null` for no limit. */
  readonly costPerMonth: () => Promise<number | null>;
}

/** How long one who waits for the records looks for them again, in milliseconds. */
const AWAY_PAUSE_MS = 500;

/** What a team's requests of a month cost so far, in the currency of the prices; what is under way as reserved. */
export async function readCost(queries: Queries, teamId: string, period: string): Promise<number> {
  const [row] = await queries.query<{ cost: number }>(
    "SELECT coalesce(sum(cost), 0)::float8 AS cost FROM aside.paid_request WHERE team_id = $1 AND period = $2",
    [teamId, period],
  );
  return row?.cost ?? 0;
}

/** What the job `j` of a query has asked for so far as a `JobCost`, in SQL; `null` where it has asked nobody. */
export const COST_OF_JOB = `(SELECT CASE WHEN count(*) FILTER (WHERE counts) > 0 THEN json_build_object(
    'requests', count(*) FILTER (WHERE counts),
    'useless', count(*) FILTER (WHERE is_useful = false),
    'unpriced', count(*) FILTER (WHERE counts AND NOT is_priced),
    'spent', CASE WHEN bool_or(is_priced) THEN coalesce(sum(cost) FILTER (WHERE p.state = 'spent'), 0) END,
    'reserved', CASE WHEN bool_or(is_priced) THEN coalesce(sum(cost) FILTER (WHERE p.state = 'reserved'), 0) END,
    'ceiling', (array_agg(ceiling ORDER BY reserved_at DESC) FILTER (WHERE p.kind = 'model'))[1]) END
  FROM aside.paid_request p WHERE p.job_id = j.id)`;

/** Removes rows that neither the sum of a month nor a job that may still go on needs. @returns How many. */
export async function sweepPaid(queries: Queries): Promise<number> {
  const [row] = await queries.query<{ count: number }>(
    `WITH gone AS (DELETE FROM aside.paid_request p WHERE p.reserved_at < now() - make_interval(days => $1)
       AND NOT EXISTS (SELECT 1 FROM aside.job j WHERE j.id = p.job_id AND j.status IN ('queued', 'processing'))
       RETURNING 1) SELECT count(*)::int AS count FROM gone`,
    [KEPT_DAYS],
  );
  return row?.count ?? 0;
}

/** Days for which rows are kept at least: longer than any month, so that its sum stays whole. */
const KEPT_DAYS = 62;

/** What a job's requests took so far, of all its runs. */
export async function readPaid(queries: Queries, jobId: string | null): Promise<PaidTotals> {
  const [row] = await queries.query<PaidTotals>(
    `SELECT count(*) FILTER (WHERE kind = 'model' AND counts)::int AS requests,
       coalesce(sum(input_tokens), 0)::float8 AS "inputTokens", coalesce(sum(output_tokens), 0)::float8 AS "outputTokens",
       coalesce(sum(cost), 0)::float8 AS cost,
       count(*) FILTER (WHERE is_useful = false AND judged_at > coalesce((
         SELECT max(judged_at) FROM aside.paid_request WHERE job_id = $1 AND is_useful), '-infinity'))::int AS "uselessInARow"
     FROM aside.paid_request WHERE job_id = $1`,
    [jobId],
  );
  return row ?? { requests: 0, inputTokens: 0, outputTokens: 0, cost: 0, uselessInARow: 0 };
}

/** The book of a job, or of what a team asks for without one, in the records: it holds whatever becomes of the job's processes and of this one. */
export class JobLedger implements Ledger {
  readonly #database: Database;
  readonly #owner: LedgerOwner;

  constructor(database: Database, owner: LedgerOwner) {
    this.#database = database;
    this.#owner = owner;
  }

  /** Waits while the records are away: nothing leaves that is not written down. */
  async reserve(kind: PaidKind, plan: PaidPlan | null): Promise<string | PaidRefusal> {
    const limit = await this.#owner.costPerMonth();
    return await whenThere(() => this.#database.transaction((queries) => this.#reserve(queries, kind, plan, limit)));
  }

  async #reserve(
    queries: Queries,
    kind: PaidKind,
    plan: PaidPlan | null,
    costPerMonth: number | null,
  ): Promise<string | PaidRefusal> {
    const { jobId, teamId, period } = this.#owner;
    // Several processes may reserve for the same team, and each is to see what the others have.
    await lockTeam(queries, teamId);
    const month = period();
    const cost = plan?.cost ?? 0;
    if (kind === "model") {
      const paid = await readPaid(queries, jobId);
      if (paid.uselessInARow >= MOST_USELESS) return GIVEN_UP;
      if (plan !== null && paid.requests >= plan.most) return TOO_OFTEN;
      if (plan?.ceiling != null && paid.cost + cost > plan.ceiling) return atCeiling(plan.ceiling, paid, cost);
    } else if (cost > 0 && jobId !== null) {
      // What the model of the job may cost is the most of all that the job asks for.
      const ceiling = await ceilingOf(queries, jobId);
      const paid = await readPaid(queries, jobId);
      if (ceiling !== null && paid.cost + cost > ceiling) return atCeiling(ceiling, paid, cost);
    }
    if (costPerMonth !== null && cost > 0) {
      const spent = await readCost(queries, teamId, month);
      if (spent + cost > costPerMonth) return atMonth(costPerMonth, spent);
    }
    const id = randomUUID();
    await queries.query(
      `INSERT INTO aside.paid_request (id, job_id, team_id, period, kind, state, cost, is_priced, ceiling)
       VALUES ($1, $2, $3, $4, $5, 'reserved', $6, $7, $8)`,
      [id, jobId, teamId, month, kind, cost, plan !== null && plan.price !== null, plan?.ceiling ?? null],
    );
    return id;
  }

  async settle(entry: string, { status, tokens, cost }: PaidEnd): Promise<void> {
    // A refusal is not charged; where the line broke, or nothing is said, what was reserved counts.
    const isRefused = status !== null && (status < 200 || status >= 300);
    await whenThere(() =>
      this.#database.query(
        `UPDATE aside.paid_request SET state = 'spent', status = $2, input_tokens = $3, output_tokens = $4,
           cost = coalesce($5, cost), counts = $6, ended_at = now() WHERE id = $1`,
        [entry, status, tokens?.input ?? null, tokens?.output ?? null, isRefused ? 0 : cost, !isRefused],
      ),
    );
  }

  async judge(entry: string, isUseful: boolean): Promise<void> {
    await whenThere(() =>
      this.#database.query(
        "UPDATE aside.paid_request SET is_useful = $3, judged_at = clock_timestamp() WHERE id = $1 AND job_id IS NOT DISTINCT FROM $2::uuid",
        [entry, this.#owner.jobId, isUseful],
      ),
    );
  }

  totals(): Promise<PaidTotals> {
    return whenThere(() => readPaid(this.#database, this.#owner.jobId));
  }
}

/** Most that a job may cost, as its model was told last; `null` where nothing was, or anything. */
async function ceilingOf(queries: Queries, jobId: string): Promise<number | null> {
  const [row] = await queries.query<{ ceiling: number | null }>(
    "SELECT ceiling::float8 AS ceiling FROM aside.paid_request WHERE job_id = $1 AND kind = 'model' ORDER BY reserved_at DESC LIMIT 1",
    [jobId],
  );
  return row?.ceiling ?? null;
}

const GIVEN_UP: PaidRefusal = {
  why: "given-up",
  message:
    "The vision model gave three answers in a row that cannot be used, in an earlier run of this job. Use another model: ASIDE_VISION_MODEL.",
};

const TOO_OFTEN: PaidRefusal = {
  why: "given-up",
  message:
    "The vision model was asked half as often again as the film should take, in all runs of this job. Use another model: ASIDE_VISION_MODEL.",
};

function atCeiling(ceiling: number, { requests, cost }: PaidTotals, next: number): PaidRefusal {
  const done = `${requests} ${requests === 1 ? "request" : "requests"}`;
  const message = `The ceiling of ${ceiling} is reached after ${done} of all runs of this job, which cost ${cost.toFixed(4)}: the next one may cost ${next.toFixed(4)}. Answers so far are kept; raise --max-cost, or ASIDE_VISION_CEILING (limits.cost), to go on.`;
  return { why: "ceiling", message };
}

function atMonth(limit: number, spent: number): PaidRefusal {
  const message = `Models, voices and transcriptions may cost this team ${limit} a month, and ${spent.toFixed(4)} are spent or reserved. Answers so far are kept; raise ASIDE_COST_PER_MONTH (limits.cost_per_month), or continue next month.`;
  return { why: "ceiling", message };
}

/** Does something with the records, again and again while they are away: how long that may take, the job's own time limit says. */
async function whenThere<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof RecordsAwayError)) throw error;
      await new Promise((resolve) => setTimeout(resolve, AWAY_PAUSE_MS).unref());
    }
  }
}
