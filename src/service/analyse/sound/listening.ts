import { Worker } from "node:worker_threads";
import { arraysOf, type HeardBlock } from "./heard-block.ts";
import type { SoundFindings, SoundShape } from "./sound-listener.ts";

/** What the listening thread is told. */
export type ListeningOrder =
  | { readonly kind: "sound"; readonly block: HeardBlock }
  | { readonly kind: "end"; readonly durationSeconds: number };

/** What the listening thread answers: a block is taken in, or everything is decided. */
export type ListeningReply =
  | { readonly kind: "taken" }
  | { readonly kind: "findings"; readonly findings: SoundFindings };

/** Blocks on their way before the decoder has to wait: about 20 s of sound, 10 MB of stereo and 30 MB of 5.1. */
const MOST_UNDERWAY = 64;

/**
 * Listens on a thread of its own, so that the thread that decodes is never held up. Dispose of it at the end, or to
 * break off.
 */
export class Listening implements AsyncDisposable {
  readonly #worker: Worker;
  #underway = 0;
  #failure: Error | null = null;
  #findings: SoundFindings | null = null;
  /** Called whenever something arrived from the thread. */
  #wake: () => void = () => {};

  constructor(shape: SoundShape) {
    this.#worker = new Worker(new URL("./listening-thread.ts", import.meta.url), { workerData: shape });
    this.#worker.on("message", (reply: ListeningReply) => {
      if (reply.kind === "taken") this.#underway--;
      else this.#findings = reply.findings;
      this.#wake();
    });
    this.#worker.on("error", (error) => this.#fail(error));
    this.#worker.on("exit", () => this.#fail(new Error("the listening thread ended early")));
  }

  /** Hands sound over; its arrays are gone afterwards. Waits while the thread has enough to do. */
  async add(block: HeardBlock): Promise<void> {
    this.#post({ kind: "sound", block }, [...new Set(arraysOf(block).map((array) => array.buffer as ArrayBuffer))]); // never shared
    this.#underway++;
    await this.#until(() => this.#underway < MOST_UNDERWAY);
  }

  /** Ends the sound and waits for what was heard. */
  async finish(durationSeconds: number): Promise<SoundFindings> {
    this.#post({ kind: "end", durationSeconds }, []);
    await this.#until(() => this.#findings !== null);
    if (this.#findings === null) throw new Error("the listening thread gave no findings");
    return this.#findings;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
  }

  #post(order: ListeningOrder, transferred: ArrayBuffer[]): void {
    this.#worker.postMessage(order, transferred);
  }

  #fail(error: unknown): void {
    if (this.#findings !== null) return;
    this.#failure ??= error instanceof Error ? error : new Error("the listening thread failed", { cause: error });
    this.#wake();
  }

  async #until(isReady: () => boolean): Promise<void> {
    while (this.#failure === null && !isReady()) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#failure !== null) throw this.#failure;
  }
}
