import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { JobEvent } from "../jobs/run-job.ts";
import { countUnknownObjects } from "../jobs/sweep-orphans.ts";
import type { Database } from "../storage/database.ts";

/** Seconds that work on programmes takes: from a probe to a long render. */
const STAGE_BUCKETS = [0.1, 0.3, 1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000];
const REQUEST_BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 300];
/** Seconds of work per second of programme. */
const FACTOR_BUCKETS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];

/** What the service counts, in the form that Prometheus reads. */
export class Metrics {
  readonly registry = new Registry();
  readonly #database: Database;
  readonly #jobs = this.#gauge("aside_jobs", "Jobs by state, deleted ones left out", ["state"]);
  readonly #queueAge = this.#gauge("aside_queue_age_seconds", "Age of the oldest job that waits", []);
  readonly #unknown = this.#gauge("aside_unknown_objects", "Stored objects that no record names", []);
  readonly #unknownBytes = this.#gauge(
    "aside_unknown_object_bytes",
    "Bytes of stored objects that no record names",
    [],
  );
  readonly #ended = this.#counter("aside_jobs_ended_total", "Jobs that this process ended, by kind and outcome", [
    "kind",
    "outcome",
  ]);
  readonly #stages = this.#histogram("aside_stage_seconds", "Time of a job's stages", ["stage"], STAGE_BUCKETS);
  readonly #factor = this.#histogram(
    "aside_realtime_factor",
    "Seconds of work per second of programme, by kind of job",
    ["kind"],
    FACTOR_BUCKETS,
  );
  readonly #requests = this.#histogram(
    "aside_request_seconds",
    "Time to answer requests, by route and status",
    ["method", "route", "status"],
    REQUEST_BUCKETS,
  );
  readonly #received = this.#counter("aside_received_bytes_total", "Bytes of request bodies received", []);
  readonly #sent = this.#counter("aside_sent_bytes_total", "Bytes of replies sent", []);

  constructor(database: Database) {
    this.#database = database;
    new Gauge({
      name: "process_resident_memory_bytes",
      help: "Resident memory of this process",
      registers: [this.registry],
      collect() {
        this.set(process.memoryUsage.rss());
      },
    });
  }

  /** Notes how a job's run went. */
  countJob({ type, kind, seconds, stageSeconds, programmeSeconds }: JobEvent): void {
    if (type === "started") return;
    this.#ended.inc({ kind, outcome: type });
    for (const [stage, time] of Object.entries(stageSeconds ?? {})) this.#stages.observe({ stage }, time);
    if (type === "done" && seconds !== undefined && programmeSeconds !== undefined && programmeSeconds > 0) {
      this.#factor.observe({ kind }, seconds / programmeSeconds);
    }
  }

  /** Notes an answered request. `route` is a pattern, so that ids do not become labels. */
  countRequest(request: {
    readonly method: string;
    readonly route: string;
    readonly status: number;
    readonly seconds: number;
    readonly receivedBytes: number;
    readonly sentBytes: number;
  }): void {
    const { method, route, status } = request;
    this.#requests.observe({ method, route, status: String(status) }, request.seconds);
    this.#received.inc(request.receivedBytes);
    this.#sent.inc(request.sentBytes);
  }

  /** Everything, as text. */
  async read(): Promise<string> {
    const states = await this.#database.query<{ state: string; count: number }>(
      `SELECT status AS state, count(*)::int AS count FROM aside.job WHERE deleted_at IS NULL GROUP BY status`,
    );
    this.#jobs.reset();
    for (const state of ["queued", "processing", "done", "failed"]) this.#jobs.set({ state }, 0);
    for (const { state, count } of states) this.#jobs.set({ state }, count);
    const [row] = await this.#database.query<{ age: number }>(
      `SELECT coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS age
       FROM aside.job WHERE status = 'queued'`,
    );
    this.#queueAge.set(row?.age ?? 0);
    const unknown = await countUnknownObjects(this.#database);
    this.#unknown.set(unknown.objects);
    this.#unknownBytes.set(unknown.bytes);
    return this.registry.metrics();
  }

  #gauge(name: string, help: string, labelNames: string[]): Gauge {
    return new Gauge({ name, help, labelNames, registers: [this.registry] });
  }

  #counter(name: string, help: string, labelNames: string[]): Counter {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  #histogram(name: string, help: string, labelNames: string[], buckets: number[]): Histogram {
    return new Histogram({ name, help, labelNames, buckets, registers: [this.registry] });
  }
}
