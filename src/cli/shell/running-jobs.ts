import type { JobCost } from "../../contract/job.ts";
import { addedCost, costWords } from "../../workflow/describe/stop-run.ts";

/** How long a service may take to stop the jobs of a command that the user cancels, in milliseconds. */
export const JOBS_STOP_MS = 5_000;

/** How long a command that waits for jobs may take to end once the user has cancelled it, in milliseconds. */
export const JOBS_STOP_LIMIT_MS = JOBS_STOP_MS + 2_000;

/** A job that a command has ordered from a service and waits for. */
export interface OrderedJob {
  readonly jobId: string;
  /** Host of the service; `null` for the one inside this process. */
  readonly host: string | null;
  /** The command that stops it. */
  readonly stopCommand: string;
}

/** What a cancelled command says. */
interface CancelWords {
  readonly sentence: string;
  readonly next: string;
}

const CONTINUE = "Run the same command to continue where it stopped.";

/** The jobs behind one command: what it has to say of them when somebody cancels it. */
export class RunningJobs {
  readonly #running = new Map<string, OrderedJob & { readonly why?: string }>();
  readonly #kept = new Set<string>();
  #cost: JobCost | null = null;

  /** A job was ordered, and goes on until one of the others is called. */
  begin(job: OrderedJob): void {
    this.#running.set(job.jobId, job);
  }

  /** A job has ended by itself. */
  end(jobId: string): void {
    this.#running.delete(jobId);
  }

  /** A job was stopped. `kept`: what of it serves the same order later, as people name it. `cost`: what it asked others for. */
  stopped(jobId: string, kept: readonly string[], cost?: JobCost): void {
    this.end(jobId);
    if (cost !== undefined) this.#cost = this.#cost === null ? cost : addedCost(this.#cost, cost);
    for (const one of kept) this.#kept.add(one);
  }

  /** A job cannot be stopped by anybody: `why` is a sentence. */
  goesOn(jobId: string, why: string): void {
    const job = this.#running.get(jobId);
    if (job !== undefined) this.#running.set(jobId, { ...job, why });
  }

  /** What is said once the command has ended: what is kept, or which job still runs where, and how it is stopped. */
  get words(): CancelWords {
    const running = [...this.#running.values()];
    if (running.length > 0) {
      const why = [...new Set(running.flatMap((job) => job.why ?? []))];
      const told = running.map(toldOf);
      const next = why.length > 0 ? "Run the same command to fetch the result when it is there." : stopOf(running);
      return { sentence: ["Stopped waiting.", ...told, ...why].join(" "), next };
    }
    const kept = listOf([...this.#kept]);
    const told = [
      "Cancelled.",
      ...(kept === "" ? [] : [`Kept: ${kept}.`]),
      ...(this.#cost === null ? [] : [`Used: ${costWords(this.#cost)}.`]),
    ];
    return { sentence: told.join(" "), next: CONTINUE };
  }

  /** What is said when the command is ended at once, before it has stopped its jobs. */
  get forced(): string {
    const running = [...this.#running.values()];
    if (running.length === 0) return "Stopped before everything was put away.";
    return `${running.map(toldOf).join(" ")} ${stopOf(running)}`;
  }
}

function toldOf({ jobId, host }: OrderedJob): string {
  if (host !== null) return `Job ${jobId} is still running on ${host}.`;
  return `Job ${jobId} is interrupted: the next aside command on this computer continues it.`;
}

function stopOf(jobs: readonly OrderedJob[]): string {
  return `To stop ${jobs.length === 1 ? "it" : "them"}: ${jobs.map(({ stopCommand }) => stopCommand).join("; ")}`;
}

function listOf(words: readonly string[]): string {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

const OF_COMMANDS = new WeakMap<AbortSignal, RunningJobs>();

/** The jobs behind the command that a signal belongs to. */
export function jobsOf(signal: AbortSignal): RunningJobs {
  const jobs = OF_COMMANDS.get(signal) ?? new RunningJobs();
  OF_COMMANDS.set(signal, jobs);
  return jobs;
}
