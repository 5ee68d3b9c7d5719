import { randomUUID } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { nameFinishedFile } from "../../engine/finished-file.ts";
import { ProgramError, runSystemProgram } from "../../engine/isolate/programs.ts";
import { makeFolder } from "./make-folder.ts";

/**
 * Writes a file that its owner alone may read, whole or not at all: it is closed to others before its name is there, and
 * before anything is in it.
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
