import { type ChildProcess, fork } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { constants, setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { jobFailureCode } from "../../contract/error-codes.ts";
import type { Ledger } from "../outgoing/ledger.ts";
import type { Environment } from "../outgoing/local-only.ts";
import { openRelay, type Relay } from "../outgoing/relay.ts";
import { RELAY_VARIABLE } from "../outgoing/send-request.ts";
import { type Cage, cageOf, type TaskRights } from "./cage.ts";
import { IsolateError, JobFailure } from "./job-failure.ts";
import {
  type FromChild,
  OUT_OF_MEMORY_MARK,
  type RaisedError,
  type TaskProgress,
  type ToChild,
  type WatchOrders,
  type WorkPlace,
} from "./message.ts";
import { wholePath } from "./programs.ts";

const CHILD = fileURLToPath(new URL("./child.ts", import.meta.url));

/** How long a cancelled task may take to stop by itself before its process is killed, in milliseconds. */
const GRACE_MS = 300;

/** Resident memory of a child process at most, in bytes, where the caller sets no limit. */
const DEFAULT_MEMORY_LIMIT_BYTES = 1_500_000_000;

/** Bytes of a child's error output that are kept. */
const KEPT_OUTPUT_BYTES = 8_192;

/**
 * The C library of Linux keeps what is freed, in as many heaps as there are threads: pictures by the hundred megabytes
 * (measured). Large blocks are given back at once instead, and there are two heaps. Other systems do not read these.
 */
const ALLOCATOR = { MALLOC_ARENA_MAX: "2", MALLOC_MMAP_THRESHOLD_: "131072" };

/** Megabytes of young objects, per thread, after which Node collects garbage; nothing here makes many that live long. */
const NODE_OPTIONS = ["--max-semi-space-size=4"];

/** What a task is run with. */
export interface ProcessOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: TaskProgress) => void;
  /** Where it works; without one, it waits for none. */
  readonly place?: WorkPlace;
  /** Resident memory of the child process at most, in bytes. Default 1.5 GB. */
  readonly memoryLimitBytes?: number;
  /** The book in which is written what the task asks others for; default: nobody keeps one. */
  readonly ledger?: Ledger;
  /** What the task is configured by, and who it may ask. Default: the environment of this process. */
  readonly environment?: Environment;
}

/** A task, and what its process is and may. */
export interface ProcessTask<Input> {
  readonly name: string;
  /** Module whose `TASKS` has it, as a file URL. */
  readonly module: string;
  readonly rights: TaskRights<Input>;
}

/** A child process for one task: started, run once, ended. */
export class TaskProcess {
  readonly #task: Pick<ProcessTask<never>, "name" | "module">;
  readonly #temporaryFolder: string;
  readonly #relay: Relay | null;
  readonly #book: Book;
  readonly #child: ChildProcess;
  readonly #output: () => string;
  readonly #answer: Promise<ChildAnswer | null>;
  #onProgress: ProcessOptions["onProgress"];
  #place: WorkPlace | undefined;
  #hasBegun = false;

  private constructor(
    task: Pick<ProcessTask<never>, "name" | "module">,
    temporaryFolder: string,
    relay: Relay | null,
    book: Book,
    child: ChildProcess,
  ) {
    this.#task = task;
    this.#temporaryFolder = temporaryFolder;
    this.#relay = relay;
    this.#book = book;
    this.#child = child;
    this.#output = keepEnd(child.stderr);
    this.#answer = new Promise((resolve, reject) => {
      let last: ChildAnswer | null = null;
      child.on("message", (message: FromChild) => {
        if (message.type === "begun") this.#hasBegun = true;
        else if (message.type === "progress") this.#onProgress?.(message.progress);
        else if (message.type === "asks") this.#place?.give(message.isHere);
        else if (message.type === "works") void this.#taken().then(() => tell(child, { type: "place" }));
        else last = message;
      });
      child.once("error", reject);
      // "close" comes after the last message and the last output, "exit" may come before both.
      child.once("close", () => resolve(last));
    });
    // Of one that is never run, nobody asks how it ended.
    this.#answer.catch(() => {});
  }

  /**
   * Starts the process, with a temporary folder of its own: whoever is killed removes nothing. It has the rights that the
   * task has with this input.
   */
  static async start<Input>(
    task: ProcessTask<Input>,
    input: Input,
    options: Pick<ProcessOptions, "memoryLimitBytes" | "environment" | "signal">,
  ): Promise<TaskProcess> {
    const environment = options.environment ?? process.env;
    const temporaryFolder = mkdtempSync(join(tmpdir(), "aside-task-"));
    let relay: Relay | null = null;
    const book: Book = { ledger: null };
    try {
      relay = await relayOf(task, temporaryFolder, environment, book);
      const cage = await cageOf(task.rights, input, temporaryFolder, environment);
      options.signal.throwIfAborted();
      const env = { ...cage.env, ...(relay === null ? {} : { [RELAY_VARIABLE]: relay.path }) };
      const memoryLimitBytes = options.memoryLimitBytes ?? DEFAULT_MEMORY_LIMIT_BYTES;
      const orders = { parentPid: process.pid, memoryLimitBytes, temporaryFolder };
      const child = forkCaged(CHILD, { ...cage, env }, orders);
      if (task.rights.isAwaited !== true) stepBack(child);
      return new TaskProcess(task, temporaryFolder, relay, book, child);
    } catch (error) {
      relay?.[Symbol.dispose]();
      await removeFolder(temporaryFolder);
      throw error;
    }
  }

  /** Whether it can be run still. */
  get isAlive(): boolean {
    return this.#child.connected && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Whether the task runs, or ran, in it. Until then nothing was done with the input. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** Has it load what the task needs, before there is an input. */
  load(): void {
    const { module, name } = this.#task;
    tell(this.#child, { type: "load", tasks: module, task: name });
  }

  /**
   * Runs the task.
   *
   * @throws the signal's reason when cancelled, `JobFailure` as the task raised it, `IsolateError` for every other end.
   */
  async run(
    input: unknown,
    { signal, onProgress, place, ledger }: Pick<ProcessOptions, "signal" | "onProgress" | "place" | "ledger">,
  ): Promise<unknown> {
    signal.throwIfAborted();
    this.#book.ledger = ledger ?? null;
    this.#onProgress = onProgress;
    this.#place = place;
    let killTimer: NodeJS.Timeout | undefined;
    const cancel = () => {
      // At once: what it may still do before it ends, it asks nobody.
      this.#relay?.[Symbol.dispose]();
      tell(this.#child, { type: "cancel" });
      killTimer = setTimeout(() => killGroup(this.#child), GRACE_MS);
    };
    signal.addEventListener("abort", cancel, { once: true });
    try {
      const { module, name } = this.#task;
      tell(this.#child, { type: "run", tasks: module, task: name, input });
      const last = await this.#answer;
      signal.throwIfAborted();
      if (last === null) throw crashed(name, this.#child, this.#output());
      if (last.type === "raised") throw restore(name, last.error);
      return last.output;
    } finally {
      clearTimeout(killTimer);
      signal.removeEventListener("abort", cancel);
    }
  }

  async #taken(): Promise<void> {
    await this.#place?.take();
  }

  /** Ends it, whatever it does, and removes what it left. */
  async end(): Promise<void> {
    killGroup(this.#child);
    this.#relay?.[Symbol.dispose]();
    // A program that the task started may be ending there still; what it leaves then fails no task.
    await removeFolder(this.#temporaryFolder);
  }
}

/** Whose book a process writes: it may wait before anybody's work runs in it. */
interface Book {
  ledger: Ledger | null;
}

type ChildAnswer = Extract<FromChild, { type: "done" | "raised" }>;

function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined);
}

/** The way out for a task that may ask somebody; `null` for the others. */
async function relayOf(
  { name, rights }: Pick<ProcessTask<never>, "name" | "rights">,
  folder: string,
  environment: Environment,
  book: Book,
): Promise<Relay | null> {
  if (rights.asks === undefined) return null;
  return await openRelay(rights.asks(environment), folder, () => book.ledger).catch((cause: unknown) => {
    const message = `The task ${name} has no way out: no socket can be made in its temporary folder. A shorter TMPDIR may help.`;
    throw new IsolateError("task_failed", message, { task: name, lastOutput: String(cause) });
  });
}

/** Starts a module of this program in a process of its own, which is handed its orders as its first argument. */
export function forkCaged(module: string, { execPath, execArgv, env }: Cage, orders: WatchOrders): ChildProcess {
  return fork(module, [JSON.stringify(orders)], {
    execPath: wholePath(execPath),
    execArgv: [...execArgv, ...NODE_OPTIONS],
    env: { ...ALLOCATOR, ...env },
    serialization: "advanced",
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    // A process group of its own, so that a kill reaches whatever the task starts, and Ctrl-C reaches the parent alone.
    detached: process.platform !== "win32",
  });
}

/** Lets everything else on this computer go before a job: polls are answered, and an editor's program stays quick. */
export function stepBack({ pid }: Pick<ChildProcess, "pid">): void {
  try {
    // At once: threads take the priority of the one that starts them.
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Gone already, or not allowed here: the work is the same at any priority.
  }
}

function tell(child: ChildProcess, message: ToChild): void {
  // A child that is gone already is noticed by its "close" event, which also has the reason.
  if (child.connected) child.send(message, () => undefined);
}

/** Ends a process of {@link forkCaged}, and whatever it started. */
export function killGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    if (process.platform === "win32") child.kill("SIGKILL");
    else process.kill(-child.pid, "SIGKILL");
  } catch {
    child.kill("SIGKILL");
  }
}

/** Keeps the end of what a stream gives, from a whole word on: half a secret at the cut would be known as none. */
export function keepEnd(stream: Readable | null, mostBytes = KEPT_OUTPUT_BYTES): () => string {
  let kept = Buffer.alloc(0);
  let isCut = false;
  stream?.on("data", (chunk: Buffer) => {
    const all = Buffer.concat([kept, chunk]);
    isCut ||= all.length > mostBytes;
    kept = all.subarray(-mostBytes);
  });
  return () => (isCut ? kept.toString("utf8").replace(/^\S*/, "").trimStart() : kept.toString("utf8"));
}

function crashed(task: string, child: ChildProcess, lastOutput: string): IsolateError {
  const detail = { task, exitCode: child.exitCode, signal: child.signalCode, lastOutput };
  if (lastOutput.includes(OUT_OF_MEMORY_MARK) || lastOutput.includes("heap out of memory")) {
    return new IsolateError(
      "task_out_of_memory",
      `The task ${task} used more memory than it may and was ended.`,
      detail,
    );
  }
  const how = child.signalCode === null ? `exit code ${child.exitCode}` : `signal ${child.signalCode}`;
  return new IsolateError("task_crashed", `The process of the task ${task} ended without a result (${how}).`, detail);
}

function restore(task: string, error: RaisedError): JobFailure | IsolateError {
  if (error.isJobFailure) return new JobFailure(jobFailureCode(error.code), error.message);
  return new IsolateError("task_failed", error.message, {
    task,
    raised: `${error.name} ${error.code}`.trim(),
    lastOutput: error.stack,
  });
}
