import type { Clock } from "../../core/ports.ts";
import type { WorkPlace } from "../../engine/index.ts";
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
  /** Pieces of a team that may stand aside before no more of it are begun. Default: none stands aside. */
  readonly asideOfTeam?: number;
  /** Whether more work may be taken just now. Default: always. */
  readonly hasRoom?: () => Promise<boolean>;
  /**
   * Does one piece of work, all of it: resolves when nothing is left to do, whatever came of it; rejects when the work
   * must be taken again. Stops soon after the signal aborts.
   */
  readonly work: (entry: QueueEntry, signal: AbortSignal, place: WorkPlace) => Promise<void>;
  /** Hears of failures that are nobody's work: the queue cannot be reached. */
  readonly onError: (error: unknown) => void;
}

/** Pieces of work that stand aside at the most: each is a process that waits. */
const MOST_ASIDE = 8;

/** A piece of work that has given its place to another while it waits for answers. */
interface Aside {
  readonly teamId: string | null;
  /** How much it counts among those of its team. */
  readonly weight: number;
  /** Gives it a place again; absent while it does not want one. */
  readonly resume?: () => void;
}

/**
 * Takes work from one queue and does it, several pieces at once, until stopped. A piece that waits for somebody else's answers
 * leaves its place to the next; one that has its answers comes before what has not begun.
 */
export class Lane {
  readonly #options: LaneOptions;
  readonly #stop = new AbortController();
  readonly #working = new Set<Promise<void>>();
  /** By the entry's identity. */
  readonly #aside = new Map<string, Aside>();
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
      while (!this.#stop.signal.aborted && this.#working.size - this.#aside.size < (await concurrency())) {
        if (this.#resumeOne()) continue;
        if (this.#aside.size >= MOST_ASIDE) break;
        if (hasRoom !== undefined && !(await hasRoom())) break;
        const entry = await queue.take(name, this.#teamsAside());
        if (entry === null) break;
        const done = this.#do(entry).finally(() => {
          this.#working.delete(done);
          if (!this.#stop.signal.aborted) this.#look();
        });
        this.#working.add(done);
      }
    }
  }

  /** Gives a place to the piece that wants one again for longest. `false` when none does. */
  #resumeOne(): boolean {
    for (const [entryId, { resume }] of this.#aside) {
      if (resume === undefined) continue;
      this.#aside.delete(entryId);
      resume();
      return true;
    }
    return false;
  }

  /** Teams that have as much work aside as they may. */
  #teamsAside(): string[] {
    const weights = new Map<string, number>();
    for (const { teamId, weight } of this.#aside.values()) {
      if (teamId !== null) weights.set(teamId, (weights.get(teamId) ?? 0) + weight);
    }
    const most = this.#options.asideOfTeam ?? 0;
    return [...weights].flatMap(([teamId, weight]) => (weight >= most ? [teamId] : []));
  }

  #placeOf({ entryId, teamId }: QueueEntry): WorkPlace {
    const most = this.#options.asideOfTeam ?? 0;
    return {
      give: (isHere) => {
        if (most === 0 || this.#aside.has(entryId)) return;
        // A program on this computer answers one at a time: its team's next job would only slow this one down.
        this.#aside.set(entryId, { teamId, weight: isHere ? most : 1 });
        this.#look();
      },
      take: () => {
        const aside = this.#aside.get(entryId);
        if (aside === undefined) return Promise.resolve();
        const { promise, resolve } = Promise.withResolvers<void>();
        // Behind those that came back before.
        this.#aside.delete(entryId);
        this.#aside.set(entryId, { ...aside, resume: resolve });
        this.#look();
        return promise;
      },
    };
  }

  async #do(entry: QueueEntry): Promise<void> {
    const { queue, clock, name, work, onError } = this.#options;
    const { signal } = this.#stop;
    const over = new AbortController();
    void repeatedly(clock, KEEP_INTERVAL_MS, over.signal, () => void queue.keep(name, entry).catch(onError));
    try {
      await work(entry, signal, this.#placeOf(entry)).finally(() => this.#aside.delete(entry.entryId));
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
