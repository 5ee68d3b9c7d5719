import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { backUp, restore } from "../../../src/service/admin/backup.ts";
import { lockDataFolder } from "../../../src/service/storage/data-folder-lock.ts";
import { DiskObjectStore, LinkSigner } from "../../../src/service/storage/disk-object-store.ts";
import { diskJournal } from "../../fakes/disk-journal.ts";
import { SetClock } from "../../fakes/set-clock.ts";
import { unawaitedChanges } from "../../fakes/slow-disk.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

// What a backup has in its folder and what is made of it, by files alone: records are any files here.

let folder: string;
let data: string;
let backup: string;
let target: string;
let store: DiskObjectStore;
beforeEach(async () => {
  folder = await temporaryFolder();
  [data, backup, target] = ["data", "backup", "target"].map((name) => join(folder, name)) as [string, string, string];
  store = new DiskObjectStore(
    join(data, "objects"),
    new LinkSigner("any"),
    { uploadSeconds: 1, resultSeconds: 1 },
    new SetClock(),
  );
  await lay(data, {
    "records/base/1": "one",
    "records/base/2": "two",
    "records/version": "18",
    "objects/teams/a/x": "1234",
    "objects/teams/a/y": "56",
    "objects/teams/b/z": "789",
    "aside.json": "{}",
    "work/job/part": "made again",
  });
});

/** Writes files, by their paths from a folder. */
async function lay(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(root, path, ".."), { recursive: true });
    await writeFile(join(root, path), content);
  }
}

/** What is in a folder, by path. */
async function contents(root: string): Promise<Record<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const read = paths.sort().map(async (path) => [relative(root, path), await readFile(path, "utf8")] as const);
  return Object.fromEntries(await Promise.all(read));
}
const WHOLE = {
  "records/base/1": "one",
  "records/base/2": "two",
  "records/version": "18",
  "objects/teams/a/x": "1234",
  "objects/teams/a/y": "56",
  "objects/teams/b/z": "789",
  "aside.json": "{}",
};

/** What a restored folder has, but for the file that locks it. */
async function restored(): Promise<Record<string, string>> {
  const { "service.lock": _lock, ...files } = await contents(target);
  return files;
}

describe("a backup", () => {
  test("that is restored has every file of the records, every object under its key, and the configuration", async () => {
    expect(await backUp(data, store, backup)).toEqual({ objects: 3, bytes: 9 });
    expect(Object.keys(await contents(backup)).sort()).toEqual([
      ...["aside.json", "backup.json", "objects/teams/a/x", "objects/teams/a/y", "objects/teams/b/z", "records.pack"],
    ]);
    expect(await restore(backup, target)).toEqual({ objects: 3, bytes: 9 });
    expect(await restored()).toEqual(WHOLE);
  });

  test("of a service without a configuration has none", async () => {
    const bare = join(folder, "bare");
    await lay(bare, { "records/1": "one" });
    const objects = new DiskObjectStore(
      join(bare, "objects"),
      new LinkSigner("any"),
      { uploadSeconds: 1, resultSeconds: 1 },
      new SetClock(),
    );
    expect(await backUp(bare, objects, backup)).toEqual({ objects: 0, bytes: 0 });
    await restore(backup, target);
    expect(await restored()).toEqual({ "records/1": "one" });
  });

  test("that is there is brought up to date: what is new comes, what is gone goes, and what stands is not copied again", async () => {
    await backUp(data, store, backup);
    const before = await stat(join(backup, "objects/teams/b/z"));
    for (const key of ["teams/a/x", "teams/a/y"]) await store.remove(key);
    await lay(data, { "objects/teams/b/new": "new", "records/version": "19", "aside.json": '{"a":1}' });
    expect(await backUp(data, store, backup)).toEqual({ objects: 2, bytes: 6 });
    expect((await stat(join(backup, "objects/teams/b/z"))).ino).toBe(before.ino);
    await restore(backup, target);
    expect(await restored()).toEqual({
      "records/base/1": "one",
      "records/base/2": "two",
      "records/version": "19",
      "objects/teams/b/new": "new",
      "objects/teams/b/z": "789",
      "aside.json": '{"a":1}',
    });
  });

  test("is none from when it is begun until all of it is there", async () => {
    await backUp(data, store, backup);
    const journal = diskJournal((path) => (path.startsWith(backup) ? relative(backup, path) || "." : null));
    journal.failAt = /^rename objects\/teams\/b\/new/;
    await lay(data, { "objects/teams/b/new": "new" });
    await expect(backUp(data, store, backup)).rejects.toMatchObject({ code: "backup_impossible" });
    await expect(restore(backup, target)).rejects.toThrow("holds no whole backup (backup.json is missing or damaged)");
  });

  test("is on the disk before the file by which it is one, and that before it is said to be made", async () => {
    const journal = diskJournal((path) => (path.startsWith(backup) ? relative(backup, path) || "." : null));
    await backUp(data, store, backup);
    const { lines } = journal;
    const at = lines.indexOf("sync backup.json");
    for (const path of ["records.pack", "aside.json", "objects/teams/a/x", "objects/teams/a", "objects", "."]) {
      expect([path, lines.indexOf(`sync ${path}`) >= 0 && lines.indexOf(`sync ${path}`) < at]).toEqual([path, true]);
    }
    expect([lines.slice(at), journal.hasty, journal.underWay()]).toEqual([["sync backup.json", "sync ."], [], 0]);
  });

  test("is made, and restored, by changes each of which is waited for", async () => {
    expect(await unawaitedChanges(folder, () => backUp(data, store, backup))).toEqual([]);
    expect(await unawaitedChanges(folder, () => restore(backup, target))).toEqual([]);
  });
});

describe("a data folder that is made of a backup", () => {
  beforeEach(async () => {
    await backUp(data, store, backup);
  });

  test.each(["records/1", "objects/teams/a/x"])(
    "is none that holds a service already: %s stays as it is",
    async (path) => {
      await lay(target, { [path]: "somebody's" });
      await expect(restore(backup, target)).rejects.toMatchObject({ code: "backup_impossible" });
      expect(await restored()).toEqual({ [path]: "somebody's" });
    },
  );

  test("has nothing of a try before that broke off, nor of records that are empty", async () => {
    await lay(target, { "records.restored/base/old": "half" });
    await mkdir(join(target, "records"));
    await restore(backup, target);
    expect(await restored()).toEqual(WHOLE);
  });

  test("is free again, whether it worked or not", async () => {
    await lay(backup, { "objects/teams/c/more": "more" });
    await expect(restore(backup, target)).rejects.toThrow("Objects are missing from the backup");
    const other = join(folder, "other");
    await lay(backup, { "objects/teams/c/more": "" });
    await expect(restore(backup, other)).rejects.toMatchObject({ code: "backup_unusable" });
    for (const freed of [target, other]) await (await lockDataFolder(freed)).release();
    await backUp(data, store, backup);
    const third = join(folder, "third");
    await restore(backup, third);
    await (await lockDataFolder(third)).release();
  });

  test("is on the disk before its records have their name, and that before it is said to be there", async () => {
    const journal = diskJournal((path) => (path.startsWith(target) ? relative(target, path) || "." : null));
    await restore(backup, target);
    const { lines } = journal;
    const at = lines.indexOf("rename records.restored records");
    for (const path of ["objects/teams/a/x", "objects/teams/b", "records.restored/base/1", "records.restored/base"]) {
      expect([path, lines.indexOf(`sync ${path}`) >= 0 && lines.indexOf(`sync ${path}`) < at]).toEqual([path, true]);
    }
    expect([lines.slice(at + 1), journal.hasty, journal.underWay()]).toEqual([["sync ."], [], 0]);
  });
});
