import { join } from "node:path";
import { type RunningService, startService } from "../service/main.ts";
import { ServiceStartError } from "../service/storage/service-start-error.ts";
import { embeddedLog } from "./embedded-log.ts";
import { userFolder } from "./user-folder.ts";

/** Data folders that are tried in turn while others are in use: as many runs may go on at once on one computer. */
const MAX_FOLDERS = 16;

/** A service of this process's own, and a key for it that nobody keeps. */
export interface EmbeddedService {
  readonly url: string;
  readonly apiKey: string;
  close(): Promise<void>;
}

/**
 * Starts the embedded service on a free loopback port.
 *
 * Without a data folder of the user's choice it takes the first free one of this user's: a second run at the same time
 * gets a folder of its own. An upload that an interrupted run left in another folder is simply made again: nothing
 * leaves the computer and nothing is billed.
 *
 * @throws ServiceStartError with what stands in the way.
 */
export async function startEmbeddedService(
  dataFolder: string | undefined,
  env: NodeJS.ProcessEnv,
): Promise<EmbeddedService> {
  const service = await (dataFolder === undefined ? startOnFreeFolder(env) : start(dataFolder));
  return { url: service.url, apiKey: await service.processKey(), close: () => service.close() };
}

async function startOnFreeFolder(env: NodeJS.ProcessEnv): Promise<RunningService> {
  for (let number = 1; ; number++) {
    const name = number === 1 ? "embedded" : `embedded-${number}`;
    try {
      return await start(join(userFolder(env), name));
    } catch (error) {
      const isInUse = error instanceof ServiceStartError && error.code === "data_folder_in_use";
      if (!isInUse || number === MAX_FOLDERS) throw error;
    }
  }
}

function start(dataFolder: string): Promise<RunningService> {
  return startService({ dataFolder, log: { level: "warn", stream: embeddedLog(dataFolder) } });
}
