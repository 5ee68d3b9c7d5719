import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { IsolateError, JobFailure } from "../../src/engine/isolate/job-failure.ts";
import { TASKS } from "../../src/engine/pipeline/task-table.ts";
import { type IsolateOptions, type RunIsolated, runIsolated } from "../../src/engine/tasks/run-isolated.ts";
import { RIGHTS } from "../../src/engine/tasks/task-rights.ts";
import type { IsolatedTasks, ProgrammeOrder, TaskName, TaskTable } from "../../src/engine/tasks/tasks.ts";
import { TASKS as FAKES } from "./fake-tasks.ts";

/** The task that runs, and those that wait for it: what they are configured by is this process's own environment. */
let last: Promise<unknown> = Promise.resolve();

/** What names the temporary folder of a process. */
const TEMPORARY = ["TMPDIR", "TEMP", "TMP"];

/**
 * Runs the product's tasks in this process, one at a time, for tests of what is done rather than of where: a process of its own
 * costs each job most of a second. There is no relay, so nobody counts what is asked, and nothing is caged.
 */
export const runHere: RunIsolated = async (name, input, options) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const before = last;
  last = promise;
  await before;
  const { variables, keys = [] } = RIGHTS[name];
  const { environment = process.env } = options;
  // A line leaves its sound in its temporary folder, which goes with its process.
  const temporary = name === "voiceLine" ? await mkdtemp(join(tmpdir(), "aside-task-")) : null;
  const folders = temporary === null ? [] : TEMPORARY.map((variable) => [variable, temporary] as const);
  const set = { ...environment, ...Object.fromEntries(folders) };
  const restore = setVariables([...variables, ...keys, ...folders.map(([variable]) => variable)], set);
  try {
    return await inThisProcess(TASKS, name, input, options);
  } finally {
    restore();
    if (temporary !== null) await rm(temporary, { recursive: true, force: true });
    resolve();
  }
};

/** What an error of a task is when it comes out of its process. */
function asRaised(task: string, error: Error & { readonly code?: unknown }): IsolateError {
  const code = typeof error.code === "string" ? error.code : "";
  const raised = `${error.name} ${code}`.trim();
  return new IsolateError("task_failed", error.message, { task, raised, lastOutput: error.stack ?? "" });
}

/** Sets variables of this process to what they are in an environment. @returns what puts them back. */
function setVariables(names: readonly string[], environment: Readonly<Record<string, string | undefined>>): () => void {
  const changed = names.filter((name) => environment[name] !== process.env[name]);
  const former = changed.map((name) => [name, process.env[name]] as const);
  for (const name of changed) setVariable(name, environment[name]);
  return () => {
    for (const [name, value] of former) setVariable(name, value);
  };
}

function setVariable(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}

/** What a job or a line of the faked tasks needs a process of its own for, or waits for. */
const NEEDS_A_PROCESS = /crash|exit|hang|spin|eat|gate|raise|pid|litter|leave|insist:/;

/**
 * Runs the faked tasks: a look at a file, and a job that does nothing of note, in this process; whatever else in one of its own.
 */
export const runFakes: RunIsolated = async (name, input, options) => {
  const words = name === "describe" ? (input as ProgrammeOrder).settings.instructions : "";
  const isPlain = name === "probe" || (name === "describe" && !NEEDS_A_PROCESS.test(words));
  if (!isPlain) return await runIsolated(name, input, options);
  return await inThisProcess(FAKES, name, input, options);
};

/** Runs a task with a copy of its input and gives a copy of its output, as a process is sent and sends them. */
async function inThisProcess<Name extends TaskName>(
  tasks: TaskTable,
  name: Name,
  input: IsolatedTasks[Name]["input"],
  { signal, onProgress }: IsolateOptions,
): Promise<IsolatedTasks[Name]["output"]> {
  signal.throwIfAborted();
  try {
    const output = await tasks[name](structuredClone(input), {
      signal,
      onProgress: (progress) => onProgress?.(progress),
    });
    signal.throwIfAborted();
    return structuredClone(output);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof JobFailure) throw error;
    throw asRaised(name, error instanceof Error ? error : new Error(String(error)));
  }
}
