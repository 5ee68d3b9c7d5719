import fs from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { layFreshRecords } from "../../../src/service/fresh-records.ts";
import { removeUnsynced } from "../../../src/service/open-stores.ts";
import { lockDataFolder } from "../../../src/service/storage/data-folder-lock.ts";
import { dataFolders } from "../../../src/service/storage/data-folders.ts";
import { openEmbeddedDatabase } from "../../../src/service/storage/pglite-database.ts";
import { replaceCalls } from "../../fakes/replaced-calls.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

/** Files that were written to and not synced since, as a power cut would lose them. */
function unsyncedFiles(): ReadonlySet<string> {
  const real = { openSync: fs.openSync, writeSync: fs.writeSync, fsyncSync: fs.fsyncSync };
  const paths = new Map<number, string>();
  const unsynced = new Set<string>();
  const noting = {
    openSync(path: string, ...rest: [number]) {
      const descriptor = real.openSync(path, ...rest);
      paths.set(descriptor, path);
      return descriptor;
    },
    writeSync(descriptor: number, ...rest: [Uint8Array]) {
      unsynced.add(paths.get(descriptor) ?? "");
      return real.writeSync(descriptor, ...rest);
    },
    fsyncSync(descriptor: number) {
      real.fsyncSync(descriptor);
      unsynced.delete(paths.get(descriptor) ?? "");
    },
  };
  onTestFinished(replaceCalls(fs, noting as Partial<typeof fs>));
  return unsynced;
}

test.each([true, false])(
  "a commit is on the disk before it is answered, unless told otherwise: %s",
  async (isSynced) => {
    const records = join(await temporaryFolder(), "records");
    await layFreshRecords(records);
    const unsynced = unsyncedFiles();
    const database = await openEmbeddedDatabase(records, isSynced);
    const log = () => [...unsynced].filter((path) => path.includes("pg_wal"));
    for (let count = 0; count < 5; count++) {
      await database.query("INSERT INTO aside.secret (name, value) VALUES ($1, 'x')", [`name ${count}`]);
      expect(log().length > 0).toBe(!isSynced);
      await database.transaction((queries) => queries.query("UPDATE aside.secret SET value = value || 'y'"));
      expect(log().length > 0).toBe(!isSynced);
    }
    await database.close();
  },
);

test("a start of the computer since a service that did not end is noticed, and nothing else is", async () => {
  const folder = join(await temporaryFolder(), "data");
  const first = await lockDataFolder(folder);
  expect(first.isAfterPowerCut).toBe(false);
  const holder = join(folder, "service.json");
  const written = await readFile(holder, "utf8");
  await first.release();
  expect((await again(folder)).isAfterPowerCut).toBe(false);
  await writeFile(holder, written);
  expect((await again(folder)).isAfterPowerCut).toBe(false);
  await writeFile(holder, written.replace(/"boot":"[^"]*"/, '"boot":"another"'));
  expect((await again(folder)).isAfterPowerCut).toBe(true);
});

async function again(folder: string) {
  const lock = await lockDataFolder(folder);
  await lock.release();
  return lock;
}

test("after it, what was not synced goes, and what was acknowledged or paid for stays", async () => {
  const folder = await temporaryFolder();
  const folders = dataFolders(folder);
  const files = {
    "work/job/checkpoint.json": "half",
    "programmes/media/analysis-6/picture.jpg": "",
    "programmes/media/vision/answer.json": "paid for",
    "narration/team/line.wav": "has a checksum",
    "incoming/whole": "arriving",
    "incoming/slices-one": "acknowledged and more",
    "incoming/slices-one.synced": "12",
    "incoming/slices-two": "never acknowledged",
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  await removeUnsynced(folders);
  const left = await readdir(folder, { recursive: true, withFileTypes: true });
  expect(
    left
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .sort(),
  ).toEqual(["answer.json", "line.wav", "slices-one", "slices-one.synced"]);
  expect(await readFile(join(folder, "incoming/slices-one"), "utf8")).toBe("acknowledged");
});
