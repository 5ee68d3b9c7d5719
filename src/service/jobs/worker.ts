import type { FastifyBaseLogger } from "fastify";
import type { Engine } from "../../engine/index.ts";
import { planOfTeam, type ServiceConfiguration } from "../configuration.ts";
import { verifyUpload } from "../ingest/verify-upload.ts";
import type { ServiceSettings } from "../settings/service-settings.ts";
import { hasRoomFor } from "../storage/disk-room.ts";
import { findTeam } from "../storage/team-records.ts";
import { repeatedly } from "../system-clock.ts";
import type { Endings } from "./endings.ts";
import { Lane } from "./lane.ts";
import { type JobEvent, type RunJobParts, runJob } from "./run-job.ts";
import { type Swept, sweep } from "./sweep.ts";
import type { WorkQueue } from "./work-queue.ts";

/** Uploads verified at once: mostly waiting for the disk. */
const CONCURRENT_VERIFICATIONS = 2;

/** Jobs of a team that may wait for answers beside those that have places, before no more of it are begun. */
const ASIDE_OF_TEAM = 2;

const SWEEP_INTERVAL_MS = 3_600_000;

const MEGABYTE = 1_000_000;

/** What the work is done with. */
export interface WorkerParts extends Pick<RunJobParts, "database" | "objects" | "folders" | "clock"> {
  readonly engine: Pick<Engine, "describe" | "probe">;
  readonly configuration: ServiceConfiguration;
  readonly queue: WorkQueue;
  /** What people set of limits and retention. */
  readonly settings: ServiceSettings;
  /** Hears of each end in this process, where that is asked for. */
  readonly endings: Endings | null;
  /** Hears what happens to jobs. */
  readonly metrics: { readonly countJob: (event: JobEvent) => void };
}

/** The part of the service that works on what was accepted. */
export interface Worker {
  /** Stops at once: jobs in progress go back into the queue and later go on from their last finished stage. */
  stop(): Promise<void>;
}

/** Starts to run jobs and verify uploads. */
export function startWorker(parts: WorkerParts, log: FastifyBaseLogger): Worker {
  const { configuration, queue, settings } = parts;
  const shared = {
    database: parts.database,
    objects: parts.objects,
    engine: parts.engine,
    clock: parts.clock,
  };
  // Work needs room, and fills it: it waits until there is some.
  const hasRoom = () => hasRoomFor(configuration.dataFolder, 0);
  const planNow = async (teamId: string) => {
    const team = await findTeam(parts.database, teamId);
    return planOfTeam(await settings.limits(configuration), team?.name ?? "");
  };
  const jobs = new Lane({
    queue,
    clock: parts.clock,
    hasRoom,
    name: "run-job",
    concurrency: async () => (await settings.limits(configuration)).concurrent_jobs,
    asideOfTeam: ASIDE_OF_TEAM,
    work: async (entry, signal, place) => {
      const limits = await settings.limits(configuration);
      await runJob(
        {
          ...shared,
          folders: parts.folders,
          endings: parts.endings,
          place,
          attempts: limits.job_attempts,
          timeLimitSeconds: limits.job_time_limit_seconds,
          memoryLimitBytes: limits.job_memory_megabytes * MEGABYTE,
          costPerMonth: async (teamId) => (await planNow(teamId)).cost_per_month,
          onEvent: (event) => {
            parts.metrics.countJob(event);
            if (["done", "failed", "cancelled"].includes(event.type)) parts.endings?.tell(event.jobId);
            logJob(log, event);
          },
        },
        entry.id,
        signal,
      );
    },
    onError: (error) => log.error({ err: error }, "work on a job must be repeated"),
  });
  const verifications = new Lane({
    queue,
    clock: parts.clock,
    hasRoom,
    name: "verify-upload",
    concurrency: async () => CONCURRENT_VERIFICATIONS,
    work: (entry, signal) =>
      verifyUpload(
        {
          ...shared,
          maximumFileBytes: async (teamId) => (await planNow(teamId)).maximum_file_bytes,
          onVerified: (mediaId, outcome) => {
            parts.endings?.tell(mediaId);
            log.info({ mediaId, outcome: typeof outcome === "string" ? outcome : outcome.code }, "upload verified");
          },
        },
        entry,
        signal,
      ),
    onError: (error) => log.error({ err: error }, "a verification must be repeated"),
  });
  const sweeping = startSweeping(parts, log);
  return {
    async stop() {
      await Promise.all([jobs.stop(), verifications.stop(), sweeping.stop()]);
    },
  };
}

/** Sweeps now and every hour. A sweep that fails is told in the log; the next one does its work. */
function startSweeping(parts: WorkerParts, log: FastifyBaseLogger): Worker {
  let running = Promise.resolve();
  const run = () => {
    running = swept(parts).then(
      (removed) => {
        if (Object.values(removed).some((count) => count > 0)) log.info(removed, "swept");
      },
      (error: unknown) => log.error({ err: error }, "a sweep failed"),
    );
  };
  run();
  const stopped = new AbortController();
  void repeatedly(parts.clock, SWEEP_INTERVAL_MS, stopped.signal, run);
  return {
    stop() {
      stopped.abort();
      return running;
    },
  };
}

/** Sweeps as is set now. What cannot be read removes nothing: it may say that things are kept longer. */
async function swept(parts: WorkerParts): Promise<Swept> {
  return sweep({ ...parts, configuration: await parts.settings.over(parts.configuration) });
}

function logJob(log: FastifyBaseLogger, { type, error, ...event }: JobEvent): void {
  if (error === undefined) log.info(event, `job ${type}`);
  else log.warn({ ...event, err: error }, `job ${type}`);
}
