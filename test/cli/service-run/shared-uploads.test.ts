import { expect, test } from "vitest";
import { SharedUploads } from "../../../src/cli/service-run/service-run.ts";
import { RECORD_VERSION, type RecoveryStore, type RunRecord } from "../../../src/workflow/describe/recovery.ts";

/** Records in memory. */
function storeOf(records: Map<string, RunRecord>): RecoveryStore {
  return {
    load: async (runId) => records.get(runId) ?? null,
    save: async (record) => void records.set(record.runId, record),
    remove: async (runId) => void records.delete(runId),
  };
}

const recordOf = (runId: string, mediaId?: string): RunRecord =>
  ({
    version: RECORD_VERSION,
    runId,
    startedAt: "2026-01-01T00:00:00Z",
    name: "",
    ...(mediaId === undefined ? {} : { media: { mediaId } }),
  }) as RunRecord;

test("a run begins with the upload of an earlier one of the same content, of no other, and not where it has its own", async () => {
  const records = new Map<string, RunRecord>();
  const uploads = new SharedUploads();
  const [film, other] = [uploads.over(storeOf(records), "film"), uploads.over(storeOf(records), "other")];
  expect(await film.load("a")).toBeNull();
  await film.save(recordOf("a", "m1"));
  await other.save(recordOf("o", "m2"));
  expect(records.get("a")?.media).toEqual({ mediaId: "m1" });
  expect(await film.load("b")).toMatchObject({ runId: "b", media: { mediaId: "m1" } });
  expect(await other.load("c")).toMatchObject({ runId: "c", media: { mediaId: "m2" } });
  records.set("d", recordOf("d", "own"));
  expect(await film.load("d")).toMatchObject({ media: { mediaId: "own" } });
});

test("an upload that a run found gone is not begun with again; one that is removed with its run stays the others'", async () => {
  const records = new Map<string, RunRecord>();
  const film = new SharedUploads().over(storeOf(records), "film");
  await film.save(recordOf("a", "m1"));
  await film.remove("a");
  expect(records.size).toBe(0);
  expect(await film.load("b")).toMatchObject({ media: { mediaId: "m1" } });
  await film.save(recordOf("b"));
  expect(await film.load("c")).toBeNull();
});
