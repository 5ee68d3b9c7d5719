import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DeliveryFolder } from "../../../src/cli/commands/deliver/delivery-folder.ts";
import { CLIPS_FOLDER, OutFolder } from "../../../src/cli/out-folder/out-folder.ts";
import { unawaitedChanges } from "../../fakes/slow-disk.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

// A process may end as soon as a folder says that something is done: nothing of it is under way then.

/** Makes files in a run's folder, whatever folders their names have. */
async function made(run: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await mkdir(join(run, name, ".."), { recursive: true });
    await writeFile(join(run, name), name);
  }
}

async function deliver(folder: OutFolder, names: readonly string[]): Promise<void> {
  const run = await folder.runFolder("run");
  await made(run, names);
  await folder.deliver(run, names);
}

test("a delivery that replaces clips is over when it says so", async () => {
  const path = await temporaryFolder();
  const first = await OutFolder.open(path, false);
  await deliver(first, ["a.txt", `${CLIPS_FOLDER}/1.wav`, `${CLIPS_FOLDER}/2.wav`]);
  await first.close();
  const folder = await OutFolder.open(path, false);
  expect(await unawaitedChanges(path, () => deliver(folder, ["a.txt"]))).toEqual([]);
  await expect(stat(join(path, CLIPS_FOLDER))).rejects.toThrow("ENOENT");
  expect(await unawaitedChanges(path, () => folder.discard("run"))).toEqual([]);
  expect(await unawaitedChanges(path, () => folder.close())).toEqual([]);
  expect((await readdir(path)).filter((name) => !name.startsWith("."))).toEqual(["a.txt"]);
});

test("a delivery that fails has put everything back when it says so", async () => {
  const path = await temporaryFolder();
  const first = await OutFolder.open(path, false);
  await deliver(first, ["a.txt", `${CLIPS_FOLDER}/1.wav`]);
  await first.close();
  const folder = await OutFolder.open(path, false);
  const run = await folder.runFolder("run");
  await made(run, ["a.txt", "b.txt"]);
  // What is in the way of the file that is replaced: a folder, which no file can be moved over.
  await mkdir(join(path, ".aside", "replaced", "a.txt"), { recursive: true });
  const failing = () => expect(folder.deliver(run, ["a.txt", "b.txt"])).rejects.toThrow();
  expect(await unawaitedChanges(path, failing)).toEqual([]);
  expect((await readdir(path)).filter((name) => !name.startsWith(".")).sort()).toEqual(["a.txt", CLIPS_FOLDER]);
  await folder.close();
});

test("a folder that was made for nothing is gone once it is closed", async () => {
  const path = join(await temporaryFolder(), "out");
  const folder = await OutFolder.open(path, false);
  expect(await unawaitedChanges(path, () => folder.close())).toEqual([]);
  await expect(stat(path)).rejects.toThrow("ENOENT");
});

test("what a killed run left goes when the folder is opened, all of it", async () => {
  const path = await temporaryFolder();
  const first = await OutFolder.open(path, false);
  for (const run of ["a", "b"]) await made(await first.runFolder(run), ["half.wav"]);
  await first.close();
  let second: OutFolder | undefined;
  const opening = async () => {
    second = await OutFolder.open(path, false);
  };
  expect(await unawaitedChanges(path, opening)).toEqual([]);
  expect(await unawaitedChanges(path, async () => second?.close())).toEqual([]);
  expect(await readdir(path)).toEqual([]);
});

test("a folder for a delivery is empty, and gone, once it is closed without one", async () => {
  const path = join(await temporaryFolder(), "delivery");
  const folder = await DeliveryFolder.open(path, false);
  await made(folder.making, ["a.txt", "b.txt"]);
  expect(await unawaitedChanges(path, () => folder.close())).toEqual([]);
  await expect(stat(path)).rejects.toThrow("ENOENT");
});

test("a delivery has left nothing beside its files once its folder is closed", async () => {
  const path = await temporaryFolder();
  const folder = await DeliveryFolder.open(path, false);
  await made(folder.making, ["a.txt", "b.txt"]);
  expect(await unawaitedChanges(path, () => folder.deliver(["a.txt", "b.txt"]))).toEqual([]);
  expect(await unawaitedChanges(path, () => folder.close())).toEqual([]);
  expect((await readdir(path)).sort()).toEqual(["a.txt", "b.txt"]);
});
