import type { ReadyProcess } from "./ready-process.ts";
import { type ProcessOptions, type ProcessTask, TaskProcess } from "./task-process.ts";

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
