import { readFile, rm, writeFile } from "node:fs/promises";
import { uptime } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as z from "zod/mini";
import { ServiceStartError } from "./database.ts";
import { closeToOthers, makePrivateFolder } from "./private-file.ts";

const LOCK_FILE = "service.lock";
const HOLDER_FILE = "service.json";

const Holder = z.object({
  pid: z.number(),
  startedAt: z.string(),
  /** {@link bootIdentity} of the computer then. */
  boot: z.optional(z.string()),
  administration: z.optional(z.string()),
});

/** The process that has a data folder open, as it wrote itself down. */
export type DataFolderHolder = z.output<typeof Holder>;

/** A data folder held by this process. */
export interface DataFolderLock {
  /** Who had the folder before and was killed, as it wrote itself down; `null` when nobody left anything behind. */
  readonly predecessor: DataFolderHolder | null;
  /** Whether the computer was started anew since a predecessor that did not end by itself: what it did not sync may be gone. */
  readonly isAfterPowerCut: boolean;
  /** Says where the holder takes administration commands (a socket's path), for other processes to find. */
  announce(administration: string): Promise<void>;
  release(): Promise<void>;
}

/**
 * Takes a data folder for this process alone.
 *
 * The folder is its owner's alone then, and so is what is inside: link secret, results, media.
 *
 * The lock is an exclusive lock of the operating system on a file (through SQLite, the only such call Node offers): it
 * ends with the process however that ends, and needs no guess whether a process id still means the same process, which
 * a container (always process 1) would get wrong. The holder's id stands in a file of its own, for the message.
 *
 * @throws ServiceStartError `data_folder_in_use` naming the holder, or `data_folder_unusable`.
 */
export async function lockDataFolder(folder: string): Promise<DataFolderLock> {
  let lock: DatabaseSync;
  try {
    await makePrivateFolder(folder);
    lock = new DatabaseSync(join(folder, LOCK_FILE));
  } catch (error) {
    throw new ServiceStartError(
      "data_folder_unusable",
      "The data folder cannot be made or written to. Choose another one with --data.",
      { cause: error },
    );
  }
  try {
    lock.exec("PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    const holder = await readHolder(folder);
    const who = holder === null ? "another process" : `process ${holder.pid} (since ${holder.startedAt})`;
    throw new ServiceStartError(
      "data_folder_in_use",
      `The data folder is in use by ${who}. Stop that service, use it with --server, or choose another folder with --data.`,
      { cause: error },
    );
  }
  const predecessor = await readHolder(folder);
  const boot = await bootIdentity();
  const holder: DataFolderHolder = { pid: process.pid, startedAt: new Date().toISOString(), boot };
  await writeHolder(folder, holder);
  return {
    predecessor,
    isAfterPowerCut: predecessor?.boot !== undefined && predecessor.boot !== boot,
    announce: (administration) => writeHolder(folder, { ...holder, administration }),
    async release() {
      if (!lock.isOpen) return;
      await rm(join(folder, HOLDER_FILE), { force: true });
      lock.close();
    },
  };
}

/** Who has a data folder open, or had it when killed; `null` when nobody wrote itself down. */
export async function readHolder(folder: string): Promise<DataFolderHolder | null> {
  try {
    return Holder.parse(JSON.parse(await readFile(join(folder, HOLDER_FILE), "utf8")));
  } catch {
    // No such file, or one cut short by a crash: nobody to name.
    return null;
  }
}

/** The same from one start of the computer to its end, and no other time; to the minute where the system does not tell. */
async function bootIdentity(): Promise<string> {
  const told = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => null);
  return told?.trim() ?? new Date(Math.round(Date.now() / 60_000 - uptime() / 60) * 60_000).toISOString();
}

async function writeHolder(folder: string, holder: DataFolderHolder): Promise<void> {
  const path = join(folder, HOLDER_FILE);
  await writeFile(path, `${JSON.stringify(holder)}\n`, { mode: 0o600 });
  // The mode above counts for a file that is made; one that a killed process left keeps its own.
  await closeToOthers(path);
}
