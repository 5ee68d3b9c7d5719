import { PgBoss } from "pg-boss";
import type { Database, Queries } from "../storage/database.ts";
import { STARTING_LOCK } from "../storage/migrations.ts";

/** The kinds of work that wait in the queue. */
const QUEUES = ["run-job", "verify-upload"] as const;

/** Name of a queue. */
export type QueueName = (typeof QUEUES)[number];

/** One piece of work, taken from a queue. */
export interface QueueEntry {
  /** Identity in the queue alone. */
  readonly entryId: string;
  /** The job or media it is about. */
  readonly id: string;
  /** The team that it is for; `null` where it does not matter. */
  readonly teamId: string | null;
  /** Times it was put back before. */
  readonly returns: number;
}

/** A worker that has not been heard of for this long is taken for dead, and its work is given to another. */
export const HEARTBEAT_SECONDS = 30;

/** How often dead workers are looked for. */
const SUPERVISION_SECONDS = 10;

const DAY_SECONDS = 86_400;

/** The id of no entry. */
const NO_ENTRY = "00000000-0000-0000-0000-000000000000";

/**
 * Options of every queue. How often work is tried again is decided by the work itself (`run-job.ts`), which knows a crash
 * from an interruption; so the queue never gives up by itself.
 */
const QUEUE_OPTIONS = {
  retryLimit: 1_000_000,
  retryDelay: 0,
  heartbeatSeconds: HEARTBEAT_SECONDS,
  expireInSeconds: DAY_SECONDS - 60,
  retentionSeconds: 365 * DAY_SECONDS,
  deleteAfterSeconds: DAY_SECONDS,
};

/** The durable queue: pg-boss over the records' own database, so that work is queued in the transaction that makes it. */
export class WorkQueue {
  readonly #boss: PgBoss;
  readonly #database: Database;
  readonly #listeners = new Map<QueueName, Set<() => void>>();

  constructor(database: Database, onError: (error: Error) => void) {
    this.#database = database;
    this.#boss = new PgBoss({
      db: { executeSql: (text, values) => this.#run(text, values) },
      backend: database.kind === "embedded" ? "pglite" : "postgres",
      schedule: false,
      superviseIntervalSeconds: SUPERVISION_SECONDS,
      monitorIntervalSeconds: SUPERVISION_SECONDS,
    });
    this.#boss.on("error", onError);
  }

  /** Makes or updates the queue's tables and queues; safe when several processes start at once. */
  async start(): Promise<void> {
    // pg-boss makes its schema without a lock of its own: two processes that start on empty records would collide.
    await this.#database.exclusively(STARTING_LOCK, () => this.#boss.start().then(() => this.#createQueues()));
  }

  async #createQueues(): Promise<void> {
    // To ask costs a hundredth of making them again.
    const known = new Set((await this.#boss.getQueues([...QUEUES])).map(({ name }) => name));
    for (const name of QUEUES) {
      if (known.has(name)) continue;
      await this.#boss.createQueue(name, QUEUE_OPTIONS);
      // pg-boss reads the settings of queues when it starts, and those of a new one when first needed, by a query of its
      // own, which inside a transaction of the embedded database would wait for that transaction's end for ever.
      await this.#boss.touch(name, NO_ENTRY);
    }
  }

  async stop(): Promise<void> {
    await this.#boss.stop({ graceful: false, close: false });
  }

  /** Adds work inside a transaction; call {@link wake} once that is committed. Work with a higher priority comes first. */
  async add(
    queries: Queries,
    name: QueueName,
    id: string,
    { priority = 0, teamId }: { readonly priority?: number; readonly teamId?: string } = {},
  ): Promise<void> {
    const group = teamId === undefined ? {} : { group: { id: teamId } };
    await this.#boss.send(name, { id }, { priority, ...group, db: within(queries) });
  }

  /** Tells the lanes of this process that work was added; those of others find it by looking now and then. */
  wake(name: QueueName): void {
    for (const listener of this.#listeners.get(name) ?? []) listener();
  }

  /** Calls `listener` on every {@link wake}, until the returned function is called. */
  onWake(name: QueueName, listener: () => void): () => void {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  /** Takes the next piece of work, of some teams none; `null` when there is none. */
  async take(name: QueueName, withoutTeams: readonly string[] = []): Promise<QueueEntry | null> {
    const ignoreGroups = withoutTeams.length === 0 ? {} : { ignoreGroups: [...withoutTeams] };
    const [entry] = await this.#boss.fetch<{ id: string }>(name, { includeMetadata: true, ...ignoreGroups });
    if (entry === undefined) return null;
    return { entryId: entry.id, id: entry.data.id, teamId: entry.groupId ?? null, returns: entry.retryCount };
  }

  /** Says that work is still going on. */
  async keep(name: QueueName, entry: QueueEntry): Promise<void> {
    await this.#boss.touch(name, entry.entryId);
  }

  /** Ends a piece of work. */
  async complete(name: QueueName, entry: QueueEntry): Promise<void> {
    await this.#boss.complete(name, entry.entryId);
  }

  /** Puts a piece of work back, to be taken again at once. */
  async giveBack(name: QueueName, entry: QueueEntry): Promise<void> {
    await this.#boss.fail(name, entry.entryId);
    this.wake(name);
  }

  /**
   * Puts back whatever was being worked on when the last process died. Only for a process that has the records to itself:
   * elsewhere the missing heartbeat tells who is dead.
   */
  async reclaim(): Promise<void> {
    for (const name of QUEUES) {
      const rows = await this.#database.query<{ id: string }>(
        "SELECT id FROM pgboss.job WHERE name = $1 AND state = 'active'",
        [name],
      );
      const ids = rows.map((row) => row.id);
      if (ids.length > 0) await this.#boss.fail(name, ids);
    }
  }

  async #run(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }> {
    const hasValues = values !== undefined && values.length > 0;
    return { rows: await (hasValues ? this.#database.query(text, values) : this.#database.script(text)) };
  }
}

function within(queries: Queries): { executeSql(text: string, values?: unknown[]): Promise<{ rows: object[] }> } {
  return { executeSql: async (text, values) => ({ rows: await queries.query(text, values) }) };
}
