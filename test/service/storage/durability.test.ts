import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { ArrivingFile } from "../../../src/service/ingest/arriving-file.ts";
import { type ReceiveParts, receiveSlice } from "../../../src/service/ingest/receive-upload.ts";
import { writeSettingsFile } from "../../../src/service/settings/settings-file.ts";
import { DiskObjectStore, LinkSigner } from "../../../src/service/storage/disk-object-store.ts";
import type { MediaRecord } from "../../../src/service/storage/media-records.ts";
import { writePrivateFile } from "../../../src/service/storage/private-file.ts";
import { makeSyncedFolder, syncTree } from "../../../src/service/storage/synced-folder.ts";
import { SYSTEM_CLOCK } from "../../../src/service/system-clock.ts";
import { diskJournal } from "../../fakes/disk-journal.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** A journal of a folder of the test's own: its paths from there, `.` for itself, and `ID` for what is random in them. */
async function journalled() {
  const folder = await temporaryFolder();
  const journal = diskJournal((path) =>
    path.startsWith(folder) ? relative(folder, path).replaceAll(UUID, "ID") || "." : null,
  );
  return { folder, journal };
}

function storeIn(folder: string): DiskObjectStore {
  return new DiskObjectStore(folder, new LinkSigner("any"), { uploadSeconds: 1, resultSeconds: 1 }, SYSTEM_CLOCK);
}

test("an object is on the disk before its name, and its name, with the folders around it, before put resolves", async () => {
  const { folder, journal } = await journalled();
  await writeFile(join(folder, "given"), "bytes");
  const store = storeIn(join(folder, "objects"));
  await store.put("teams/a/x", join(folder, "given"), "");
  expect(journal.lines).toEqual([
    "sync objects/teams",
    "sync objects",
    "sync .",
    "sync given",
    "link given objects/teams/a/x.ID",
    "rename objects/teams/a/x.ID objects/teams/a/x",
    "sync objects/teams/a",
  ]);
});

test.each([
  ["sync given", []],
  ["link given", ["x"]],
  ["rename objects/x", []],
])("a store that fails at %s has nothing new under the name, and nothing beside it", async (line, stored) => {
  const { folder, journal } = await journalled();
  await writeFile(join(folder, "given"), "new");
  const store = storeIn(join(folder, "objects"));
  journal.failAt = new RegExp(`^${line}`);
  const put = () => store.put("x", join(folder, "given"), "");
  // Where no second name can be given, bytes are copied.
  if (stored.length === 0) await expect(put()).rejects.toMatchObject({ code: "ENOSPC" });
  else await put();
  expect(await readdir(join(folder, "objects"))).toEqual(stored);
  journal.failAt = null;
  await put();
  await writeFile(join(folder, "other"), "newer");
  journal.failAt = new RegExp(line.replace("given", "other"));
  await store.put("x", join(folder, "other"), "").catch(() => undefined);
  expect(["new", "newer"]).toContain(await readFile(join(folder, "objects", "x"), "utf8"));
  expect(await readdir(join(folder, "objects"))).toEqual(["x"]);
});

test("bytes that arrived are on the disk before they are told of", async () => {
  const { folder, journal } = await journalled();
  const arriving = await ArrivingFile.in(join(folder, "incoming"), "film");
  expect(await arriving.write(Readable.from([Buffer.from("ab"), Buffer.from("c")]), 3)).toMatchObject({ sizeBytes: 3 });
  await arriving.noteSynced(3);
  expect(journal.lines).toEqual(["sync .", "sync incoming/film", "sync incoming/film.synced", "sync incoming"]);
  expect(await readFile(`${arriving.path}.synced`, "utf8")).toBe("3");
  journal.failAt = /sync/;
  await expect(arriving.write(Readable.from([Buffer.from("a")]), 3)).rejects.toMatchObject({ code: "ENOSPC" });
  await expect(arriving.noteSynced(4)).rejects.toMatchObject({ code: "ENOSPC" });
});

test("a slice is on the disk before it is noted as synced, and noted before it is told of", async () => {
  const { folder, journal } = await journalled();
  const objects = storeIn(join(folder, "objects"));
  const media = { id: "m", storageKey: "teams/a/m" } as MediaRecord;
  // Of the records nothing is asked while more is to come.
  const parts: ReceiveParts = { database: {} as ReceiveParts["database"], objects, incoming: join(folder, "incoming") };
  const slice = { start: 0, end: 2, totalBytes: 9, maximumBytes: 9 };
  const received = await receiveSlice(parts, media, Readable.from([Buffer.from("abc")]), slice);
  expect(received).toEqual({ sizeBytes: 3, isComplete: false });
  expect(journal.lines).toEqual(["sync .", "sync incoming/slices-m", "sync incoming/slices-m.synced", "sync incoming"]);
});

test("what is set is on the disk before it is answered, its name too, and stays as it was where that fails", async () => {
  const { folder, journal } = await journalled();
  const path = join(folder, "settings.json");
  await writeSettingsFile(path, {});
  expect(journal.lines).toEqual(["sync settings.json.ID.part", "rename settings.json.ID.part settings.json", "sync ."]);
  const before = await readFile(path, "utf8");
  expect((await stat(path)).mode & 0o077).toBe(0);
  for (const line of ["sync settings", "rename"]) {
    journal.failAt = new RegExp(line);
    await expect(writePrivateFile(path, "other")).rejects.toMatchObject({ code: "ENOSPC" });
    expect([await readFile(path, "utf8"), await readdir(folder)]).toEqual([before, ["settings.json"]]);
  }
});

test("a folder that is made has its name on the disk, and so have those that were made around it; one that stands costs nothing", async () => {
  const { folder, journal } = await journalled();
  await mkdir(join(folder, "stands"));
  await makeSyncedFolder(join(folder, "stands/a/b"));
  expect(journal.lines).toEqual(["sync stands/a", "sync stands"]);
  journal.lines.length = 0;
  await makeSyncedFolder(join(folder, "stands/a/b"));
  expect(journal.lines).toEqual([]);
});

test("a tree is on the disk with every file and every folder of it", async () => {
  const { folder, journal } = await journalled();
  for (const path of ["a/b", "a/c"]) await mkdir(join(folder, path), { recursive: true });
  for (const path of ["1", "a/2", "a/b/3", "a/c/4"]) await writeFile(join(folder, path), "x");
  await syncTree(folder);
  const synced = journal.lines.map((line) => line.replace("sync ", ""));
  expect(synced.slice(0, 4).toSorted()).toEqual(["1", "a/2", "a/b/3", "a/c/4"]);
  expect(synced.slice(4).toSorted()).toEqual([".", "a", "a/b", "a/c"]);
});

/** What is acknowledged when it resolves, each in a folder of its own. */
const STEPS: Readonly<Record<string, (folder: string) => Promise<unknown>>> = {
  "an object": (folder) => storeIn(join(folder, "objects")).put("teams/a/x", join(folder, "given"), ""),
  "a private file": (folder) => writePrivateFile(join(folder, "private"), "text"),
  "a folder in folders": (folder) => makeSyncedFolder(join(folder, "a/b/c")),
  "a tree": (folder) => syncTree(folder),
  "an arriving file": async (folder) => {
    const arriving = await ArrivingFile.in(join(folder, "incoming"), "film");
    await arriving.write(Readable.from([Buffer.from("ab")]), 3);
    await arriving.noteSynced(2);
  },
};

test.each(Object.entries(STEPS))(
  "of %s every flush is over when it is said to be there, and each that fails is heard of",
  async (_, step) => {
    let folder = "";
    const journal = diskJournal((path) =>
      path.startsWith(folder) ? relative(folder, path).replaceAll(UUID, "ID") || "." : null,
    );
    const fresh = async () => {
      folder = await temporaryFolder();
      await mkdir(join(folder, "inner"));
      for (const name of ["given", "inner/other"]) await writeFile(join(folder, name), "bytes");
      journal.lines.length = 0;
    };
    await fresh();
    await step(folder);
    expect([journal.underWay(), journal.hasty]).toEqual([0, []]);
    // Where no second name can be given, bytes are copied.
    const lines = journal.lines.filter((line) => !line.startsWith("link"));
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) {
      await fresh();
      journal.failAt = new RegExp(`^${line.replaceAll(".", "\\.")}$`);
      await expect(step(folder), line).rejects.toMatchObject({ code: "ENOSPC" });
      journal.failAt = null;
    }
  },
);
