import type { Clock } from "../../core/ports.ts";
import { repeatedly } from "../system-clock.ts";
import { HEARTBEAT_SECONDS, type QueueEntry, type QueueName, type WorkQueue } from "./work-queue.ts";

/** How often a lane looks for work that another process added, in milliseconds. */
const LOOK_INTERVAL_MS = 1_000;

/** How often a lane says that its work is alive. */
const KEEP_INTERVAL_MS = (HEARTBEAT_SECONDS * 1_000) / 3;

/** How long failed work waits before it is put back: longer each time, until what it needs is there again. */
const RETRY_PAUSE_MS = { first: 1_000, longest: 5_000 };

/** What a lane asks of its queue. */
export type LaneQueue = Pick<WorkQueue, "onWake" | "take" | "keep" | "complete" | "giveBack">;

/** What a lane works on and how. */
export interface LaneOptions {
  readonly queue: LaneQueue;
  readonly clock: Clock;
  readonly name: QueueName;
  /** Pieces of work at once, as many as are said when the next one could be taken. */
  readonly concurrency: () => Promise<number>;
  /** Whether more work may be taken just now. Default: always. */
  readonly hasRoom?: () => Promise<boolean>;
  /**
   * Does one piece of work, all of it: resolves when nothing is left to do, whatever came of it; rejects when the work
   * must be taken again. Stops soon after the signal aborts.
   */
  readonly work: (entry: QueueEntry, signal: AbortSignal) => Promise<void>;
  /** Hears of failures that are nobody's work: the queue cannot be reached. */
  readonly onError: (error: unknown) => void;
}

/** Takes work from one queue and does it, several pieces at once, until stopped. */
export class Lane {
  readonly #options: LaneOptions;
  readonly #stop = new AbortController();
  readonly #working = new Set<Promise<void>>();
  readonly #unlisten: () => void;
  #looking: Promise<void> | null = null;
  #lookAgain = false;

  constructor(options: LaneOptions) {
    this.#options = options;
    this.#unlisten = options.queue.onWake(options.name, () => this.#look());
    void repeatedly(options.clock, LOOK_INTERVAL_MS, this.#stop.signal, () => this.#look());
    this.#look();
  }

  /** Takes no more work, stops what is going on and puts it back; resolves when all is still. */
  async stop(): Promise<void> {
    this.#unlisten();
    this.#stop.abort(new Error("the service is stopping"));
    await this.#looking;
    await Promise.all(this.#working);
  }

  /** Takes work while there is any and room for it. A call during another makes that one look once more. */
  #look(): void {
    this.#lookAgain = true;
    this.#looking ??= this.#takeAll()
      .catch((error: unknown) => this.#options.onError(error))
      .finally(() => {
        this.#looking = null;
      });
  }

  async #takeAll(): Promise<void> {
    const { queue, name, concurrency, hasRoom } = this.#options;
    while (this.#lookAgain) {
      this.#lookAgain = false;
      while (!this.#stop.signal.aborted && this.#working.size < (await concurrency())) {
        if (hasRoom !== undefined && !(await hasRoom())) break;
        const entry = await queue.take(name);
        if (entry === null) break;
        const done = this.#do(entry).finally(() => {
          this.#working.delete(done);
          if (!this.#stop.signal.aborted) this.#look();
        });
        this.#working.add(done);
      }
    }
  }

  async #do(entry: QueueEntry): Promise<void> {
    const { queue, clock, name, work, onError } = this.#options;
    const { signal } = this.#stop;
    const over = new AbortController();
    void repeatedly(clock, KEEP_INTERVAL_MS, over.signal, () => void queue.keep(name, entry).catch(onError));
    try {
      await work(entry, signal);
      await queue.complete(name, entry);
    } catch (error) {
      if (!signal.aborted) {
        onError(error);
        // Whatever is broken gets a moment to recover; a stop cuts it short.
        const wait = Math.min(RETRY_PAUSE_MS.longest, RETRY_PAUSE_MS.first * (1 + entry.returns));
        await clock.sleep(wait, signal).catch(() => undefined);
      }
      await queue.giveBack(name, entry).catch(onError);
    } finally {
      over.abort();
    }
  }
}
