import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "../../client/client.ts";
import { CancelNotOfferedError } from "../../client/errors.ts";
import type { Fetch } from "../../client/request.ts";
import { fingerprintOf } from "../../core/bytes.ts";
import type { FileTransfer } from "../../core/ports.ts";
import { nodeFileTransfer } from "../../host/headless/file-transfer.ts";
import { nodeFiles } from "../../host/headless/files.ts";
import type { Host } from "../../host/host.ts";
import { makeFolder } from "../../service/storage/synced-folder.ts";
import { SYSTEM_CLOCK } from "../../service/system-clock.ts";
import { describe, type FinishedRun } from "../../workflow/describe/describe.ts";
import { type ScriptMemory, scriptLayout } from "../../workflow/describe/given-script.ts";
import { RECORD_VERSION, type RecoveryStore, type RunMedia, type RunRecord } from "../../workflow/describe/recovery.ts";
import type { DescribeControls, DescribeOrder, DescribePorts } from "../../workflow/describe/run.ts";
import { keptOfStage, stopRun } from "../../workflow/describe/stop-run.ts";
import type { CliStep, Progress } from "../shell/progress.ts";
import { JOBS_STOP_MS, jobsOf, type OrderedJob } from "../shell/running-jobs.ts";
import { Cancelled, UsageError } from "../shell/usage-error.ts";
import type { EmbeddedService } from "./embedded-service.ts";
import { userFolder } from "./service-options.ts";

/** Which service does the work. */
export interface ServiceChoice {
  /** Absent: the embedded one. */
  readonly server?: { readonly url: string; readonly apiKey: string };
  readonly dataFolder?: string;
  readonly sendsAgain: boolean;
}

/** What a run needs beside its call. */
export interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  readonly progress: Progress;
  /** An embedded service that runs already, for one run after another; its owner ends it. */
  readonly service?: Pick<EmbeddedService, "url" | "apiKey" | "transfer" | "dataFolder">;
  /** Starts the embedded service where none runs; default: in this process. */
  readonly startService?: (dataFolder: string | undefined, env: NodeJS.ProcessEnv) => Promise<EmbeddedService>;
  /** Uploads of earlier runs, for the same file in several languages. */
  readonly uploads?: SharedUploads;
}

/** Name of a service of one's own in reports and identities. */
const EMBEDDED = "embedded";

/** How long an embedded service may take to stop once the user has cancelled, in milliseconds. */
const CANCELLED_STOP_MS = 400;

/** The address that a run's identity and its report name; `embedded` for a service of one's own. */
export function serviceIdentity({ server }: ServiceChoice): string {
  return server?.url.replace(/\/+$/, "") ?? EMBEDDED;
}

/** The host name that a report names. */
export function serviceName({ server }: ServiceChoice): string {
  return server === undefined ? EMBEDDED : new URL(server.url).host;
}

/**
 * Begins to load what the chosen service takes. Starting it has to wait until the file is known to be usable; this has not.
 */
export function preloadService(
  { server }: ServiceChoice,
  { service, startService }: Pick<Surroundings, "service" | "startService">,
): void {
  // What cannot be loaded is told when it is needed.
  if ((server ?? service ?? startService) === undefined) import("./embedded-service.ts").catch(() => undefined);
}

/** Starts the embedded service. @throws ServiceStartError with what stands in the way. */
export async function startOwnService(
  dataFolder: string | undefined,
  { env, startService }: Pick<Surroundings, "env" | "startService">,
): Promise<EmbeddedService> {
  // Loaded here alone: a run against another service needs neither the records nor the server.
  const start = startService ?? (await import("./embedded-service.ts")).startEmbeddedService;
  return start(dataFolder, env);
}

/** Waits until a service has ended; once the user has cancelled, no longer than that may take. */
export async function endService(close: () => Promise<void>, signal: AbortSignal): Promise<void> {
  // One that is cut off goes on with its job when it is started the next time.
  await (signal.aborted ? Promise.race([close(), sleep(CANCELLED_STOP_MS)]) : close());
}

/** Does an order with the chosen service, which is started and stopped where it is the embedded one. */
export async function runOnService(
  choice: ServiceChoice,
  parts: HostParts,
  order: Omit<DescribeOrder, "sendsAgain" | "export">,
  surroundings: Surroundings,
): Promise<FinishedRun> {
  return withService(choice, parts, surroundings, (ports, sendsAgain, controls) =>
    describe(ports, { ...order, export: { range: "whole" }, sendsAgain }, controls),
  );
}

/** What a run touches beside the service. */
interface HostParts {
  readonly host: Host;
  readonly recovery: RecoveryStore;
}

/**
 * Does something with the chosen service, see {@link runOnService}.
 *
 * @param work Takes the ports, and whether a request may be sent again of which nobody knows what became.
 */
export async function withService<T>(
  choice: ServiceChoice,
  parts: HostParts,
  surroundings: Surroundings,
  work: (ports: DescribePorts, sendsAgain: boolean, controls: DescribeControls) => Promise<T>,
): Promise<T> {
  const { signal, progress, env } = surroundings;
  const { client, transfer, place, close } = await connect(choice, surroundings);
  const { recovery, runIds } = followed(parts.recovery, signal, place);
  try {
    const ports = {
      ...parts,
      recovery,
      client,
      transfer,
      files: nodeFiles,
      clock: SYSTEM_CLOCK,
      scriptMemory: folderScriptMemory(env, serviceIdentity(choice)),
    };
    // The embedded service bills nothing: what is unclear is simply done again.
    const sendsAgain = choice.sendsAgain || choice.server === undefined;
    return await work(ports, sendsAgain, { signal, onProgress: (step) => progress.update(step) });
  } catch (error) {
    if (signal.reason instanceof Cancelled && signal.reason.stopsWork)
      await stopRuns({ client, recovery }, runIds, signal);
    throw error;
  } finally {
    await endService(close, signal);
  }
}

/** Where the jobs of a command are, and what its options are called by which another command finds them. */
type JobPlace = Pick<OrderedJob, "host"> & { readonly option: string };

/** Records that tell a command's signal of each job that is ordered or ends, with the runs that were asked for. */
function followed(
  store: RecoveryStore,
  signal: AbortSignal,
  { host, option }: JobPlace,
): { readonly recovery: RecoveryStore; readonly runIds: ReadonlySet<string> } {
  const jobs = jobsOf(signal);
  const known = new Map<string, string>();
  const follow = ({ runId, submission, result }: RunRecord) => {
    const before = known.get(runId);
    const jobId = submission?.state === "accepted" && result === undefined ? submission.jobId : undefined;
    if (before === jobId) return;
    if (before !== undefined) jobs.end(before);
    if (jobId === undefined) known.delete(runId);
    else known.set(runId, jobId);
    if (jobId !== undefined) jobs.begin({ jobId, host, stopCommand: `aside jobs cancel ${jobId} ${option}` });
  };
  const runIds = new Set<string>();
  const recovery: RecoveryStore = {
    ...store,
    async load(runId) {
      runIds.add(runId);
      const record = await store.load(runId);
      if (record !== null) follow(record);
      return record;
    },
    async save(record) {
      runIds.add(record.runId);
      await store.save(record);
      follow(record);
    },
  };
  return { recovery, runIds };
}

/** Stops what a cancelled command has ordered, and notes for its last words what is kept, or what goes on. */
async function stopRuns(
  ports: Parameters<typeof stopRun>[0],
  runIds: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<void> {
  const jobs = jobsOf(signal);
  const limit = AbortSignal.timeout(JOBS_STOP_MS);
  const stopping = [...runIds].map(async (runId) => {
    const record = await ports.recovery.load(runId);
    const jobId = record?.submission?.state === "accepted" ? record.submission.jobId : undefined;
    try {
      const stopped = await stopRun(ports, runId, limit);
      if (stopped.outcome === "stopped") {
        jobs.stopped(stopped.jobId, ["the upload", ...keptOfStage(stopped.progress?.stage)], stopped.cost);
      } else if (jobId !== undefined) jobs.end(jobId);
    } catch (error) {
      if (jobId !== undefined && error instanceof CancelNotOfferedError) jobs.goesOn(jobId, error.message);
    }
  });
  await Promise.all(stopping);
}

async function connect(
  { server, dataFolder }: ServiceChoice,
  { service: running, ...surroundings }: Surroundings,
): Promise<{
  readonly client: Client;
  readonly transfer: FileTransfer;
  readonly place: JobPlace;
  close(): Promise<void>;
}> {
  const clientAndTransfer = ({ url, apiKey, transfer }: Pick<EmbeddedService, "url" | "apiKey" | "transfer">) => ({
    client: clientOf({ url, apiKey }),
    transfer,
  });
  if (server !== undefined) {
    const place = { host: new URL(server.url).host, option: `--server ${server.url}` };
    return { ...clientAndTransfer({ ...server, transfer: nodeFileTransfer }), place, close: async () => undefined };
  }
  const own = (service: Pick<EmbeddedService, "dataFolder">) => ({
    host: null,
    option: `--data ${JSON.stringify(service.dataFolder)}`,
  });
  if (running !== undefined)
    return { ...clientAndTransfer(running), place: own(running), close: async () => undefined };
  const service = await inStep(surroundings.progress, "service", () => startOwnService(dataFolder, surroundings));
  return { ...clientAndTransfer(service), place: own(service), close: () => service.close() };
}

/** A client of a service elsewhere. @throws UsageError when the address or the key cannot be used. */
export function clientOf({ url, apiKey }: NonNullable<ServiceChoice["server"]>): Client {
  return clientFor({ baseUrl: url, apiKey, fetch: nodeFetch, clock: SYSTEM_CLOCK });
}

/** @throws UsageError when the address or the key cannot be used. */
function clientFor(options: ConstructorParameters<typeof Client>[0]): Client {
  try {
    return new Client(options);
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(error.message);
    throw error;
  }
}

/** Does a step of the command, and shows that it goes on. */
export async function inStep<T>(progress: Progress, step: CliStep, work: () => Promise<T>): Promise<T> {
  progress.update({ step, state: "begun" });
  const result = await work();
  progress.update({ step, state: "done" });
  return result;
}

/**
 * Remembers in the user's folder which layout of a script a service takes. The file is named by the address's
 * fingerprint. What cannot be read or written is simply not remembered.
 */
function folderScriptMemory(env: NodeJS.ProcessEnv, service: string): ScriptMemory {
  const folder = join(userFolder(env), "script-layouts");
  const path = join(folder, fingerprintOf(service));
  return {
    last: async () => scriptLayout(await nodeFiles.readText(path).catch(() => "")),
    async took(layout) {
      await makeFolder(folder)
        .then(() => nodeFiles.writeText(path, layout))
        .catch(() => undefined);
    },
  };
}

/** Longest reply that is read, in bytes; what is longer is none of the service's. */
const MAX_REPLY_BYTES = 64 * 1024 * 1024;

/** Node's `fetch`, reading no more of a reply than fits the memory of a small machine. */
export const nodeFetch: Fetch = async (address, init) => {
  const reply = await fetch(address, init);
  return { status: reply.status, headers: reply.headers, text: () => boundedText(reply) };
};

async function boundedText(reply: Response): Promise<string> {
  if (reply.body === null) return "";
  const decoder = new TextDecoder();
  let text = "";
  let length = 0;
  for await (const piece of reply.body) {
    length += piece.length;
    if (length > MAX_REPLY_BYTES) throw new Error("the reply is too long to be one of the service");
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}

/** Uploads that several runs of one process share: a video goes to a service once, however many languages it gets. */
export class SharedUploads {
  readonly #media = new Map<string, RunMedia>();

  /**
   * A store of records that begins a new run with the upload of an earlier one of the same content.
   *
   * @param content The same for the same file at the same service.
   */
  over(store: RecoveryStore, content: string): RecoveryStore {
    return {
      load: async (runId) => {
        const record = await store.load(runId);
        const media = this.#media.get(content);
        if (record !== null || media === undefined) return record;
        return { version: RECORD_VERSION, runId, startedAt: new Date().toISOString(), name: "", media };
      },
      save: async (record) => {
        if (record.media === undefined) this.#media.delete(content);
        else this.#media.set(content, record.media);
        await store.save(record);
      },
      remove: (runId) => store.remove(runId),
    };
  }
}
