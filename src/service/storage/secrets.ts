import { randomBytes } from "node:crypto";
import type { Queries } from "./database.ts";

const SECRET_BYTES = 32;

/** A random secret kept with the records, made when first asked for: every process of one service has the same. */
export async function ensureSecret(queries: Queries, name: string): Promise<string> {
  await queries.query("INSERT INTO aside.secret (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING", [
    name,
    randomBytes(SECRET_BYTES).toString("hex"),
  ]);
  const [row] = await queries.query<{ value: string }>("SELECT value FROM aside.secret WHERE name = $1", [name]);
  if (row === undefined) throw new Error(`secret ${name} vanished while it was made`);
  return row.value;
}
