import { randomUUID } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { whileHeld } from "../core/held-file.ts";

// Files that are trusted because they are there: a stage that is done, an answer that was paid for, a line that was spoken. What
// failed, or was killed, in the middle of writing one must never be found under its name.

/**
 * Writes a file that is there whole or not at all: it has another name until all of it is written. Two that write the same
 * file at once do not meet.
 *
 * @throws the system's error; what stood there stays then.
 */
export async function writeFinishedFile(path: string, content: string | Uint8Array): Promise<void> {
  const part = `${path}.${randomUUID()}.part`;
  try {
    await writeFile(part, content);
    await nameFinishedFile(part, path);
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    throw error;
  }
}

/**
 * Gives a file that is whole its name, in place of what stood there. A virus scanner may hold it just then: it is waited for.
 *
 * @throws the system's error.
 */
export async function nameFinishedFile(part: string, path: string): Promise<void> {
  const wait = { platform: process.platform, sleep: (milliseconds: number) => sleep(milliseconds) };
  await whileHeld(() => rename(part, path), wait);
}
