import { readFile } from "node:fs/promises";
import { writeFinishedFile } from "../finished-file.ts";

/**
 * Returns what an earlier attempt left at `path`, or makes it and leaves it there: a stage already finished is not done
 * again after a crash. The file is whole or absent.
 *
 * @param accept whether what was found may be used; `false` makes it anew (another version, a damaged file).
 */
export async function checkpoint<T>(path: string, accept: (found: T) => boolean, make: () => Promise<T>): Promise<T> {
  const found = await readJson<T>(path);
  if (found !== null && accept(found)) return found;
  const made = await make();
  await writeFinishedFile(path, JSON.stringify(made));
  return made;
}

async function readJson<T>(path: string): Promise<T | null> {
  try {
    // The caller's `accept` decides whether it is what it should be.
    return JSON.parse(await readFile(path, "utf8")) as T;
  } catch {
    // Absent on a first attempt; damaged after a failing disk. Both mean: make it.
    return null;
  }
}
