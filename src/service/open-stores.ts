import { readdir, readFile, rm, truncate } from "node:fs/promises";
import { join } from "node:path";
import { isMissing } from "../core/local-file.ts";
import type { Clock } from "../core/ports.ts";
import type { ServiceConfiguration } from "./configuration.ts";
import { layFreshRecords } from "./fresh-records.ts";
import { SYNCED_SIZE } from "./ingest/arriving-file.ts";
import { type DataFolderLock, lockDataFolder } from "./storage/data-folder-lock.ts";
import { type DataFolders, dataFolders } from "./storage/data-folders.ts";
import { type Database, ServiceStartError } from "./storage/database.ts";
import { DiskObjectStore, LinkSigner } from "./storage/disk-object-store.ts";
import { isNoRoom } from "./storage/disk-room.ts";
import { claimStore, type ObjectStore } from "./storage/object-store.ts";
import { openEmbeddedDatabase } from "./storage/pglite-database.ts";
import { closeToOthers, ensureSecret } from "./storage/private-file.ts";

/** Where media and artifacts are stored. */
export interface OpenObjects {
  readonly objects: ObjectStore;
  /** The same objects, where the service serves them itself; `null` when a storage service does. */
  readonly disk: DiskObjectStore | null;
  readonly signer: LinkSigner;
}

/**
 * Opens the store of media and artifacts: an S3-compatible one by its address, else the data folder.
 *
 * @throws ServiceStartError `configuration_invalid`, `store_of_other_records`.
 */
export async function openObjects(
  storage: string | undefined,
  parts: {
    readonly database: Database;
    readonly folders: DataFolders;
    readonly configuration: ServiceConfiguration;
    readonly clock: Clock;
    /** Whether a store that belongs to other records is taken over. */
    readonly adoptsStore?: boolean | undefined;
  },
): Promise<OpenObjects> {
  const { configuration, folders } = parts;
  const signer = new LinkSigner(await ensureSecret(parts.database, "links"));
  const lives = { uploadSeconds: configuration.upload_link_seconds, resultSeconds: configuration.result_link_seconds };
  const claim = { workFolder: folders.work, adopts: parts.adoptsStore };
  if (storage === undefined) {
    const disk = new DiskObjectStore(folders.objects, signer, lives, parts.clock);
    await claimStore(disk, parts.database, claim);
    return { objects: disk, disk, signer };
  }
  // Only where it is asked for: its library is memory that a service on a disk of its own can do without.
  const { parseS3Location, S3ObjectStore } = await import("./storage/s3-object-store.ts");
  const objects = new S3ObjectStore(parseS3Location(storage), lives, join(folders.work, "borrowed"));
  await objects.check();
  await claimStore(objects, parts.database, claim);
  return { objects, disk: null, signer };
}

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

/** Names of what is in a folder; none when there is no such folder. */
export async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
}
