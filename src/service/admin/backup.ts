import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { access, copyFile, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import * as z from "zod/mini";
import { AudioDescriptionError } from "../../core/error.ts";
import { isMissing } from "../../core/local-file.ts";
import { CONFIGURATION_FILE } from "../configuration.ts";
import { namesIn } from "../open-stores.ts";
import { lockDataFolder } from "../storage/data-folder-lock.ts";
import { dataFolders, packFolder, unpackFolder } from "../storage/data-folders.ts";
import type { DiskObjectStore } from "../storage/disk-object-store.ts";
import { makeFolder, makeSyncedFolder, syncFolder, syncTree } from "../storage/synced-folder.ts";

const MANIFEST_FILE = "backup.json";
const RECORDS_FILE = "records.pack";
const OBJECTS_FOLDER = "objects";

const Manifest = z.object({
  format: z.literal("aside-backup-1"),
  made_at: z.string(),
  records_sha256: z.string(),
  objects: z.number(),
  bytes: z.number(),
});

/** What a backup holds. */
export interface Backup {
  readonly objects: number;
  readonly bytes: number;
}

/** Why something could not be backed up or put back; `message` says what to do. */
export class BackupError extends AudioDescriptionError<"backup_unusable" | "backup_impossible"> {}

/**
 * Backs up a data folder while its service runs: the records as they are at one moment, and every object that was stored
 * then. A backup that is there already is brought up to date, and only what is new is copied. Analyses, spoken lines and
 * work in progress are left out, because they are made again.
 *
 * @param folder Of the backup: not there, empty, or an earlier backup of this service.
 * @throws BackupError
 */
export async function backUp(dataFolder: string, objects: DiskObjectStore, folder: string): Promise<Backup> {
  try {
    return await writeBackup(dataFolder, objects, folder);
  } catch (error) {
    if (!(error instanceof Error && "code" in error) || error instanceof BackupError) throw error;
    const message = `The backup could not be made (${error.code}). Choose a folder that can be made and written, on a disk with room.`;
    throw new BackupError("backup_impossible", message, { cause: error });
  }
}

async function writeBackup(dataFolder: string, objects: DiskObjectStore, folder: string): Promise<Backup> {
  await requireBackupFolder(folder);
  await makeFolder(folder, 0o700);
  // Without it the folder is no backup, until all is there.
  await rm(join(folder, MANIFEST_FILE), { force: true });
  return objects.whileKept(async () => {
    // Nothing is written between two of its reads: what it packs is as a crash would leave it, which Postgres mends.
    const records = await packFolder(dataFolders(dataFolder).records);
    const copied = await copyObjects(objects, join(folder, OBJECTS_FOLDER));
    await writeFile(join(folder, RECORDS_FILE), records, { mode: 0o600 });
    await copyFile(join(dataFolder, CONFIGURATION_FILE), join(folder, CONFIGURATION_FILE)).catch(unlessMissing);
    await syncTree(folder);
    const manifest: z.output<typeof Manifest> = {
      format: "aside-backup-1",
      made_at: new Date().toISOString(),
      records_sha256: sha256(records),
      ...copied,
    };
    await writeFile(join(folder, MANIFEST_FILE), `${JSON.stringify(manifest)}\n`, { flush: true });
    await syncFolder(folder);
    return copied;
  });
}

/**
 * Makes a data folder of a backup. It appears whole or has no records; `aside verify` compares its objects afterwards.
 *
 * @param dataFolder Not there, or without records and objects.
 * @throws BackupError, ServiceStartError `data_folder_in_use`.
 */
export async function restore(folder: string, dataFolder: string): Promise<Backup> {
  const manifest = await readManifest(folder);
  const records = await readFile(join(folder, RECORDS_FILE));
  if (sha256(records) !== manifest.records_sha256) {
    throw new BackupError("backup_unusable", "The backup's records are damaged. Use another backup.");
  }
  const lock = await lockDataFolder(dataFolder);
  try {
    const folders = dataFolders(dataFolder);
    for (const taken of [folders.records, folders.objects]) {
      if ((await namesIn(taken)).length > 0) {
        throw new BackupError("backup_impossible", "The data folder holds a service already. Choose an empty one.");
      }
    }
    const { objects, bytes } = await copyTree(join(folder, OBJECTS_FOLDER), folders.objects);
    if (objects !== manifest.objects || bytes !== manifest.bytes) {
      throw new BackupError("backup_unusable", "Objects are missing from the backup. Use another backup.");
    }
    await copyFile(join(folder, CONFIGURATION_FILE), join(dataFolder, CONFIGURATION_FILE)).catch(unlessMissing);
    const unpacking = `${folders.records}.restored`;
    await rm(unpacking, { recursive: true, force: true });
    await unpackFolder(records, unpacking);
    await syncTree(folders.objects);
    await syncTree(unpacking);
    await rm(folders.records, { recursive: true, force: true });
    await rename(unpacking, folders.records);
    await syncFolder(dataFolder);
    return { objects, bytes };
  } finally {
    await lock.release();
  }
}

async function requireBackupFolder(folder: string): Promise<void> {
  const names = await namesIn(folder);
  if (names.length === 0 || names.includes(RECORDS_FILE) || names.includes(OBJECTS_FOLDER)) return;
  throw new BackupError("backup_impossible", "The folder holds something else than a backup. Choose an empty one.");
}

async function readManifest(folder: string): Promise<z.output<typeof Manifest>> {
  try {
    return Manifest.parse(JSON.parse(await readFile(join(folder, MANIFEST_FILE), "utf8")));
  } catch (error) {
    throw new BackupError(
      "backup_unusable",
      `The folder holds no whole backup (${MANIFEST_FILE} is missing or damaged). Name the folder that "aside backup" was given.`,
      { cause: error },
    );
  }
}

/** Makes a folder hold what a store holds. Objects never change under their key, but for being mended. */
async function copyObjects(store: DiskObjectStore, folder: string): Promise<Backup> {
  const kept = new Set<string>();
  let bytes = 0;
  await makeFolder(folder);
  for await (const { key, sizeBytes } of store.list("")) {
    const target = join(folder, ...key.split("/"));
    const there = await stat(target).catch(() => null);
    if (there?.size !== sizeBytes) await copy(store.pathOf(key), target);
    kept.add(target);
    bytes += sizeBytes;
  }
  for (const path of await filesIn(folder)) if (!kept.has(path)) await rm(path, { force: true });
  return { objects: kept.size, bytes };
}

async function copyTree(from: string, to: string): Promise<Backup> {
  const files = await filesIn(from);
  let bytes = 0;
  await makeSyncedFolder(to);
  for (const path of files) {
    await copy(path, join(to, relative(from, path)));
    bytes += (await stat(path)).size;
  }
  return { objects: files.length, bytes };
}

async function copy(from: string, to: string): Promise<void> {
  await makeFolder(dirname(to));
  await copyFile(from, `${to}.part`, constants.COPYFILE_FICLONE);
  await rename(`${to}.part`, to);
}

async function filesIn(folder: string): Promise<string[]> {
  await access(folder);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

function unlessMissing(error: unknown): void {
  if (!isMissing(error)) throw error;
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
