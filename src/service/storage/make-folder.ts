import { mkdir, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";

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
