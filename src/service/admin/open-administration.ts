import { join, resolve } from "node:path";
import { readConfiguration } from "../configuration.ts";
import { WorkQueue } from "../jobs/work-queue.ts";
import { openObjects, openRecords } from "../open-stores.ts";
import { SETTINGS_FILE, ServiceSettings } from "../settings/service-settings.ts";
import { systemKeyStore } from "../settings/system-key-store.ts";
import { readHolder } from "../storage/data-folder-lock.ts";
import { foundAt } from "../storage/data-place.ts";
import { ServiceStartError } from "../storage/database.ts";
import { migrate } from "../storage/migrations.ts";
import { SYSTEM_CLOCK } from "../system-clock.ts";
import { connectAdministration } from "./admin-channel.ts";
import { type Administration, createAdministration } from "./administration.ts";

/** Which records and storage are meant. */
export interface RecordsOptions {
  /** Folder for records, media and work in progress; made when there is none. */
  readonly dataFolder: string;
  /** Configuration file; default `aside.json` in the data folder, if there is one. */
  readonly configurationFile?: string;
  /** Address of a Postgres server (`DATABASE_URL`). Default: the embedded one in the data folder. */
  readonly databaseUrl?: string;
  /**
   * File of what one user set for whatever they run: its keys stand in that user's key store. Default: `settings.json` in the
   * data folder, for a service of many, which has no key store: its file has the keys. With `databaseUrl` nothing can be set.
   */
  readonly settingsFile?: string;
  /** Where media and artifacts are stored (`ASIDE_STORAGE`), such as `s3://bucket?endpoint=https://host`. Default: in the data folder. */
  readonly storage?: string;
}

/** What people set of a service, over the environment of this process. */
export function settingsOf({ dataFolder, settingsFile, databaseUrl }: RecordsOptions): ServiceSettings {
  const { env: environment } = process;
  if (databaseUrl !== undefined) return new ServiceSettings({ file: null, environment });
  if (settingsFile === undefined) {
    return new ServiceSettings({ file: join(resolve(dataFolder), SETTINGS_FILE), environment });
  }
  const keyStore = systemKeyStore({ environment });
  return new ServiceSettings({ file: settingsFile, environment, keyStore });
}

/** Administration of a service, and its end. */
export interface OpenAdministration extends Administration {
  close(): Promise<void>;
}

/**
 * Opens the administration of a service (`aside keys`, `aside jobs`), whether it runs or not: with its records on a
 * server or closed, directly; with embedded records that a running service has open, through that service.
 *
 * @throws ServiceStartError when neither works.
 */
export async function openAdministration(options: RecordsOptions): Promise<OpenAdministration> {
  const dataFolder = await foundAt(resolve(options.dataFolder), options.settingsFile !== undefined);
  const configuration = await readConfiguration(dataFolder, options.configurationFile);
  try {
    const { database, folders, lock } = await openRecords(configuration, options.databaseUrl, () => undefined);
    const queue = new WorkQueue(database, () => undefined);
    const close = async () => {
      await queue.stop();
      await database.close();
      await lock.release();
    };
    try {
      await migrate(database);
      await queue.start();
      const ports = { database, folders, configuration, clock: SYSTEM_CLOCK };
      const { objects, disk } = await openObjects(options.storage, ports);
      const settings = settingsOf(options);
      const parts = {
        database,
        queue,
        objects,
        disk,
        folders,
        configuration,
        settings,
        endings: null,
        onKeysChanged: () => undefined,
      };
      return { ...createAdministration(parts), close };
    } catch (error) {
      await close();
      throw error;
    }
  } catch (error) {
    const holder = await readHolder(dataFolder);
    const isHeld = error instanceof ServiceStartError && error.code === "data_folder_in_use";
    if (!isHeld || holder?.administration === undefined) throw error;
    return { ...connectAdministration(holder.administration), close: async () => undefined };
  }
}
