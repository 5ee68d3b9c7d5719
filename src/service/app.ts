import type { FastifyInstance } from "fastify";
import type { Clock } from "../core/ports.ts";
import {
  closeSpeechEngines,
  endEyes,
  JobFailure,
  openEngine,
  RIGHTS,
  type RunIsolated,
  runIsolated,
} from "../engine/index.ts";
import { type Administration, createAdministration, DEFAULT_TEAM } from "./admin/administration.ts";
import type { DoctorFinding } from "./admin/doctor.ts";
import { planOfTeam, type ServiceConfiguration } from "./configuration.ts";
import { Authenticator } from "./http/authenticate.ts";
import { Metrics } from "./http/metrics.ts";
import { KnownHosts, RequestRate } from "./http/request-rate.ts";
import { createServer } from "./http/server.ts";
import { answerInProcess, JobLookup, type ServiceParts } from "./http/service-parts.ts";
import { TextThreads } from "./http/text-threads.ts";
import { ValidationSlots } from "./http/validation-slots.ts";
import { type OfferedFile, OfferedFiles } from "./ingest/offered-files.ts";
import { Endings } from "./jobs/endings.ts";
import { WorkQueue } from "./jobs/work-queue.ts";
import { startWorker, type Worker } from "./jobs/worker.ts";
import { type LogOptions, loggerSettings, RecentLog } from "./log.ts";
import type { ModelOffer } from "./models/model-store.ts";
import { openObjects } from "./open-stores.ts";
import { ServiceSettings } from "./settings/service-settings.ts";
import { SettingsError } from "./settings/settings-file.ts";
import { type DataFolders, dataFolders } from "./storage/data-folders.ts";
import { type Database, ServiceStartError } from "./storage/database.ts";
import { freshKey } from "./storage/key-records.ts";
import { migrate } from "./storage/migrations.ts";
import { ensureTeam } from "./storage/team-records.ts";
import { SYSTEM_CLOCK } from "./system-clock.ts";

/** What a service is built on. Everything but the database has a default. */
export interface AppPorts {
  /** Opened by the caller and closed by {@link App.close}. */
  readonly database: Database;
  /** Address of the store of media and artifacts (`s3://...`). Default: the data folder. */
  readonly storage?: string;
  /** Whether a store that belongs to other records is taken over. Default: the service does not start on it. */
  readonly adoptsStore?: boolean;
  /** Default: those inside the configuration's data folder. */
  readonly folders?: DataFolders;
  readonly clock?: Clock;
  readonly isolate?: RunIsolated;
  /** Module whose tasks are run in child processes, where it is not the product's. */
  readonly tasks?: string;
  /** Models that can be ordered, and for which computer. Default: those of the catalog, for this one. */
  readonly models?: Partial<ModelOffer>;
  readonly log?: LogOptions;
  /** What people set of this service. Default: the environment of this process alone. */
  readonly settings?: ServiceSettings;
  /** Whether this process runs jobs and verifications. Default true. */
  readonly worksOnJobs?: boolean;
  /** Looks at everything the service needs, for its page. Default: nobody does. */
  readonly examine?: () => Promise<readonly DoctorFinding[]>;
  /** The newer version that is there, for its page. Default: none is known. */
  readonly newVersion?: () => string | null;
}

/** Where a service listens. */
interface ListenAddress {
  readonly host: string;
  /** 0 for a free one. */
  readonly port: number;
}

/** How long requests that are being answered may go on once the service is told to stop. */
const CLOSING_GRACE_MS = 3_000;

/** A running service: a function from `Request` to `Response`, and the work behind it. */
export interface App {
  readonly administration: Administration;
  /** Answers a request without a network. */
  handle(request: Request): Promise<Response>;
  /** Begins to listen, and resolves with the base URL. @throws ServiceStartError `address_unusable`. */
  listen(address: ListenAddress): Promise<string>;
  /** Offers a file of this computer as the bytes of one upload, see `OfferedFiles`. @returns the upload's `OFFER_HEADER`. */
  offerFile(file: OfferedFile): string;
  /** An API key that is kept nowhere and ends with this process. */
  processKey(team?: string): Promise<string>;
  /** Stops taking requests, ends or puts back what is going on, closes the records. */
  close(): Promise<void>;
}

/** Builds a service over its configuration and ports: records brought up to date, queue started, work resumed. */
export async function createApp(configuration: ServiceConfiguration, ports: AppPorts): Promise<App> {
  const { database } = ports;
  await migrate(database);
  // The log exists with the server, and the queue before it.
  let log: FastifyInstance["log"] | undefined;
  const queue = new WorkQueue(database, (error) => log?.error({ err: error }, "the queue met an error"));
  const parts = await assemble(configuration, ports, queue);
  const recent = new RecentLog(ports.log?.stream ?? process.stderr);
  const administration = createAdministration({ ...parts, onKeysChanged: () => parts.authenticator.forget() });
  const server = await createServer(parts, loggerSettings(configuration.dataFolder, { ...ports.log, stream: recent }), {
    administration,
    examine: ports.examine ?? null,
    newVersion: ports.newVersion ?? (() => null),
    log: recent,
  });
  log = server.log;
  try {
    await queue.start();
    if (database.kind === "embedded") await queue.reclaim();
  } catch (error) {
    await queue.stop();
    throw error;
  }
  const worker = ports.worksOnJobs === false ? null : startWorker(parts, server.log);
  return new RunningApp({ parts, administration, server, worker });
}

async function assemble(configuration: ServiceConfiguration, ports: AppPorts, queue: WorkQueue): Promise<ServiceParts> {
  const { database, clock = SYSTEM_CLOCK, isolate = runIsolated } = ports;
  const settings = ports.settings ?? new ServiceSettings({ file: null, environment: process.env });
  const folders = ports.folders ?? dataFolders(configuration.dataFolder);
  return {
    configuration,
    clock,
    database,
    queue,
    endings: ports.worksOnJobs !== false && database.kind === "embedded" ? new Endings() : null,
    ...(await openObjects(ports.storage, {
      database,
      folders,
      configuration,
      clock,
      adoptsStore: ports.adoptsStore,
    })),
    offers: new OfferedFiles(),
    folders,
    settings,
    engine: openEngine({ run: asSet(isolate, settings), tasks: ports.tasks }),
    authenticator: new Authenticator(database, async (team) => planOfTeam(await settings.limits(configuration), team)),
    rate: new RequestRate(database, clock),
    hosts: new KnownHosts(configuration),
    jobs: new JobLookup(database),
    slots: new ValidationSlots(database),
    texts: new TextThreads(),
    metrics: new Metrics(database),
    models: ports.models ?? {},
  };
}

/** Runs tasks that may ask somebody as the settings say that are in force when each begins; no other needs them. */
function asSet(isolate: RunIsolated, settings: ServiceSettings): RunIsolated {
  return async (name, input, options) => {
    const { asks, keys } = RIGHTS[name];
    if (asks === undefined) return isolate(name, input, options);
    const environment = options.environment ?? (await settings.variables(keys).catch(failJob));
    return isolate(name, input, { ...options, environment });
  };
}

/** Trying again changes nothing about settings that cannot be read. */
function failJob(error: unknown): never {
  throw error instanceof SettingsError ? new JobFailure("setup_incomplete", error.message, { cause: error }) : error;
}

class RunningApp implements App {
  readonly administration: Administration;
  readonly #parts: ServiceParts;
  readonly #server: FastifyInstance;
  readonly #worker: Worker | null;
  #closing: Promise<void> | null = null;

  constructor(running: {
    readonly parts: ServiceParts;
    readonly administration: Administration;
    readonly server: FastifyInstance;
    readonly worker: Worker | null;
  }) {
    this.#parts = running.parts;
    this.administration = running.administration;
    this.#server = running.server;
    this.#worker = running.worker;
  }

  handle(request: Request): Promise<Response> {
    return answerInProcess(this.#server, request);
  }

  async listen({ host, port }: ListenAddress): Promise<string> {
    this.#parts.hosts.add(host);
    try {
      await this.#server.listen({ host, port });
    } catch (error) {
      throw new ServiceStartError(
        "address_unusable",
        `The service cannot listen on ${host}, port ${port}. Choose another one with --host and --port.`,
        { cause: error },
      );
    }
    const address = this.#server.server.address();
    const name = host.includes(":") ? `[${host}]` : host;
    return `http://${name}:${typeof address === "object" ? (address?.port ?? port) : port}`;
  }

  offerFile(file: OfferedFile): string {
    return this.#parts.offers.offer(file);
  }

  async processKey(team = DEFAULT_TEAM): Promise<string> {
    const key = freshKey();
    const { id, name } = await ensureTeam(this.#parts.database, team);
    this.#parts.authenticator.addProcessKey(key, { id, name, role: "administrator" });
    return key;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#parts.endings?.close();
    const cut = setTimeout(() => this.#server.server.closeAllConnections(), CLOSING_GRACE_MS);
    await Promise.all([this.#server.close(), this.#worker?.stop()]);
    clearTimeout(cut);
    await Promise.all([closeSpeechEngines(), endEyes()]);
    await this.#parts.texts.close();
    await this.#parts.queue.stop();
    await this.#parts.database.close();
  }
}
