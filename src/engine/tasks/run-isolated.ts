import { type RunOptions, runProcess } from "../isolate/ready-process.ts";
import { RIGHTS } from "./task-rights.ts";
import type { IsolatedTasks, TaskName } from "./tasks.ts";

/** The tasks of the product: loaded in child processes only. */
const PRODUCT_TASKS = new URL("../pipeline/task-table.ts", import.meta.url).href;

/** What a task is run with. */
export interface IsolateOptions extends RunOptions {
  /** Module whose `TASKS` are run, as a file URL. Default the product's. */
  readonly tasks?: string;
}

/** Runs tasks in child processes; what an engine may be opened with. */
export type RunIsolated = <Name extends TaskName>(
  task: Name,
  input: IsolatedTasks[Name]["input"],
  options: IsolateOptions,
) => Promise<IsolatedTasks[Name]["output"]>;

/** Runs one task in a child process of its own, with the rights that it has, see {@link runProcess}. */
export const runIsolated: RunIsolated = async (name, input, { tasks = PRODUCT_TASKS, ...options }) => {
  const output = await runProcess({ name, module: tasks, rights: RIGHTS[name] }, input, options);
  // The table pairs every name with its output (`tasks.ts`).
  return output as IsolatedTasks[typeof name]["output"];
};
