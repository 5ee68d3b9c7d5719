import { isLocalAddress } from "../src/core/local-address.ts";
import type { Description } from "../src/workflow/describe.ts";
import type { DescribedStretch, StretchOrder } from "../src/workflow/describe-stretches.ts";
import { JobFailedError } from "../src/workflow/errors.ts";
import type { DescribeOrder, StepProgress } from "../src/workflow/run.ts";
import type { Connection } from "./connection.ts";
import { exportOf, type Form, trackOf, withSettings } from "./form.ts";
import { heardBefore } from "./gap-look.ts";
import { hostOf } from "./job-host.ts";
import { audioPathFor, newRunId, projectOf, withCaptions } from "./job-order.ts";
import { runsOf } from "./library.ts";
import { openReview } from "./opened-review.ts";
import { describePart } from "./parts.ts";
import type { JobEntry, NewPicture, Review } from "./saved.ts";
import { faultOf, type Session } from "./session.ts";
import { jobOf, type PanelState, type ViewName, withJob } from "./state.ts";
import { UploadHold } from "./upload-hold.ts";
import { words } from "./words.ts";

/** Why a job ended that nobody waits for any more. Shown to nobody. */
const CANCELLED = "cancelled";

/** What is done on the timeline after a job. */
interface AfterJobs {
  /** Updates the narration after cues were voiced anew. */
  voiced(): Promise<void>;
  /** Brings new cues to the result that they join; gives how many came in. */
  described(job: JobEntry, described: readonly DescribedStretch[]): Promise<number>;
}

/** An order for what is new in a cut. */
export interface NewOrder extends Pick<JobEntry, "sequence" | "form"> {
  readonly adds: NewPicture;
}

/** The queue: one job after the other, each gone on with where it stood. */
export class Jobs {
  readonly #session: Session;
  readonly #connection: Connection;
  readonly #after: AfterJobs;
  #running: { readonly runId: string; readonly controller: AbortController } | null = null;
  readonly #hold = new UploadHold(() => this.#setPause("held"));
  /** Jobs whose request may be sent again, because the editor said so. */
  readonly #sendsAgain = new Set<string>();

  constructor(session: Session, connection: Connection, after: AfterJobs) {
    this.#session = session;
    this.#connection = connection;
    this.#after = after;
  }

  /** Orders what the form asks for, of the active sequence. */
  async order(): Promise<void> {
    const { environment } = this.#session;
    const { form } = this.#session.state;
    const { editor } = environment;
    const sequence = await editor.readSequence();
    await this.#connection.client(this.#session.state.service.address);
    const runId = newRunId(this.#session);
    const job: JobEntry = {
      runId,
      startedAt: new Date(environment.clock.now()).toISOString(),
      sequence,
      ...(await projectOf(this.#session)),
      serviceAddress: this.#session.state.service.address,
      form: await withCaptions(this.#session, form, sequence),
      audioPath: await audioPathFor(this.#session, sequence, runId),
      state: "waiting",
    };
    await this.#enqueue(job);
  }

  /** Orders the narration of the cues under review that changed. */
  async voice(): Promise<void> {
    const { library, environment } = this.#session;
    const review = this.#session.state.review?.review;
    const described = jobOf(this.#session.state, review?.runId);
    if (review === undefined || described === undefined) return;
    await library.saveReview(review);
    const { sequence, projectId, serviceAddress, form, audioPath } = described;
    await this.#connection.client(serviceAddress);
    const runId = newRunId(this.#session);
    const { beginOnKeptMedia } = await describePart();
    await beginOnKeptMedia(this.#session, review, runId);
    const job: JobEntry = {
      runId,
      startedAt: new Date(environment.clock.now()).toISOString(),
      sequence,
      ...(projectId === undefined ? {} : { projectId }),
      serviceAddress,
      form,
      audioPath: audioPath.replace(/(?:-[0-9a-z]+)?\.wav$/, `-${runId}.wav`),
      state: "waiting",
      voices: review.runId,
    };
    await this.#enqueue(job);
  }

  /** Orders what is new in a cut, for the result that it joins; an order for the same stretches is gone on with, and not paid for again. */
  async describeNew({ adds, sequence, form }: NewOrder): Promise<void> {
    const { store, environment } = this.#session;
    const same = this.#session.state.jobs.find((job) => JSON.stringify(job.adds) === JSON.stringify(adds));
    if (same !== undefined && same.runId === this.#running?.runId) return store.set({ view: "progress" });
    if (same !== undefined) return this.resume(same.runId);
    const { address } = this.#session.state.service;
    await this.#connection.client(address);
    const runId = newRunId(this.#session);
    await this.#enqueue({
      runId,
      startedAt: new Date(environment.clock.now()).toISOString(),
      sequence,
      ...(await projectOf(this.#session)),
      serviceAddress: address,
      form,
      audioPath: await audioPathFor(this.#session, sequence, runId),
      state: "waiting",
      adds,
    });
  }

  async #enqueue(job: JobEntry): Promise<void> {
    this.#session.store.update((state) => ({ ...state, jobs: [job, ...state.jobs], view: "progress", message: null }));
    await this.#session.library.saveJob(job);
    this.#next();
  }

  /** Ends a job, within a second; it can be gone on with. */
  async cancel(runId: string): Promise<void> {
    if (this.#running?.runId === runId) {
      this.#session.store.update((state) =>
        state.progress === null ? state : { ...state, progress: { ...state.progress, isCancelling: true } },
      );
      this.#running.controller.abort(CANCELLED);
    } else await this.#change(runId, { state: "stopped" });
  }

  /** Pauses the upload under way after the slice that is being sent, or lets it go on. */
  pause(isPaused: boolean): void {
    if (isPaused) this.#hold.hold();
    else this.#hold.letGo();
    this.#setPause(isPaused ? "asked" : "none");
  }

  #setPause(pause: "none" | "asked" | "held"): void {
    this.#session.store.update((state) =>
      state.progress === null ? state : { ...state, progress: { ...state.progress, pause } },
    );
  }

  /** Puts a job back into the queue. `sendsAgain`: its request may leave once more, though it may have been accepted. */
  async resume(runId: string, sendsAgain = false): Promise<void> {
    if (sendsAgain) this.#sendsAgain.add(runId);
    this.#session.store.set({ message: null, view: "progress" });
    await this.#change(runId, { state: "waiting" });
    this.#next();
  }

  /** Starts a job anew with other settings: the export and the upload of the failed one are used. */
  async again(runId: string, change: Partial<Form["settings"]>): Promise<void> {
    const job = jobOf(this.#session.state, runId);
    if (job === undefined) return;
    const form = withSettings(job.form, change);
    this.#session.store.update((state) => ({ ...state, form: withSettings(state.form, change) }));
    await this.#change(runId, { form });
    await this.resume(runId);
  }

  /** Fetches a finished job's narration once more, by a fresh link. */
  async fetchAgain(runId: string): Promise<void> {
    const job = jobOf(this.#session.state, runId);
    if (job === undefined) return;
    await this.#session.environment.files.remove(job.audioPath);
    await this.resume(runId);
  }

  /** Deletes a job: on the service where it is there, then here. The narration stays if a timeline uses it. */
  async remove(runId: string): Promise<void> {
    const job = jobOf(this.#session.state, runId);
    if (job === undefined || this.#running?.runId === runId) return;
    // A failed job stays in the service's records: it cannot be deleted there.
    for (const jobId of job.state === "done" ? await this.#jobIdsOf(job) : []) {
      const client = await this.#connection.client(job.serviceAddress);
      await client.deleteJob(jobId).catch((error: unknown) => {
        if (faultOf(error).code !== "not_found") throw error;
      });
    }
    await this.#session.library.removeJob(job, job.placedNarration !== true);
    this.#session.store.update((state) => ({
      ...state,
      jobs: state.jobs.filter((one) => one.runId !== runId),
      review: state.review?.review.runId === runId ? null : state.review,
    }));
  }

  /**
   * Takes up what was under way when the panel closed: a job that the service has accepted is only waited for, so it goes on
   * by itself; others wait for the editor, because they would export or send. The view moves there unless the editor has
   * left the one that the panel opened with.
   */
  goOn(opened: ViewName): void {
    const { store, library } = this.#session;
    for (const job of this.#session.state.jobs) {
      if (job.state !== "running" && job.state !== "waiting") continue;
      this.#session.run(async () => {
        const records = await Promise.all(runsOf(job).map((runId) => library.recovery.load(runId)));
        const isAccepted = records.every(
          (record) => record?.submission?.state === "accepted" || record?.refusal !== undefined,
        );
        await this.#change(job.runId, { state: isAccepted ? "waiting" : "stopped" });
        if (this.#running === null && this.#session.state.view === opened) store.set({ view: "progress" });
        if (isAccepted) this.#next();
      });
    }
  }

  /** Ends what is under way, because the panel closes. */
  close(): void {
    this.#running?.controller.abort(CANCELLED);
  }

  /** Begins the job that waits longest, unless one is under way. */
  #next(): void {
    if (this.#running !== null || this.#session.isClosed) return;
    const job = this.#session.state.jobs.filter(({ state }) => state === "waiting").at(-1);
    if (job !== undefined) this.#session.run(() => this.#run(job));
  }

  async #run(job: JobEntry): Promise<void> {
    const { runId } = job;
    const { store, environment } = this.#session;
    const controller = new AbortController();
    this.#running = { runId, controller };
    const since = environment.clock.now();
    store.update((state) => ({
      ...withJob(withoutFault(state, runId), runId, { state: "running" }),
      progress: { runId, done: [], since, isCancelling: false, pause: "none" },
    }));
    try {
      await this.#save(runId);
      const client = await this.#connection.client(job.serviceAddress);
      const { describe, describeStretches, voicingOrder, scriptMemoryOf } = await describePart();
      const transfer = this.#hold.over(environment.transfer);
      const ports = {
        ...environment,
        transfer,
        client,
        host: await hostOf(this.#session, job),
        recovery: this.#session.library.recovery,
        scriptMemory: scriptMemoryOf(this.#session, job.serviceAddress),
      };
      const controls = {
        signal: controller.signal,
        onProgress: (progress: StepProgress) => this.#progress(runId, progress),
      };
      const order = { ...this.#orderOf(job), ...(await voicingOrder(this.#session, job)) };
      if (job.adds === undefined) await this.#finish(runId, await describe(ports, order, controls));
      else await this.#joined(job, await describeStretches(ports, stretchOrder(order), job.adds.stretches, controls));
    } catch (error) {
      // Closed, the job stays on disk as it was: under way.
      if (this.#session.isClosed) return;
      if (controller.signal.aborted) await this.#change(runId, { state: "stopped" });
      else await this.#failed(runId, error);
    } finally {
      this.#running = null;
      this.#hold.letGo();
      store.set({ progress: null });
      this.#next();
    }
  }

  #orderOf(job: JobEntry): DescribeOrder {
    const { runId, form, audioPath, serviceAddress } = job;
    const { captionFile: captions, scriptFile, settings } = form;
    const heard = job.adds === undefined ? heardBefore(this.#session.state, job) : null;
    return {
      runId,
      settings: {
        ...settings,
        ...(captions === undefined ? {} : { captions }),
        ...(scriptFile === undefined ? {} : { script: scriptFile.content }),
      },
      track: trackOf(form),
      export: exportOf(form),
      audioPath,
      ...(heard === null ? {} : { heard }),
      sendsAgain: this.#sendsAgain.delete(runId) || isLocalAddress(serviceAddress),
    };
  }

  #progress(runId: string, { step, state: stage, fraction, detail, part }: StepProgress): void {
    const { store } = this.#session;
    store.update((state) => {
      const { progress } = state;
      if (progress === null) return state;
      const before = progress.part?.number === part?.number ? progress.done : [];
      const done = stage === "done" ? [...before, step] : before;
      const { runId: id, since, isCancelling } = progress;
      const pause = step === "upload" && stage !== "done" ? progress.pause : "none";
      return {
        ...state,
        progress: {
          runId: id,
          since,
          isCancelling,
          pause,
          done,
          step,
          ...(part === undefined ? {} : { part }),
          ...(fraction === undefined ? {} : { fraction }),
          ...(detail === undefined ? {} : { detail }),
        },
      };
    });
    if (stage === "begun") this.#session.run(() => this.#change(runId, { step }));
  }

  async #finish(runId: string, description: Description): Promise<void> {
    const { library, store, environment } = this.#session;
    const { raw, cues, findings, jobId, exported } = description;
    const job = jobOf(this.#session.state, runId);
    if (job === undefined) return;
    if (job.voices !== undefined) return this.#voiced(job, description);
    const rawPath = await library.saveText(`${runId}.raw.${raw.format}`, raw.content);
    const review = reviewOf(job, description);
    const kept = await library.loadReview(runId);
    // What the editor has changed already is not lost when only the narration was fetched again.
    const shown = kept === null ? review : { ...kept, ...soundOf(review) };
    await library.saveReview(shown);
    await this.#change(runId, {
      state: "done",
      jobId,
      rawPath,
      cueCount: cues.length,
      findingCount: findings.length,
    });
    if (exported.isTemporary) await environment.files.remove(exported.path).catch(() => undefined);
    store.update((state) => ({
      ...state,
      review: openReview(shown, job),
      view: state.view === "progress" ? "review" : state.view,
    }));
    if (cues.length === 0) this.#session.tell(words.noCues, { details: description.notices });
    else if (description.notices.length > 0)
      this.#session.tell(words.doneWithNotices, { details: description.notices });
  }

  /** Puts new narration where the old one was: in its result, and on the timeline where it was placed. */
  async #voiced(job: JobEntry, description: Description): Promise<void> {
    const { takeVoices } = await describePart();
    const taken = await takeVoices(this.#session, job, description);
    await this.#change(job.runId, { state: "done", jobId: description.jobId, cueCount: description.cues.length });
    const described = jobOf(this.#session.state, job.voices);
    if (taken === null || described === undefined) return;
    const { review, notices } = taken;
    const details = [...description.notices, ...notices];
    this.#session.store.set({ review: openReview(review, described), view: "review" });
    this.#session.tell(words.voiced, { details });
    if (described.placedNarration === true) this.#session.run(() => this.#after.voiced());
  }

  /** Brings what is new in a cut to the result that it joins. */
  async #joined(job: JobEntry, described: readonly DescribedStretch[]): Promise<void> {
    const { files } = this.#session.environment;
    const cueCount = await this.#after.described(job, described);
    await this.#change(job.runId, { state: "done", cueCount });
    for (const { description } of described) {
      if (description?.exported.isTemporary) await files.remove(description.exported.path).catch(() => undefined);
    }
  }

  /** The service's jobs behind a job. */
  async #jobIdsOf(job: JobEntry): Promise<string[]> {
    const { recovery } = this.#session.library;
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

  async #failed(runId: string, error: unknown): Promise<void> {
    const fault = faultOf(error);
    const jobId = error instanceof JobFailedError ? { jobId: error.jobId } : {};
    await this.#change(runId, { state: "failed", fault, ...jobId });
    this.#session.fail(error, { runId });
  }

  async #change(runId: string, change: Partial<JobEntry>): Promise<void> {
    this.#session.store.update((state) => withJob(state, runId, change));
    await this.#save(runId);
  }

  async #save(runId: string): Promise<void> {
    const job = jobOf(this.#session.state, runId);
    if (job !== undefined) await this.#session.library.saveJob(job);
  }
}

/** The order of a job for each of its stretches. */
function stretchOrder({ export: { preset }, audioPath, ...order }: DescribeOrder): StretchOrder {
  return {
    ...order,
    ...(preset === undefined ? {} : { preset }),
    audioPathOf: (number) => audioPath.replace(/\.wav$/, `-${number}.wav`),
    sentenceOf: (error) => faultOf(error).sentence,
  };
}

function reviewOf(job: JobEntry, description: Description): Review {
  const { cues, findings, issues, notices, exported, speech, music, wordings, audio, raw, voicing } = description;
  return {
    runId: job.runId,
    exported,
    cues,
    original: cues,
    findings,
    issues,
    notices,
    rawFormat: raw.format,
    speech: speech ?? null,
    ...(music === undefined ? {} : { music }),
    ...(wordings === undefined ? {} : { wordings }),
    ...(audio === undefined ? {} : { audio: { path: audio.path, durationSeconds: audio.durationSeconds } }),
    ...(voicing === undefined ? {} : { voicing }),
    type: trackOf(job.form) === "none" ? job.form.settings.type : "standard",
    acceptedIds: [],
  };
}

/** What belongs to the narration of a result. */
function soundOf({ audio, voicing }: Review): Partial<Review> {
  return { ...(audio === undefined ? {} : { audio }), ...(voicing === undefined ? {} : { voicing }) };
}

function withoutFault(state: PanelState, runId: string): PanelState {
  const jobs = state.jobs.map((job) => {
    if (job.runId !== runId) return job;
    const { fault: _, ...rest } = job;
    return rest;
  });
  return { ...state, jobs };
}
