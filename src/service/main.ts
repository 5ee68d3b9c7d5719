import { resolve } from "node:path";
import { defined } from "../core/objects.ts";
import { type AdminChannel, removeChannel, serveAdministration } from "./admin/admin-channel.ts";
import { type RecordsOptions, settingsOf } from "./admin/open-administration.ts";
import { type App, type AppPorts, createApp } from "./app.ts";
import { readConfiguration, type ServiceConfiguration } from "./configuration.ts";
import type { LogOptions } from "./log.ts";
import { NewVersion } from "./new-version.ts";
import { openRecords } from "./open-stores.ts";
import type { ServiceSettings } from "./settings/service-settings.ts";
import { foundAt } from "./storage/data-place.ts";
import { ServiceStartError } from "./storage/database.ts";
import { VERSION } from "./version.ts";

/** What a service is started with. */
export interface ServiceOptions extends RecordsOptions {
  /** Default 127.0.0.1: this computer alone. */
  readonly host?: string;
  /** Default 0: a free one. */
  readonly port?: number;
  /** Default: warnings and errors, to the error output. */
  readonly log?: LogOptions;
  /** Whether a store that belongs to other records is taken over (`--adopt-store`). Default: the service does not start on it. */
  readonly adoptsStore?: boolean;
  /** Called with a newer version that is there, see `NewVersion`. Default: nobody looks for one, whatever is configured. */
  readonly onNewVersion?: (version: string) => void;
  /** Called when another process of the same user asks this one to end. Default: it is not ended so. */
  readonly onStop?: () => void;
  /** Whether this process runs jobs (`--no-worker` does not). Default true. */
  readonly worksOnJobs?: boolean;
  /** Module of the isolated tasks as a file URL, where it is not the product's. */
  readonly tasks?: string;
  /** Models that can be ordered, where they are not those of the catalog, and for which computer. */
  readonly models?: AppPorts["models"];
}

/** A service that listens. */
export interface RunningService extends Pick<App, "handle" | "offerFile" | "processKey" | "administration" | "close"> {
  /** Base URL, such as `http://127.0.0.1:8420`. */
  readonly url: string;
  /** Where it takes commands of its user, see `admin-channel.ts`. */
  readonly channel: string;
}

/** A process that runs jobs and takes no requests. */
export interface RunningWorker extends Pick<App, "administration" | "close"> {}

/**
 * Starts the service: alone on a data folder, or one of many over a Postgres server.
 *
 * @throws ServiceStartError with what stands in the way; nothing is left open then.
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const app = await open(options);
  try {
    const url = await app.listen({ host: options.host ?? "127.0.0.1", port: options.port ?? 0 });
    return {
      url,
      channel: app.channel,
      administration: app.administration,
      handle: (request) => app.handle(request),
      offerFile: (file) => app.offerFile(file),
      processKey: (team) => app.processKey(team),
      close: () => app.close(),
    };
  } catch (error) {
    await app.close();
    throw error;
  }
}

/**
 * Starts a process that runs jobs for services elsewhere (`aside worker`). Needs `databaseUrl`.
 *
 * @throws ServiceStartError with what stands in the way.
 */
export async function startWorkerProcess(
  options: RecordsOptions & Pick<ServiceOptions, "log" | "tasks">,
): Promise<RunningWorker> {
  if (options.databaseUrl === undefined) {
    throw new ServiceStartError(
      "configuration_invalid",
      'A separate worker needs the records on a server: set DATABASE_URL. Without it "aside serve" runs the jobs itself.',
    );
  }
  const app = await open({ ...options, worksOnJobs: true });
  return { administration: app.administration, close: () => app.close() };
}

/** An app over its records, which closes them when it closes, and its channel. */
async function open(options: ServiceOptions): Promise<App & Pick<RunningService, "channel">> {
  const settings = settingsOf(options);
  // What may be written is told to processes by its own path, not by one that leads there.
  const dataFolder = await foundAt(resolve(options.dataFolder), options.settingsFile !== undefined);
  const configuration = await readConfiguration(dataFolder, options.configurationFile);
  const log = options.log ?? { level: "warn" };
  await settings.start();
  const newVersion = newVersionOf(configuration, options, settings);
  const { database, folders, lock } = await openRecords(configuration, options.databaseUrl, () => undefined);
  let app: App;
  let channel: AdminChannel;
  try {
    app = await createApp(configuration, {
      database,
      folders,
      log,
      settings,
      newVersion: () => newVersion?.found ?? null,
      // Loaded when it is asked for: it brings every voice and describer along.
      examine: async () => (await import("./admin/doctor.ts")).examineService(options, await settings.variables()),
      ...defined({
        storage: options.storage,
        adoptsStore: options.adoptsStore,
        worksOnJobs: options.worksOnJobs,
        tasks: options.tasks,
        models: options.models,
      }),
    });
  } catch (error) {
    await database.close();
    await lock.release();
    throw error;
  }
  try {
    if (lock.predecessor?.administration !== undefined) await removeChannel(lock.predecessor.administration);
    channel = await serveAdministration(app.administration, options.onStop);
    await lock.announce(channel.path);
  } catch (error) {
    await app.close();
    await lock.release();
    throw error;
  }
  return {
    channel: channel.path,
    administration: app.administration,
    handle: (request) => app.handle(request),
    offerFile: (file) => app.offerFile(file),
    async listen(address) {
      const url = await app.listen(address);
      // Not before: a service that finds its port taken would have used up the look of the day.
      newVersion?.start();
      return url;
    },
    processKey: (team) => app.processKey(team),
    async close() {
      await newVersion?.close();
      await channel.close();
      await app.close();
      await lock.release();
    },
  };
}

function newVersionOf(
  { new_version_at: place, dataFolder }: ServiceConfiguration,
  { onNewVersion: onFound }: ServiceOptions,
  settings: ServiceSettings,
): NewVersion | null {
  if (place === undefined || onFound === undefined) return null;
  return new NewVersion({ place, version: VERSION, dataFolder, isLocalOnly: () => settings.isLocalOnly(), onFound });
}
