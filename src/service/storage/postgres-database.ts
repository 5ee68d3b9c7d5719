import { Pool, type QueryResult, type QueryResultRow } from "pg";
import type { Database, Queries } from "./database.ts";

/** Connections one process keeps to a Postgres server at most. */
const MAXIMUM_CONNECTIONS = 10;

/** How long a statement waits for a connection before it fails, so that a dead server is noticed. */
const CONNECTION_TIMEOUT_MS = 10_000;

/** The subset of `pg` that runs statements: the pool and each of its connections have it. */
interface PostgresRunner {
  query<Row extends QueryResultRow>(statement: string, values?: unknown[]): Promise<QueryResult<Row>>;
}

/**
 * Connects to a Postgres server (`postgres://...`). Lost connections are replaced when next needed; `onError` hears of
 * idle ones that broke, which is not the fault of any caller.
 */
export function openPostgresDatabase(address: string, onError: (error: Error) => void): Database {
  const pool = new Pool({
    connectionString: address,
    max: MAXIMUM_CONNECTIONS,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    application_name: "aside",
  });
  pool.on("error", onError);
  return {
    kind: "server",
    query: queriesOf(pool).query,
    async transaction(work) {
      const connection = await pool.connect();
      let broken: Error | undefined;
      try {
        await connection.query("BEGIN");
        const result = await work(queriesOf(connection));
        await connection.query("COMMIT");
        return result;
      } catch (error) {
        await connection.query("ROLLBACK").catch((failure: Error) => {
          broken = failure;
        });
        throw error;
      } finally {
        connection.release(broken);
      }
    },
    async script(statements) {
      const results: QueryResult | QueryResult[] = await pool.query(statements);
      return (Array.isArray(results) ? results : [results]).flatMap((result) => result.rows);
    },
    async exclusively(lock, work) {
      const connection = await pool.connect();
      let broken: Error | undefined;
      try {
        await connection.query("SELECT pg_advisory_lock($1)", [lock]);
        return await work();
      } finally {
        await connection.query("SELECT pg_advisory_unlock($1)", [lock]).catch((failure: Error) => {
          broken = failure;
        });
        connection.release(broken);
      }
    },
    close: () => pool.end(),
  };
}

function queriesOf(runs: PostgresRunner): Queries {
  return {
    async query<Row extends object>(statement: string, values: readonly unknown[] = []) {
      const result = await runs.query<Row & QueryResultRow>(statement, [...values]);
      return result.rows;
    },
  };
}
