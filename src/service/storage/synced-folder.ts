import { constants, fsyncSync } from "node:fs";
import { open, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { PGlite } from "@electric-sql/pglite";
import { NodeFS } from "@electric-sql/pglite/nodefs";
import { makeFolder } from "./private-file.ts";

/** What systems say that do not sync folders by themselves; Windows writes names with its journal. */
const NO_FOLDER_SYNC = new Set(["EISDIR", "EPERM", "EACCES", "EINVAL", "EBADF", "ENOTSUP"]);

/** Waits until the names in a folder are on the disk: after a power cut, what was renamed into it is there. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, constants.O_RDONLY);
    await handle.sync().finally(() => handle.close());
  } catch (error) {
    if (!isNotForFolders(error)) throw error;
  }
}

/**
 * Waits until all that is in a folder is on the disk: bytes and names, but for the folder's own name. Nobody may write
 * there meanwhile.
 */
export async function syncTree(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = (kind: "isFile" | "isDirectory") =>
    entries.filter((entry) => entry[kind]()).map(({ parentPath, name }) => join(parentPath, name));
  // Side by side, because file systems write many syncs as one.
  await Promise.all(paths("isFile").map(syncFile));
  await Promise.all([folder, ...paths("isDirectory")].map(syncFolder));
}

/** Waits until a file's bytes are on the disk. */
export async function syncFile(path: string): Promise<void> {
  // To write, because Windows syncs nothing else.
  const file = await open(path, "r+");
  await file.sync().finally(() => file.close());
}

/** Whether an error only says that this system syncs no folders. */
function isNotForFolders(error: unknown): boolean {
  return error instanceof Error && "code" in error && NO_FOLDER_SYNC.has(String(error.code));
}

/** Makes a folder with those around it; their names are on the disk when it resolves. */
export async function makeSyncedFolder(folder: string): Promise<void> {
  const first = await makeFolder(folder);
  if (first === undefined) return;
  for (let made = folder; ; made = dirname(made)) {
    await syncFolder(dirname(made));
    if (made === first) return;
  }
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
export class SyncedNodeFs extends NodeFS {
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
