import { rmSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { Worker } from "node:worker_threads";
import { JobFailure } from "./job-failure.ts";
import type { FromChild, RaisedError, TaskContext, ToChild, WatchOrders } from "./message.ts";

type Task = (input: unknown, context: TaskContext) => Promise<unknown>;

/** What a module of tasks offers: the tasks, and for some what loads all that they need. */
interface TaskModule {
  readonly TASKS: Readonly<Record<string, Task>>;
  readonly LOADS?: Readonly<Record<string, () => Promise<unknown>>>;
}

/** Entry of every child process: takes one task from its parent, reports how it goes, ends. */
const stop = new AbortController();

// The parent alone writes these (`run-isolated.ts`).
const orders: WatchOrders = JSON.parse(process.argv[2] ?? "null");
let loading: Promise<void> | null = null;
let placed = Promise.withResolvers<void>();
new Worker(new URL("./watchdog.ts", import.meta.url), { workerData: orders }).unref();

// The parent may be gone by then.
process.on("exit", () => rmSync(orders.temporaryFolder, { recursive: true, force: true }));
process.on("disconnect", () => process.exit(1));
process.on("message", (message: ToChild) => {
  if (message.type === "place") placed.resolve();
  else if (message.type === "cancel") stop.abort(new Error("cancelled"));
  else if (message.type === "load") loading = load(message.tasks, message.task);
  else void run(message.tasks, message.task, message.input);
});

/** Loads what a task needs before there is an input. Running it says what is wrong, where that fails. */
async function load(tasks: string, task: string): Promise<void> {
  await import(tasks).then(({ LOADS }: TaskModule) => LOADS?.[task]?.()).catch(() => undefined);
}

async function run(tasks: string, task: string, input: unknown): Promise<void> {
  try {
    // The name and the input belong together: the parent's own types see to it.
    const { TASKS }: TaskModule = await import(tasks);
    await loading;
    await report({ type: "begun" });
    const output = await TASKS[task]?.(input, {
      signal: stop.signal,
      onProgress: (progress) => report({ type: "progress", progress }),
      whileAsking,
    });
    // The parent ends this process once it has the answer, so compiled code is kept before; a second run finds it all there.
    flushCompileCache();
    await report({ type: "done", output });
  } catch (error) {
    await report({ type: "raised", error: raised(error) });
  }
  process.exit(0);
}

async function whileAsking<T>(work: () => Promise<T>, isHere: boolean): Promise<T> {
  placed = Promise.withResolvers();
  await report({ type: "asks", isHere });
  const result = await work();
  await report({ type: "works" });
  await placed.promise;
  return result;
}

/** Resolves once the message is handed over, so that the process does not end before it is. */
function report(message: FromChild): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined || !process.connected) resolve();
    else process.send(message, undefined, {}, () => resolve());
  });
}

function raised(error: unknown): RaisedError {
  const { name, code, message, stack } = (error instanceof Error ? error : new Error(String(error))) as Error & {
    // Errors of Node and of this project carry one; others do not.
    readonly code?: unknown;
  };
  return {
    name,
    code: typeof code === "string" ? code : "",
    message,
    isJobFailure: error instanceof JobFailure,
    stack: stack ?? "",
  };
}
