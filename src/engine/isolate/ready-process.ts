import { type ProcessOptions, type ProcessTask, TaskProcess } from "./task-process.ts";

/** How long a process waits for its task, in milliseconds: as long as somebody may think about the next line. */
const WAITS_MS = 120_000;

/** A process that has loaded its task, or is about to, with what it was started for. */
interface ReadyChild {
  readonly module: string;
  readonly configuredBy: string;
  readonly process: Promise<TaskProcess | null>;
  readonly timer: NodeJS.Timeout;
}

/**
 * One process that waits for a task whose rights do not depend on its input: whoever is next does not wait for its start
 * and for what it loads. It is run once, as any other, and ends when nobody comes.
 */
export class ReadyProcess {
  readonly #waitsMs: number;
  #waiting: ReadyChild | null = null;
  #isClosed = false;

  constructor(waitsMs = WAITS_MS) {
    this.#waitsMs = waitsMs;
  }

  /** The process that waits for this very task, configured like this; `null` where there is none, or it has ended meanwhile. */
  async take({ module }: Pick<ProcessTask<never>, "module">, options: ProcessOptions): Promise<TaskProcess | null> {
    const waiting = this.#waiting;
    if (waiting === null) return null;
    const fits = waiting.module === module && waiting.configuredBy === configurationOf(options);
    if (!fits) {
      await this.#drop();
      return null;
    }
    this.#waiting = null;
    clearTimeout(waiting.timer);
    const process = await waiting.process;
    if (process?.isAlive !== false) return process;
    await process.end();
    return null;
  }

  /** Starts the next process, with the rights that the task has with this input, unless one waits already. */
  prepare<Input>(task: ProcessTask<Input>, input: Input, options: ProcessOptions): void {
    if (this.#isClosed || this.#waiting !== null) return;
    const started = TaskProcess.start(task, input, { ...options, signal: new AbortController().signal }).then(
      (process) => {
        process.load();
        return process;
      },
      // Starting it when it is needed says what is wrong.
      () => null,
    );
    const timer = setTimeout(() => void this.#drop(), this.#waitsMs);
    timer.unref();
    this.#waiting = { module: task.module, configuredBy: configurationOf(options), process: started, timer };
  }

  /** Ends what waits; nothing waits from here on. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#drop();
  }

  async #drop(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = null;
    if (waiting === null) return;
    clearTimeout(waiting.timer);
    await (await waiting.process)?.end();
  }
}

function configurationOf({ environment, memoryLimitBytes }: ProcessOptions): string {
  return JSON.stringify([memoryLimitBytes ?? null, environment ?? process.env]);
}

/** What a task is run with. */
export interface RunOptions extends ProcessOptions {
  /** Where a process may wait for this task, and the next is to. */
  readonly ready?: ReadyProcess;
}

/**
 * Runs one task in a child process of its own and resolves with its output. Whatever happens, the process is gone when
 * the promise settles.
 *
 * @throws the signal's reason when cancelled, `JobFailure` as the task raised it, `IsolateError` for every other end.
 */
export async function runProcess<Input>(task: ProcessTask<Input>, input: Input, options: RunOptions): Promise<unknown> {
  options.signal.throwIfAborted();
  const { ready } = options;
  try {
    const waiting = await ready?.take(task, options);
    if (waiting) {
      try {
        return await runIn(waiting, input, options);
      } catch (error) {
        if (waiting.hasBegun) throw error;
        // It ended as it waited: nobody's input was in it.
        options.signal.throwIfAborted();
      }
    }
    return await runIn(await TaskProcess.start(task, input, options), input, options);
  } finally {
    ready?.prepare(task, input, options);
  }
}

async function runIn(process: TaskProcess, input: unknown, options: ProcessOptions): Promise<unknown> {
  try {
    return await process.run(input, options);
  } finally {
    await process.end();
  }
}
