import { statfsSync } from "node:fs";
import { statfs } from "node:fs/promises";

/** Room in bytes that uploads and jobs never fill, so that what is going on can end and be written down. */
const WORK_RESERVE_BYTES = 256 * 1024 * 1024;

/**
 * Room in bytes that the embedded records never fill: two segments of Postgres' log. Without room for the next one
 * PGlite (0.5) does not fail but turns round for ever, and the process with it.
 */
const RECORDS_RESERVE_BYTES = 32 * 1024 * 1024;

/** Says that a disk is full, as the system does. */
class NoRoomError extends Error {
  readonly code = "ENOSPC";

  constructor() {
    super("no room left on the disk");
    this.name = "NoRoomError";
  }
}

/** Whether an error says that a disk is full: the system's, or that of a Postgres server. */
export function isNoRoom(error: unknown): boolean {
  if (!(error instanceof Error) || !("code" in error)) return false;
  return error.code === "ENOSPC" || error.code === "EDQUOT" || error.code === "53100";
}

/** Whether a folder's disk has room for so many bytes more, beside what is kept free for work that goes on. */
export async function hasRoomFor(folder: string, bytes: number): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder);
  return bytes + WORK_RESERVE_BYTES <= bavail * bsize;
}

/** @throws NoRoomError when a folder's disk has no room for so many bytes more, see {@link hasRoomFor}. */
export async function requireRoomFor(folder: string, bytes: number): Promise<void> {
  if (!(await hasRoomFor(folder, bytes))) throw new NoRoomError();
}

/** @throws NoRoomError when the embedded records of a folder may not find room for their next change. */
export function requireRoomForRecords(folder: string): void {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < RECORDS_RESERVE_BYTES) throw new NoRoomError();
}
