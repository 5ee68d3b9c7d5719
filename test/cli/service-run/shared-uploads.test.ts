import { expect, test } from "vitest";
import { SharedUploads } from "../../../src/cli/service-run/service-run.ts";
import { RECORD_VERSION, type RunRecord } from "../../../src/workflow/describe/recovery.ts";
import { MemoryRecovery } from "../../fakes/memory-recovery.ts";

const recordOf = (runId: string, mediaId?: string): RunRecord => ({
  ...{ version: RECORD_VERSION, runId, startedAt: "2026-01-01T00:00:00Z", name: "" },
  ...(mediaId === undefined ? {} : { media: { mediaId, isVerified: true } }),
});

test("a run begins with the upload of an earlier one of the same content, of no other, and not where it has its own", async () => {
  const records = new MemoryRecovery();
  const uploads = new SharedUploads();
  const [film, other] = [uploads.over(records, "film"), uploads.over(records, "other")];
  expect(await film.load("a")).toBeNull();
  await film.save(recordOf("a", "m1"));
  await other.save(recordOf("o", "m2"));
  expect((await records.load("a"))?.media).toMatchObject({ mediaId: "m1" });
  expect(await film.load("b")).toMatchObject({ runId: "b", media: { mediaId: "m1" } });
  expect(await other.load("c")).toMatchObject({ runId: "c", media: { mediaId: "m2" } });
  await records.save(recordOf("d", "own"));
  expect(await film.load("d")).toMatchObject({ media: { mediaId: "own" } });
});

test("an upload that a run found gone is not begun with again; one that is removed with its run stays the others'", async () => {
  const records = new MemoryRecovery();
  const film = new SharedUploads().over(records, "film");
  await film.save(recordOf("a", "m1"));
  await film.remove("a");
  expect(records.texts.size).toBe(0);
  expect(await film.load("b")).toMatchObject({ media: { mediaId: "m1" } });
  await film.save(recordOf("b"));
  expect(await film.load("c")).toBeNull();
});
