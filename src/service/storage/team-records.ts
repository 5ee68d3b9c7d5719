import { randomUUID } from "node:crypto";
import type { Queries } from "./database.ts";

/** Whoever owns media and jobs: limits and visibility are per team. */
export interface Team {
  readonly id: string;
  readonly name: string;
}

/** The team of a name, made when there is none. */
export async function ensureTeam(queries: Queries, name: string): Promise<Team> {
  await queries.query("INSERT INTO aside.team (id, name) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING", [
    randomUUID(),
    name,
  ]);
  const [team] = await queries.query<Team>("SELECT id, name FROM aside.team WHERE name = $1", [name]);
  if (team === undefined) throw new Error(`team ${name} vanished while it was made`);
  return team;
}

/** Holds back every other transaction that locks the same team until this one ends, so that limits count exactly. */
export async function lockTeam(queries: Queries, teamId: string): Promise<void> {
  await queries.query("SELECT id FROM aside.team WHERE id = $1 FOR UPDATE", [teamId]);
}

/** The team of an id. */
export async function findTeam(queries: Queries, id: string): Promise<Team | null> {
  const rows = await queries.query<Team>("SELECT id, name FROM aside.team WHERE id = $1", [id]);
  return rows[0] ?? null;
}

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

/** A request that its sender can tell from any other by a key of its own making. */
export interface KeyedRequest {
  readonly teamId: string;
  /** Path of the endpoint: the same key on another one is another request. */
  readonly endpoint: string;
  /** 1 to 255 characters. */
  readonly key: string;
  /** SHA-256 of what was asked, in hex. */
  readonly fingerprint: string;
}

/** What came of a keyed request: enough to make its reply again. */
export interface AnsweredRequest {
  readonly fingerprint: string;
  readonly jobId: string | null;
  readonly mediaId: string;
  /** `status` of the media in the reply, where it was media that was asked for. */
  readonly mediaStatus: "created" | "existing" | "pending_upload" | null;
}

/** How long a key is known, in seconds. */
export const KEY_MAX_AGE_SECONDS = 86_400;

/** What came of the request with a key, as long as it is known and its job or media is there; `null` otherwise. */
export async function findAnswered(queries: Queries, request: KeyedRequest): Promise<AnsweredRequest | null> {
  const rows = await queries.query<AnsweredRequest>(
    `SELECT a.fingerprint, a.job_id AS "jobId", a.media_id AS "mediaId", a.media_status AS "mediaStatus"
     FROM aside.answered_request a
     JOIN aside.media m ON m.id = a.media_id
     LEFT JOIN aside.job j ON j.id = a.job_id
     WHERE a.team_id = $1 AND a.endpoint = $2 AND a.key = $3 AND a.created_at > now() - make_interval(secs => $4)
       AND CASE WHEN a.job_id IS NULL THEN m.removed_at IS NULL ELSE j.deleted_at IS NULL END`,
    [request.teamId, request.endpoint, request.key, KEY_MAX_AGE_SECONDS],
  );
  return rows[0] ?? null;
}

/** Keeps what came of a keyed request, and forgets what the team's keys of yesterday brought. Call inside a transaction. */
export async function noteAnswered(
  queries: Queries,
  request: KeyedRequest,
  { jobId, mediaId, mediaStatus }: Omit<AnsweredRequest, "fingerprint">,
): Promise<void> {
  await queries.query(
    `DELETE FROM aside.answered_request
     WHERE team_id = $1 AND (created_at <= now() - make_interval(secs => $4) OR (endpoint = $2 AND key = $3))`,
    [request.teamId, request.endpoint, request.key, KEY_MAX_AGE_SECONDS],
  );
  await queries.query(
    `INSERT INTO aside.answered_request (team_id, endpoint, key, fingerprint, job_id, media_id, media_status)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [request.teamId, request.endpoint, request.key, request.fingerprint, jobId, mediaId, mediaStatus],
  );
}
