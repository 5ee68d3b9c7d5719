import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { IsolateError, JobFailure } from "../../src/engine/isolate/job-failure.ts";
import { TASKS } from "../../src/engine/pipeline/task-table.ts";
import type { RunIsolated } from "../../src/engine/tasks/run-isolated.ts";
import { RIGHTS } from "../../src/engine/tasks/task-rights.ts";

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
    options.signal.throwIfAborted();
    // A process is sent copies, and sends some.
    const output = await TASKS[name](structuredClone(input), {
      signal: options.signal,
      onProgress: (progress) => options.onProgress?.(progress),
    });
    return structuredClone(output);
  } catch (error) {
    options.signal.throwIfAborted();
    if (error instanceof JobFailure) throw error;
    throw asRaised(name, error instanceof Error ? error : new Error(String(error)));
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
