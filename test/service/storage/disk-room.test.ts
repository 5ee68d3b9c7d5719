import { stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ArrivingFile } from "../../../src/service/ingest/arriving-file.ts";
import { receiveSlice } from "../../../src/service/ingest/receive-upload.ts";
import { hasRoomFor, isNoRoom, requireRoomFor, requireRoomForRecords } from "../../../src/service/storage/disk-room.ts";
import { getMedia } from "../../../src/service/storage/media-records.ts";
import { openEmbeddedDatabase } from "../../../src/service/storage/pglite-database.ts";
import { smallDisk } from "../../fakes/disk-room.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { openTestRecords, type TestRecords } from "../records.ts";

const MEGABYTE = 1024 * 1024;
const BLOCK = 4096;
const RESERVE = 256 * MEGABYTE;
const RECORDS_RESERVE = 32 * MEGABYTE;

let records: TestRecords;
beforeAll(async () => {
  records = await openTestRecords();
});
afterAll(() => records.close());

test("256 MB stay free for work that goes on, to the byte, whatever root has beside them", async () => {
  const disk = smallDisk(RESERVE + BLOCK);
  expect(await hasRoomFor("/data", 0)).toBe(true);
  expect(await hasRoomFor("/data", BLOCK)).toBe(true);
  expect(await hasRoomFor("/data", BLOCK + 1)).toBe(false);
  await requireRoomFor("/data", BLOCK);
  await expect(requireRoomFor("/data", BLOCK + 1)).rejects.toSatisfy(isNoRoom);
  disk.free = RESERVE - BLOCK;
  expect(await hasRoomFor("/data", 0)).toBe(false);
  expect(new Set(disk.asked)).toEqual(new Set(["/data"]));
});

test("what says that a disk is full is told from every other fault", () => {
  const fault = (code: unknown) => Object.assign(new Error("no"), { code });
  for (const code of ["ENOSPC", "EDQUOT", "53100"]) expect(isNoRoom(fault(code))).toBe(true);
  for (const other of [fault("EACCES"), fault("EIO"), fault(28), new Error("ENOSPC"), { code: "ENOSPC" }, null]) {
    expect(isNoRoom(other)).toBe(false);
  }
});

test("the embedded records refuse every change before they would hang, and answer reads all the same", async () => {
  const { database, folders } = records;
  const disk = smallDisk(RECORDS_RESERVE);
  expect(() => requireRoomForRecords(folders.records)).not.toThrow();
  const insert = "INSERT INTO aside.secret (name, value) VALUES ('room', 'x') ON CONFLICT DO NOTHING";
  const changes = [
    () => database.query(insert),
    () => database.query(` ${insert.toLowerCase()}`),
    () => database.query("SELECT id FROM aside.team FOR UPDATE"),
    () =>
      database.query("WITH made AS (INSERT INTO aside.secret VALUES ('with', 'x') RETURNING name) SELECT * FROM made"),
    () => database.transaction((queries) => queries.query("SELECT 1")),
    () => database.script("SELECT 1"),
  ];
  await database.query(insert);
  disk.free -= BLOCK;
  for (const change of changes) await expect(change()).rejects.toSatisfy(isNoRoom);
  expect(await database.query("\n  SELECT name FROM aside.secret WHERE name = 'with'")).toEqual([]);
  expect(await database.query("select 1 AS one")).toEqual([{ one: 1 }]);
  expect(new Set(disk.asked)).toEqual(new Set([folders.records]));
  await expect(openEmbeddedDatabase(join(await temporaryFolder(), "new"))).rejects.toSatisfy(isNoRoom);
});

/** A stream of zeros that says how much of it was taken. */
function zeros(megabytes: number) {
  const chunk = Buffer.alloc(4 * MEGABYTE);
  const taken = { megabytes: 0 };
  const stream = Readable.from(
    (async function* () {
      for (; taken.megabytes < megabytes; taken.megabytes += 4) yield chunk;
    })(),
  );
  return { stream, taken };
}

test("bytes that arrive are refused within 16 MB of the reserve, however many come after them", async () => {
  const disk = smallDisk(RESERVE + 16 * MEGABYTE);
  const folder = await temporaryFolder();
  const whole = await ArrivingFile.in(folder);
  expect(await whole.write(zeros(16).stream, Number.POSITIVE_INFINITY)).toMatchObject({ sizeBytes: 16 * MEGABYTE });
  expect(await whole.write(zeros(64).stream, Number.POSITIVE_INFINITY)).toMatchObject({ sizeBytes: 64 * MEGABYTE });
  disk.free -= BLOCK;
  const { stream, taken } = zeros(1_000);
  await expect(whole.write(stream, Number.POSITIVE_INFINITY)).rejects.toSatisfy(isNoRoom);
  expect((await stat(whole.path)).size).toBeLessThan(16 * MEGABYTE);
  expect(taken.megabytes).toBeLessThan(64);
  expect(new Set(disk.asked)).toEqual(new Set([folder]));
});

test("so are those of a slice, and those that are there already stay", async () => {
  const { database, objects, folders } = records;
  const upload = await records.upload();
  const media = await getMedia(database, upload.id);
  if (media === null) throw new Error("no media");
  const parts = { database, objects, incoming: folders.incoming };
  const slice = { start: 0, end: 1_000 * MEGABYTE, totalBytes: null, maximumBytes: 2_000 * MEGABYTE };
  expect(await receiveSlice(parts, media, zeros(4).stream, slice)).toMatchObject({ sizeBytes: 4 * MEGABYTE });
  const disk = smallDisk(RESERVE);
  await expect(receiveSlice(parts, media, zeros(1_000).stream, { ...slice, start: 4 * MEGABYTE })).rejects.toSatisfy(
    isNoRoom,
  );
  disk.free += 64 * MEGABYTE;
  const more = await receiveSlice(parts, media, zeros(4).stream, { ...slice, start: 4 * MEGABYTE });
  expect(more).toMatchObject({ isComplete: false });
});
