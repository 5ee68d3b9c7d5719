import { existsSync } from "node:fs";
import { open, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ArrivingFile, Turns, writeAll } from "../../../src/service/ingest/arriving-file.ts";
import {
  dropUpload,
  type ReceiveParts,
  receivedSoFar,
  receiveSlice,
  receiveWhole,
} from "../../../src/service/ingest/receive-upload.ts";
import { beginVerification, getMedia, type MediaRecord } from "../../../src/service/storage/media-records.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { openTestRecords, type TestRecords } from "../records.ts";

let records: TestRecords;
let parts: ReceiveParts;
let media: MediaRecord;
beforeAll(async () => {
  records = await openTestRecords();
  const { database, objects, folders } = records;
  parts = { database, objects, incoming: folders.incoming };
});
afterAll(() => records.close());
beforeEach(async () => {
  media = await recordOf((await records.upload()).id);
});

async function recordOf(id: string): Promise<MediaRecord> {
  const found = await getMedia(records.database, id);
  if (found === null) throw new Error("no media");
  return found;
}
const bytes = (...chunks: readonly string[]) => Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
/** A line that breaks after some bytes. */
const broken = (...chunks: readonly string[]) =>
  Readable.from(
    (async function* () {
      for (const chunk of chunks) yield Buffer.from(chunk);
      throw Object.assign(new Error("gone"), { code: "ECONNRESET" });
    })(),
  );
const stored = async () => {
  const path = records.objects.pathOf(media.storageKey);
  return existsSync(path) ? readFile(path, "utf8") : null;
};
const slices = () => join(parts.incoming, `slices-${media.id}`);
const arrived = async () => (existsSync(slices()) ? readFile(slices(), "utf8") : null);
const left = async () => (await readdir(parts.incoming)).filter((name) => name.includes(media.id));

describe("an upload in one piece", () => {
  test("is stored with what it is, up to the most that the plan allows", async () => {
    expect(await receiveWhole(parts, media, bytes("abc", "def"), 6)).toMatchObject({ sizeBytes: 6, isComplete: true });
    expect(await stored()).toBe("abcdef");
    expect(await recordOf(media.id)).toMatchObject({
      uploadStatus: "pending_upload",
      sizeBytes: 6,
      contentHash: "bef57ec7f53a6d40beb640a780a639c83bc29ac8a9816f1fc6c5c6dcd93c4721",
    });
  });

  test.each([
    ["is larger than the plan allows", () => bytes("abcd", "efg"), "too-large"],
    ["breaks off", () => broken("abc"), "gone"],
  ])("that %s stores nothing and leaves no file behind", async (_, stream, outcome) => {
    const before = await readdir(parts.incoming);
    const received = await receiveWhole(parts, media, stream(), 6).catch((error: Error) => error.message);
    expect(received).toBe(outcome);
    expect([await stored(), await readdir(parts.incoming)]).toEqual([null, before]);
    const ended = outcome === "too-large" ? ["failed", "file_too_large"] : ["pending_upload", null];
    const { uploadStatus, failureCode } = await recordOf(media.id);
    expect([uploadStatus, failureCode]).toEqual(ended);
  });

  test("that ends after verification began changes nothing of what is looked at", async () => {
    await receiveWhole(parts, media, bytes("first"), 6);
    await beginVerification(records.database, media.id);
    expect(await receiveWhole(parts, media, bytes("other"), 6)).toBe("over");
    expect(await stored()).toBe("first");
  });
});

describe("an upload in slices", () => {
  const slice = (start: number, end: number, more: object = {}) => ({
    start,
    end,
    totalBytes: null,
    maximumBytes: 100,
    ...more,
  });

  test("goes on where it stands, skips what is there, and is stored when its last byte is", async () => {
    const of = (start: number, end: number) => slice(start, end, { totalBytes: 9 });
    expect(await receiveSlice(parts, media, bytes("ab", "c"), of(0, 2))).toEqual({ sizeBytes: 3, isComplete: false });
    expect(await receivedSoFar(parts, media)).toEqual({ sizeBytes: 3, isComplete: false });
    // Sent again from the second byte on, in pieces that lie before, across and behind what is there.
    expect(await receiveSlice(parts, media, bytes("b", "cd", "ef"), of(1, 5))).toMatchObject({ sizeBytes: 6 });
    expect(await arrived()).toBe("abcdef");
    expect(await readFile(`${slices()}.synced`, "utf8")).toBe("6");
    expect(await receiveSlice(parts, media, bytes("ghi"), of(6, 8))).toEqual({ sizeBytes: 9, isComplete: true });
    expect([await stored(), await left()]).toEqual(["abcdefghi", []]);
    expect(await receivedSoFar(parts, media)).toEqual({ sizeBytes: 9, isComplete: true });
    expect(await receiveSlice(parts, media, bytes("x"), of(9, 9))).toEqual({ sizeBytes: 9, isComplete: true });
    expect(await stored()).toBe("abcdefghi");
  });

  test("that would leave a hole changes nothing, and is told where to go on", async () => {
    await receiveSlice(parts, media, bytes("abc"), slice(0, 2));
    expect(await receiveSlice(parts, media, bytes("e"), slice(4, 4))).toEqual({ sizeBytes: 3, isComplete: false });
    expect(await receiveSlice(parts, media, bytes("d"), slice(3, 3))).toMatchObject({ sizeBytes: 4 });
    expect(await arrived()).toBe("abcd");
  });

  test("keeps what arrived of a slice that was cut short", async () => {
    await expect(receiveSlice(parts, media, broken("ab", "c"), slice(0, 5))).rejects.toThrow("gone");
    expect(await receivedSoFar(parts, media)).toEqual({ sizeBytes: 3, isComplete: false });
    expect(await arrived()).toBe("abc");
  });

  test("takes no byte behind the end that a slice states", async () => {
    expect(await receiveSlice(parts, media, bytes("abcd", "ef"), slice(0, 2))).toMatchObject({ sizeBytes: 3 });
    expect(await arrived()).toBe("abc");
  });

  test("may be as large as the plan allows, and one byte more ends it, with all that arrived", async () => {
    const most = { maximumBytes: 6 };
    expect(await receiveSlice(parts, media, bytes("abcdef"), slice(0, 5, most))).toMatchObject({ sizeBytes: 6 });
    expect(await receiveSlice(parts, media, bytes("g"), slice(6, 6, most))).toBe("too-large");
    expect([await left(), (await recordOf(media.id)).failureCode]).toEqual([[], "file_too_large"]);
  });

  test("that states a smaller whole than has arrived is contradicted; one of exactly that is whole", async () => {
    await receiveSlice(parts, media, bytes("abc"), slice(0, 2));
    expect(await receiveSlice(parts, media, bytes(""), slice(3, 3, { totalBytes: 2 }))).toBe("contradictory");
    expect(await arrived()).toBe("abc");
    expect(await receiveSlice(parts, media, bytes(), slice(3, 3, { totalBytes: 3 }))).toMatchObject({
      isComplete: true,
    });
    expect(await stored()).toBe("abc");
  });

  test("whose last slice comes after verification began stores nothing", async () => {
    await receiveSlice(parts, media, bytes("abc"), slice(0, 2));
    await beginVerification(records.database, media.id);
    expect(await receiveSlice(parts, media, bytes("d"), slice(3, 3, { totalBytes: 4 }))).toBe("over");
    expect(await stored()).toBeNull();
  });

  test("is taken back with all that arrived, and not once it is verified", async () => {
    await receiveSlice(parts, media, bytes("abc"), slice(0, 2));
    await dropUpload(parts, media);
    expect([await left(), await getMedia(records.database, media.id)]).toEqual([[], null]);
    media = await recordOf((await records.upload()).id);
    await receiveWhole(parts, media, bytes("kept"), 6);
    await beginVerification(records.database, media.id);
    await dropUpload(parts, media);
    expect(await stored()).toBe("kept");
  });
});

test("the folder of arriving files is there when a place in it is given, however deep it lies", async () => {
  const folder = join(await temporaryFolder(), "a", "b", "c");
  const { path } = await ArrivingFile.in(folder);
  expect([existsSync(folder), existsSync(path)]).toEqual([true, false]);
});

test("all of a buffer is written where the system takes a part at a time", async () => {
  const path = join(await temporaryFolder(), "file");
  const file = await open(path, "w");
  const write = file.write.bind(file);
  file.write = (async (buffer: Buffer, offset: number) =>
    write(buffer, offset, Math.min(3, buffer.length - offset))) as typeof file.write;
  await writeAll(file, Buffer.from("0123456789"));
  await file.close();
  expect(await readFile(path, "utf8")).toBe("0123456789");
});

test("one byte more than may come ends a file, and its sender is still there to be answered", async () => {
  const arriving = await ArrivingFile.in(await temporaryFolder());
  const stream = bytes("abc", "def", "ghi");
  expect(await arriving.write(stream, 5)).toBeNull();
  expect(stream.destroyed).toBe(false);
  await arriving.remove();
  expect(existsSync(arriving.path)).toBe(false);
});

describe("turns", () => {
  test("a newer piece of work stops the one before it and begins when that has ended; other names wait for nothing", async () => {
    const turns = new Turns();
    const told: string[] = [];
    const work = (name: string, id: string) => {
      const end = Promise.withResolvers<void>();
      const taken = turns.take(
        name,
        () => void told.push(`stop ${id}`),
        async () => {
          told.push(`begin ${id}`);
          await end.promise;
          told.push(`end ${id}`);
        },
      );
      return { taken, end: end.resolve };
    };
    const [first, second, other] = [work("a", "1"), work("a", "2"), work("b", "3")];
    await new Promise((next) => setImmediate(next));
    expect(told).toEqual(["begin 1", "stop 1", "begin 3"]);
    first.end();
    await first.taken;
    await new Promise((next) => setImmediate(next));
    expect(told.slice(3)).toEqual(["end 1", "begin 2"]);
    for (const { end } of [second, other]) end();
    await Promise.all([second.taken, other.taken]);
  });

  test("work that fails gives its turn back", async () => {
    const turns = new Turns();
    const failing = turns.take(
      "a",
      () => undefined,
      () => Promise.reject(new Error("no")),
    );
    const next = turns.take(
      "a",
      () => undefined,
      async () => "yes",
    );
    await expect(failing).rejects.toThrow("no");
    expect(await next).toBe("yes");
  });
});
