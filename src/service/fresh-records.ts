import { fork } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { readdir, readFile, rename, rm, rmdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { unpackFolder } from "./storage/data-folders.ts";
import { makeSyncedFolder, syncFolder, syncTree } from "./storage/synced-folder.ts";

const MAKE_RECORDS = fileURLToPath(new URL("./make-records.ts", import.meta.url));

/** Beside the compiled code: it belongs to the installation, because whoever writes there decides what runs. */
const CACHE = fileURLToPath(new URL("../../node_modules/.cache/aside/", import.meta.url));

/** What decides how empty records look: other ones are made when any of it changes. */
const SOURCES = ["./make-records.ts", "./storage/migrations.ts", "./jobs/work-queue.ts"];
const PACKAGES = ["@electric-sql/pglite", "pg-boss"];

/**
 * Puts empty records, with all their tables, where there are none; whole or not at all. Postgres' initdb takes some
 * seconds and 600 MB, and the tables a second more: they are made once per installation, in a process of its own, then
 * kept and copied. Such records are the same each time, to the system identifier, which replication alone looks at.
 *
 * Where that cannot be done the folder stays as it is: whoever opens it makes the records in this process.
 *
 * @param folder Of the records; the caller has the data folder around it for itself.
 * @param cache Folder in which they are kept, made where there is none.
 */
export async function layFreshRecords(folder: string, cache = CACHE): Promise<void> {
  if (!(await isEmpty(folder))) return;
  const laying = `${folder}.${randomUUID()}`;
  try {
    await removeUnfinished(folder);
    await makeSyncedFolder(dirname(folder));
    const kept = join(cache, `records-${await identity()}.zst`);
    if (!(await isUnpacked(kept, laying))) await make(laying, kept);
    // Whole after a power cut too, or not there.
    await syncTree(laying);
    // An empty folder would stand in the way on Windows.
    await rmdir(folder).catch(() => undefined);
    await rename(laying, folder);
    await syncFolder(dirname(folder));
  } catch {
    // Whatever stands in the way (a full disk, no right to start a process) meets whoever opens the folder, who says so.
    await rm(laying, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Copies what is kept. `false` when nothing is, or it is damaged: it is made again then. */
async function isUnpacked(kept: string, folder: string): Promise<boolean> {
  try {
    await unpackFolder(await readFile(kept), folder);
    return true;
  } catch {
    await rm(folder, { recursive: true, force: true });
    return false;
  }
}

async function make(folder: string, kept: string): Promise<void> {
  const child = fork(MAKE_RECORDS, [folder, kept], { execArgv: [], stdio: ["ignore", "ignore", "ignore", "ipc"] });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error("the records could not be made");
}

/** Whether there is no such folder, or nothing in it. */
async function isEmpty(folder: string): Promise<boolean> {
  return readdir(folder).then(
    (names) => names.length === 0,
    (error: NodeJS.ErrnoException) => error.code === "ENOENT",
  );
}

/** Removes what a process left that was killed at work here. */
async function removeUnfinished(folder: string): Promise<void> {
  const around = dirname(folder);
  for (const name of await readdir(around).catch(() => [])) {
    if (name.startsWith(`${basename(folder)}.`)) await rm(join(around, name), { recursive: true, force: true });
  }
}

async function identity(): Promise<string> {
  const { resolve } = createRequire(import.meta.url);
  const files = [
    ...SOURCES.map((source) => fileURLToPath(new URL(source, import.meta.url))),
    ...PACKAGES.map((name) => join(dirname(resolve(name)), "../package.json")),
  ];
  const hash = createHash("sha256");
  for (const file of files) hash.update(await readFile(file));
  return hash.digest("hex").slice(0, 16);
}
