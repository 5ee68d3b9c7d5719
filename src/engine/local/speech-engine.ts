import type { ChildProcess } from "node:child_process";
import { readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import type { Socket } from "node:net";
import { availableParallelism, constants, setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { AudioDescriptionError } from "../../core/error.ts";
import { cageOf } from "../isolate/cage.ts";
import { OUT_OF_MEMORY_MARK } from "../isolate/message.ts";
import { forkCaged, keepEnd, killGroup, stepBack } from "../isolate/task-process.ts";
import type { FromSpeechProcess, SpeechOrder, SpeechOrders, ToSpeechProcess } from "./speech-orders.ts";

/** Why an order of the speech library was not done. */
export type SpeechEngineErrorCode =
  /** The library cannot be loaded here. */
  | "engine_unusable"
  /** The model cannot be loaded: its files are missing, damaged, or of another form. */
  | "model_unusable"
  /** It was loaded, and failed at the order. */
  | "order_failed"
  /** The service is ending. */
  | "engine_closed";

/** An order of the speech library was not done; the sentence names the model, and what to do. */
export class SpeechEngineError extends AudioDescriptionError<SpeechEngineErrorCode> {}

/** How a process of the library is kept. */
interface EngineOptions {
  /** How long it waits for the next order, in milliseconds. Default two minutes. */
  readonly idleMs?: number;
  /** Resident memory that it may have, in bytes. Default 2.5 GB: the largest models that are offered take half of it. */
  readonly memoryLimitBytes?: number;
  /** How long one order may take, in milliseconds. Default five minutes. */
  readonly orderMs?: number;
}

/** How an order is done. */
interface EngineOrderOptions {
  /** Whether a person waits for it: it then goes before those of jobs. */
  readonly isAwaited: boolean;
  readonly signal?: AbortSignal | undefined;
}

const ENTRY = fileURLToPath(new URL("./speech-process.ts", import.meta.url));

const DEFAULTS = { idleMs: 120_000, memoryLimitBytes: 2_500_000_000, orderMs: 300_000 };

/** Threads of the library at most: more gain little, and an editor's program needs the rest. */
const MOST_THREADS = 4;

/** An order that waits, or is under way. */
interface Waiting {
  readonly order: SpeechOrder;
  readonly isAwaited: boolean;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (reason: unknown) => void;
  isGivenUp: boolean;
}

/** How far a process came with an order. */
type Came = "nowhere" | "library" | "model";

/** A process of the library that runs. */
interface Running {
  readonly child: ChildProcess;
  readonly said: () => string;
  /** Resolves once it has ended, or could not be started, and its folder is gone. */
  readonly gone: Promise<void>;
  /** Tells the order that is under way that it has ended. */
  onGone: (() => void) | null;
  isBelow: boolean;
  /** Why this process ended it, if it did. */
  endedBy: "nobody" | "us" | "limit";
}

/**
 * The one process of a speech library for everybody in this process: started by the first order, kept warm between orders, gone
 * when nobody asks any more. A model that ends it fails its order alone.
 */
export class SpeechEngine {
  readonly #library: string;
  readonly #options: Required<EngineOptions>;
  readonly #waiting: Waiting[] = [];
  /** Models that cannot be loaded, and the sentence that says so: tried again once their files are others. */
  readonly #unusable = new Map<string, string>();
  #running: Running | null = null;
  #isBusy = false;
  #idle: NodeJS.Timeout | undefined;
  #closings = 0;

  /** @param library File of the library, whole path. */
  constructor(library: string, options: EngineOptions = {}) {
    this.#library = library;
    this.#options = { ...DEFAULTS, ...options };
  }

  /** Process that runs now; `null` where none does. */
  get pid(): number | null {
    return this.#running?.child.pid ?? null;
  }

  /**
   * Has an order done, after those before it.
   *
   * @throws SpeechEngineError, or the signal's reason as soon as it aborts: whatever runs for the order is ended then.
   */
  run<Order extends SpeechOrder>(
    order: Order,
    { isAwaited, signal }: EngineOrderOptions,
  ): Promise<SpeechOrders[Order["kind"]]["answer"]> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const settled = () => signal?.removeEventListener("abort", abort);
      const waiting: Waiting = {
        order,
        isAwaited,
        // The process answers each kind with what belongs to it (`speech-process.ts`).
        resolve: (answer) => {
          settled();
          resolve(answer as SpeechOrders[Order["kind"]]["answer"]);
        },
        reject: (reason) => {
          settled();
          reject(reason);
        },
        isGivenUp: false,
      };
      const abort = () => {
        waiting.isGivenUp = true;
        const at = this.#waiting.indexOf(waiting);
        if (at >= 0) this.#waiting.splice(at, 1);
        // It is under way: the library stops for nothing else.
        else void this.#end();
        waiting.reject(signal?.reason);
      };
      signal?.addEventListener("abort", abort, { once: true });
      this.#waiting.push(waiting);
      void this.#goOn();
    });
  }

  /** Ends the process; who waits is told so. Later orders start another. */
  async close(): Promise<void> {
    this.#closings += 1;
    const closed = endedOnPurpose();
    for (const { reject } of this.#waiting.splice(0)) reject(closed);
    await this.#end();
  }

  async #goOn(): Promise<void> {
    if (this.#isBusy) return;
    clearTimeout(this.#idle);
    const next = this.#waiting.find(({ isAwaited }) => isAwaited) ?? this.#waiting[0];
    if (next === undefined) {
      this.#idle = setTimeout(() => void this.#end(), this.#options.idleMs);
      this.#idle.unref();
      return;
    }
    this.#waiting.splice(this.#waiting.indexOf(next), 1);
    this.#isBusy = true;
    try {
      next.resolve(await this.#do(next));
    } catch (error) {
      next.reject(error);
    } finally {
      this.#isBusy = false;
    }
    void this.#goOn();
  }

  async #do(waiting: Waiting): Promise<unknown> {
    const { order, isAwaited } = waiting;
    const known = this.#unusable.get(JSON.stringify(order.model));
    if (known !== undefined) throw new SpeechEngineError("model_unusable", known);
    const running = await this.#process();
    if (waiting.isGivenUp) return null;
    if (!isAwaited) lower(running);
    let came: Came = "nowhere";
    const { child } = running;
    refer(child, true);
    const limit = setTimeout(() => {
      running.endedBy = "limit";
      killGroup(child);
    }, this.#options.orderMs);
    try {
      return await new Promise((resolve, reject) => {
        const onMessage = (message: FromSpeechProcess) => {
          if (message.type === "library" || message.type === "model") {
            came = message.type;
            return;
          }
          child.off("message", onMessage);
          if (message.type === "done") resolve(message.answer);
          else reject(this.#failure(order, came, message.missing));
        };
        child.on("message", onMessage);
        running.onGone = () => reject(this.#lost(order, came, running));
        if (!isAlive(child)) void running.gone.then(running.onGone);
        const told: ToSpeechProcess = { library: this.#library, threads: threads(), order };
        // One that is gone says so by its end.
        if (child.connected) child.send(told, () => undefined);
      });
    } finally {
      clearTimeout(limit);
      running.onGone = null;
      refer(child, false);
    }
  }

  /** What is wrong where the process ended at an order. */
  #lost(order: SpeechOrder, came: Came, { child, endedBy, said }: Running): SpeechEngineError {
    const { title } = order.model;
    if (endedBy === "us") return endedOnPurpose();
    if (endedBy === "limit") {
      const minutes = Math.round(this.#options.orderMs / 60_000);
      const why = `${title} was not done within ${minutes} minutes and was ended. Use a smaller model.`;
      return new SpeechEngineError("order_failed", why);
    }
    if (said().includes(OUT_OF_MEMORY_MARK)) {
      const gigabytes = (this.#options.memoryLimitBytes / 1e9).toFixed(1);
      const why = `${title} took more than ${gigabytes} GB of memory and was ended. Use a smaller model.`;
      return new SpeechEngineError("order_failed", why);
    }
    // The library ends with a code or by a fault of its own; this is the system, or a person.
    if (child.signalCode === "SIGKILL" || child.signalCode === "SIGTERM") {
      const why = `${title} was ended from outside, perhaps because memory is short. Close other programs and try again.`;
      return new SpeechEngineError("order_failed", why);
    }
    return this.#failure(order, came, null);
  }

  /** What is wrong where an order was not done, by how far it came. */
  #failure({ model }: SpeechOrder, came: Came, missing: string | null): SpeechEngineError {
    const { id, title } = model;
    if (came === "nowhere") {
      const why =
        "The speech engine cannot be loaded on this computer. Install it again: aside models install sherpa-onnx.";
      return new SpeechEngineError("engine_unusable", why);
    }
    if (came === "model") {
      const why = `${title} failed at its work. Try again; if that fails too, check it: aside models check ${id}.`;
      return new SpeechEngineError("order_failed", why);
    }
    const fault = missing === null ? "its files are damaged" : `its file "${missing}" is missing`;
    const why = `${title} cannot be loaded: ${fault}. Check it with aside models check ${id}, or remove it and install it again.`;
    this.#unusable.set(JSON.stringify(model), why);
    return new SpeechEngineError("model_unusable", why);
  }

  async #process(): Promise<Running> {
    if (this.#running !== null && isAlive(this.#running.child)) return this.#running;
    await this.#end();
    const closings = this.#closings;
    const temporaryFolder = await mkdtemp(join(tmpdir(), "aside-speech-"));
    // It reads what it is told, and needs nothing of anybody: no key, no network, no program.
    const cage = await cageOf({ variables: [], writes: () => [] }, null, temporaryFolder, process.env);
    if (closings !== this.#closings) {
      await rm(temporaryFolder, { recursive: true, force: true });
      throw endedOnPurpose();
    }
    const { memoryLimitBytes } = this.#options;
    const child = forkCaged(
      ENTRY,
      { ...cage, execArgv: [...cage.execArgv, "--expose-gc"] },
      { parentPid: process.pid, memoryLimitBytes, temporaryFolder },
    );
    const ended = new Promise<void>((resolve) => {
      child.once("close", () => resolve());
      child.once("error", () => resolve());
    });
    const gone = ended
      .then(() => rm(temporaryFolder, { recursive: true, force: true, maxRetries: 5 }))
      .catch(() => undefined);
    const running: Running = {
      child,
      said: keepEnd(child.stderr),
      gone,
      onGone: null,
      isBelow: false,
      endedBy: "nobody",
    };
    refer(child, false);
    void gone.then(() => running.onGone?.());
    void ended.then(() => {
      if (this.#running === running) this.#running = null;
    });
    this.#running = running;
    return running;
  }

  /** Ends the process, if one runs. Resolves once it is gone. */
  async #end(): Promise<void> {
    clearTimeout(this.#idle);
    const running = this.#running;
    this.#running = null;
    if (running === null) return;
    const { child, gone } = running;
    if (isAlive(child)) {
      running.endedBy = "us";
      refer(child, true);
      killGroup(child);
    }
    await gone;
  }
}

function threads(): number {
  return Math.max(1, Math.min(MOST_THREADS, Math.floor(availableParallelism() / 2)));
}

function isAlive({ connected, exitCode, signalCode }: ChildProcess): boolean {
  return connected && exitCode === null && signalCode === null;
}

/** Whether this process stays while the other one runs: between orders it keeps nobody's from ending. */
function refer(child: ChildProcess, stays: boolean): void {
  // A pipe is a socket, which its type does not say.
  for (const one of [child, child.channel, child.stderr as Socket | null]) {
    if (stays) one?.ref();
    else one?.unref();
  }
}

/** From the first line of a job on, everything else on this computer goes before it; nothing can raise it again. */
function lower(running: Running): void {
  const { pid } = running.child;
  if (running.isBelow || pid === undefined) return;
  running.isBelow = true;
  stepBack({ pid });
  if (process.platform !== "linux") return;
  try {
    // On Linux a priority is a thread's own.
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      setPriority(Number(thread), constants.priority.PRIORITY_BELOW_NORMAL);
    }
  } catch {
    // Gone meanwhile, or not allowed here.
  }
}

function endedOnPurpose(): SpeechEngineError {
  return new SpeechEngineError(
    "engine_closed",
    "The voice or transcription on this computer was ended, because the service ends or a model is removed. Order again.",
  );
}

const engines = new Map<string, SpeechEngine>();

/** The one engine of a library in this process. */
export function speechEngine(library: string): SpeechEngine {
  const engine = engines.get(library) ?? new SpeechEngine(library);
  engines.set(library, engine);
  return engine;
}

/** Ends whatever speech libraries run for this process. */
export async function closeSpeechEngines(): Promise<void> {
  await Promise.all([...engines.values()].map((engine) => engine.close()));
}
