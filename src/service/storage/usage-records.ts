import type { Queries } from "./database.ts";

/** What a team has used of one month's allocation, in weighted minutes of programme. */
export interface Usage {
  readonly spentMinutes: number;
  /** Of jobs that are not over yet: spent when they succeed, given back when they fail. */
  readonly reservedMinutes: number;
}

/** The month (UTC) that a moment's usage counts for, such as `2026-09`. */
export function usagePeriod(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 7);
}

/** Usage of a team in a month. */
export async function readUsage(queries: Queries, teamId: string, period: string): Promise<Usage> {
  const [row] = await queries.query<Usage>(
    `SELECT coalesce(sum(minutes) FILTER (WHERE state = 'spent'), 0)::float8 AS "spentMinutes",
            coalesce(sum(minutes) FILTER (WHERE state = 'reserved'), 0)::float8 AS "reservedMinutes"
     FROM aside.usage WHERE team_id = $1 AND period = $2`,
    [teamId, period],
  );
  return row ?? { spentMinutes: 0, reservedMinutes: 0 };
}

/** Reserves minutes for a job that is being accepted. */
export async function reserveMinutes(
  queries: Queries,
  reservation: {
    readonly jobId: string;
    readonly teamId: string;
    readonly period: string;
    readonly minutes: number;
  },
): Promise<void> {
  const { jobId, teamId, period, minutes } = reservation;
  await queries.query(
    "INSERT INTO aside.usage (job_id, team_id, period, minutes, state) VALUES ($1, $2, $3, $4, 'reserved')",
    [jobId, teamId, period, minutes],
  );
}
