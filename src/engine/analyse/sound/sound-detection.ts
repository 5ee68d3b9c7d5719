import { Worker } from "node:worker_threads";
import type { Heard } from "../../../core/gap.ts";

/** What the detection thread is told. */
export type DetectionOrder =
  | { readonly kind: "sound"; readonly block: DetectorBlock }
  | { readonly kind: "end"; readonly durationSeconds: number };

/** What the detection thread answers: a block is taken in, or everything is decided. */
export type DetectionReply = { readonly kind: "taken" } | { readonly kind: "findings"; readonly findings: Heard };

/** Blocks on their way before the decoder has to wait: about 20 s of sound, 10 MB of stereo and 30 MB of 5.1. */
const MOST_UNDERWAY = 64;

/**
 * Detects on a thread of its own, so that the thread that decodes is never held up. Dispose of it at the end, or to
 * break off.
 */
export class SoundDetection implements AsyncDisposable {
  readonly #worker: Worker;
  #underway = 0;
  #failure: Error | null = null;
  #findings: Heard | null = null;
  /** Called whenever something arrived from the thread. */
  #wake: () => void = () => {};

  /** @param sampleRate Of the sound, in samples a second. */
  constructor(sampleRate: number) {
    this.#worker = new Worker(new URL("./sound-detection-thread.ts", import.meta.url), { workerData: sampleRate });
    this.#worker.on("message", (reply: DetectionReply) => {
      if (reply.kind === "taken") this.#underway--;
      else this.#findings = reply.findings;
      this.#wake();
    });
    this.#worker.on("error", (error) => this.#fail(error));
    this.#worker.on("exit", () => this.#fail(new Error("the detection thread ended early")));
  }

  /** Hands sound over; its arrays are gone afterwards. Waits while the thread has enough to do. */
  async add(block: DetectorBlock): Promise<void> {
    this.#post({ kind: "sound", block }, [...new Set(arraysOf(block).map((array) => array.buffer as ArrayBuffer))]); // never shared
    this.#underway++;
    await this.#until(() => this.#underway < MOST_UNDERWAY);
  }

  /** Ends the sound and waits for what was found. */
  async finish(durationSeconds: number): Promise<Heard> {
    this.#post({ kind: "end", durationSeconds }, []);
    await this.#until(() => this.#findings !== null);
    if (this.#findings === null) throw new Error("the detection thread gave no findings");
    return this.#findings;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
  }

  #post(order: DetectionOrder, transferred: ArrayBuffer[]): void {
    this.#worker.postMessage(order, transferred);
  }

  #fail(error: unknown): void {
    if (this.#findings !== null) return;
    this.#failure ??= error instanceof Error ? error : new Error("the detection thread failed", { cause: error });
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

/** A stretch of sound: as it is, and as detectors want it (16 kHz, mono). */
export interface DetectorBlock {
  readonly planes: readonly Float32Array[];
  readonly dialogue: Float32Array;
  /** The centre alone; `null` where there is none beside other channels. */
  readonly centre: Float32Array | null;
  /** `null` where it is the same as the dialogue. */
  readonly bed: Float32Array | null;
}

/** All arrays of a block. */
export function arraysOf({ planes, dialogue, centre, bed }: DetectorBlock): Float32Array[] {
  return [...planes, ...[dialogue, centre, bed].filter((signal) => signal !== null)];
}
