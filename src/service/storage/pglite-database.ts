import { fsyncSync } from "node:fs";
import { PGlite } from "@electric-sql/pglite";
import { NodeFS } from "@electric-sql/pglite/nodefs";
import type { Database, Queries } from "./database.ts";
import { requireRoomForRecords } from "./disk-room.ts";
import { isNotForFolders, makeSyncedFolder } from "./synced-folder.ts";

/** The subset of PGlite that runs statements: the instance and each of its transactions have it. */
interface PgliteRunner {
  query<Row>(statement: string, values?: unknown[]): Promise<{ rows: Row[] }>;
}

/**
 * Buffers for the records of one machine, a few megabytes. Postgres keeps 128 MB for them by default, and PGlite then takes
 * 198 MB at once instead of the 134 MB its program needs at least (PGlite 0.5, measured: 309 and 174 MB resident).
 */
const BUFFERS = ["-c", "shared_buffers=8MB", "-c", "wal_buffers=256kB"];

/** A commit is on the disk before it is answered: PGlite's own default (`-F`) leaves that to chance. */
const SYNCED = ["-c", "fsync=on", "-c", "wal_sync_method=fsync"];
const DEFAULTS = PGlite.defaultStartParams.filter((parameter) => parameter !== "-F");
const MEMORY_BYTES = 128 * 1024 * 1024;

/**
 * Opens the embedded Postgres in a folder. In an empty one it is made first, which takes some seconds and 600 MB (quicker:
 * `layFreshRecords`). Two of them on one folder destroy it, so the caller holds the folder's lock (`data-folder-lock.ts`). While the disk is all but full, only reads are answered.
 *
 * @param isSynced `false` only for records that nobody is told of before the whole folder is synced.
 * @throws NoRoomError, and so do all changes, when the disk is all but full.
 */
export async function openEmbeddedDatabase(folder: string, isSynced = true): Promise<Database> {
  await makeSyncedFolder(folder);
  requireRoomForRecords(folder);
  const pglite = await PGlite.create({
    fs: new SyncedNodeFs(folder),
    startParams: [...DEFAULTS, ...BUFFERS, ...(isSynced ? SYNCED : ["-F"])],
    initialMemory: MEMORY_BYTES,
  });
  const { query } = queriesOf(pglite);
  return {
    kind: "embedded",
    async query(statement, values) {
      if (!READS.test(statement)) requireRoomForRecords(folder);
      return query(statement, values);
    },
    async transaction(work) {
      requireRoomForRecords(folder);
      return pglite.transaction((transaction) => work(queriesOf(transaction)));
    },
    async script(statements) {
      requireRoomForRecords(folder);
      try {
        const results = await pglite.exec(statements);
        return results.flatMap((result) => result.rows);
      } catch (error) {
        // A script may open a transaction of its own. There is one connection only: left inside a failed transaction, it
        // would refuse every later statement.
        await pglite.exec("ROLLBACK").catch(() => undefined);
        throw error;
      }
    },
    // No other process has it open.
    exclusively: (_lock, work) => work(),
    async close() {
      if (!pglite.closed) await pglite.close();
    },
  };
}

/** Statements that change nothing: they are answered on a full disk too. */
const READS = /^\s*SELECT\b(?!.*\bFOR UPDATE\b)/is;

function queriesOf(runs: PgliteRunner): Queries {
  return {
    async query<Row extends object>(statement: string, values: readonly unknown[] = []) {
      const result = await runs.query<Row>(statement, [...values]);
      return result.rows;
    },
  };
}

/** What is used of PGlite's own file system inside its WebAssembly module. */
interface MountedNodeFs {
  readonly NODEFS: { readonly stream_ops: { fsync?: (stream: { readonly nfd: number }) => number } };
}

/** WASI's "input or output error": Postgres then gives the transaction up. */
const IO_ERROR = 29;

/**
 * The files of an embedded Postgres, on a disk that is really synced when Postgres says so. PGlite passes `fsync` to a
 * hook that its own file system leaves empty, and drops `fdatasync` (0.5): so Postgres must sync by `fsync`.
 */
class SyncedNodeFs extends NodeFS {
  override async init(pglite: PGlite, options: Parameters<NodeFS["init"]>[1]): ReturnType<NodeFS["init"]> {
    const { emscriptenOpts } = await super.init(pglite, options);
    const sync = (module: unknown) => {
      // The module's own members, which its types leave out.
      (module as MountedNodeFs).NODEFS.stream_ops.fsync = ({ nfd }) => syncDescriptor(nfd);
    };
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [emscriptenOpts.preRun ?? [], sync].flat() } };
  }
}

function syncDescriptor(descriptor: number): number {
  try {
    fsyncSync(descriptor);
    return 0;
  } catch (error) {
    return isNotForFolders(error) ? 0 : IO_ERROR;
  }
}
