import { readFile } from "node:fs/promises";
import { writeFinishedFile } from "../finished-file.ts";
import type { TaskContext } from "../isolate/message.ts";

/** Share of a job's time that each of its stages is expected to take; used for progress alone. */
export type StageShares = Readonly<Record<string, number>>;

/** Where a script is spoken, or text on screen alone is told. */
const SHARES = {
  text: { analyse: 70, listen: 10, describe: 10, fit: 10 },
  audio: { analyse: 60, listen: 10, describe: 8, fit: 10, mix: 12 },
  video: { analyse: 47, listen: 8, describe: 7, fit: 8, render: 30 },
} as const;

/** The same where a model is asked what is seen: that takes longer than all the rest. */
const SHARES_WITH_MODEL = {
  text: { analyse: 15, listen: 3, describe: 79, fit: 3 },
  audio: { analyse: 15, listen: 3, describe: 76, fit: 3, mix: 3 },
  video: { analyse: 13, listen: 3, describe: 66, fit: 3, render: 15 },
} as const;

/** What the stages of a job are expected to take, by what is made and whether a model is asked what is seen. */
export function stageShares(kind: keyof typeof SHARES, asksModel: boolean): StageShares {
  return (asksModel ? SHARES_WITH_MODEL : SHARES)[kind];
}

/** Runs the stages of a job one after another, times them and turns their progress into the job's. */
export class StageClock {
  readonly #context: TaskContext;
  readonly #shares: StageShares;
  readonly #total: number;
  readonly #seconds: Record<string, number> = {};
  #done = 0;

  constructor(context: TaskContext, shares: StageShares) {
    this.#context = context;
    this.#shares = shares;
    this.#total = Object.values(shares).reduce((sum, share) => sum + share, 0);
  }

  /** Seconds each finished stage took, rounded to milliseconds. */
  get stageSeconds(): Readonly<Record<string, number>> {
    return this.#seconds;
  }

  /**
   * Runs one stage. `work` is given a function for its own progress, 0 to 1.
   *
   * @throws the signal's reason before the stage when the job was cancelled, else what `work` raises.
   */
  async run<T>(stage: string, work: (onProgress: (fraction: number) => void) => Promise<T>): Promise<T> {
    this.#context.signal.throwIfAborted();
    const share = this.#shares[stage] ?? 0;
    const report = (fraction: number) =>
      this.#context.onProgress({ stage, fraction: (this.#done + share * Math.min(1, fraction)) / this.#total });
    report(0);
    const started = performance.now();
    const result = await work(report);
    this.#seconds[stage] = Math.round(performance.now() - started) / 1000;
    report(1);
    this.#done += share;
    return result;
  }
}

/**
 * Returns what an earlier attempt left at `path`, or makes it and leaves it there: a stage already finished is not done
 * again after a crash. The file is whole or absent.
 *
 * @param accept whether what was found may be used; `false` makes it anew (another version, a damaged file).
 */
export async function checkpoint<T>(path: string, accept: (found: T) => boolean, make: () => Promise<T>): Promise<T> {
  const found = await readJson<T>(path);
  if (found !== null && accept(found)) return found;
  const made = await make();
  await writeFinishedFile(path, JSON.stringify(made));
  return made;
}

async function readJson<T>(path: string): Promise<T | null> {
  try {
    // The caller's `accept` decides whether it is what it should be.
    return JSON.parse(await readFile(path, "utf8")) as T;
  } catch {
    // Absent on a first attempt; damaged after a failing disk. Both mean: make it.
    return null;
  }
}

/** Does work that waits for somebody else's answers, and leaves the task's place to another meanwhile, where places are counted. */
export function whileAsking<T>(
  { whileAsking: leave }: Pick<TaskContext, "whileAsking">,
  isHere: boolean,
  work: () => Promise<T>,
): Promise<T> {
  return leave === undefined ? work() : leave(work, isHere);
}
