import { Pool, type QueryResult, type QueryResultRow } from "pg";
import { type Database, type Queries, RecordsAwayError } from "./database.ts";

/** Connections one process keeps to a Postgres server at most. */
const MAXIMUM_CONNECTIONS = 10;

/** How long a statement waits for a connection before it fails, so that a dead server is noticed. */
const CONNECTION_TIMEOUT_MS = 10_000;

/** What Postgres says while it stops, starts, fails over or is full: the classes 08 and 57P, and a few more. */
const AWAY_STATES = /^(?:08\w{3}|57P0[1-5]|53300|25006)$/;

/** What the system says of a connection that is refused or breaks. */
const AWAY_SYSTEM = /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENOENT)$/;

/** What the library says of one, in words alone. */
const AWAY_WORDS =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect)/;

/** The subset of `pg` that runs statements: the pool and each of its connections have it. */
interface PostgresRunner {
  query<Row extends QueryResultRow>(statement: string, values?: unknown[]): Promise<QueryResult<Row>>;
}

/**
 * Connects to a Postgres server (`postgres://...`). Lost connections are replaced when next needed; `onError` hears of
 * idle ones that broke, which is not the fault of any caller. Callers hear of the others by what they ask next.
 */
export function openPostgresDatabase(address: string, onError: (error: Error) => void): Database {
  const pool = new Pool({
    connectionString: address,
    max: MAXIMUM_CONNECTIONS,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    application_name: "aside",
  });
  pool.on("error", onError);
  // The pool listens to idle connections alone. One that breaks while it is taken out, between two statements or under a
  // lock, would end the process.
  pool.on("connect", (connection) => connection.on("error", () => undefined));
  return {
    kind: "server",
    query: queriesOf(pool).query,
    async transaction(work) {
      const connection = await pool.connect().catch(away);
      let broken: Error | undefined;
      try {
        await connection.query("BEGIN").catch(away);
        const result = await work(queriesOf(connection));
        const { command } = await connection.query("COMMIT").catch(away);
        // Postgres commits nothing of a transaction in which a statement failed, and says so in this word alone.
        if (command !== "COMMIT") throw new Error("the transaction was rolled back, for a statement in it failed");
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
      const results: QueryResult | QueryResult[] = await pool.query(statements).catch(away);
      return (Array.isArray(results) ? results : [results]).flatMap((result) => result.rows);
    },
    async exclusively(lock, work) {
      const connection = await pool.connect().catch(away);
      let broken: Error | undefined;
      try {
        await connection.query("SELECT pg_advisory_lock($1)", [lock]).catch(away);
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
      const result = await runs.query<Row & QueryResultRow>(statement, [...values]).catch(away);
      return result.rows;
    },
  };
}

/** Raises an error again, as {@link RecordsAwayError} where it says that the server is not to be had. */
function away(error: unknown): never {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  const [state, words] = [String(code ?? ""), String(message ?? "")];
  // Node gives one error for all addresses of a name that were tried.
  const isAway = AWAY_STATES.test(state) || AWAY_SYSTEM.test(state) || AWAY_WORDS.test(words);
  if (isAway) throw new RecordsAwayError("the records are out of reach", { cause: error });
  throw error;
}
