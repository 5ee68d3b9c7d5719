import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../../core/ports.ts";
import type { Engine } from "../../engine/index.ts";
import type { ServiceConfiguration } from "../configuration.ts";
import type { OfferedFiles } from "../ingest/offered-files.ts";
import type { Endings } from "../jobs/endings.ts";
import type { WorkQueue } from "../jobs/work-queue.ts";
import type { ModelOffer } from "../models/model-store.ts";
import type { ServiceSettings } from "../settings/service-settings.ts";
import type { DataFolders } from "../storage/data-folders.ts";
import type { Database, Queries } from "../storage/database.ts";
import type { DiskObjectStore, LinkSigner } from "../storage/disk-object-store.ts";
import { findJobs, type PolledJob } from "../storage/job-records.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import type { Authenticator, Caller } from "./authenticate.ts";
import type { Metrics } from "./metrics.ts";
import type { KnownHosts, RequestRate } from "./request-rate.ts";
import type { TextThreads } from "./text-threads.ts";
import type { ValidationSlots } from "./validation-slots.ts";

/** Everything the handlers of requests work with. */
export interface ServiceParts {
  readonly configuration: ServiceConfiguration;
  readonly clock: Clock;
  readonly database: Database;
  readonly queue: WorkQueue;
  /** Where this process alone does all the work; `null` where others do it too, whose ends are not heard here. */
  readonly endings: Endings | null;
  readonly objects: ObjectStore;
  /** The same objects, where this service serves them itself; `null` when a storage service does. */
  readonly disk: DiskObjectStore | null;
  readonly signer: LinkSigner;
  readonly offers: OfferedFiles;
  readonly folders: DataFolders;
  /** What people set: who describes, hears and speaks. */
  readonly settings: ServiceSettings;
  /** Works as the settings say. */
  readonly engine: Engine;
  readonly authenticator: Authenticator;
  readonly rate: RequestRate;
  readonly hosts: KnownHosts;
  readonly jobs: JobLookup;
  readonly slots: ValidationSlots;
  readonly texts: TextThreads;
  readonly metrics: Metrics;
  /** Models that can be ordered, where they are not the catalog's. */
  readonly models: Partial<ModelOffer>;
}

const callers = new WeakMap<FastifyRequest, Caller>();

/** Notes who sent a request. */
export function setCaller(request: FastifyRequest, caller: Caller): void {
  callers.set(request, caller);
}

/** Who sent a request, after its key was checked. */
export function callerOf(request: FastifyRequest): Caller {
  const caller = callers.get(request);
  if (caller === undefined) throw new Error("the request was not authenticated");
  return caller;
}

/** How the sender of a request reaches the service: as configured, else as it just did, by a host that is known. */
export function baseUrlOf(parts: ServiceParts, request: FastifyRequest): string {
  return parts.configuration.public_url ?? `${request.protocol}://${request.host}`;
}

/** Ends when the sender of a request is gone before it was answered. */
export function senderSignal(reply: Pick<FastifyReply, "raw">): AbortSignal {
  const gone = new AbortController();
  reply.raw.once("close", () => {
    if (!reply.raw.writableFinished) gone.abort(new Error("the client is gone"));
  });
  return gone.signal;
}

/** Statuses whose replies have no body by definition (the web's `Response` insists). */
const WITHOUT_BODY = [101, 204, 205, 304];

/** Answers a web `Request` by a server that need not listen, streaming both ways. */
export async function answerInProcess(server: FastifyInstance, request: Request): Promise<Response> {
  const url = new URL(request.url);
  const response = await server.inject({
    // Fastify refuses what it does not know, as it does over a network.
    method: request.method as "GET",
    url: url.pathname + url.search,
    headers: { ...Object.fromEntries(request.headers), host: url.host },
    // The web's stream type and Node's describe the same object.
    ...(request.body === null ? {} : { payload: Readable.fromWeb(request.body as never) }),
    payloadAsStream: true,
    signal: request.signal,
  });
  const headers = new Headers();
  for (const [name, value] of Object.entries(response.headers)) {
    for (const item of [value ?? []].flat()) headers.append(name, String(item));
  }
  const body = WITHOUT_BODY.includes(response.statusCode) ? null : Readable.toWeb(response.stream());
  return new Response(body as ReadableStream<Uint8Array> | null, { status: response.statusCode, headers }); // as above
}

/** Somebody who waits for a job's record. */
interface JobWaiter {
  readonly teamId: string;
  readonly id: string;
  readonly settle: PromiseWithResolvers<PolledJob | null>;
}

/**
 * Looks up jobs for polls, which come by the thousand a second: everything that has been asked for shares one look into
 * the records, and what comes during it the next one. Nothing is remembered, so an answer is never older than its question.
 */
export class JobLookup {
  readonly #queries: Queries;
  #waiting: JobWaiter[] = [];
  #isLooking = false;

  constructor(queries: Queries) {
    this.#queries = queries;
  }

  /** The job of an id, if the team owns it and it is not deleted. `id` is a UUID. */
  find(teamId: string, id: string): Promise<PolledJob | null> {
    const settle = Promise.withResolvers<PolledJob | null>();
    this.#waiting.push({ teamId, id: id.toLowerCase(), settle });
    if (!this.#isLooking) void this.#look();
    return settle.promise;
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    while (this.#waiting.length > 0) {
      // The embedded Postgres computes on this thread: requests that have arrived are read before it does, or never together.
      await setImmediate();
      const together = this.#waiting;
      this.#waiting = [];
      try {
        const jobs = await findJobs(this.#queries, [...new Set(together.map(({ id }) => id))]);
        const byId = new Map(jobs.map((job) => [job.id, job]));
        for (const { teamId, id, settle } of together) {
          const job = byId.get(id);
          settle.resolve(job?.teamId === teamId ? job : null);
        }
      } catch (error) {
        for (const { settle } of together) settle.reject(error);
      }
    }
    this.#isLooking = false;
  }
}
