import { constants } from "node:fs";
import { mkdir, open, readdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

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
export function isNotForFolders(error: unknown): boolean {
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

/**
 * Makes a folder, with those above it that are missing. Node's own `recursive` never ends where the system answers that
 * nothing can be made with "there is no such folder", as `/proc` does.
 *
 * @param mode Permissions of what is made.
 * @returns The topmost folder that was made; `undefined` where it stood already.
 * @throws the system's error: `EACCES` too where nothing can be made.
 */
export async function makeFolder(path: string, mode?: number): Promise<string | undefined> {
  const folder = resolve(path);
  const parent = dirname(folder);
  const first = await makeOne(folder, mode);
  if (first !== "no-parent") return first;
  const above = parent === folder ? undefined : await makeFolder(parent, mode);
  const made = await makeOne(folder, mode);
  if (made === "no-parent") throw Object.assign(new Error(`no folder can be made at ${folder}`), { code: "EACCES" });
  return above ?? made;
}

async function makeOne(folder: string, mode: number | undefined): Promise<string | undefined | "no-parent"> {
  try {
    await mkdir(folder, mode);
    return folder;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT") return "no-parent";
    // Roots and disks that cannot be written to answer otherwise for folders that stand.
    const isThere = await stat(folder).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (isThere) return undefined;
    throw error;
  }
}
