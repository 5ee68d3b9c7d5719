import { randomUUID } from "node:crypto";
import { mkdir, rm, stat } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import type { JobFailureCode } from "../../contract/error-codes.ts";
import { defined } from "../../core/objects.ts";
import type { Clock } from "../../core/ports.ts";
import {
  type Engine,
  IsolateError,
  JobFailure,
  type ProgrammeOrder,
  type ProgrammeResult,
  type TaskProgress,
  type WorkPlace,
} from "../../engine/index.ts";
import { contentHash } from "../ingest/take-in.ts";
import type { DataFolders } from "../storage/data-folders.ts";
import type { Database } from "../storage/database.ts";
import { isNoRoom } from "../storage/disk-room.ts";
import {
  type ArtifactRecord,
  beginRun,
  failJob,
  finishJob,
  getJob,
  giveBackJob,
  holdsJob,
  type JobRecord,
  noteProgress,
  releaseJob,
} from "../storage/job-records.ts";
import { getMedia } from "../storage/media-records.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import { JobLedger } from "../storage/paid-requests.ts";
import { usagePeriod } from "../storage/team-records.ts";
import { deadline, repeatedly } from "../system-clock.ts";
import type { Endings } from "./endings.ts";
import { settingsOf, storeLongValue } from "./long-values.ts";

/** What running jobs needs. */
export interface RunJobParts {
  readonly database: Database;
  readonly objects: ObjectStore;
  readonly folders: DataFolders;
  readonly engine: Pick<Engine, "describe">;
  readonly clock: Clock;
  /** Tells of jobs that were cancelled in this process; without it, the records are looked at. */
  readonly endings: Endings | null;
  /** Times a job may end badly by itself. */
  readonly attempts: number;
  readonly timeLimitSeconds: number;
  readonly memoryLimitBytes: number;
  /** The place that the job works in; it is left to another while the job waits for answers. */
  readonly place?: WorkPlace;
  /** Most that models may cost a team in a month, in the currency of their price; `null` for no limit. Default: none. */
  readonly costPerMonth?: (teamId: string) => Promise<number | null>;
  /** Hears how each run went. */
  readonly onEvent: (event: JobEvent) => void;
}

/** Something that happened to a job. */
export interface JobEvent {
  readonly type: "started" | "done" | "failed" | "crashed" | "returned" | "superseded" | "cancelled";
  readonly jobId: string;
  readonly kind: JobRecord["kind"];
  readonly seconds?: number;
  readonly stageSeconds?: Readonly<Record<string, number>>;
  readonly programmeSeconds?: number;
  /** For the log alone. */
  readonly error?: unknown;
}

/** Times a job may end with its server, or for want of records or store, before it is taken for what breaks them. */
const INTERRUPTION_LIMIT = 25;

/** Progress is kept at most this often, in milliseconds. */
const PROGRESS_INTERVAL_MS = 500;

/** How often a run looks whether its job was ended by somebody else, in milliseconds. */
const LEASE_LOOK_MS = 500;

/** Longer than any job, in milliseconds. */
const DAY_MS = 86_400_000;

/** What the files of a result are stored as, by kind. */
const ARTIFACT_TYPES = {
  audio: { contentType: "audio/wav", ending: "wav" },
  video: { contentType: "video/mp4", ending: "mp4" },
  worksheet: { contentType: "text/html; charset=utf-8", ending: "html" },
} as const;

const INTERNAL_ERROR_MESSAGE =
  "The service could not finish this job because of an internal error. Start the job again; if it fails again, tell the service's operator its id.";

/**
 * Runs one job to its end: `done`, `failed`, or back into the queue. Resolves when nothing is left to do for it; rejects
 * when it must be taken again (the run crashed and attempts remain, the records or the store failed, or the signal aborted).
 *
 * The outcome is written once whatever dies when: a run works under a lease, and only the lease's holder can end the job.
 * Stages that are finished stay in the job's folder, so the next run goes on from there.
 */
export async function runJob(parts: RunJobParts, jobId: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const lease = randomUUID();
  const job = await beginRun(parts.database, jobId, lease);
  if (job === null) {
    await rm(workFolderOf(parts, jobId), { recursive: true, force: true });
    return releaseJob(parts.database, jobId);
  }
  const started = performance.now();
  const tell = (type: JobEvent["type"], more: Partial<JobEvent> = {}) =>
    parts.onEvent({ type, jobId, kind: job.kind, seconds: (performance.now() - started) / 1000, ...more });
  tell("started");
  if (job.interruptions > INTERRUPTION_LIMIT) {
    await end(parts, job, lease, { code: "internal_error", message: INTERNAL_ERROR_MESSAGE });
    return tell("failed", { error: new Error("the job vanished with its server too often") });
  }
  try {
    const result = await attempt(parts, job, lease, signal);
    const isMine = await settle(parts, job, lease, result);
    tell(isMine ? "done" : await leave(parts, jobId), {
      stageSeconds: result.report.stage_seconds,
      ...(result.programmeSeconds === null ? {} : { programmeSeconds: result.programmeSeconds }),
    });
  } catch (error) {
    if (error instanceof LeaseLost || (await isOver(parts, jobId))) return tell(await leave(parts, jobId));
    if (signal.aborted) {
      await giveBackJob(parts.database, jobId, lease, null);
      tell("returned");
      throw error;
    }
    if (error instanceof JobFailure) {
      await end(parts, job, lease, error);
      return tell("failed", { error });
    }
    // What it has made so far is what fills the disk.
    if (lacksRoom(error)) await rm(workFolderOf(parts, jobId), { recursive: true, force: true });
    if (!isOwnFault(error)) {
      // The records or the store are out of reach, which is no fault of the job.
      await giveBackJob(parts.database, jobId, lease, "interruption");
      tell("returned", { error });
      throw error;
    }
    if (job.attempts + 1 >= parts.attempts) {
      const message = lacksRoom(error) ? NO_ROOM_MESSAGE : INTERNAL_ERROR_MESSAGE;
      await end(parts, job, lease, { code: "internal_error", message });
      return tell("failed", { error });
    }
    await giveBackJob(parts.database, jobId, lease, "attempt");
    tell("crashed", { error });
    throw error;
  }
}

/** Why a run stops whose job somebody else has ended. */
class LeaseLost extends Error {}

/** Whether a run that ended badly still has its job. Records that are out of reach say nothing. */
function isStillMine({ database }: RunJobParts, jobId: string, lease: string): Promise<boolean> {
  return holdsJob(database, jobId, lease).catch(() => true);
}

/** Whether somebody has ended a job. Records that are out of reach say nothing. */
async function isOver({ database }: RunJobParts, jobId: string): Promise<boolean> {
  const job = await getJob(database, jobId).catch(() => null);
  return job !== null && job.finishedAt !== null;
}

/** Puts away what a run leaves whose job was ended or taken over. @returns What became of the run. */
async function leave(parts: RunJobParts, jobId: string): Promise<"cancelled" | "superseded"> {
  const now = await getJob(parts.database, jobId);
  // Another run of it works in the same folder.
  if (now?.finishedAt === null) return "superseded";
  await rm(workFolderOf(parts, jobId), { recursive: true, force: true });
  await releaseJob(parts.database, jobId);
  return now?.error === "cancelled" ? "cancelled" : "superseded";
}

const NO_ROOM_MESSAGE =
  "The service has no room on its disk for this job. Free space there, or ask its operator, and start the job again.";

/** Whether a run ended for want of room on the disk, here or in its process. */
function lacksRoom(error: unknown): boolean {
  if (!(error instanceof IsolateError)) return isNoRoom(error);
  return /ENOSPC|No space left/.test(`${error.detail.raised} ${error.detail.lastOutput}`);
}

/** Whether a run ended badly by itself: its process did, or it took longer than it may. */
function isOwnFault(error: unknown): boolean {
  return error instanceof IsolateError || (error instanceof DOMException && error.name === "TimeoutError");
}

interface RanJob extends ProgrammeResult {
  readonly programmeSeconds: number | null;
}

async function attempt(parts: RunJobParts, job: JobRecord, lease: string, signal: AbortSignal): Promise<RanJob> {
  const media = await getMedia(parts.database, job.mediaId);
  if (media === null) throw new Error("the job's media has no record");
  const order = { ...orderOf(parts, job), settings: await settingsOf(parts.objects, job, signal) };
  for (const folder of [order.workFolder, order.mediaFolder, order.narrationFolder]) {
    await mkdir(folder, { recursive: true });
  }
  const file = await parts.objects.borrow(media.storageKey, signal);
  const over = new AbortController();
  try {
    const late = deadline(parts.clock, parts.timeLimitSeconds * 1000, over.signal);
    const lost = leaseLost(parts, job.id, lease, over.signal);
    const result = await parts.engine.describe(
      { ...order, mediaPath: file.path },
      {
        signal: AbortSignal.any([signal, late, lost]),
        memoryLimitBytes: parts.memoryLimitBytes,
        ledger: new JobLedger(parts.database, {
          jobId: job.id,
          teamId: job.teamId,
          period: () => usagePeriod(parts.clock.now()),
          costPerMonth: async () => (await parts.costPerMonth?.(job.teamId)) ?? null,
        }),
        onProgress: progressKeeper(parts, job.id, lease),
        ...defined({ place: parts.place }),
      },
    );
    return { ...result, programmeSeconds: media.durationSeconds };
  } finally {
    over.abort();
    await file.release();
  }
}

/** A signal that aborts when somebody else has a run's job, or has ended it, unless `over` aborts before. */
function leaseLost(parts: RunJobParts, jobId: string, lease: string, over: AbortSignal): AbortSignal {
  const lost = new AbortController();
  const look = async () => {
    if (!(await isStillMine(parts, jobId, lease))) lost.abort(new LeaseLost());
  };
  const until = AbortSignal.any([over, lost.signal]);
  void repeatedly(parts.clock, LEASE_LOOK_MS, until, () => void look());
  void parts.endings?.heard(jobId, DAY_MS, until).then(look);
  return lost.signal;
}

function orderOf(parts: RunJobParts, job: JobRecord): Omit<ProgrammeOrder, "mediaPath" | "settings"> {
  return {
    kind: job.kind,
    track: job.track,
    resolution: job.resolution,
    workFolder: workFolderOf(parts, job.id),
    mediaFolder: join(parts.folders.programmes, job.mediaId),
    narrationFolder: join(parts.folders.narration, job.teamId),
  };
}

function workFolderOf(parts: RunJobParts, jobId: string): string {
  return join(parts.folders.work, jobId);
}

/** Keeps progress on the job's row, not more often than anyone could read it. */
function progressKeeper(parts: RunJobParts, jobId: string, lease: string): (progress: TaskProgress) => void {
  let keptAt = 0;
  let stage = "";
  return (progress) => {
    const now = performance.now();
    if (progress.stage === stage && now - keptAt < PROGRESS_INTERVAL_MS) return;
    keptAt = now;
    stage = progress.stage;
    // A progress that cannot be kept is no reason to stop the work.
    noteProgress(parts.database, jobId, lease, progress).catch(() => undefined);
  };
}

/** Stores the files of a result, then ends the job. `false` when somebody else holds the job by now. */
async function settle(parts: RunJobParts, job: JobRecord, lease: string, result: ProgrammeResult): Promise<boolean> {
  const workFolder = workFolderOf(parts, job.id);
  const artifacts: ArtifactRecord[] = [];
  for (const kind of ["audio", "video", "worksheet"] as const) {
    const file = result.files[kind];
    if (file === undefined) continue;
    const path = resolve(workFolder, file);
    if (!path.startsWith(workFolder + sep)) {
      throw new IsolateError("task_failed", "A job named a result outside its folder.", { task: "describe" });
    }
    const { size } = await stat(path);
    // Each run has names of its own: one that lost its lease never touches what the other stored.
    const { contentType, ending } = ARTIFACT_TYPES[kind];
    const storageKey = `teams/${job.teamId}/jobs/${job.id}/${lease}/${kind}.${ending}`;
    await parts.objects.put(storageKey, path, contentType);
    const hash = await contentHash(path, new AbortController().signal);
    artifacts.push({ kind, storageKey, contentType, sizeBytes: size, contentHash: hash });
  }
  const { content, report } = result;
  const value = { output: { format: job.settings.format, content }, report };
  const long = await storeLongValue(parts, job, { kind: "text", name: `${lease}/text`, value });
  if (long !== null) artifacts.push(long);
  const isMine = await parts.database.transaction((queries) =>
    finishJob(queries, job.id, lease, { text: long === null ? { content, report } : null, artifacts }),
  );
  if (!isMine) for (const { storageKey } of artifacts) await parts.objects.remove(storageKey);
  else await rm(workFolder, { recursive: true, force: true });
  return isMine;
}

async function end(
  parts: RunJobParts,
  job: JobRecord,
  lease: string,
  failure: { readonly code: JobFailureCode; readonly message: string },
): Promise<void> {
  const isMine = await parts.database.transaction((queries) => failJob(queries, job.id, lease, failure));
  if (isMine) await rm(workFolderOf(parts, job.id), { recursive: true, force: true });
}
