import { chmodSync, mkdirSync, mkdtempSync, statfsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Variable that names the folder of the test file that runs. */
const VARIABLE = "ASIDE_TEST_FOLDER";

/** The folders of the test file that runs. */
export interface TestFolders {
  /** The temporary folder of this process and of those it starts. */
  readonly temporary: string;
  /** Removes everything, what {@link temporaryFolder} made with it. */
  remove(): Promise<void>;
}

/** Gives the test file that runs folders of its own. Its temporary folder is a place where nothing lies yet. */
export function makeTestFolders(): TestFolders {
  // Open to those whom a test lets work in a folder of theirs below it, as Postgres is, which refuses to run as root.
  const folder = mkdtempSync(join(roomInMemory() ?? tmpdir(), "aside-test-"));
  chmodSync(folder, 0o711);
  const temporary = join(folder, "tmp");
  mkdirSync(temporary);
  process.env[VARIABLE] = folder;
  for (const name of ["TMPDIR", "TEMP", "TMP"]) process.env[name] = temporary;
  return { temporary, remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Linux's disk in memory, where it has room: there, what tests sync to the disk costs nothing. */
function roomInMemory(): string | null {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_DISK);
    return bavail * bsize >= ENOUGH_BYTES ? MEMORY_DISK : null;
  } catch {
    return null;
  }
}

const MEMORY_DISK = "/dev/shm";
const ENOUGH_BYTES = 8_000_000_000;

/** A new folder. It is removed when the test file has run; nobody else needs to. */
export function temporaryFolder(): Promise<string> {
  return mkdtemp(join(process.env[VARIABLE] ?? tmpdir(), "made-"));
}

/** Where those who are given no other home have theirs, one for the test file. It need not be there. */
export function homeFolder(): string {
  return join(process.env[VARIABLE] ?? tmpdir(), "home");
}
