import { defined } from "../../src/core/objects.ts";
import { type EarlierReview, resultFromReview } from "../../src/result/record.ts";
import type { Result } from "../../src/result/result.ts";
import { parseRunRecord, type RecoveryStore, stretchRunId } from "../../src/workflow/describe/recovery.ts";
import { trackOf } from "../state/form.ts";
import { historyFor, keptHistory, type ReviewHistory } from "../state/review-history.ts";
import type { JobEntry, Preferences } from "../state/saved.ts";
import type { PanelEnvironment, PanelFolders } from "./environment.ts";

/** Raised when the meaning of a saved file changes; files of another version are left alone. */
const SAVED_VERSION = 1;

/** The runs that a job is made of: one, or one for each stretch of new picture. */
export function runsOf({ runId, adds }: JobEntry): string[] {
  return adds === undefined ? [runId] : adds.stretches.map((_, index) => stretchRunId(runId, index + 1));
}

const PREFERENCES = "settings.json";
const JOB = ".job.json";
const RESULT = ".result.json";
const HISTORY = ".history.json";
/** What earlier versions kept a result in. */
const REVIEW = ".review.json";

/** What the panel keeps on disk: preferences, history, results. What cannot be read counts as not there. */
export class Library {
  readonly #environment: Pick<PanelEnvironment, "files" | "folders" | "pathIn">;
  /** Writes under way, by path: of several to one file the last one counts, and none overlap. */
  readonly #writing = new Map<string, { next: string | null; done: Promise<void> }>();

  constructor(environment: Pick<PanelEnvironment, "files" | "folders" | "pathIn">) {
    this.#environment = environment;
  }

  /** Keeps records of runs. */
  readonly recovery: RecoveryStore = {
    load: async (runId) => {
      const text = await this.#read(await this.#path("runsPath", `${runId}.json`));
      return text === null ? null : parseRunRecord(text);
    },
    save: async (record) => {
      await this.#write(await this.#path("runsPath", `${record.runId}.json`), JSON.stringify(record));
    },
    remove: async (runId) => this.#remove(await this.#path("runsPath", `${runId}.json`)),
  };

  /** What was chosen the last time; `null` at the first time. */
  async loadPreferences(): Promise<Preferences | null> {
    return this.#load(await this.#path("path", PREFERENCES));
  }

  /** Keeps what was chosen. */
  async savePreferences(preferences: Preferences): Promise<void> {
    await this.#save(await this.#path("path", PREFERENCES), preferences);
  }

  /** The history, newest first. */
  async loadJobs(): Promise<JobEntry[]> {
    const { resultsPath } = await this.#environment.folders();
    const names = await this.#environment.files.list(resultsPath);
    const jobs: JobEntry[] = [];
    for (const name of names) {
      if (!name.endsWith(JOB)) continue;
      const job: JobEntry | null = await this.#load(this.#environment.pathIn(resultsPath, name));
      if (job !== null) jobs.push(job);
    }
    return jobs.sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1));
  }

  /** Keeps a job of the history. */
  async saveJob(job: JobEntry): Promise<void> {
    await this.#save(await this.#path("resultsPath", job.runId + JOB), job);
  }

  /** A result with what the editor made of it; `null` when there is none. */
  async loadResult(runId: string): Promise<Result | null> {
    return (await this.#load(await this.#path("resultsPath", runId + RESULT))) ?? (await this.#loadEarlier(runId));
  }

  /** Keeps a result. */
  async saveResult(result: Result): Promise<void> {
    await this.#save(await this.#path("resultsPath", result.runId + RESULT), result);
  }

  /** What a person did to a result, to be undone and done again; nothing where it was kept of another state of it. */
  async loadHistory(result: Result): Promise<ReviewHistory> {
    return historyFor(result, await this.#load(await this.#path("resultsPath", result.runId + HISTORY)));
  }

  /** Keeps a result under review with what a person did to it. */
  async saveReview({ result, past, future }: ReviewHistory & { readonly result: Result }): Promise<void> {
    await Promise.all([this.saveResult(result), this.#saveHistory(result, { past, future })]);
  }

  async #saveHistory(result: Result, history: ReviewHistory): Promise<void> {
    // Of a result that nobody has touched, none is kept that could be an older one.
    if (history.past.length + history.future.length === 0) return;
    await this.#save(await this.#path("resultsPath", result.runId + HISTORY), keptHistory(result, history));
  }

  /** A result as earlier versions kept it, a part of it with its job. */
  async #loadEarlier(runId: string): Promise<Result | null> {
    const review: EarlierReview | null = await this.#load(await this.#path("resultsPath", runId + REVIEW));
    const job: JobEntry | null = await this.#load(await this.#path("resultsPath", runId + JOB));
    if (review === null || job === null) return null;
    const { sequence, form } = job;
    const { settings } = form;
    return resultFromReview(review, { settings, sequence, track: trackOf(form), ...defined({ jobId: job.jobId }) });
  }

  /** A text kept under a name; `null` when there is none. */
  async loadText(name: string): Promise<string | null> {
    return this.#read(await this.#path("resultsPath", name));
  }

  /** Keeps a text under a name; returns where. */
  async saveText(name: string, text: string): Promise<string> {
    const path = await this.#path("resultsPath", name);
    await this.#write(path, text);
    return path;
  }

  /** Removes a job with all that belongs to it; the narration only on demand, for a timeline may use it. */
  async removeJob(job: JobEntry, withNarration: boolean): Promise<void> {
    const paths = [
      await this.#path("resultsPath", job.runId + JOB),
      await this.#path("resultsPath", job.runId + RESULT),
      await this.#path("resultsPath", job.runId + HISTORY),
      await this.#path("resultsPath", job.runId + REVIEW),
      ...(job.rawPath === undefined ? [] : [job.rawPath]),
      ...(withNarration ? [job.audioPath] : []),
    ];
    for (const path of paths) await this.#remove(path);
    for (const runId of [...runsOf(job), ...(job.videos ?? [])]) await this.recovery.remove(runId);
  }

  async #path(folder: keyof PanelFolders, name: string): Promise<string> {
    return this.#environment.pathIn((await this.#environment.folders())[folder], name);
  }

  async #load<Saved>(path: string): Promise<Saved | null> {
    try {
      const text = await this.#read(path);
      const read: unknown = text === null ? null : JSON.parse(text);
      if (typeof read !== "object" || read === null || !("version" in read) || read.version !== SAVED_VERSION)
        return null;
      // Written by this project under this version, whole or not at all.
      return (read as unknown as { readonly value: Saved }).value;
    } catch {
      return null;
    }
  }

  async #save(path: string, value: object): Promise<void> {
    await this.#write(path, JSON.stringify({ version: SAVED_VERSION, value }));
  }

  async #read(path: string): Promise<string | null> {
    return (await this.#environment.files.size(path)) === null ? null : this.#environment.files.readText(path);
  }

  async #remove(path: string): Promise<void> {
    await this.#writing.get(path)?.done.catch(() => undefined);
    await this.#environment.files.remove(path);
  }

  #write(path: string, text: string): Promise<void> {
    const present = this.#writing.get(path);
    if (present !== undefined) {
      present.next = text;
      this.#environment.files.expectText?.(path, text);
      return present.done;
    }
    const writing = { next: text as string | null, done: Promise.resolve() };
    this.#writing.set(path, writing);
    writing.done = this.#drain(path, writing);
    return writing.done;
  }

  async #drain(path: string, writing: { next: string | null }): Promise<void> {
    try {
      while (writing.next !== null) {
        const text = writing.next;
        writing.next = null;
        await this.#environment.files.writeText(path, text).catch((error: unknown) => {
          // What came meanwhile is written all the same.
          if (writing.next === null) throw error;
        });
      }
    } finally {
      this.#writing.delete(path);
    }
  }
}
