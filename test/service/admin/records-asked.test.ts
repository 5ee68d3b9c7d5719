import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { type AdministrationParts, createAdministration } from "../../../src/service/admin/administration.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { recordsOf } from "../written-records.ts";

// What administration asks of the records and of the store, and what it makes of their answers: none of them is open.

const createdAt = new Date("2026-01-01T00:00:00Z");
const summary = (id: string, finishedAt: Date | null) => ({ id, team: "north", createdAt, finishedAt });
let named: object[] = [];
let ended: string[] = [];
const records = recordsOf([
  [
    /^SELECT j\.id, t\.name AS team.*ORDER BY j\.created_at DESC LIMIT \$3$/,
    [summary("a", null), summary("b", createdAt)],
  ],
  [
    /^SELECT id FROM aside\.job WHERE finished_at < now\(\) - make_interval\(secs => \$1\) AND finished_at </,
    () => ended.map((id) => ({ id })),
  ],
  [
    /^DELETE FROM aside\.artifact WHERE job_id = ANY/,
    ([ids]) =>
      (ids as readonly string[]).flatMap((id) => ["audio", "text"].map((kind) => ({ storageKey: `${id}/${kind}` }))),
  ],
  [/^DELETE FROM aside\.(?:usage|job) WHERE (?:job_)?id = ANY/, []],
  [/^SELECT 'media' AS kind/, () => named],
]);

const folder = await temporaryFolder();
/** What is lent just now. */
const lent = new Set<string>();
const removed: string[] = [];
let removing = 0;
const objects = {
  stat: async (key: string) => (key === "gone" ? null : { key }),
  borrow: async (key: string) => {
    lent.add(key);
    return { path: join(folder, key), release: async () => void lent.delete(key) };
  },
  remove: async (key: string) => {
    removing++;
    await new Promise((next) => setImmediate(next));
    removing--;
    removed.push(key);
  },
};
const administration = createAdministration({ database: records, objects } as unknown as AdministrationParts); // all that is asked

beforeEach(() => {
  records.statements.length = 0;
  removed.length = 0;
  lent.clear();
});

test("jobs are listed, all that are found, fifty at most where no number is named", async () => {
  const jobs = await administration.listJobs();
  expect(jobs.map(({ id, finishedAt }) => [id, finishedAt])).toEqual([
    ["a", null],
    ["b", "2026-01-01T00:00:00.000Z"],
  ]);
  await administration.listJobs({ status: "failed", team: "south", limit: 7 });
  await administration.listJobs({ status: "none" as never });
  expect(records.statements.map(({ values }) => values)).toEqual([
    [null, null, 50],
    ["failed", "south", 7],
    [null, null, 50],
  ]);
});

test("jobs of more than so many days are forgotten in one transaction, each with every object that it has, before that is said", async () => {
  ended = ["one", "two"];
  expect(await administration.purgeJobs(30)).toBe(2);
  expect(records.statements.map(({ isInside }) => isInside)).toEqual([true, true, true, true]);
  expect(records.statements[0]?.values).toEqual([30 * 24 * 60 * 60]);
  for (const { values } of records.statements.slice(1)) expect(values).toEqual([ended]);
  expect([removed, removing]).toEqual([["one/audio", "one/text", "two/audio", "two/text"], 0]);
});

describe("what is stored", () => {
  beforeEach(async () => {
    await mkdir(folder, { recursive: true });
    for (const key of ["whole", "short", "changed"]) await writeFile(join(folder, key), "bytes");
  });
  const row = (key: string, more: object = {}) => ({ kind: "result", id: key, key, sizeBytes: 5, hash: null, ...more });

  test("is compared, all of it, and whatever is not as it was stored is named", async () => {
    named = [row("short", { sizeBytes: 6 }), row("whole"), row("gone"), row("changed", { hash: "another" })];
    expect(await administration.verifyObjects()).toEqual({
      objects: 4,
      bytes: 21,
      damaged: [
        { kind: "result", id: "short", state: "damaged" },
        { kind: "result", id: "gone", state: "missing" },
        { kind: "result", id: "changed", state: "damaged" },
      ],
    });
  });

  test("is given back to the store, whatever is found", async () => {
    named = [row("short", { sizeBytes: 6 }), row("whole"), row("changed", { hash: "another" })];
    await administration.verifyObjects();
    expect([...lent]).toEqual([]);
    named = [row("nowhere")];
    await expect(administration.verifyObjects()).rejects.toThrow("ENOENT");
    expect([...lent]).toEqual([]);
  });
});
