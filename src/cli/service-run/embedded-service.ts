import { appendFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { defined } from "../../core/objects.ts";
import type { FileTransfer, TransferReply, UploadRequest } from "../../core/ports.ts";
import { nodeFileTransfer } from "../../host/headless/file-transfer.ts";
import { nodeFiles } from "../../host/headless/files.ts";
import { OFFER_HEADER } from "../../service/ingest/offered-files.ts";
import { type RunningService, startService } from "../../service/main.ts";
import { ServiceStartError } from "../../service/storage/database.ts";
import { userFolder, userSettings } from "./service-options.ts";

/** Data folders that are tried in turn while others are in use: as many runs may go on at once on one computer. */
const MAX_FOLDERS = 16;

/** A service of this process's own, and a key for it that nobody keeps. */
export interface EmbeddedService {
  readonly url: string;
  readonly apiKey: string;
  /** Where its records are. */
  readonly dataFolder: string;
  /** Moves files to and from it. */
  readonly transfer: FileTransfer;
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
  const { service, folder } = await (dataFolder === undefined
    ? startOnFreeFolder(env)
    : start(dataFolder).then((service) => ({ service, folder: dataFolder })));
  const transfer = { ...nodeFileTransfer, upload: (request: UploadRequest) => offer(service, request) };
  const apiKey = await service.processKey();
  return { url: service.url, apiKey, dataFolder: folder, transfer, close: () => service.close() };
}

/** Has the service copy a file itself: it is in this process, and reads the same disk. */
async function offer(service: RunningService, request: UploadRequest): Promise<TransferReply> {
  const { path, url, contentType, signal, onProgress } = request;
  // A file that cannot be read is the user's to hear of, in the words of this computer.
  await nodeFiles.readBytes(path, 0, 1);
  const totalBytes = (await nodeFiles.size(path)) ?? 0;
  const word = service.offerFile({ path, signal, onProgress: (doneBytes) => onProgress?.({ doneBytes, totalBytes }) });
  const headers = { "Content-Type": contentType, [OFFER_HEADER]: word };
  const reply = await service.handle(new Request(url, { method: "PUT", headers }));
  signal.throwIfAborted();
  return { status: reply.status, body: await reply.text() };
}

async function startOnFreeFolder(
  env: NodeJS.ProcessEnv,
): Promise<{ readonly service: RunningService; readonly folder: string }> {
  for (let number = 1; ; number++) {
    const name = number === 1 ? "embedded" : `embedded-${number}`;
    try {
      const folder = join(userFolder(env), name);
      return { folder, service: await start(folder, userSettings(env)) };
    } catch (error) {
      const isInUse = error instanceof ServiceStartError && error.code === "data_folder_in_use";
      if (!isInUse || number === MAX_FOLDERS) throw error;
    }
  }
}

function start(dataFolder: string, settingsFile?: string): Promise<RunningService> {
  return startService({
    dataFolder,
    ...defined({ settingsFile }),
    log: { level: "warn", stream: embeddedLog(dataFolder) },
  });
}

/** Size of the log above which it begins anew, in bytes: it is read after a failure, and not kept for its own sake. */
const MOST_BYTES = 1_000_000;

/** The log of the embedded service, `service.log` in its data folder; the file appears with the first line. */
export function embeddedLog(dataFolder: string): { write(line: string): void } {
  const path = join(dataFolder, "service.log");
  return {
    write: (line) => {
      try {
        const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
        if (size > MOST_BYTES) writeFileSync(path, line);
        else appendFileSync(path, line);
      } catch {
        // A full disk is reported by the work that needs the room.
      }
    },
  };
}
