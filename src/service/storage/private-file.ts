import { randomBytes, randomUUID } from "node:crypto";
import { chmod, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { nameFinishedFile } from "../../engine/finished-file.ts";
import { ProgramError, runSystemProgram } from "../../engine/isolate/programs.ts";
import type { Queries } from "./database.ts";
import { makeFolder, syncFolder } from "./synced-folder.ts";

/**
 * Writes a file that its owner alone may read, whole or not at all: it is closed to others before its name is there, and
 * before anything is in it. When it resolves, a power cut does not take it back.
 *
 * @throws the system's error where it cannot be written, ProgramError where it cannot be closed; what was there stays then.
 */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const part = `${path}.${randomUUID()}.part`;
  try {
    await makeFolder(dirname(path), 0o700);
    await writeFile(part, "", { mode: 0o600, flag: "wx" });
    if (process.platform === "win32") await closeOnWindows(part);
    await writeFile(part, text, { flush: true });
    await nameFinishedFile(part, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Windows' files have no mode: in one command, what they inherit goes and their user comes. */
async function closeOnWindows(path: string): Promise<void> {
  const [sid] = /S-1-[\d-]+/.exec(await runSystemProgram(["whoami", "/user", "/fo", "csv", "/nh"])) ?? [];
  if (sid === undefined) throw new ProgramError("program_failed", "Windows does not say who its user is.");
  await runSystemProgram(["icacls", path, "/inheritance:r", "/grant:r", `*${sid}:F`]);
}

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

const SECRET_BYTES = 32;

/** A random secret kept with the records, made when first asked for: every process of one service has the same. */
export async function ensureSecret(queries: Queries, name: string): Promise<string> {
  await queries.query("INSERT INTO aside.secret (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING", [
    name,
    randomBytes(SECRET_BYTES).toString("hex"),
  ]);
  const [row] = await queries.query<{ value: string }>("SELECT value FROM aside.secret WHERE name = $1", [name]);
  if (row === undefined) throw new Error(`secret ${name} vanished while it was made`);
  return row.value;
}
