import { mkdir, open, readFile, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type HeldFileWait, whileHeld } from "../../core/held-file.ts";
import { hostErrorFrom } from "./system-error.ts";

/** A file, and where it goes, where nothing is then: paths inside one folder. */
export interface Move {
  readonly from: string;
  readonly to: string;
}

/** How files are moved; this computer's own way where nothing else is said. */
interface MoveWays {
  readonly rename?: (from: string, to: string) => Promise<void>;
  readonly wait?: HeldFileWait;
}

/** Waits for a file as this computer's programs hold it. */
export const OWN_WAIT: HeldFileWait = { platform: process.platform, sleep: (milliseconds) => sleep(milliseconds) };

/**
 * Moves files inside a folder, in order, all or none: one that cannot be moved brings back those that were. A process that is
 * killed in between leaves the list of moves, by which {@link undoMoves} brings them back. The folders of what comes are made.
 *
 * @param journal Where the list stands meanwhile, inside the folder.
 * @throws HostError for the file that could not be moved, such as `file_in_use`; all are where they were then.
 */
export async function moveTogether(
  folder: string,
  moves: readonly Move[],
  journal: string,
  { rename: move = rename, wait = OWN_WAIT }: MoveWays = {},
): Promise<void> {
  await writeJournal(join(folder, journal), moves);
  const done: Move[] = [];
  try {
    for (const one of moves) {
      const [from, to] = [join(folder, one.from), join(folder, one.to)];
      try {
        await mkdir(dirname(to), { recursive: true });
        await whileHeld(() => move(from, to), wait);
      } catch (error) {
        throw hostErrorFrom(error, from, "put the files into the folder", "nothing was changed");
      }
      done.push({ from, to });
    }
  } catch (error) {
    for (const { from, to } of done.reverse()) await whileHeld(() => move(to, from), wait);
    await rm(join(folder, journal), { force: true });
    throw error;
  }
  // From here on the files are where they belong.
  await whileHeld(() => rm(join(folder, journal), { force: true }), wait);
}

/**
 * Brings back what a process moved that was killed before all was moved. Nothing happens where it left no list. The list may
 * have been written by anybody: what leads out of the folder is left alone.
 *
 * @throws HostError where a file cannot be brought back; the list stays then.
 */
export async function undoMoves(folder: string, journal: string): Promise<void> {
  for (const { from, to } of (await readJournal(join(folder, journal))).toReversed()) {
    if (!(await isInside(folder, from)) || !(await isInside(folder, to))) continue;
    if (!(await isThere(join(folder, to))) || (await isThere(join(folder, from)))) continue;
    await whileHeld(() => rename(join(folder, to), join(folder, from)), OWN_WAIT).catch((error: unknown) => {
      throw hostErrorFrom(error, to, "bring back what was moved", "the files are as a killed run left them");
    });
  }
  await rm(join(folder, journal), { force: true });
}

/** Whether a path stays inside a folder, whatever links are on the way. */
async function isInside(folder: string, path: string): Promise<boolean> {
  if (isAbsolute(path)) return false;
  try {
    const [top, around] = await Promise.all([realpath(folder), realpath(dirname(join(folder, path)))]);
    const way = relative(top, around);
    return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
  } catch {
    return false;
  }
}

async function writeJournal(path: string, moves: readonly Move[]): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    const file = await open(path, "w");
    try {
      await file.writeFile(JSON.stringify(moves));
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    await rm(path, { force: true }).catch(() => undefined);
    throw hostErrorFrom(error, path, "put the files into the folder", "nothing was changed");
  }
}

/** None where the list is not whole: nothing was moved then. */
async function readJournal(path: string): Promise<readonly Move[]> {
  try {
    const read: unknown = JSON.parse(await readFile(path, "utf8"));
    return Array.isArray(read) ? read.filter(isMove) : [];
  } catch {
    return [];
  }
}

function isMove(value: unknown): value is Move {
  const { from, to }: { from?: unknown; to?: unknown } = Object(value);
  return typeof from === "string" && typeof to === "string";
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
