import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chown, mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { wholePath } from "../../src/engine/isolate/programs.ts";
import { openPostgresDatabase } from "../../src/service/storage/postgres-database.ts";
import { eventually } from "./eventually.ts";

/** A Postgres server of a test's own. */
export interface PostgresServer {
  readonly url: string;
  /** Ends it as a power cut would, and starts it again on the same data. */
  crash(): Promise<void>;
  /** Stops it as a package's update does, ending every connection, and starts it again after so long. */
  restart(awayMs: number): Promise<void>;
  close(): Promise<void>;
}

/** Postgres refuses to run as root; this is "nobody" on every system where tests run as root. */
const NOBODY = 65_534;

/** Whether this machine has a Postgres server to start; says so in the output when it has not. */
export async function hasPostgres(): Promise<boolean> {
  if ((await findPostgres()) !== null) return true;
  process.stderr.write("Skipped: tests of several processes need a Postgres server (package postgresql).\n");
  return false;
}

/** Starts a real Postgres on a folder of its own. Needs one installed: on the PATH, or where Debian puts it. */
export async function startPostgres(): Promise<PostgresServer> {
  const bin = await findPostgres();
  if (bin === null) throw new Error("there is no Postgres server: install the package postgresql");
  const folder = await mkdtemp(join(tmpdir(), "aside-postgres-"));
  const isRoot = process.getuid?.() === 0;
  const identity = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
  if (isRoot) await chown(folder, NOBODY, NOBODY);
  const data = join(folder, "data");
  await promisify(execFile)(
    wholePath(join(bin, "initdb")),
    ["-D", data, "-U", "aside", "-A", "trust", "-E", "UTF8", "--no-sync"],
    {
      cwd: folder,
      ...identity,
    },
  );
  const port = await freePort();
  const start = () =>
    spawn(
      wholePath(join(bin, "postgres")),
      ["-D", data, "-p", String(port), "-k", folder, "-c", "listen_addresses=127.0.0.1"],
      {
        cwd: folder,
        stdio: "ignore",
        ...identity,
      },
    );
  let server = start();
  const url = `postgres://aside@127.0.0.1:${port}/postgres`;
  const ready = () =>
    eventually(async () => {
      const database = openPostgresDatabase(url, () => undefined);
      try {
        await database.query("SELECT 1");
        return true;
      } catch {
        return undefined;
      } finally {
        await database.close();
      }
    });
  await ready();
  const end = async (signal: "SIGQUIT" | "SIGINT") => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, "exit");
    server.kill(signal);
    await ended;
  };
  return {
    url,
    async crash() {
      // Immediate shutdown: nothing is flushed, the next start recovers from the log.
      await end("SIGQUIT");
      server = start();
      await ready();
    },
    async restart(awayMs) {
      await end("SIGINT");
      await new Promise((next) => setTimeout(next, awayMs));
      server = start();
      await ready();
    },
    async close() {
      await end("SIGINT");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function findPostgres(): Promise<string | null> {
  const versions = await readdir("/usr/lib/postgresql").catch(() => []);
  const folders = [
    ...(process.env["PATH"] ?? "").split(delimiter),
    ...versions.map((version) => `/usr/lib/postgresql/${version}/bin`),
  ];
  for (const folder of folders) {
    const names = await readdir(folder).catch((): string[] => []);
    if (names.includes("postgres") && names.includes("initdb")) return folder;
  }
  return null;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}
