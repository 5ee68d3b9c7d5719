import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import type { Environment } from "../outgoing/local-only.ts";
import { KeptLines } from "./kept-lines.ts";
import { findLanguageData, type LanguageData } from "./language-data.ts";
import type { ReadLines } from "./text-lines.ts";

/** What the reading thread is started with. */
export interface ReadingStart {
  readonly data: readonly LanguageData[];
  /** BCP-47 code. */
  readonly language: string;
}

/** What the reading thread answers: whether its engine is open, then the lines of one picture after another. */
export type ReadingReply =
  | { readonly kind: "ready" | "damaged" }
  | { readonly kind: "read"; readonly lines: ReadLines };

/** Why nothing can be read: there is no language data, or none that can be used. */
export type UnreadableReason = "no-data" | "damaged";

/**
 * Reads the text of key frames on a thread of its own, one after another, so that it can go on while the programme is
 * still being analysed. The engine is only loaded where there is something to read. Dispose of it at the end, or to
 * break off.
 */
export class ScreenTextReader implements AsyncDisposable {
  readonly #language: string;
  readonly #environment: Environment;
  readonly #found = new Map<string, Promise<ReadLines | UnreadableReason>>();
  readonly #keptFolder: string | null;
  #data: Promise<readonly LanguageData[]> | null = null;
  #kept: Promise<KeptLines> | null = null;
  #engine: Promise<Worker | UnreadableReason> | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #isOver = false;

  /**
   * @param language BCP-47 code of the language to read, beside English.
   * @param environment `ASIDE_OCR_DATA` and `TESSDATA_PREFIX`, see `findLanguageData`.
   * @param keptFolder Folder of the media alone, where lines are kept for its later jobs; `null`: nowhere.
   */
  constructor(language: string, environment: Environment, keptFolder: string | null = null) {
    this.#language = language;
    this.#environment = environment;
    this.#keptFolder = keptFolder;
  }

  /**
   * The lines of a key frame, or why nothing can be read at all. A file is read once, however often it is asked for, and
   * must stay where it is until then.
   *
   * @throws Error when the file cannot be read, or the engine fails at it; it may be asked for again.
   */
  read(path: string): Promise<ReadLines | UnreadableReason> {
    const known = this.#found.get(path);
    if (known !== undefined) return known;
    const reading = this.#last.then(() => this.#readNow(path));
    this.#found.set(path, reading);
    this.#last = reading.catch(() => this.#found.delete(path));
    return reading;
  }

  /** Whether there is data to read a language with. */
  async canRead(language: string): Promise<boolean> {
    const data = await findLanguageData(language, this.#environment);
    return data.some((one) => one.language === language.split("-")[0]);
  }

  /** The language that is read first of all. */
  get language(): string {
    return this.#language;
  }

  /** Begins to read a key frame whose lines are asked for later. */
  begin(path: string): void {
    this.read(path).catch(() => undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    const engine = await this.#engine?.catch(() => null);
    if (engine instanceof Worker) await engine.terminate();
  }

  async #readNow(path: string): Promise<ReadLines | UnreadableReason> {
    if (this.#isOver) throw new Error("the reading is over");
    this.#data ??= findLanguageData(this.#language, this.#environment);
    const data = await this.#data;
    if (data.length === 0) return "no-data";
    const picture = await readFile(path);
    if (this.#keptFolder !== null) this.#kept ??= KeptLines.of(this.#keptFolder, this.#language, data);
    const kept = await this.#kept;
    const found = await kept?.find(picture);
    if (found) return found;
    this.#engine ??= this.#open(data);
    const engine = await this.#engine;
    if (!(engine instanceof Worker)) return engine;
    if (engine.threadId < 0) throw new Error("the reading thread ended early");
    engine.postMessage(picture);
    const reply = await replyOf(engine);
    if (reply.kind !== "read") throw new Error("the reading thread gave no lines");
    await kept?.keep(picture, reply.lines);
    return reply.lines;
  }

  async #open(data: readonly LanguageData[]): Promise<Worker | UnreadableReason> {
    const workerData: ReadingStart = { data, language: this.#language };
    const engine = new Worker(new URL("./reading-thread.ts", import.meta.url), { workerData });
    // Whoever waits for a reply hears of it by its end.
    engine.on("error", () => undefined);
    if ((await replyOf(engine)).kind === "ready") return engine;
    await engine.terminate();
    return "damaged";
  }
}

/** The next reply of the thread. @throws Error when it ends instead. */
async function replyOf(engine: Worker): Promise<ReadingReply> {
  const done = new AbortController();
  const { signal } = done;
  const ended = once(engine, "exit", { signal }).then(() => {
    throw new Error("the reading thread ended early");
  });
  try {
    const [reply] = await Promise.race([once(engine, "message", { signal }), ended]);
    return reply;
  } finally {
    done.abort();
  }
}
