import { Worker } from "node:worker_threads";
import type { ReadTextReply } from "../../contract/read-text.ts";
import { RequestError } from "../request-error.ts";
import { cueFault, type RequestText } from "./generation-settings.ts";
import { readJson } from "./read-json.ts";
import { type FileToRead, readFileReply } from "./read-text-file.ts";
import { type CollectedBytes, TeamTurns } from "./team-turns.ts";

/** What a thread is asked to read. */
export type TextTask =
  | { readonly kind: "json"; readonly bytes: Uint8Array; readonly part: string }
  | ({ readonly kind: "file" } & FileToRead)
  | ({ readonly kind: "cues" } & RequestText);

/** What a thread answers: what it read, or the sentence of a refusal. */
export type TextReply = { readonly value: unknown } | { readonly fault: string };

/** Threads at most, each for another team; they are started when they are first needed. */
const THREADS = 2;

/** Bytes or characters up to which a text is read at once, in a millisecond or two: a thread would cost more. */
const READ_AT_ONCE = 16_384;

/** A text of the longest that is taken is read in some 3 s, and in 10 s on a busy computer. */
const TIME_LIMIT_MS = 30_000;

/** A thread that had nothing to do for so long is ended, and its memory given back. */
const IDLE_MS = 10_000;

/** Megabytes of objects that a thread may make of one text, and of those among them that it just made. */
const MEMORY_MEGABYTES = 768;
const YOUNG_MEGABYTES = 8;

/** Bytes or characters of a text whose thread ends with it: what it took would stay with the thread, 150 MB for 8. */
const THREAD_ENDS_ABOVE = 1_000_000;

/**
 * Reads what clients sent without holding up the thread that serves requests: long texts are read in threads, one of each
 * team at a time.
 */
export class TextThreads {
  readonly #turns = new TeamTurns(THREADS);
  readonly #idle: { readonly thread: Worker; readonly timer: NodeJS.Timeout }[] = [];
  readonly #timeLimitMs: number;

  /** `timeLimitMs`: how long one text may take, 30 s where it is left out. */
  constructor(timeLimitMs = TIME_LIMIT_MS) {
    this.#timeLimitMs = timeLimitMs;
  }

  /**
   * JSON that a team sent, as UTF-8; `undefined` for an empty text.
   *
   * @param part The part of a form that it is; empty for the request's body.
   * @throws RequestError `invalid_input`, see {@link readJson}.
   */
  async json(teamId: string, bytes: CollectedBytes, part = ""): Promise<unknown> {
    const outcome =
      bytes.sizeBytes <= READ_AT_ONCE
        ? readJson(Buffer.concat(bytes.chunks), part)
        : await this.#read(
            teamId,
            () => ({ kind: "json", bytes: Buffer.concat(bytes.chunks), part }),
            part === "" ? "The request body" : `"${part}"`,
          );
    if ("fault" in outcome) throw new RequestError("invalid_input", outcome.fault);
    return outcome.value;
  }

  /** @throws RequestError `invalid_input` when a text that a team sent holds no cue that can be read. */
  async requireCues(teamId: string, given: RequestText): Promise<void> {
    const outcome =
      given.content.length <= READ_AT_ONCE
        ? { value: cueFault(given) }
        : await this.#read(teamId, () => ({ kind: "cues", ...given }), `"${given.parameter}"`);
    const fault = "fault" in outcome ? outcome.fault : outcome.value;
    if (typeof fault === "string") throw new RequestError("invalid_input", fault);
  }

  /** A file that a team sent. @throws RequestError `invalid_input` where reading it takes too much time or memory. */
  async file(teamId: string, file: FileToRead): Promise<ReadTextReply> {
    if (file.bytes.length <= READ_AT_ONCE) return readFileReply(file);
    const outcome = await this.#read(teamId, () => ({ kind: "file", ...file }), `"${file.filename}"`);
    if ("fault" in outcome) throw new RequestError("invalid_input", outcome.fault);
    // What `readFileReply` made in the thread.
    return outcome.value as ReadTextReply;
  }

  /** Ends the threads. Call when no request is being answered any more. */
  async close(): Promise<void> {
    for (const { thread, timer } of this.#idle.splice(0)) {
      clearTimeout(timer);
      await thread.terminate();
    }
  }

  #read(teamId: string, taskOf: () => TextTask, what: string): Promise<TextReply> {
    return this.#turns.take(teamId, async () => {
      const thread = this.#takeThread();
      try {
        const task = taskOf();
        const size = task.kind === "cues" ? task.content.length : task.bytes.length;
        const reply = await answerOf(thread, task, this.#timeLimitMs);
        if (size > THREAD_ENDS_ABOVE) await thread.terminate();
        else this.#keep(thread);
        return reply;
      } catch (error) {
        await thread.terminate();
        const isTooMuch = error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
        if (error === TIME_IS_OVER || isTooMuch) {
          return {
            fault: `${what} takes too ${isTooMuch ? "much memory" : "long"} to read. Send a shorter or simpler one.`,
          };
        }
        throw error;
      }
    });
  }

  #takeThread(): Worker {
    const idle = this.#idle.pop();
    if (idle === undefined) {
      const thread = new Worker(new URL("./text-thread.ts", import.meta.url), {
        resourceLimits: { maxOldGenerationSizeMb: MEMORY_MEGABYTES, maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
      });
      thread.unref();
      // While it reads, its errors are answers. One that breaks while it waits is taken by nobody, and ends no service.
      thread.on("error", () => undefined);
      thread.once("exit", () => this.#forget(thread));
      return thread;
    }
    clearTimeout(idle.timer);
    return idle.thread;
  }

  #keep(thread: Worker): void {
    const timer = setTimeout(() => {
      // Nobody takes it while it ends.
      this.#forget(thread);
      void thread.terminate();
    }, IDLE_MS);
    timer.unref();
    this.#idle.push({ thread, timer });
  }

  #forget(thread: Worker): void {
    const at = this.#idle.findIndex((one) => one.thread === thread);
    if (at >= 0) clearTimeout(this.#idle.splice(at, 1)[0]?.timer);
  }
}

/** The memory of bytes, to be handed over instead of copied; none where others share it. */
function ownMemory({ buffer, byteLength }: Uint8Array): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
}

const TIME_IS_OVER = new Error("the time is over");

async function answerOf(thread: Worker, task: TextTask, limitMs: number): Promise<TextReply> {
  const { promise, resolve, reject } = Promise.withResolvers<TextReply>();
  const timer = setTimeout(() => reject(TIME_IS_OVER), limitMs);
  thread.once("message", resolve);
  thread.once("error", reject);
  // Sixty texts that wait must not keep a process alive that is to end, one that is being read must.
  thread.ref();
  try {
    thread.postMessage(task, task.kind === "cues" ? [] : ownMemory(task.bytes));
    return await promise;
  } finally {
    clearTimeout(timer);
    thread.unref();
    thread.off("error", reject);
  }
}
