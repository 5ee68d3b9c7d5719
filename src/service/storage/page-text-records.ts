import type { Queries } from "./database.ts";

/** The text that the page keeps for a team under a path; `null` where there is none. */
export async function findPageText(queries: Queries, teamId: string, path: string): Promise<string | null> {
  const [row] = await queries.query<{ content: string }>(
    "SELECT content FROM aside.page_text WHERE team_id = $1 AND path = $2",
    [teamId, path],
  );
  return row?.content ?? null;
}

/** Every path that the page keeps a text of a team under, in order. */
export async function listPageTexts(queries: Queries, teamId: string): Promise<string[]> {
  const rows = await queries.query<{ path: string }>(
    "SELECT path FROM aside.page_text WHERE team_id = $1 ORDER BY path",
    [teamId],
  );
  return rows.map(({ path }) => path);
}

/** Keeps a text under a path, in place of what was there. */
export async function keepPageText(queries: Queries, teamId: string, path: string, content: string): Promise<void> {
  await queries.query(
    `INSERT INTO aside.page_text (team_id, path, content) VALUES ($1, $2, $3)
     ON CONFLICT (team_id, path) DO UPDATE SET content = excluded.content, updated_at = now()`,
    [teamId, path, content],
  );
}

/** Removes a text; nothing happens where there is none. */
export async function removePageText(queries: Queries, teamId: string, path: string): Promise<void> {
  await queries.query("DELETE FROM aside.page_text WHERE team_id = $1 AND path = $2", [teamId, path]);
}
