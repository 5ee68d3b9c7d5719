import { readFile, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { formatPairing, type Pairing, pairingPath, readPairing } from "../../../contract/pairing.ts";
import { writePrivateFile } from "../../../service/storage/private-file.ts";

/** Where this user's file stands. */
function ownPairingPath(): string {
  return pairingPath(homedir(), process.platform);
}

/** What is left for the panel; `null` where there is nothing, or nothing that can be read. */
export async function readPairingFile(path = ownPairingPath()): Promise<Pairing | null> {
  return readFile(path, "utf8").then(readPairing, () => null);
}

/**
 * Leaves a pairing for the panel of the same user, and for nobody else.
 *
 * @throws the system's error where it cannot be written, or closed to others.
 */
export async function writePairingFile(pairing: Pairing, path = ownPairingPath()): Promise<void> {
  await writePrivateFile(path, formatPairing(pairing));
}

/** Takes the pairing of a process away, unless another one has left its own since. */
export async function removePairingFile(pid: number, path = ownPairingPath()): Promise<void> {
  if ((await readPairingFile(path))?.pid === pid) await rm(path, { force: true });
}
