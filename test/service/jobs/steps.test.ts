import { existsSync, readFileSync } from "node:fs";
import { mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { DEFAULT_SETTINGS } from "../../../src/core/settings.ts";
import { type Engine, IsolateError, JobFailure } from "../../../src/engine/index.ts";
import { configurationFrom } from "../../../src/service/configuration.ts";
import { cancelAndWait } from "../../../src/service/jobs/cancel-job.ts";
import { Endings } from "../../../src/service/jobs/endings.ts";
import { settingsOf, storeLongValue } from "../../../src/service/jobs/long-values.ts";
import { deleteMedia, removeMedia } from "../../../src/service/jobs/remove-media.ts";
import { type JobEvent, type RunJobParts, runJob } from "../../../src/service/jobs/run-job.ts";
import { type SweepParts, sweep } from "../../../src/service/jobs/sweep.ts";
import { type DataFolders, dataFolders } from "../../../src/service/storage/data-folders.ts";
import type { Database } from "../../../src/service/storage/database.ts";
import type { ObjectStore } from "../../../src/service/storage/object-store.ts";
import { SetClock, turns } from "../../fakes/set-clock.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { recordsOf, type Statement } from "../written-records.ts";

// The steps of jobs and of sweeping, over records and a store that a test writes, each answer of which takes its time: what is said
// to be done is done, and for all of them.

afterEach(() => {
  vi.useRealTimers();
});

let folders: DataFolders;
beforeEach(async () => {
  folders = dataFolders(await temporaryFolder());
  for (const folder of [folders.incoming, folders.work, folders.programmes, folders.narration]) {
    await mkdir(folder, { recursive: true });
  }
});

/** A store that takes its time, and what it was asked for. */
function slowStore(
  contents: Readonly<Record<string, { readonly ageHours?: number }>> = {},
  { isStuck = false, refused = null }: { readonly isStuck?: boolean; readonly refused?: string | null } = {},
) {
  const removed: string[] = [];
  const stored = new Map<string, string>();
  const state = { underWay: 0, released: 0 };
  const slowly = async <Value>(work: () => Value | Promise<Value>): Promise<Value> => {
    state.underWay++;
    await turns(2);
    const value = await work();
    state.underWay--;
    return value;
  };
  const objects = {
    remove: (key: string) => slowly(() => void removed.push(key)),
    put: (key: string, path: string) =>
      slowly(async () => {
        if (refused !== null && key.endsWith(refused)) throw new Error("the store is full");
        stored.set(key, await readFile(path, "utf8"));
      }),
    stat: async () => ({ sizeBytes: 1 }),
    async borrow(key: string) {
      const path = join(folders.incoming, "borrowed");
      await writeFile(path, stored.get(key) ?? (key === "aside-records" ? "own" : ""));
      const release = () => {
        if (isStuck) throw new Error("the film cannot be removed");
        state.released++;
      };
      return { path, release: () => slowly(release) };
    },
    async *list() {
      for (const [key, { ageHours = 48 }] of Object.entries(contents)) {
        yield { key, sizeBytes: 7, modifiedAt: new Date(Date.now() - ageHours * 3_600_000) };
      }
    },
  };
  return { objects: objects as unknown as ObjectStore, removed, stored, state };
}

type Written = ReturnType<typeof recordsOf>;
const asDatabase = (records: Written, more: object = {}) =>
  ({ ...records, exclusively: (_lock: number, work: () => unknown) => work(), ...more }) as unknown as Database;
const said = (statements: readonly Statement[], pattern: RegExp) => statements.filter(({ text }) => pattern.test(text));

describe("the end of a job", () => {
  test("wakes everybody who waits for it, and nobody else", async () => {
    const endings = new Endings();
    const { signal } = new AbortController();
    const woken: string[] = [];
    const wait = (name: string, id: string) => endings.heard(id, 60_000, signal).then(() => woken.push(name));
    const all = [wait("a1", "a"), wait("a2", "a"), wait("b", "b"), wait("c1", "c"), wait("c2", "c")];
    await turns();
    expect(woken).toEqual([]);
    endings.tell("a");
    await turns();
    expect(woken.sort()).toEqual(["a1", "a2"]);
    endings.close();
    await Promise.all(all);
    expect(woken.sort()).toEqual(["a1", "a2", "b", "c1", "c2"]);
    // Whoever comes later is not held.
    await endings.heard("d", 60_000, signal);
  });

  test("is waited for so long, or until the sender is gone, and leaves neither a timer nor a listener", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const endings = new Endings();
    const gone = new AbortController();
    const [added, dropped] = [vi.spyOn(gone.signal, "addEventListener"), vi.spyOn(gone.signal, "removeEventListener")];
    let isOver = false;
    const waiting = endings.heard("a", 1_000, gone.signal).then(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(999);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await waiting;
    expect(dropped.mock.calls[0]?.[1]).toBe(added.mock.calls[0]?.[1]);
    const second = endings.heard("a", 1_000, gone.signal);
    gone.abort();
    await second;
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("cancelling a job", () => {
  const cancelled = (held: () => boolean, kind: "embedded" | "server" = "server") => {
    const records = recordsOf([
      [/^SELECT 1 .*lease|lease IS NOT NULL/, () => (held() ? [{ is: true, isHeld: true, held: true }] : [])],
      [/./, [{ id: "j", error: "cancelled" }]],
    ]);
    return asDatabase(records, { kind });
  };

  test("waits until nothing is at work for it, but no longer than three seconds", async () => {
    const clock = new SetClock();
    const begun = clock.now();
    let isHeld = true;
    let outcome: string | null = null;
    const one = cancelAndWait({ database: cancelled(() => isHeld), endings: null, clock }, "j").then((what) => {
      outcome = what;
    });
    await clock.pass(1_000);
    expect(outcome).toBeNull();
    isHeld = false;
    await clock.pass(100);
    await one;
    expect([outcome, clock.now() - begun]).toEqual(["cancelled", 1_100]);
    isHeld = true;
    outcome = null;
    const other = cancelAndWait({ database: cancelled(() => isHeld), endings: null, clock }, "j").then((what) => {
      outcome = what;
    });
    await clock.pass(2_950);
    expect(outcome).toBeNull();
    await clock.pass(100);
    await other;
    expect(outcome).toBe("cancelled");
  });
});

describe("a run", () => {
  const job = {
    ...{ id: "j", teamId: "t", mediaId: "m", kind: "video", track: "mixed", resolution: "source" },
    ...{ settings: DEFAULT_SETTINGS, attempts: 0, interruptions: 0, finishedAt: null, error: null },
  };
  const report = { describer: "fake", speech: [], music: [], silence: [], shots: [], notes: [], stage_seconds: {} };
  const FILES = { video: "out.mp4", audio: "out.wav", worksheet: "out.html" };
  const made: Engine["describe"] = async ({ workFolder }) => {
    for (const name of Object.values(FILES)) await writeFile(join(workFolder, name), name);
    return { content: "x".repeat(70_000), cues: [], files: FILES, report };
  };

  /** Runs the job; `isMine`: whether it still has it at the end. */
  function running(
    describe: Engine["describe"],
    {
      isMine = true,
      isOver = false,
      isFilmStuck = false,
      refused = null as string | null,
      costPerMonth = null as number | null,
      signal = new AbortController().signal,
      onBack = () => {},
      onRelease = () => {},
      onDone = () => {},
    } = {},
  ) {
    let cost = 0;
    const records = recordsOf([
      [/^SELECT coalesce\(sum\(cost\), 0\)::float8 AS cost FROM aside.paid_request WHERE team_id/, () => [{ cost }]],
      [/uselessInARow/, [{ requests: 0, inputTokens: 0, outputTokens: 0, cost: 0, uselessInARow: 0 }]],
      [
        /^INSERT INTO aside.paid_request/,
        (values) => {
          cost += Number(values[5]);
          return [];
        },
      ],
      [/^UPDATE aside.job SET status = 'processing'/, isOver ? [] : [job]],
      [
        /^UPDATE aside.job SET lease = NULL/,
        () => {
          onRelease();
          return [];
        },
      ],
      [/FROM aside.media WHERE id/, [{ id: "m", storageKey: "film", durationSeconds: 60 }]],
      [/^UPDATE aside.job SET status = '(?:done|failed)'/, () => (isMine ? [{ id: "j" }] : [])],
      [
        /^UPDATE aside.job SET status = 'queued'/,
        () => {
          onBack();
          return [job];
        },
      ],
      [/FROM aside.job WHERE id = \$1/, [job]],
      [/./, []],
    ]);
    const store = slowStore({}, { isStuck: isFilmStuck, refused });
    const told: (readonly unknown[])[] = [];
    const events: JobEvent[] = [];
    const parts: RunJobParts = {
      ...{ database: asDatabase(records), objects: store.objects, folders, engine: { describe }, endings: null },
      ...{ clock: new SetClock(), attempts: 3, timeLimitSeconds: 60, memoryLimitBytes: 1e9 },
      costPerMonth: async () => costPerMonth,
      onEvent: (event) => {
        const { type } = event;
        events.push(event);
        told.push([type, store.removed.length, store.state.underWay, records.underWay()]);
        if (type === "done") onDone();
      },
    };
    return { over: runJob(parts, "j", signal), records, store, told, events };
  }

  test("has every folder that it works in when it begins, and has given back what it borrowed at its end", async () => {
    const there: boolean[] = [];
    const { over, store, told } = running(async (order, options) => {
      for (const one of [order.workFolder, order.mediaFolder, order.narrationFolder]) there.push(existsSync(one));
      return made(order, options);
    });
    await over;
    expect([there, store.state.released, told]).toEqual([
      [true, true, true],
      1,
      [
        ["started", 0, 0, 0],
        ["done", 0, 0, 0],
      ],
    ]);
    const ends = ["audio.wav", "text.json", "video.mp4", "worksheet.html"];
    expect([...store.stored.keys()].map((key) => key.split("/").at(-1)).sort()).toEqual(ends);
  });

  test("works in a folder of its job, of its film and of its team, each below its own", async () => {
    let asked: readonly string[] = [];
    const { over } = running(async (order, options) => {
      asked = [order.workFolder, order.mediaFolder, order.narrationFolder];
      return made(order, options);
    });
    await over;
    const { work, programmes, narration } = folders;
    expect(asked).toEqual([join(work, "j"), join(programmes, "m"), join(narration, "t")]);
  });

  test("has what it pays written for the month that the service's clock shows, within what its team may spend", async () => {
    const reserved: unknown[] = [];
    const { over, records } = running(
      async (order, options) => {
        const plan = { cost: 2, ceiling: null, most: 9, price: { input: 1, output: 1 } };
        for (let request = 0; request < 2; request++) reserved.push(await options.ledger?.reserve("model", plan));
        return made(order, options);
      },
      { costPerMonth: 3 },
    );
    await over;
    const written = said(records.statements, /^INSERT INTO aside.paid_request/).map(({ values }) => values.slice(1, 5));
    expect(written).toEqual([["j", "t", "2026-01", "model"]]);
    expect(reserved).toEqual([expect.any(String), expect.objectContaining({ why: "ceiling" })]);
  });

  test("says how many seconds it took, and how long its film is", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const { over, events } = running(async (order, options) => {
      vi.advanceTimersByTime(1_500);
      return made(order, options);
    });
    await over;
    expect(events.map(({ type, seconds, programmeSeconds }) => [type, seconds, programmeSeconds])).toEqual([
      ["started", 0, undefined],
      ["done", 1.5, 60],
    ]);
  });

  test.each(["audio.wav", "video.mp4", "worksheet.html", "text.json"])(
    "is not done where the store does not take its %s",
    async (refused) => {
      const { over, told, store } = running(made, { refused });
      await expect(over).rejects.toThrow("the store is full");
      expect(told.map(([type]) => type)).toEqual(["started", "returned"]);
      expect([...store.stored.keys()].filter((key) => key.endsWith(refused))).toEqual([]);
    },
  );

  test("keeps its progress twice a second at most, and each new stage at once", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const { over, records } = running(async (order, { onProgress, ...options }) => {
      for (const [stage, passed] of [
        ["listen", 0],
        ["listen", 499],
        ["listen", 1],
        ["listen", 499],
        ["describe", 0],
        ["describe", 500],
      ] as const) {
        vi.advanceTimersByTime(passed);
        onProgress?.({ stage, fraction: 0.5 });
      }
      return made(order, options);
    });
    await over;
    const kept = said(records.statements, /^UPDATE aside.job SET stage = /).map(({ values }) => values[2]);
    expect(kept).toEqual(["listen", "listen", "describe", "describe"]);
  });

  test("whose job is another's by its end has removed all that it stored when it says so", async () => {
    const { over, store, told } = running(made, { isMine: false });
    await over;
    expect(store.removed.sort()).toEqual([...store.stored.keys()].sort());
    expect(told).toEqual([
      ["started", 0, 0, 0],
      ["superseded", 4, 0, 0],
    ]);
  });

  test("that fills the disk gives its room back before its job waits again", async () => {
    const full = new IsolateError("task_failed", "full", { task: "describe", raised: "Error ENOSPC" });
    const hadRoom: boolean[] = [];
    const { over, told } = running(
      async ({ workFolder }) => {
        for (let index = 0; index < 200; index++) await writeFile(join(workFolder, `${index}`), "x");
        throw full;
      },
      { onBack: () => hadRoom.push(!existsSync(join(folders.work, "j"))) },
    );
    await expect(over).rejects.toBe(full);
    expect([hadRoom, told.at(-1)]).toEqual([[true], ["crashed", 0, 0, 0]]);
  });

  test("that is done, or was over before, has left nothing of its folder when it says so", async () => {
    const folder = join(folders.work, "j");
    const fill = async () => {
      await mkdir(folder, { recursive: true });
      for (let index = 0; index < 200; index++) await writeFile(join(folder, `${index}`), "x");
    };
    const isGone: boolean[] = [];
    const look = () => isGone.push(!existsSync(folder));
    await fill();
    await running(made, { onDone: look }).over;
    await fill();
    await running(() => expect.unreachable(), { isOver: true, onRelease: look }).over;
    expect(isGone).toEqual([true, true]);
  });

  test("that its server puts back, or that fails for the last time, says so when the records do", async () => {
    const away = running(() => Promise.reject(new Error("connect ECONNREFUSED")));
    await expect(away.over).rejects.toThrow("ECONNREFUSED");
    expect(away.told.at(-1)).toEqual(["returned", 0, 0, 0]);
    const failed = running(() => Promise.reject(new JobFailure("voice_unavailable", "There is no such voice.")));
    await failed.over;
    expect([failed.told.at(-1), existsSync(join(folders.work, "j"))]).toEqual([["failed", 0, 0, 0], false]);
  });

  test("that stops with its service says that it is put back when it is, and counts nothing against its job", async () => {
    const stop = new AbortController();
    const { over, records, told } = running(
      async () => {
        stop.abort(new Error("the service is stopping"));
        throw stop.signal.reason;
      },
      { signal: stop.signal },
    );
    await expect(over).rejects.toThrow("the service is stopping");
    expect(told.at(-1)).toEqual(["returned", 0, 0, 0]);
    const [back] = said(records.statements, /^UPDATE aside.job SET status = 'queued'/);
    expect(back?.values.slice(2)).toEqual([0, 0]);
  });

  test("whose film cannot be given back is put back, however well it went", async () => {
    const { over, store, told } = running(made, { isFilmStuck: true });
    await expect(over).rejects.toThrow("the film cannot be removed");
    expect([told.map(([type]) => type), store.stored.size]).toEqual([["started", "returned"], 0]);
  });
});

describe("a long value", () => {
  const job = { id: "j", teamId: "t" };
  const value = (bytes: number) => ({ a: "x".repeat(bytes - '{"a":""}'.length) });

  test("stands in an object once it is longer than a row takes, and leaves no file behind", async () => {
    const { objects, stored, state } = slowStore();
    const keep = (bytes: number) =>
      storeLongValue({ objects, folders }, job, { kind: "settings", name: "settings", value: value(bytes) });
    expect([await keep(65_536), stored.size]).toEqual([null, 0]);
    const kept = await keep(65_537);
    expect([kept?.storageKey, kept?.sizeBytes, state.underWay]).toEqual(["teams/t/jobs/j/settings.json", 65_537, 0]);
    expect(kept?.contentHash).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.parse(stored.get("teams/t/jobs/j/settings.json") ?? "")).toEqual(value(65_537));
    expect(await readdir(folders.incoming)).toEqual([]);
  });

  test("is whole in its file when the store is given it, in a folder that was not there", async () => {
    const incoming = join(folders.incoming, "not", "yet", "there");
    const given: string[] = [];
    const put = async (_key: string, path: string) => void given.push(readFileSync(path, "utf8"));
    const parts = { objects: { put } as unknown as ObjectStore, folders: { ...folders, incoming } };
    await storeLongValue(parts, job, { kind: "settings", name: "settings", value: value(2_000_000) });
    expect(given.map(({ length }) => length)).toEqual([2_000_000]);
  });

  test("is read from where it stands, and what was borrowed for it is given back", async () => {
    const { objects, stored, state } = slowStore();
    const { signal } = new AbortController();
    expect(await settingsOf(objects, { settings: DEFAULT_SETTINGS }, signal)).toBe(DEFAULT_SETTINGS);
    stored.set("key", JSON.stringify(DEFAULT_SETTINGS));
    expect(await settingsOf(objects, { settings: { format: "vtt", storageKey: "key" } }, signal)).toEqual(
      DEFAULT_SETTINGS,
    );
    expect([state.released, state.underWay]).toEqual([1, 0]);
    stored.set("key", "{");
    await expect(settingsOf(objects, { settings: { format: "vtt", storageKey: "key" } }, signal)).rejects.toThrow();
    expect(state.released).toBe(2);
  });
});

describe("media that are removed", () => {
  const forgotten = [
    { id: "m1", storageKey: "s1", uploadKey: "u1" },
    { id: "m2", storageKey: "s2", uploadKey: "s2" },
    { id: "m3", storageKey: "s3", uploadKey: null },
  ];
  const lay = async () => {
    for (const { id } of forgotten) {
      await mkdir(join(folders.programmes, id));
      await writeFile(join(folders.incoming, `slices-${id}`), "x");
    }
  };
  const left = async () => [await readdir(folders.programmes), await readdir(folders.incoming)];

  test("are gone with all of theirs, each of them, when that is said", async () => {
    await lay();
    const { objects, removed, state } = slowStore();
    const database = asDatabase(recordsOf([[/^UPDATE aside.media m SET removed_at/, forgotten]]));
    expect(await removeMedia({ database, objects, folders }, "true", [])).toBe(3);
    expect([removed, state.underWay, await left()]).toEqual([["s1", "u1", "s2", "s3"], 0, [[], []]]);
  });

  test.each(["s1", "u1", "s3"])("are not said to be gone where the store fails to remove %s", async (failing) => {
    await lay();
    const store = slowStore();
    const remove = async (key: string) => {
      await store.objects.remove(key);
      if (key === failing) throw new Error("the store is away");
    };
    const database = asDatabase(recordsOf([[/^UPDATE aside.media m SET removed_at/, forgotten]]));
    const parts = { database, objects: { ...store.objects, remove }, folders };
    await expect(removeMedia(parts, "true", [])).rejects.toThrow("away");
  });

  test("of a team are removed under its lock, and not while one job of them goes on", async () => {
    await lay();
    let open: object[] = [];
    const records = recordsOf([
      [/FROM aside.team/, [{ id: "t" }]],
      [/^SELECT id, team_id/, [{ id: "m1", uploadStatus: "completed" }]],
      [/^SELECT 1 FROM aside.job WHERE media_id = \$1/, () => open],
      [/^UPDATE aside.media m SET removed_at/, forgotten],
    ]);
    const { objects, removed, state } = slowStore();
    const parts = { database: asDatabase(records), objects, folders };
    open = [{}];
    await expect(deleteMedia(parts, "t", "m1")).rejects.toMatchObject({ code: "job_not_deletable" });
    expect(removed).toEqual([]);
    open = [];
    records.statements.length = 0;
    await deleteMedia(parts, "t", "m1");
    expect(records.statements.map(({ isInside }) => isInside)).toEqual([true, true, true, true]);
    expect(records.statements[0]?.text).toMatch(/FROM aside.team.* FOR UPDATE/);
    expect(records.statements[2]?.values).toEqual(["m1"]);
    expect([removed.length, state.underWay, await left()]).toEqual([4, 0, [[], []]]);
  });
});

describe("a sweep", () => {
  const HOUR = 3_600_000;
  /** Records in which nothing is to be swept, but what a test says. */
  const sweeping = (answers: Parameters<typeof recordsOf>[0] = [], contents: Parameters<typeof slowStore>[0] = {}) => {
    const records = recordsOf([
      ...answers,
      [/^SELECT value FROM aside.secret|FROM aside.secret/, [{ value: "own" }]],
      [/^SELECT now\(\) AS at/, [{ at: new Date(0) }]],
      [/count\(\*\)::int AS count FROM gone/, [{ count: 0 }]],
      [/./, []],
    ]);
    const store = slowStore(contents);
    const queued: (readonly unknown[])[] = [];
    const woken: string[] = [];
    const state = { adding: 0, exclusive: [] as number[], failing: "" };
    const queue = {
      add: async (_database: object, ...order: readonly unknown[]) => {
        state.adding++;
        await turns(2);
        state.adding--;
        if (order[1] === state.failing) throw new Error("the queue is away");
        queued.push(order);
      },
      wake: (name: string) => woken.push(name),
    };
    const database = asDatabase(records, {
      exclusively: (lock: number, work: () => unknown) => {
        state.exclusive.push(lock);
        return work();
      },
    });
    const configuration = configurationFrom(
      {
        retention: {
          result_days: 3,
          media_days: 5,
          narration_days: 2,
          unknown_object_days: 9,
          abandoned_upload_hours: 4,
        },
      },
      "/",
    );
    const parts = { database, objects: store.objects, folders, queue, configuration } as unknown as SweepParts;
    return { run: () => sweep(parts), records, store, queued, woken, state };
  };
  /** Lays a file or folder of an age. */
  const lay = async (path: string, hours: number) => {
    await mkdir(path, { recursive: true });
    const then = new Date(Date.now() - hours * HOUR);
    await utimes(path, then, then);
  };

  test("is one at a time, and asks by the days and hours that are set", async () => {
    const { run, records, state } = sweeping();
    await run();
    expect(state.exclusive).toEqual([7_268_302]);
    const [uploads, media] = said(records.statements, /^UPDATE aside.media m SET removed_at/);
    expect([uploads?.values, media?.values]).toEqual([[4 * 3_600], [5 * 24 * 3_600]]);
    expect(records.underWay()).toBe(0);
  });

  test("puts back all that is owed and stands in no queue, in its turn, and wakes who works on it", async () => {
    const { run, queued, woken, state } = sweeping([
      [
        /FROM aside.job w WHERE/,
        [
          { id: "j1", turn: 4, teamId: "t" },
          { id: "j2", turn: 5, teamId: "t" },
        ],
      ],
      [/FROM aside.media w WHERE/, [{ id: "m1" }, { id: "m2" }]],
    ]);
    expect((await run()).requeued).toBe(4);
    expect([queued, state.adding, woken]).toEqual([
      [
        ["run-job", "j1", { priority: -4, teamId: "t" }],
        ["run-job", "j2", { priority: -5, teamId: "t" }],
        ["verify-upload", "m1"],
        ["verify-upload", "m2"],
      ],
      0,
      ["run-job", "verify-upload"],
    ]);
  });

  test.each(["j1", "j2", "m1", "m2"])(
    "does not say that %s is put back where its queue does not take it",
    async (id) => {
      const { run, state } = sweeping([
        [
          /FROM aside.job w WHERE/,
          [
            { id: "j1", turn: 4, teamId: "t" },
            { id: "j2", turn: 5, teamId: "t" },
          ],
        ],
        [/FROM aside.media w WHERE/, [{ id: "m1" }, { id: "m2" }]],
      ]);
      state.failing = id;
      await expect(run()).rejects.toThrow("the queue is away");
    },
  );

  test("removes local files that are old and of nobody, all of them, and no other", async () => {
    const { incoming, work, programmes, narration } = folders;
    const gone = [
      [join(incoming, "a"), 25],
      [join(incoming, "b"), 30],
      [join(work, "over"), 2],
      [join(work, "over2"), 2],
      [join(programmes, "removed"), 2],
      [join(programmes, "removed2"), 2],
      [join(narration, "t1", "x"), 49],
      [join(narration, "t2", "x"), 49],
    ] as const;
    const kept = [
      [join(incoming, "fresh"), 23.9],
      [join(work, "j1"), 50],
      [join(work, "j2"), 50],
      [join(work, "fresh"), 0.9],
      [join(programmes, "m1"), 50],
      [join(programmes, "m2"), 50],
      [join(programmes, "fresh"), 0.9],
      [join(narration, "t1", "y"), 47],
      [join(narration, "t2", "y"), 47],
    ] as const;
    for (const [path, hours] of [...gone, ...kept]) await lay(path, hours);
    const { run } = sweeping([
      [/^SELECT id FROM aside.job WHERE status/, [{ id: "j1" }, { id: "j2" }]],
      [/^SELECT id FROM aside.media WHERE removed_at IS NULL/, [{ id: "m1" }, { id: "m2" }]],
    ]);
    expect((await run()).files).toBe(gone.length);
    expect(gone.filter(([path]) => existsSync(path))).toEqual([]);
    expect(kept.filter(([path]) => !existsSync(path))).toEqual([]);
  });

  test("removes all results whose time is over, when it says so", async () => {
    const { run, store } = sweeping([
      [/^UPDATE aside.job SET deleted_at|^WITH .*aside.job/, [{ id: "j1" }, { id: "j2" }]],
      [/^DELETE FROM aside.artifact/, [{ storageKey: "r1" }, { storageKey: "r2" }]],
    ]);
    expect((await run()).results).toBe(2);
    expect([store.removed, store.state.underWay]).toEqual([["r1", "r2"], 0]);
  });

  describe("of stored objects", () => {
    const key = (owner: string, name = "x") => `teams/t/media/${owner}/${name}`;

    test("removes those that nobody needs, and holds what no record knows, for its days", async () => {
      const contents = {
        [key("known", "needed")]: {},
        [key("known", "needed2")]: {},
        [key("known", "left")]: {},
        [key("known2", "left")]: {},
        [key("unknown1")]: {},
        [key("unknown2")]: {},
        [key("unknown3")]: {},
        [key("known", "fresh")]: { ageHours: 23.9 },
        [key("known", "old")]: { ageHours: 24.1 },
      };
      const { run, records, store } = sweeping(
        [
          [
            /^SELECT storage_key AS key FROM aside.artifact/,
            [{ key: key("known", "needed") }, { key: key("known", "needed2") }],
          ],
          [/^SELECT id::text AS id/, [{ id: "known" }, { id: "known2" }]],
          [/^SELECT key FROM aside.unknown_object/, [{ key: key("unknown1") }, { key: key("unknown2") }]],
        ],
        contents,
      );
      const gone = [key("known", "left"), key("known2", "left"), key("unknown3"), key("known", "old")];
      expect((await run()).orphans).toBe(gone.length);
      expect([store.removed, store.state.underWay, records.underWay()]).toEqual([gone, 0, 0]);
      const noted = said(records.statements, /^INSERT INTO aside.unknown_object/).map(({ values }) => values);
      expect(noted).toEqual([1, 2, 3].map((index) => [key(`unknown${index}`), 7]));
      const [held] = said(records.statements, /^SELECT key FROM aside.unknown_object/);
      expect(held?.values).toEqual([[1, 2, 3].map((index) => key(`unknown${index}`)), 9]);
      const dropped = said(records.statements, /^DELETE FROM aside.unknown_object WHERE key = \$1$/);
      expect(dropped.map(({ values }) => values)).toEqual(gone.map((one) => [one]));
      expect(said(records.statements, /unknown_object/).filter(({ isHasty }) => isHasty)).toEqual([]);
      // What was not seen this time is gone, or known: forgotten last of all.
      const last = records.statements.at(-1);
      expect([last?.text, last?.values]).toEqual([
        "DELETE FROM aside.unknown_object WHERE seen_at < $1",
        [new Date(0)],
      ]);
    });

    test("looks them up by five hundred, to the last", async () => {
      const contents = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [key("known", `${index}`), {}]));
      const { run, records } = sweeping([[/^SELECT id::text AS id/, [{ id: "known" }]]], contents);
      expect((await run()).orphans).toBe(1_001);
      const asked = said(records.statements, /^SELECT storage_key AS key/).map(
        ({ values }) => (values[0] as string[]).length,
      );
      expect(asked).toEqual([500, 500, 1]);
    });
  });
});
