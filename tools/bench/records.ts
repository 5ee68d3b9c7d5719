// What it costs that accepted work is on the disk before it is answered: start, memory and commits of three ways.
//   npm run tool -- bench:records [--commits 500]
// The embedded Postgres unsynced (as PGlite comes), the same synced (as the service runs it), and a Postgres server of this
// machine. A journal of its own would cost at least what its own sync does: the last row is SQLite, which appends and syncs.
import { execFile } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { layFreshRecords } from "../../src/service/fresh-records.ts";
import type { Database } from "../../src/service/storage/database.ts";
import { openEmbeddedDatabase } from "../../src/service/storage/pglite-database.ts";
import { openPostgresDatabase } from "../../src/service/storage/postgres-database.ts";
import { startPostgres } from "../../test/service/postgres-server.ts";
import { quantile } from "../common/served.ts";

const { values } = parseArgs({
  options: { commits: { type: "string", default: "500" }, way: { type: "string" } },
});

/** About as long as a job's settings. */
const SETTINGS = "x".repeat(600);

/** The ways, each of which is measured in a process of its own. */
const WAYS: Readonly<Record<string, (folder: string) => Promise<void>>> = {
  "embedded, unsynced": (folder) => measureEmbedded(folder, false),
  "embedded, synced": (folder) => measureEmbedded(folder, true),
  "Postgres server": measureServer,
  "journal alone (SQLite)": measureJournal,
};

const folder = await mkdtemp(join(tmpdir(), "aside-records-"));
try {
  if (values.way === undefined) {
    await layFreshRecords(join(folder, "kept-for-later"));
    for (const way of Object.keys(WAYS)) {
      const { stdout } = await promisify(execFile)(process.execPath, [
        fileURLToPath(import.meta.url),
        ...["--way", way, "--commits", values.commits],
      ]);
      process.stdout.write(`${way}: ${stdout}`);
    }
  } else await WAYS[values.way]?.(folder);
} finally {
  rmSync(folder, { recursive: true });
}

async function measureEmbedded(inside: string, isSynced: boolean): Promise<void> {
  const records = join(inside, "records");
  await measure(async () => {
    await layFreshRecords(records);
    return openEmbeddedDatabase(records, isSynced);
  });
}

async function measureServer(): Promise<void> {
  let server: Awaited<ReturnType<typeof startPostgres>> | undefined;
  await measure(async () => {
    server = await startPostgres();
    return openPostgresDatabase(server.url, () => undefined);
  });
  await server?.close();
}

async function measureJournal(inside: string): Promise<void> {
  const started = performance.now();
  const journal = new DatabaseSync(join(inside, "journal"));
  journal.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE entry (text TEXT)");
  const append = journal.prepare("INSERT INTO entry VALUES (?)");
  const taken = await times(async () => void append.run(SETTINGS));
  report(started, taken, started);
  journal.close();
}

async function measure(open: () => Promise<Database>): Promise<void> {
  const started = performance.now();
  const database = await open();
  await database.query("SELECT 1");
  const opened = performance.now();
  await database.script("CREATE TABLE entry (text text)");
  const taken = await times(async () => void (await database.query("INSERT INTO entry VALUES ($1)", [SETTINGS])));
  report(started, taken, opened);
  await database.close();
}

async function times(work: () => Promise<void>): Promise<number[]> {
  const taken: number[] = [];
  for (let count = 0; count < Number(values.commits); count++) {
    const started = performance.now();
    await work();
    taken.push(performance.now() - started);
  }
  return taken;
}

function report(started: number, taken: readonly number[], opened: number): void {
  const rate = (1000 * taken.length) / taken.reduce((sum, one) => sum + one, 0);
  const [p50, p99] = [0.5, 0.99].map((share) => quantile(taken, share).toFixed(1));
  const memory = megabytesOf("self") + serverMegabytes();
  process.stdout.write(
    `open in ${((opened - started) / 1000).toFixed(1)} s, ${memory.toFixed(0)} MB, ${rate.toFixed(0)} commits/s, p50 ${p50} ms, p99 ${p99} ms\n`,
  );
}

/** Memory of the processes of a Postgres server on this machine, what they share counted once. */
function serverMegabytes(): number {
  const servers = readdirSync("/proc").filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/comm`, "utf8").trim() === "postgres";
    } catch {
      return false;
    }
  });
  return servers.reduce((sum, pid) => sum + megabytesOf(pid), 0);
}

function megabytesOf(pid: string): number {
  return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0) / 1000;
}
