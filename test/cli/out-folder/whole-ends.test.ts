import promises, { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DeliveryFolder } from "../../../src/cli/commands/deliver/delivery-folder.ts";
import { CLIPS_FOLDER, OutFolder } from "../../../src/cli/out-folder/out-folder.ts";
import { replaceCalls } from "../../fakes/replaced-calls.ts";
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

/** Does some work on a disk that refuses to give a file its name, at one of the times when that is tried. */
async function refusing(work: () => Promise<unknown>, name: string, time = 1): Promise<void> {
  const { rename } = promises;
  let times = 0;
  const refused = async (from: string, to: string) => {
    if (to.endsWith(name) && ++times === time) throw Object.assign(new Error("no"), { code: "EACCES" });
    return rename(from, to);
  };
  const restore = replaceCalls(promises, { rename: refused as typeof rename });
  try {
    await expect(work()).rejects.toThrow();
    expect(times).toBe(time);
  } finally {
    restore();
  }
}

test("a delivery of which one file gets no name leaves nothing of what it would have replaced, clips or others", async () => {
  const path = await temporaryFolder();
  const first = await OutFolder.open(path, false);
  const earlier = ["a.txt", `${CLIPS_FOLDER}/1.wav`];
  await deliver(first, earlier);
  await first.close();
  const folder = await OutFolder.open(path, false);
  const run = await folder.runFolder("run");
  await made(run, ["a.txt", "b.txt"]);
  await refusing(() => folder.deliver(run, ["a.txt", "b.txt"]), join(path, "b.txt"));
  for (const name of earlier) expect(await readFile(join(path, name), "utf8")).toBe(name);
  await expect(stat(join(path, ".aside", "replaced"))).rejects.toThrow("ENOENT");
  await folder.close();
});

test("every file of a delivery is known for ours, though the process ended before it could write down what was replaced", async () => {
  const path = await temporaryFolder();
  const first = await OutFolder.open(path, false);
  const run = await first.runFolder("run");
  const names = ["a.txt", "b.txt", "c.txt"];
  await made(run, names);
  await refusing(() => first.deliver(run, names), "files.json", 2);
  await first.close();
  const folder = await OutFolder.open(path, false);
  expect(await folder.toKeep([], true)).toEqual(names);
  expect(await folder.changed()).toEqual([]);
  await folder.checkNames(names);
  await folder.close();
});

test("what a process moved that was killed in the middle of a delivery is back when the folder is opened", async () => {
  const path = await temporaryFolder();
  const first = await OutFolder.open(path, false);
  await deliver(first, ["a.txt", "b.txt"]);
  await first.close();
  const moves = ["a.txt", "b.txt"].map((name) => ({ from: name, to: join(".aside", "replaced", name) }));
  await mkdir(join(path, ".aside", "replaced"));
  await writeFile(join(path, ".aside", "moves.json"), JSON.stringify(moves));
  for (const { from, to } of moves) await promises.rename(join(path, from), join(path, to));
  const folder = await OutFolder.open(path, false);
  expect(await folder.present(["a.txt", "b.txt"])).toEqual(["a.txt", "b.txt"]);
  await folder.close();
});

test.skipIf(process.platform !== "linux")(
  "a folder that another run has open is not held by who was refused it",
  async () => {
    const path = await temporaryFolder();
    const held = async () => (await readdir("/proc/self/fd")).length;
    const before = await held();
    const folder = await OutFolder.open(path, false);
    for (let time = 0; time < 5; time++) {
      await expect(OutFolder.open(path, false)).rejects.toMatchObject({ code: "folder_in_use" });
    }
    await folder.close();
    expect(await held()).toBeLessThan(before + 3);
  },
);

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
