import { readFile, rm, truncate } from "node:fs/promises";
import { join } from "node:path";
import { SYNCED_SIZE } from "./ingest/arriving-file.ts";
import { namesIn } from "./names-in.ts";
import type { DataFolders } from "./storage/data-folders.ts";

/**
 * Removes what a power cut may have left in part: files of jobs in progress, analyses and arriving files, none of which
 * is synced for its cost. Of an upload in slices, what was acknowledged stays. All else is synced before it is answered,
 * or has a checksum.
 */
export async function removeUnsynced({ work, programmes, incoming }: DataFolders): Promise<void> {
  for (const name of await namesIn(work)) await rm(join(work, name), { recursive: true, force: true });
  for (const media of await namesIn(programmes)) {
    for (const name of await namesIn(join(programmes, media))) {
      if (name.startsWith("analysis-")) await rm(join(programmes, media, name), { recursive: true, force: true });
    }
  }
  for (const name of await namesIn(incoming)) {
    if (name.endsWith(SYNCED_SIZE)) continue;
    const path = join(incoming, name);
    const synced = Number(await readFile(path + SYNCED_SIZE, "utf8").catch(() => 0));
    if (synced > 0) await truncate(path, synced);
    else await rm(path, { force: true });
  }
}
