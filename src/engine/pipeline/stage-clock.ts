import type { TaskContext } from "../isolate/message.ts";

/** Share of a job's time that each of its stages is expected to take; used for progress alone. */
export type StageShares = Readonly<Record<string, number>>;

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
