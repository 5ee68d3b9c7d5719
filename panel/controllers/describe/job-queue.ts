import { defined } from "../../../src/core/objects.ts";
import { describeStretches } from "../../../src/workflow/conform/describe-stretches.ts";
import { describe } from "../../../src/workflow/describe/describe.ts";
import { RECORD_VERSION, type RunRecord } from "../../../src/workflow/describe/recovery.ts";
import type { StepProgress } from "../../../src/workflow/describe/run.ts";
import { stopRun } from "../../../src/workflow/describe/stop-run.ts";
import { JobFailedError } from "../../../src/workflow/errors.ts";
import { explain } from "../../../src/workflow/explain.ts";
import type { ServiceConnection } from "../../session/connection.ts";
import { runsOf } from "../../session/library.ts";
import { Cancellable, type Session } from "../../session/session.ts";
import { type Form, withSettings } from "../../state/form.ts";
import { afterStep, firstProgress, type JobProgress } from "../../state/job-progress.ts";
import { jobOf, type PanelState, type ViewName } from "../../state/panel-state.ts";
import type { JobEntry, NewPicture } from "../../state/saved.ts";
import { type AfterJobs, JobResults, UploadHold } from "./job-results.ts";
import { withEditPoints, withKnownOfFilm } from "./known-of-film.ts";
import { hostOf, newJob, newVoicing, orderOf, stretchOrder } from "./new-job.ts";
import { beginOnKeptMedia, scriptMemoryOf, voicingOrder } from "./voice-changed.ts";

/** An order for what is new in a cut. */
export interface NewOrder extends Pick<JobEntry, "sequence" | "form"> {
  readonly adds: NewPicture;
}

/** The queue: one job after the other, each gone on with where it stood. */
export class JobQueue {
  readonly #session: Session;
  readonly #connection: ServiceConnection;
  readonly #results: JobResults;
  readonly #running = new Cancellable();
  readonly #hold = new UploadHold(() => this.#setPause("held"));
  /** Jobs whose request may be sent again, because the editor said so. */
  readonly #sendsAgain = new Set<string>();
  /** Jobs that were stopped at their service, and where they stood there. */
  readonly #cancelled = new Map<string, NonNullable<JobEntry["cancelled"]>>();

  constructor(session: Session, connection: ServiceConnection, after: AfterJobs) {
    this.#session = session;
    this.#connection = connection;
    this.#results = new JobResults(session, after);
  }

  /** Orders what the form asks for, of the active sequence. */
  async order(): Promise<void> {
    const { environment, state, library } = this.#session;
    const sequence = await environment.editor.readSequence();
    await this.#connection.client(state.service.address);
    const form = await withKnownOfFilm(this.#session, { sequence, form: state.form });
    const job = await newJob(this.#session, { sequence, form });
    const sent = await environment.sentMedia(sequence.id);
    if (sent !== null) await library.recovery.save(newRunRecord(job, sent));
    await this.#enqueue(job);
  }

  /**
   * Takes up a job that the service has, whoever ordered it: it is waited for, and its result fetched.
   *
   * @param order `runId` where its result is kept under a name that is agreed on.
   */
  async takeUp(
    order: Pick<JobEntry, "sequence" | "form"> & { readonly runId?: string },
    done: Omit<RunRecord, "version" | "runId" | "startedAt" | "name">,
  ): Promise<void> {
    const job = await newJob(this.#session, order);
    await this.#session.library.recovery.save(newRunRecord(job, done));
    await this.#enqueue(job);
  }

  /** Orders the narration of the cues under review that changed. `places`: it is placed when it is there. */
  async voice({ places = false }: { readonly places?: boolean } = {}): Promise<void> {
    this.#session.commitTyped();
    const result = this.#session.state.review?.result;
    const described = jobOf(this.#session.state, result?.runId);
    if (result === undefined || described === undefined) return;
    await this.#session.library.saveResult(result);
    await this.#connection.client(described.serviceAddress);
    const job = { ...newVoicing(this.#session, described), ...(places ? { places } : {}) };
    await beginOnKeptMedia(this.#session, result, job.runId);
    await this.#enqueue(job);
  }

  /** Orders what is new in a cut, for the result that it joins; an order for the same stretches is gone on with, and not paid for again. */
  async describeNew(order: NewOrder): Promise<void> {
    const { state, store } = this.#session;
    const same = state.jobs.find((job) => JSON.stringify(job.adds) === JSON.stringify(order.adds));
    if (same !== undefined && this.#isRunning(same.runId)) return store.set({ view: "progress" });
    if (same !== undefined) return this.resume(same.runId);
    await this.#connection.client(state.service.address);
    const form = await withKnownOfFilm(this.#session, order);
    await this.#enqueue(await newJob(this.#session, { ...order, form }));
  }

  async #enqueue(job: JobEntry): Promise<void> {
    this.#session.store.update((state) => ({ ...state, jobs: [job, ...state.jobs], view: "progress", message: null }));
    await this.#session.library.saveJob(job);
    this.#next();
  }

  /** Asks the editor what is to stop of the job under way, or closes the question. */
  askStop(isAsking: boolean): void {
    this.#changeProgress((progress) => ({ ...progress, isAsking }));
  }

  /** Stops a job at its service: nothing more is sent or charged, and the same job later continues from what is kept. */
  async stop(runId: string): Promise<void> {
    const job = jobOf(this.#session.state, runId);
    if (job === undefined) return;
    const mark = (isCancelling: boolean) => this.#changeProgress((at) => ({ ...at, isCancelling, isAsking: false }));
    if (this.#isRunning(runId)) mark(true);
    try {
      const stopped = await stopAtService(this.#session, this.#connection, job);
      if (stopped === null) return mark(false);
      this.#cancelled.set(runId, stopped);
      if (this.#isRunning(runId)) this.#running.cancel();
      else await this.#session.changeJob(runId, { state: "stopped", cancelled: stopped });
    } catch (error) {
      mark(false);
      throw error;
    }
  }

  /** Stops waiting for a job, within a second; what its service does goes on. It can be gone on with. */
  async cancel(runId: string): Promise<void> {
    if (!this.#isRunning(runId)) return this.#session.changeJob(runId, { state: "stopped" });
    this.#changeProgress((progress) => ({ ...progress, isCancelling: true, isAsking: false }));
    this.#running.cancel();
  }

  /** Pauses the upload under way after the slice that is being sent, or lets it go on. */
  pause(isPaused: boolean): void {
    if (isPaused) this.#hold.hold();
    else this.#hold.letGo();
    this.#setPause(isPaused ? "asked" : "none");
  }

  #setPause(pause: JobProgress["pause"]): void {
    this.#changeProgress((progress) => ({ ...progress, pause }));
  }

  /** Puts a job back into the queue. `sendsAgain`: its request may leave once more, though it may have been accepted. */
  async resume(runId: string, sendsAgain = false): Promise<void> {
    if (sendsAgain) this.#sendsAgain.add(runId);
    this.#session.store.set({ message: null, view: "progress" });
    await this.#session.changeJob(runId, { state: "waiting" });
    this.#next();
  }

  /** Starts a job anew with other settings: the export and the upload of the failed one are used. */
  async again(runId: string, change: Partial<Form["settings"]>): Promise<void> {
    const job = jobOf(this.#session.state, runId);
    if (job === undefined) return;
    const form = withSettings(job.form, change);
    this.#session.store.update((state) => ({ ...state, form: withSettings(state.form, change) }));
    await this.#session.changeJob(runId, { form });
    await this.resume(runId);
  }

  /** Fetches a finished job's narration once more, by a fresh link. */
  async fetchAgain(runId: string): Promise<void> {
    const job = jobOf(this.#session.state, runId);
    if (job === undefined) return;
    await this.#session.environment.files.remove(job.audioPath);
    await this.resume(runId);
  }

  /** Deletes a job, see {@link removeJob}, unless it is under way. */
  async remove(runId: string): Promise<void> {
    const job = jobOf(this.#session.state, runId);
    if (job !== undefined && !this.#isRunning(runId)) await removeJob(this.#session, this.#connection, job);
  }

  /**
   * Takes up what was under way when the panel closed: a job that the service has accepted is only waited for, so it goes on
   * by itself; others wait for the editor, because they would export or send. The view moves there unless the editor has
   * left the one that the panel opened with.
   *
   * @param found Jobs that were on disk when the panel opened: what was ordered since then is under way by itself.
   */
  goOn(found: readonly JobEntry[], opened: ViewName): void {
    const { store, library } = this.#session;
    for (const { runId } of found) {
      const job = jobOf(this.#session.state, runId);
      if (job === undefined || this.#isRunning(runId)) continue;
      if (job.state !== "running" && job.state !== "waiting") continue;
      this.#session.run(async () => {
        const records = await Promise.all(runsOf(job).map((runId) => library.recovery.load(runId)));
        const isAccepted = records.every(
          (record) => record?.submission?.state === "accepted" || record?.refusal !== undefined,
        );
        await this.#session.changeJob(job.runId, { state: isAccepted ? "waiting" : "stopped" });
        if (!this.#running.isUnderWay && this.#session.state.view === opened) store.set({ view: "progress" });
        if (isAccepted) this.#next();
      });
    }
  }

  /** Ends what is under way, because the panel closes. */
  close(): void {
    this.#running.cancel();
  }

  #isRunning(runId: string): boolean {
    return this.#session.state.progress?.runId === runId;
  }

  /** Begins the job that waits longest, unless one is under way. */
  #next(): void {
    if (this.#running.isUnderWay || this.#session.isClosed) return;
    const job = this.#session.state.jobs.filter(({ state }) => state === "waiting").at(-1);
    if (job !== undefined) this.#session.run(() => this.#run(job));
  }

  async #run(job: JobEntry): Promise<void> {
    const { runId } = job;
    const { store, environment } = this.#session;
    this.#cancelled.delete(runId);
    store.update((state) => ({
      ...withoutEnd(state, runId),
      progress: firstProgress(runId, environment.clock.now()),
    }));
    try {
      await this.#running.run((signal) => this.#attempt(job, signal));
    } finally {
      this.#hold.letGo();
      store.set({ progress: null });
      this.#next();
    }
  }

  /** Does a job, and notes with it how that ended where it did not succeed. */
  async #attempt(job: JobEntry, signal: AbortSignal): Promise<void> {
    const { runId } = job;
    try {
      await this.#session.changeJob(runId, { state: "running" });
      await this.#work(job, signal);
    } catch (error) {
      // Closed, the job stays on disk as it was: under way.
      if (this.#session.isClosed) return;
      const isCancelled = error instanceof JobFailedError && error.code === "cancelled";
      const cancelled = this.#cancelled.get(runId) ?? (isCancelled ? {} : undefined);
      if (signal.aborted) await dropUploads(this.#session, this.#connection, job);
      if (signal.aborted || isCancelled) {
        await this.#session.changeJob(runId, { state: "stopped", ...defined({ cancelled }) });
      } else await this.#failed(runId, error);
    }
  }

  /** Does a job to its end, from where it stood. */
  async #work(job: JobEntry, signal: AbortSignal): Promise<void> {
    const { environment, library } = this.#session;
    const { runId, adds, serviceAddress } = job;
    const client = await this.#connection.client(serviceAddress);
    const ports = {
      ...environment,
      transfer: this.#hold.over(environment.transfer),
      client,
      host: await hostOf(this.#session, job),
      recovery: library.recovery,
      scriptMemory: scriptMemoryOf(this.#session, serviceAddress),
    };
    const controls = { signal, onProgress: (step: StepProgress) => this.#progress(runId, step) };
    const told = await withEditPoints(this.#session, job);
    const order = {
      ...orderOf(this.#session.state, told, this.#sendsAgain.delete(runId)),
      ...(await voicingOrder(this.#session, job)),
    };
    if (adds === undefined) await this.#results.take(runId, await describe(ports, order, controls));
    else {
      const described = await describeStretches(ports, stretchOrder(order), adds.stretches, controls);
      await this.#results.takeStretches(runId, described);
    }
  }

  #progress(runId: string, step: StepProgress): void {
    const now = this.#session.environment.clock.now();
    this.#changeProgress((progress) => afterStep(progress, step, now));
    if (step.state === "begun") this.#session.run(() => this.#session.changeJob(runId, { step: step.step }));
  }

  #changeProgress(change: (progress: JobProgress) => JobProgress): void {
    this.#session.store.update((state) =>
      state.progress === null ? state : { ...state, progress: change(state.progress) },
    );
  }

  async #failed(runId: string, error: unknown): Promise<void> {
    const fault = explain(error);
    const jobId = error instanceof JobFailedError ? { jobId: error.jobId } : {};
    await this.#session.changeJob(runId, { state: "failed", fault, ...jobId });
    this.#session.fail(error, { runId });
  }
}

/** The record of a run of which something is done already. */
function newRunRecord({ runId, startedAt, sequence }: JobEntry, done: Partial<RunRecord>): RunRecord {
  return { version: RECORD_VERSION, runId, startedAt, name: sequence.name, ...done };
}

/** A job that goes on, without how it ended before. */
function withoutEnd(state: PanelState, runId: string): PanelState {
  const jobs = state.jobs.map((job) => {
    if (job.runId !== runId) return job;
    const { fault: _, cancelled: __, ...rest } = job;
    return rest;
  });
  return { ...state, jobs };
}

/** Removes what has arrived of an upload that was broken off, where the service can: it would be sent from the start again. */
async function dropUploads({ library: { recovery } }: Session, connection: ServiceConnection, job: JobEntry) {
  for (const runId of runsOf(job)) {
    const record = await recovery.load(runId);
    if (record?.sending === undefined || record.submission !== undefined) continue;
    const client = await connection.client(job.serviceAddress);
    await stopRun({ client, recovery }, runId, new AbortController().signal).catch(() => undefined);
  }
}

/** Stops what a job has under way at its service. @returns Where it stood; `null` where it has ended there already. */
async function stopAtService(
  { library: { recovery } }: Session,
  connection: ServiceConnection,
  job: JobEntry,
): Promise<NonNullable<JobEntry["cancelled"]> | null> {
  let stood: NonNullable<JobEntry["cancelled"]> = {};
  for (const runId of runsOf(job)) {
    if ((await recovery.load(runId))?.submission?.state !== "accepted") continue;
    const client = await connection.client(job.serviceAddress);
    const stopped = await stopRun({ client, recovery }, runId, new AbortController().signal);
    if (stopped.outcome === "over" && job.adds === undefined) return null;
    if (stopped.outcome === "stopped") stood = { ...stopped.progress, ...defined({ cost: stopped.cost }) };
  }
  return stood;
}

/** Deletes a job: on the service where it is there, then here. The narration stays if a timeline uses it. */
async function removeJob(session: Session, connection: ServiceConnection, job: JobEntry): Promise<void> {
  const { library, store } = session;
  // One that nobody waits for may go on there still. Where it cannot be stopped, it goes from this list all the same.
  const goesOn =
    job.state === "done"
      ? null
      : await stopAtService(session, connection, job).then(
          () => null,
          (error: unknown) => error,
        );
  // A failed job stays in the service's records: it cannot be deleted there.
  for (const jobId of job.state === "done" ? await jobIdsOf(session, job) : []) {
    const client = await connection.client(job.serviceAddress);
    await client.deleteJob(jobId).catch((error: unknown) => {
      if (explain(error).code !== "not_found") throw error;
    });
  }
  await library.removeJob(job, job.placedNarration !== true);
  const { runId } = job;
  store.update((state) => ({
    ...state,
    jobs: state.jobs.filter((one) => one.runId !== runId),
    review: state.review?.result.runId === runId ? null : state.review,
  }));
  if (goesOn !== null) session.fail(goesOn);
}

/** The service's jobs behind a job. */
async function jobIdsOf({ library: { recovery } }: Session, job: JobEntry): Promise<string[]> {
  const runIds = [...(job.adds === undefined ? [] : runsOf(job)), ...(job.videos ?? [])];
  const records = await Promise.all(runIds.map((runId) => recovery.load(runId)));
  const own = job.adds === undefined && job.jobId !== undefined ? [job.jobId] : [];
  // A job that may still be under way cannot be deleted.
  const done = records.flatMap((record) =>
    record?.submission?.state === "accepted" && (job.adds !== undefined || record.result !== undefined)
      ? [record.submission.jobId]
      : [],
  );
  return [...own, ...done];
}
