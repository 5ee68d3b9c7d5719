import { chmod, stat } from "node:fs/promises";
import { makeFolder } from "./make-folder.ts";

/** Permissions of everybody but the owner. */
const OTHERS = 0o077;

/** Of a folder in which everybody may make files, such as `/tmp`. */
const STICKY = 0o1000;

/**
 * Makes a folder that its owner alone may read, or one that stands already such a one. A file is closed likewise. What
 * belongs to somebody else, or to everybody, stays as it is. Windows, whose users' folders are their own, is left alone.
 *
 * @returns Whether nobody else may read it now.
 * @throws the system's error when the folder cannot be made.
 */
export async function makePrivateFolder(folder: string): Promise<boolean> {
  await makeFolder(folder, 0o700);
  return closeToOthers(folder);
}

/** Takes a folder or file, if it is there, from everybody but its owner; see {@link makePrivateFolder}. */
export async function closeToOthers(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  if (found === null || process.platform === "win32" || (found.mode & OTHERS) === 0) return true;
  if ((found.mode & STICKY) !== 0) return false;
  return chmod(path, found.mode & 0o700).then(
    () => true,
    () => false,
  );
}

/** Whether anybody but the owner may enter a folder or read a file that is there. */
export async function isOpenToOthers(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found !== null && process.platform !== "win32" && (found.mode & OTHERS) !== 0;
}
