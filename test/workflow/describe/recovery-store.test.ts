import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { Library } from "../../../panel/session/library.ts";
import { folderRecovery } from "../../../src/cli/out-folder/folder-record.ts";
import { OutFolder } from "../../../src/cli/out-folder/out-folder.ts";
import { pathIn } from "../../../src/host/uxp/work-folder.ts";
import {
  hasExport,
  parseRunRecord,
  RECORD_VERSION,
  type RecoveryStore,
  type RunRecord,
} from "../../../src/workflow/describe/recovery.ts";
import { MemoryRecovery } from "../../fakes/memory-recovery.ts";
import { EVERY_FILES } from "../../host/every-files.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const RECORD: RunRecord = {
  version: RECORD_VERSION,
  runId: "run-1",
  startedAt: "2026-01-01T00:00:00Z",
  name: "Harbour",
};

async function ofFolder(): Promise<RecoveryStore> {
  const folder = await OutFolder.open(join(await temporaryFolder(), "out"), false);
  onTestFinished(() => folder.close());
  return folderRecovery(folder);
}

async function ofPanel(): Promise<RecoveryStore> {
  const { files, root } = (await EVERY_FILES.find(([name]) => name.includes("memory"))?.[1]()) ?? {};
  if (files === undefined || root === undefined) throw new Error("no files in memory");
  const all = { path: root, exportsPath: root, resultsPath: root, runsPath: root };
  return new Library({ files, pathIn, folders: async () => all }).recovery;
}

describe.each([
  ["the double", async () => new MemoryRecovery()],
  ["a folder of results", ofFolder],
  ["the panel", ofPanel],
] as const)("the port for unfinished runs, by %s", (_, make) => {
  let store: RecoveryStore;
  beforeEach(async () => {
    store = await make();
  });

  test("gives back what was saved last, each run for itself, and is not changed by it", async () => {
    await store.save(RECORD);
    await store.save({ ...RECORD, runId: "run-2", name: "Other" });
    const later = { ...RECORD, media: { mediaId: "m", isVerified: true } };
    await store.save(later);
    expect(await store.load("run-1")).toEqual(later);
    expect(await store.load("run-1")).toEqual(later);
    expect(await store.load("run-2")).toMatchObject({ name: "Other" });
  });

  test("knows nothing of a run that was never saved, and forgets one that was removed, twice too", async () => {
    expect(await store.load("run-1")).toBeNull();
    await store.save(RECORD);
    await store.remove("run-1");
    await store.remove("run-1");
    expect(await store.load("run-1")).toBeNull();
  });

  test("of saves at once the last one asked for counts, whole", async () => {
    const all = Array.from({ length: 5 }, (_entry, index) => ({ ...RECORD, name: `Harbour ${index}`.repeat(2_000) }));
    for (const record of all.slice(0, -1)) await store.save(record);
    await Promise.all([store.save(RECORD)]);
    expect(await store.load("run-1")).toEqual(RECORD);
  });
});

test.each([
  ["nothing", ""],
  ["no JSON", "{"],
  ["no object", "null"],
  ["a list", "[]"],
  ["a number", String(RECORD_VERSION)],
  ["another version", JSON.stringify({ ...RECORD, version: RECORD_VERSION + 1 })],
  ["no version", JSON.stringify({ runId: "run-1" })],
  ["no run", JSON.stringify({ ...RECORD, runId: 1 })],
])("%s is no record", (_, text) => {
  expect(parseRunRecord(text)).toBeNull();
});

test("a run has its export once it was made, or is in a queue", () => {
  const queued = { path: "/a.mp4", contentType: "video/mp4", durationSeconds: 6, offsetSeconds: 0, isTemporary: true };
  const exported = { ...queued, sizeBytes: 9 };
  expect([null, RECORD].map(hasExport)).toEqual([false, false]);
  const all = [{ exported }, { queued }, { exported, queued }];
  for (const facts of all) expect(hasExport({ ...RECORD, ...facts })).toBe(true);
});
