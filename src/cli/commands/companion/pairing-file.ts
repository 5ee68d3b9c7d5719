import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { formatPairing, type Pairing, pairingPath, readPairing } from "../../../contract/pairing.ts";
import { makeFolder } from "../../../service/storage/make-folder.ts";

/** Where this user's file stands. */
function ownPairingPath(): string {
  return pairingPath(homedir(), process.platform);
}

/** What is left for the panel; `null` where there is nothing, or nothing that can be read. */
export async function readPairingFile(path = ownPairingPath()): Promise<Pairing | null> {
  return readFile(path, "utf8").then(readPairing, () => null);
}

/**
 * Leaves a pairing for the panel of the same user, and for nobody else: the file is closed to others before its name is
 * there.
 *
 * @throws the system's error where it cannot be written, or closed.
 */
export async function writePairingFile(pairing: Pairing, path = ownPairingPath()): Promise<void> {
  const part = `${path}.${randomUUID()}.part`;
  await makeFolder(dirname(path), 0o700);
  try {
    await writeFile(part, "", { mode: 0o600, flag: "wx" });
    if (process.platform === "win32") await closeOnWindows(part);
    await writeFile(part, formatPairing(pairing));
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/** Takes the pairing of a process away, unless another one has left its own since. */
export async function removePairingFile(pid: number, path = ownPairingPath()): Promise<void> {
  if ((await readPairingFile(path))?.pid === pid) await rm(path, { force: true });
}

/** Windows' files have no mode: in one command, what they inherit goes and their user comes. */
async function closeOnWindows(path: string): Promise<void> {
  const run = promisify(execFile);
  const { stdout } = await run("whoami", ["/user", "/fo", "csv", "/nh"], { windowsHide: true });
  const [sid] = /S-1-[\d-]+/.exec(stdout) ?? [];
  if (sid === undefined) throw new Error("the user's identity is not told");
  await run("icacls", [path, "/inheritance:r", "/grant:r", `*${sid}:F`], { windowsHide: true });
}
