import { beforeEach, describe, expect, test } from "vitest";
import type { WorkPlace } from "../../../src/engine/index.ts";
import { Lane, type LaneOptions, type LaneQueue } from "../../../src/service/jobs/lane.ts";
import type { QueueEntry } from "../../../src/service/jobs/work-queue.ts";
import { SetClock, turns } from "../../fakes/set-clock.ts";

/** A queue in memory, that notes what it is told. */
class MemoryQueue implements LaneQueue {
  readonly told: string[] = [];
  readonly waiting: QueueEntry[] = [];
  #listener: (() => void) | null = null;
  /** What the next ask is refused with. */
  refusal: Error | null = null;
  /** What each answer waits for. */
  slow: Promise<void> = Promise.resolve();
  /** What the next end of work is refused with. */
  incomplete: Error | null = null;
  /** Called when nothing was found, before that is told. */
  onEmpty: () => void = () => undefined;

  add(id: string, returns = 0, teamId: string | null = null): void {
    this.waiting.push({ entryId: id, id, teamId, returns });
  }
  wake(): void {
    this.#listener?.();
  }
  onWake(_name: string, listener: () => void): () => void {
    this.#listener = listener;
    return () => {
      this.#listener = null;
    };
  }
  get hasListener(): boolean {
    return this.#listener !== null;
  }
  async take(_name: string, withoutTeams: readonly string[] = []): Promise<QueueEntry | null> {
    if (this.refusal !== null) throw this.refusal;
    await this.slow;
    const index = this.waiting.findIndex(({ teamId }) => teamId === null || !withoutTeams.includes(teamId));
    const [entry = null] = index < 0 ? [] : this.waiting.splice(index, 1);
    if (entry === null) this.onEmpty();
    return entry;
  }
  async keep(_name: string, { id }: QueueEntry): Promise<void> {
    this.told.push(`keep ${id}`);
  }
  async complete(_name: string, { id }: QueueEntry): Promise<void> {
    await this.slow;
    const refusal = this.incomplete;
    this.incomplete = null;
    if (refusal !== null) throw refusal;
    this.told.push(`complete ${id}`);
  }
  async giveBack(_name: string, entry: QueueEntry): Promise<void> {
    // It takes its time: whoever says to be still has waited for it.
    await turns(1);
    this.told.push(`back ${entry.id}`);
    this.add(entry.id, entry.returns + 1);
    this.wake();
  }
}

let queue: MemoryQueue;
let clock: SetClock;
let errors: unknown[];
let begun: string[];
/** Ends a piece of work that goes on: well, or badly. */
let end: Map<string, { readonly resolve: () => void; readonly reject: (error: Error) => void }>;
beforeEach(() => {
  queue = new MemoryQueue();
  clock = new SetClock();
  errors = [];
  begun = [];
  end = new Map();
});

function open(more: Partial<LaneOptions> = {}): Lane {
  return new Lane({
    queue,
    clock,
    name: "run-job",
    concurrency: async () => 2,
    work: ({ id }, signal) =>
      new Promise((resolve, reject) => {
        begun.push(id);
        end.set(id, { resolve, reject });
        signal.addEventListener("abort", () => reject(signal.reason));
      }),
    onError: (error) => void errors.push(error),
    ...more,
  });
}

describe("a lane", () => {
  test("works on as many pieces at once as may be, and takes the next as soon as one ends", async () => {
    for (const id of ["a", "b", "c", "d"]) queue.add(id);
    const lane = open();
    await turns();
    expect(begun).toEqual(["a", "b"]);
    end.get("b")?.resolve();
    await turns();
    expect([begun, queue.told]).toEqual([["a", "b", "c"], ["complete b"]]);
    await lane.stop();
  });

  test("asks anew how many may go on, and takes more when they are more", async () => {
    let atOnce = 1;
    for (const id of ["a", "b"]) queue.add(id);
    const lane = open({ concurrency: async () => atOnce });
    await turns();
    expect(begun).toEqual(["a"]);
    atOnce = 2;
    await clock.pass(1_000);
    expect(begun).toEqual(["a", "b"]);
    await lane.stop();
  });

  test("finds what was added elsewhere within a second, and what it is woken for at once", async () => {
    const lane = open();
    await turns();
    queue.add("a");
    await clock.pass(999);
    expect(begun).toEqual([]);
    await clock.pass(1);
    expect(begun).toEqual(["a"]);
    queue.add("b");
    queue.wake();
    await turns();
    expect(begun).toEqual(["a", "b"]);
    await lane.stop();
  });

  test("misses no call that comes while it looks", async () => {
    queue.onEmpty = () => {
      queue.onEmpty = () => undefined;
      queue.add("a");
      queue.wake();
    };
    const lane = open();
    await turns();
    expect(begun).toEqual(["a"]);
    await lane.stop();
  });

  test("takes nothing while there is no room for it, and loses nothing meanwhile", async () => {
    let hasRoom = false;
    queue.add("a");
    const lane = open({ hasRoom: async () => hasRoom });
    await clock.pass(3_000);
    expect([begun, queue.waiting.length]).toEqual([[], 1]);
    hasRoom = true;
    await clock.pass(1_000);
    expect(begun).toEqual(["a"]);
    await lane.stop();
  });

  test("says every ten seconds that its work is alive, and no longer than that goes on", async () => {
    queue.add("a");
    queue.add("b");
    const lane = open();
    await turns();
    await clock.pass(10_000);
    expect(queue.told.toSorted()).toEqual(["keep a", "keep b"]);
    end.get("a")?.resolve();
    await clock.pass(10_000);
    expect(queue.told.filter((told) => told === "keep a")).toHaveLength(1);
    expect(queue.told.filter((told) => told === "keep b")).toHaveLength(2);
    await lane.stop();
  });

  test.each([
    [0, 1_000],
    [1, 2_000],
    [3, 4_000],
    [4, 5_000],
    [100, 5_000],
  ])("puts failed work that was back %i times back after %i ms, and tells of it", async (returns, wait) => {
    queue.add("a", returns);
    const lane = open();
    await turns();
    const fault = new Error("no");
    end.get("a")?.reject(fault);
    await clock.pass(wait - 1);
    expect([errors, queue.told]).toEqual([[fault], []]);
    await clock.pass(1);
    expect([queue.told, begun]).toEqual([["back a"], ["a", "a"]]);
    await lane.stop();
  });

  test("does again what its queue could not end", async () => {
    queue.incomplete = new Error("away");
    queue.add("a");
    const lane = open();
    await turns();
    const fault = queue.incomplete;
    end.get("a")?.resolve();
    await clock.pass(1_000);
    expect([errors, queue.told, begun]).toEqual([[fault], ["back a"], ["a", "a"]]);
    await lane.stop();
  });

  test("goes on after a queue that was out of reach", async () => {
    queue.refusal = new Error("away");
    const lane = open();
    await turns();
    expect(errors).toEqual([queue.refusal]);
    queue.refusal = null;
    queue.add("a");
    await clock.pass(1_000);
    expect(begun).toEqual(["a"]);
    await lane.stop();
  });
});

describe("a lane that stops", () => {
  test("stops its work, puts it back once, is still then, and listens to nobody", async () => {
    for (const id of ["a", "b", "c"]) queue.add(id);
    const lane = open();
    await turns();
    await lane.stop();
    expect(queue.told).toEqual(["back a", "back b"]);
    expect([begun, errors, queue.hasListener, clock.sleeping]).toEqual([["a", "b"], [], false, 0]);
    queue.wake();
    await clock.pass(60_000);
    expect(begun).toEqual(["a", "b"]);
  });

  test("is still when its queue has answered: what was being taken is put back, and what was done is ended there", async () => {
    const answered = Promise.withResolvers<void>();
    const stopped = async (lane: Lane) => {
      let isStill = false;
      const stop = lane.stop().then(() => {
        isStill = true;
      });
      await turns();
      expect(isStill).toBe(false);
      answered.resolve();
      await stop;
    };
    queue.add("a");
    const lane = open();
    await turns();
    queue.slow = answered.promise;
    end.get("a")?.resolve();
    await turns();
    await stopped(lane);
    expect(queue.told).toEqual(["complete a"]);

    const again = Promise.withResolvers<void>();
    queue.add("b");
    queue.slow = again.promise;
    const next = open({ work: async (_entry, signal) => signal.throwIfAborted() });
    await turns();
    setImmediate(again.resolve);
    await next.stop();
    expect(queue.told).toEqual(["complete a", "back b"]);
    expect(errors).toEqual([]);
  });

  test("waits for no pause of failed work", async () => {
    queue.add("a", 5);
    const lane = open();
    await turns();
    end.get("a")?.reject(new Error("no"));
    await turns();
    await lane.stop();
    expect(queue.told).toEqual(["back a"]);
  });
});

describe("work that waits for somebody else's answers", () => {
  let places: Map<string, WorkPlace>;
  const openWithPlaces = () => {
    places = new Map();
    return open({
      concurrency: async () => 1,
      asideOfTeam: 2,
      work: ({ id }, signal, place) =>
        new Promise((resolve, reject) => {
          begun.push(id);
          places.set(id, place);
          end.set(id, { resolve, reject });
          signal.addEventListener("abort", () => reject(signal.reason));
        }),
    });
  };

  test("leaves its place to the next, and comes before what has not begun once it has its answers", async () => {
    for (const id of ["a", "b", "c"]) queue.add(id, 0, id);
    const lane = openWithPlaces();
    await turns();
    expect(begun).toEqual(["a"]);
    places.get("a")?.give(false);
    await turns();
    expect(begun).toEqual(["a", "b"]);
    let isBack = false;
    void places
      .get("a")
      ?.take()
      .then(() => {
        isBack = true;
      });
    await turns();
    expect(isBack).toBe(false);
    end.get("b")?.resolve();
    await turns();
    expect([isBack, begun]).toEqual([true, ["a", "b"]]);
    end.get("a")?.resolve();
    await turns();
    expect(begun).toEqual(["a", "b", "c"]);
    await lane.stop();
  });

  test("keeps no place when it ends, and none that it gave is taken twice", async () => {
    for (const id of ["a", "b", "c"]) queue.add(id, 0, id);
    const lane = openWithPlaces();
    await turns();
    places.get("a")?.give(false);
    places.get("a")?.give(false);
    await turns();
    end.get("a")?.resolve();
    await turns();
    expect(begun).toEqual(["a", "b"]);
    await places.get("b")?.take();
    end.get("b")?.resolve();
    await turns();
    expect(begun).toEqual(["a", "b", "c"]);
    await lane.stop();
  });

  test("comes back in the order in which it has its answers, whichever left its place first, or still waits", async () => {
    for (const id of ["a", "b", "c", "d"]) queue.add(id, 0, id);
    const lane = openWithPlaces();
    for (const id of ["a", "b", "c"]) {
      await turns();
      places.get(id)?.give(false);
    }
    await turns();
    expect(begun).toEqual(["a", "b", "c", "d"]);
    const back: string[] = [];
    for (const id of ["c", "b"]) {
      void places
        .get(id)
        ?.take()
        .then(() => back.push(id));
    }
    await turns();
    expect(back).toEqual([]);
    end.get("d")?.resolve();
    await turns();
    expect(back).toEqual(["c"]);
    end.get("c")?.resolve();
    await turns();
    expect(back).toEqual(["c", "b"]);
    await lane.stop();
  });

  test("is eight pieces at the most, of whichever teams", async () => {
    const ids = Array.from({ length: 11 }, (_, index) => `team ${index}`);
    for (const id of ids) queue.add(id, 0, id);
    const lane = openWithPlaces();
    for (const id of ids) {
      await turns();
      places.get(id)?.give(false);
    }
    await turns();
    expect(begun).toEqual(ids.slice(0, 8));
    end.get("team 3")?.resolve();
    await turns();
    expect(begun).toEqual(ids.slice(0, 9));
    await lane.stop();
  });

  test("of one team lets two begin beside it, of which one where a program on this computer answers, and other teams go on", async () => {
    for (const [id, team] of [
      ["a1", "a"],
      ["a2", "a"],
      ["a3", "a"],
      ["b1", "b"],
      ["b2", "b"],
      ["c1", "c"],
    ] as const) {
      queue.add(id, 0, team);
    }
    const lane = openWithPlaces();
    for (const id of ["a1", "a2"]) {
      await turns();
      places.get(id)?.give(false);
    }
    await turns();
    expect(begun).toEqual(["a1", "a2", "b1"]);
    places.get("b1")?.give(true);
    await turns();
    expect(begun).toEqual(["a1", "a2", "b1", "c1"]);
    places.get("c1")?.give(false);
    await turns();
    expect(begun).toHaveLength(4);
    end.get("a1")?.resolve();
    await turns();
    expect(begun).toEqual(["a1", "a2", "b1", "c1", "a3"]);
    await lane.stop();
    expect(errors).toEqual([]);
  });
});
