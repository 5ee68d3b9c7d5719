import { join } from "node:path";
import { removeUnsynced } from "./after-power-cut.ts";
import type { ServiceConfiguration } from "./configuration.ts";
import { layFreshRecords } from "./fresh-records.ts";
import { type DataFolderLock, lockDataFolder } from "./storage/data-folder-lock.ts";
import { type DataFolders, dataFolders } from "./storage/data-folders.ts";
import type { Database } from "./storage/database.ts";
import { isNoRoom } from "./storage/disk-room.ts";
import { openEmbeddedDatabase } from "./storage/pglite-database.ts";
import { closeToOthers } from "./storage/private-folder.ts";
import { ServiceStartError } from "./storage/service-start-error.ts";

/** Records that are open, and the folders that go with them. */
export interface OpenRecords {
  readonly database: Database;
  readonly folders: DataFolders;
  /** Held until the records are closed. */
  readonly lock: DataFolderLock;
}

/** Processes that may share one data folder when the records are on a server. */
const PROCESS_SLOTS = 64;

/**
 * Opens the records: the embedded ones of a data folder, which this process then has alone, or those of a Postgres server.
 * With a server, several processes may share the data folder: what is stored and arriving is common to them, and each
 * works in a slot of its own.
 *
 * @throws ServiceStartError with what stands in the way; nothing is left open then.
 */
export async function openRecords(
  { dataFolder }: ServiceConfiguration,
  databaseUrl: string | undefined,
  onError: (error: Error) => void,
): Promise<OpenRecords> {
  const folders = dataFolders(dataFolder);
  await closeDataFolder(dataFolder, folders);
  if (databaseUrl !== undefined) {
    const { lock, slot } = await takeSlot(dataFolder);
    const { work, programmes, narration, incoming } = dataFolders(slot);
    // Arriving files are common to all processes of a folder: another one may be writing to them.
    if (lock.isAfterPowerCut) await removeUnsynced({ ...folders, work, programmes, incoming });
    // Only where there is a server: the embedded records can do without its library.
    const { openPostgresDatabase } = await import("./storage/postgres-database.ts");
    const database = openPostgresDatabase(databaseUrl, onError);
    try {
      await database.query("SELECT 1");
    } catch (error) {
      await database.close();
      await lock.release();
      throw unusable("The Postgres server that DATABASE_URL names cannot be reached, or refuses its user.", error);
    }
    return { database, folders: { ...folders, work, programmes, narration }, lock };
  }
  const lock = await lockDataFolder(dataFolder);
  try {
    if (lock.isAfterPowerCut) await removeUnsynced(folders);
    await layFreshRecords(folders.records);
    return { database: await openEmbeddedDatabase(folders.records), folders, lock };
  } catch (error) {
    await lock.release();
    if (isNoRoom(error)) {
      throw new ServiceStartError(
        "disk_full",
        "The disk of the data folder is full. Free some space, then start again: nothing is lost.",
        { cause: error },
      );
    }
    throw unusable(
      "The records in the data folder cannot be opened. Restore the folder from a backup, or choose another with --data.",
      error,
    );
  }
}

/** What an earlier version, or somebody's copy, left open to other users; inside as well, should the folder not be ours. */
async function closeDataFolder(dataFolder: string, folders: DataFolders): Promise<void> {
  for (const path of [dataFolder, join(dataFolder, "processes"), ...Object.values(folders)]) await closeToOthers(path);
}

/** The first slot of a data folder that no other process works in. */
async function takeSlot(dataFolder: string): Promise<{ lock: DataFolderLock; slot: string }> {
  for (let index = 0; index < PROCESS_SLOTS; index++) {
    const slot = join(dataFolder, "processes", String(index));
    try {
      return { lock: await lockDataFolder(slot), slot };
    } catch (error) {
      if (!(error instanceof ServiceStartError) || error.code !== "data_folder_in_use") throw error;
    }
  }
  throw new ServiceStartError("data_folder_in_use", `${PROCESS_SLOTS} processes share the data folder already.`);
}

function unusable(message: string, cause: unknown): ServiceStartError {
  return new ServiceStartError("records_unusable", message, { cause });
}
