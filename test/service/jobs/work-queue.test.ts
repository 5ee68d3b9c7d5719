import { randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WorkQueue } from "../../../src/service/jobs/work-queue.ts";
import type { Database } from "../../../src/service/storage/database.ts";
import { claimStore } from "../../../src/service/storage/object-store.ts";
import { turns } from "../../fakes/set-clock.ts";
import { openTestRecords, SlowPorts, type TestRecords } from "../records.ts";

const KINDS = ["run-job", "verify-upload"] as const;

let records: TestRecords;
let queue: WorkQueue;
beforeAll(async () => {
  records = await openTestRecords();
  queue = new WorkQueue(records.database, () => undefined);
  await queue.start();
});
afterAll(async () => {
  await queue.stop();
  await records.close();
});

/** Adds pieces of work of a kind, and takes them, as a process does that then dies. */
async function taken(kind: (typeof KINDS)[number], count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  for (const id of ids) await queue.add(records.database, kind, id);
  return Promise.all(ids.map(async () => (await queue.take(kind))?.id ?? ""));
}

test("all that a dead process worked on, of every kind, is taken again, and counted as put back", async () => {
  const before = [await taken("run-job", 3), await taken("verify-upload", 2)];
  for (const kind of KINDS) expect(await queue.take(kind)).toBeNull();
  await queue.reclaim();
  for (const [index, kind] of KINDS.entries()) {
    const again = await Promise.all((before[index] ?? []).map(() => queue.take(kind)));
    expect(again.map((one) => one?.id).toSorted()).toEqual(before[index]?.toSorted());
    expect(again.map((one) => one?.returns)).toEqual(again.map(() => 1));
    for (const entry of again) if (entry !== null) await queue.complete(kind, entry);
    expect(await queue.take(kind)).toBeNull();
  }
  // What is ended stays so.
  await queue.reclaim();
  for (const kind of KINDS) expect(await queue.take(kind)).toBeNull();
});

test("work comes by priority, but for teams that are passed over, and what is put back wakes those who wait", async () => {
  const [low, high] = [randomUUID(), randomUUID()];
  const [few, many] = [records.team.id, randomUUID()];
  await queue.add(records.database, "run-job", low, { priority: 1, teamId: few });
  await queue.add(records.database, "run-job", high, { priority: 2, teamId: many });
  let woken = 0;
  const stops = KINDS.map((kind) => queue.onWake(kind, () => woken++));
  const first = await queue.take("run-job", [many]);
  expect(first).toMatchObject({ id: low, teamId: few, returns: 0 });
  if (first !== null) await queue.giveBack("run-job", first);
  expect(woken).toBe(1);
  const second = await queue.take("run-job");
  expect(second).toMatchObject({ id: high, teamId: many });
  const third = await queue.take("run-job");
  expect(third).toMatchObject({ id: low, returns: 1 });
  for (const stop of stops) stop();
  queue.wake("run-job");
  expect(woken).toBe(1);
  for (const entry of [second, third]) if (entry !== null) await queue.complete("run-job", entry);
});

test("every kind of work has its queue once it has started, and what it says is so when it says it", async () => {
  for (const kind of KINDS) await records.database.query("SELECT pgboss.delete_queue($1)", [kind]);
  const ports = new SlowPorts();
  const slow = new WorkQueue(ports.wrap(records.database), () => undefined);
  const still = async <Value>(work: Promise<Value>): Promise<Value> => {
    const value = await work;
    expect(ports.underWay).toBe(0);
    return value;
  };
  await still(slow.start());
  for (const kind of KINDS) {
    const id = randomUUID();
    await still(slow.add(records.database, kind, id));
    const entry = await still(slow.take(kind));
    expect(entry?.id).toBe(id);
    if (entry === null) continue;
    await still(slow.keep(kind, entry));
    await still(slow.giveBack(kind, entry));
    await still(slow.take(kind));
    await still(slow.reclaim());
    const again = await still(slow.take(kind));
    expect(again).toMatchObject({ id, returns: 2 });
    if (again !== null) await still(slow.complete(kind, again));
    expect(await still(slow.take(kind))).toBeNull();
  }
  await slow.stop();
});

test.each<readonly [string, (database: Database) => Promise<unknown>]>([
  [
    "tables of the queue are made",
    async (database) => {
      const another = new WorkQueue(database, () => undefined);
      await another.start();
      await another.stop();
    },
  ],
  [
    "a store is claimed",
    async (database) => {
      await claimStore(records.objects, database, { workFolder: records.folders.work });
      expect(await readdir(records.folders.work)).toEqual([]);
      expect((await records.objects.stat("aside-records"))?.sizeBytes).toBe(64);
    },
  ],
])("of several processes that start at once one begins: %s in its turn alone", async (_, start) => {
  const turn = Promise.withResolvers<void>();
  let asked = 0;
  const { database: real } = records;
  const database: Database = {
    ...real,
    query: (statement, values) => {
      asked++;
      return real.query(statement, values);
    },
    script: (statements) => {
      asked++;
      return real.script(statements);
    },
    exclusively: async (_lock, work) => {
      await turn.promise;
      return work();
    },
  };
  const started = start(database);
  await turns(10);
  expect(asked).toBe(0);
  turn.resolve();
  await started;
  expect(asked).toBeGreaterThan(0);
});
