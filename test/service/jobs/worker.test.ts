import { mkdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { FastifyBaseLogger } from "fastify";
import { expect, onTestFinished, test } from "vitest";
import { DEFAULT_SETTINGS } from "../../../src/core/settings.ts";
import type { Engine } from "../../../src/engine/index.ts";
import { configurationFrom, type ServiceConfiguration } from "../../../src/service/configuration.ts";
import { startWorker, type WorkerParts } from "../../../src/service/jobs/worker.ts";
import { SettingsError } from "../../../src/service/settings/settings-file.ts";
import { dataFolders } from "../../../src/service/storage/data-folders.ts";
import { SetClock, turns } from "../../fakes/set-clock.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { recordsOf } from "../written-records.ts";

// What the worker adds to what it works with: which limits a job has, who hears of its end, how many uploads are verified at once, and
// when is swept. Records, queue and engine are the test's.

const REPORT = { describer: "fake", speech: [], music: [], silence: [], shots: [], notes: [], stage_seconds: {} };
const HOUR_MS = 3_600_000;
const undamaged = async (configuration: ServiceConfiguration) => configuration;
const damaged = () => Promise.reject(new SettingsError("settings_damaged", "They cannot be read."));

interface Given {
  readonly answers?: Parameters<typeof recordsOf>[0];
  readonly waiting?: Readonly<Record<string, readonly string[]>>;
  readonly describe?: Engine["describe"];
  /** What sweeping asks for first. */
  readonly over?: (configuration: ServiceConfiguration) => Promise<ServiceConfiguration>;
  readonly configuration?: object;
  /** What the end of a piece of work waits for. */
  readonly ending?: Promise<void>;
}

async function working({ answers = [], waiting = {}, describe, over = damaged, configuration = {}, ending }: Given) {
  const dataFolder = await temporaryFolder();
  const folders = dataFolders(dataFolder);
  for (const folder of [folders.incoming, folders.work]) await mkdir(folder);
  const clock = new SetClock();
  const records = recordsOf(answers);
  const entries = new Map(Object.entries(waiting).map(([name, ids]) => [name, [...ids]]));
  const told: string[] = [];
  const lines: (readonly [object, string])[] = [];
  const note = (facts: object, line: string) => void lines.push([facts, line]);
  const parts = {
    database: { ...records, exclusively: (_lock: number, work: () => unknown) => work() },
    objects: {
      stat: async () => ({ sizeBytes: 1 }),
      put: async () => undefined,
      borrow: async () => {
        const path = join(folders.incoming, "own");
        await writeFile(path, "own");
        return { path, release: async () => undefined };
      },
      async *list() {},
    },
    folders,
    clock,
    engine: { describe },
    configuration: configurationFrom(configuration, dataFolder),
    queue: {
      onWake: () => () => undefined,
      take: async (name: string, withoutTeams: readonly string[] = []) => {
        const id = withoutTeams.includes("t") ? undefined : entries.get(name)?.shift();
        return id === undefined ? null : { entryId: id, id, teamId: "t", returns: 0 };
      },
      keep: async () => undefined,
      complete: async (_name: string, { id }: { id: string }) => {
        await ending;
        told.push(`complete ${id}`);
      },
      giveBack: async (_name: string, { id }: { id: string }) => void told.push(`back ${id}`),
    },
    settings: { limits: undamaged, over },
    endings: { tell: (id: string) => void told.push(`ended ${id}`), heard: () => new Promise<void>(() => undefined) },
    metrics: { countJob: ({ type }: { type: string }) => void told.push(type) },
  } as unknown as WorkerParts; // of each as much as these laws ask for
  const worker = startWorker(parts, { info: note, warn: note, error: note } as unknown as FastifyBaseLogger);
  onTestFinished(() => worker.stop());
  return { worker, clock, told, lines, records, folders };
}

const job = {
  ...{ id: "j", teamId: "t", mediaId: "m", kind: "text", track: "mixed", resolution: "source" },
  ...{ settings: DEFAULT_SETTINGS, attempts: 0, interruptions: 0, finishedAt: null, error: null },
};

test("a job has the memory that is set and its team's limit of a month; its end is told, counted and logged", async () => {
  const given: unknown[] = [];
  const { told, lines } = await working({
    waiting: { "run-job": ["j"] },
    configuration: { job_memory_megabytes: 300, plans: { default: { cost_per_month: 3 } } },
    answers: [
      [/^UPDATE aside.job SET status = 'processing'/, [job]],
      [/^UPDATE aside.job SET status = 'done'/, [{ id: "j" }]],
      [/FROM aside.media WHERE id/, [{ id: "m", storageKey: "film", durationSeconds: 60 }]],
      [/^SELECT id, name FROM aside.team/, [{ id: "t", name: "north" }]],
      [/FROM aside.paid_request WHERE team_id/, [{ cost: 2 }]],
      [/./, []],
    ],
    describe: async (_order, { memoryLimitBytes, ledger }) => {
      given.push(memoryLimitBytes);
      const plan = { ceiling: null, most: 9, price: { input: 1, output: 1 } };
      for (const cost of [1, 2]) given.push(await ledger?.reserve("model", { ...plan, cost }));
      return { content: "", cues: [], files: {}, report: REPORT };
    },
  });
  await expect.poll(() => told.length).toBeGreaterThanOrEqual(4);
  expect(told).toEqual(["started", "done", "ended j", "complete j"]);
  expect(given).toEqual([300_000_000, expect.any(String), expect.objectContaining({ why: "ceiling" })]);
  const ofJobs = lines.filter(([, line]) => line.startsWith("job "));
  expect(ofJobs).toEqual([
    [expect.objectContaining({ jobId: "j" }), "job started"],
    [expect.objectContaining({ jobId: "j", programmeSeconds: 60 }), "job done"],
  ]);
});

test("of a team two jobs may wait for answers while no more of it are begun", async () => {
  let begun = 0;
  const { worker } = await working({
    waiting: { "run-job": ["j1", "j2", "j3", "j4"] },
    answers: [
      [/^UPDATE aside.job SET status = 'processing'/, ([id]) => [{ ...job, id }]],
      [/FROM aside.media WHERE id/, [{ id: "m", storageKey: "film", durationSeconds: 60 }]],
      [/./, []],
    ],
    describe: (_order, { place, signal }) => {
      begun++;
      place?.give(false);
      return new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
    },
  });
  await expect.poll(() => begun).toBeGreaterThanOrEqual(2);
  await turns(50);
  expect(begun).toBe(2);
  await worker.stop();
});

test("of uploads two are verified at once, and the next when one of them is", async () => {
  const asked: unknown[] = [];
  const ending = Promise.withResolvers<void>();
  const { told } = await working({
    waiting: { "verify-upload": ["a", "b", "c"] },
    answers: [
      [
        /FROM aside.media WHERE id/,
        ([id]) => {
          asked.push(id);
          return [];
        },
      ],
    ],
    ending: ending.promise,
  });
  onTestFinished(() => ending.resolve());
  await expect.poll(() => asked.length).toBeGreaterThan(1);
  await turns(20);
  expect([asked, told]).toEqual([["a", "b"], []]);
  ending.resolve();
  await expect.poll(() => told.length).toBeGreaterThanOrEqual(3);
  expect(told).toEqual(["complete a", "complete b", "complete c"]);
});

test("is swept at once, and every hour; what cannot be read removes nothing, and is told each time", async () => {
  let swept = 0;
  const { worker, clock, lines } = await working({
    over: () => {
      swept++;
      return damaged();
    },
  });
  await turns();
  expect([swept, lines.map(([, line]) => line)]).toEqual([1, ["a sweep failed"]]);
  await clock.pass(HOUR_MS - 1);
  expect(swept).toBe(1);
  await clock.pass(1);
  expect(swept).toBe(2);
  await worker.stop();
  expect(clock.sleeping).toBe(0);
});

test("a sweep is told where it removed anything, whatever that was, and a stop waits for it", async () => {
  const begun = Promise.withResolvers<ServiceConfiguration>();
  let wanted: ServiceConfiguration | null = null;
  const { worker, lines, folders } = await working({
    over: (configuration) => {
      wanted = configuration;
      return begun.promise;
    },
    answers: [
      [/FROM aside.secret/, [{ value: "own" }]],
      [/^SELECT now\(\) AS at/, [{ at: new Date(0) }]],
      [/count\(\*\)::int AS count FROM gone/, [{ count: 0 }]],
      [/./, []],
    ],
  });
  const left = join(folders.work, "left");
  await mkdir(left);
  await utimes(left, new Date(0), new Date(0));
  let isStill = false;
  const stopped = worker.stop().then(() => {
    isStill = true;
  });
  await turns();
  expect(isStill).toBe(false);
  if (wanted !== null) begun.resolve(wanted);
  await stopped;
  expect(lines).toEqual([[expect.objectContaining({ uploads: 0, files: 1 }), "swept"]]);
});
