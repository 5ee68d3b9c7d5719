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
