import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "../../client/client.ts";
import type { FileTransfer } from "../../core/file-transfer.ts";
import { nodeFileTransfer } from "../../host/headless/file-transfer.ts";
import { nodeFiles } from "../../host/headless/files.ts";
import type { Host } from "../../host/host.ts";
import { SYSTEM_CLOCK } from "../../service/system-clock.ts";
import { describe, type FinishedRun } from "../../workflow/describe/describe.ts";
import type { RecoveryStore } from "../../workflow/describe/recovery.ts";
import type { DescribeControls, DescribeOrder, DescribePorts } from "../../workflow/describe/run.ts";
import type { CliStep, Progress } from "../shell/progress.ts";
import { UsageError } from "../shell/usage-error.ts";
import type { EmbeddedService } from "./embedded-service.ts";
import { nodeFetch } from "./network.ts";
import { folderScriptMemory } from "./script-memory.ts";
import type { SharedUploads } from "./shared-uploads.ts";

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
  readonly service?: Pick<EmbeddedService, "url" | "apiKey" | "transfer">;
  /** Uploads of earlier runs, for the same file in several languages. */
  readonly uploads?: SharedUploads;
}

/** Name of a service of one's own in reports and identities. */
const EMBEDDED = "embedded";

/** How long an embedded service may take to stop once the user has cancelled, in milliseconds. */
export const CANCELLED_STOP_MS = 400;

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
export function preloadService({ server }: ServiceChoice, { service }: Pick<Surroundings, "service">): void {
  // What cannot be loaded is told when it is needed.
  if (server === undefined && service === undefined) import("./embedded-service.ts").catch(() => undefined);
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
  const { client, transfer, close } = await connect(choice, surroundings);
  try {
    const ports = {
      ...parts,
      client,
      transfer,
      files: nodeFiles,
      clock: SYSTEM_CLOCK,
      scriptMemory: folderScriptMemory(env, serviceIdentity(choice)),
    };
    // The embedded service bills nothing: what is unclear is simply done again.
    const sendsAgain = choice.sendsAgain || choice.server === undefined;
    return await work(ports, sendsAgain, { signal, onProgress: (step) => progress.update(step) });
  } finally {
    // A service that is cut off goes on with its job when it is started the next time.
    await (signal.aborted ? Promise.race([close(), sleep(CANCELLED_STOP_MS)]) : close());
  }
}

async function connect(
  { server, dataFolder }: ServiceChoice,
  { progress, env, service: running }: Surroundings,
): Promise<{ readonly client: Client; readonly transfer: FileTransfer; close(): Promise<void> }> {
  const clientAndTransfer = ({ url, apiKey, transfer }: Pick<EmbeddedService, "url" | "apiKey" | "transfer">) => ({
    client: clientFor({ baseUrl: url, apiKey, fetch: nodeFetch, clock: SYSTEM_CLOCK }),
    transfer,
  });
  if (server !== undefined) {
    return { ...clientAndTransfer({ ...server, transfer: nodeFileTransfer }), close: async () => undefined };
  }
  if (running !== undefined) return { ...clientAndTransfer(running), close: async () => undefined };
  const service = await inStep(progress, "service", async () => {
    // Loaded here alone: a run against another service needs neither the records nor the server.
    const { startEmbeddedService } = await import("./embedded-service.ts");
    return startEmbeddedService(dataFolder, env);
  });
  return { ...clientAndTransfer(service), close: () => service.close() };
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
