import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DeliveryFolder, MANIFEST_FILE, sha256Of } from "../../../src/cli/commands/deliver/delivery-folder.ts";
import { keptNotice, OutFolder, REPORT_FILE } from "../../../src/cli/out-folder/out-folder.ts";
import { fileFingerprint } from "../../../src/cli/source/programme.ts";
import { REPORT_GENERATOR } from "../../../src/result/read-report.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

// Several files at a time: what holds for the first of them holds for all.

type Files = Readonly<Record<string, string>>;

/** Everything below a folder that is not hidden, by its path, with its text. */
async function seen(folder: string): Promise<Files> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((one) => one.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
  const shown = paths.filter((path) => !path.startsWith(".aside/")).sort();
  return Object.fromEntries(
    await Promise.all(shown.map(async (path) => [path, await readFile(join(folder, path), "utf8")])),
  );
}

async function lay(folder: string, files: Files): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(folder, name, ".."), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

/** Delivers files as a run does; what the folder looks like at each moment is what was awaited. */
async function run(path: string, files: Files, overwrites = false, kept?: readonly string[]): Promise<OutFolder> {
  const folder = await OutFolder.open(path, overwrites);
  try {
    const making = await folder.runFolder("r");
    expect(existsSync(making)).toBe(true);
    await lay(making, files);
    await folder.deliver(making, Object.keys(files), kept);
    // All of it is there as soon as it is delivered, and nothing of what it replaced.
    expect(existsSync(join(path, ".aside", "replaced"))).toBe(false);
    expect(JSON.parse(await readFile(join(path, ".aside", "files.json"), "utf8")).files).toEqual(
      Object.fromEntries(Object.keys(files).map((name) => [name, [expect.any(String)]])),
    );
    await folder.discard("r");
    expect(existsSync(making)).toBe(false);
  } finally {
    await folder.close();
  }
  return folder;
}

describe("a results folder", () => {
  test("has each file of the last run, and none of an earlier one that nobody changed", async () => {
    const path = join(await temporaryFolder(), "out");
    await run(path, { "a.txt": "1", "b.txt": "1", "clips/1.wav": "1", "clips/2.wav": "1" });
    expect(await seen(path)).toEqual({ "a.txt": "1", "b.txt": "1", "clips/1.wav": "1", "clips/2.wav": "1" });
    await run(path, { "b.txt": "2", "c.txt": "2", "d.txt": "2" });
    expect(await seen(path)).toEqual({ "b.txt": "2", "c.txt": "2", "d.txt": "2" });
    // The folder of clips went with the last of them.
    expect(existsSync(join(path, "clips"))).toBe(false);
  });

  test("keeps all that was worked on, each under its name, and says so", async () => {
    const path = await temporaryFolder();
    await run(path, { "a.txt": "1", "b.txt": "1", "c.txt": "1" });
    await lay(path, { "b.txt": "mine", "c.txt": "mine" });
    const folder = await OutFolder.open(path, false);
    expect(await folder.changed()).toEqual(["b.txt", "c.txt"]);
    expect([await folder.isAsWritten("a.txt"), await folder.isAsWritten("b.txt")]).toEqual([true, false]);
    expect(await folder.toKeep(["a.txt", "c.txt", "b.txt"], false)).toEqual(["b.txt", "c.txt"]);
    expect(await folder.toKeep(["c.txt"], false)).toEqual(["c.txt"]);
    expect(await folder.toKeep([], true)).toEqual(["a.txt", "b.txt", "c.txt"]);
    await folder.close();
    const { keptIn } = await run(path, { "a.txt": "2", "b.txt": "2", "c.txt": "2" });
    const there = await seen(path);
    expect(there).toMatchObject({ "a.txt": "2", "b.txt": "2", "c.txt": "2" });
    const earlier = Object.entries(there).filter(([name]) => name.startsWith("earlier/"));
    expect(earlier.map(([name, text]) => [name.slice(keptIn.length + 1), text])).toEqual([
      ["b.txt", "mine"],
      ["c.txt", "mine"],
    ]);
  });

  test("overwrites what it is told to, and keeps none of it", async () => {
    const path = await temporaryFolder();
    await lay(path, { "a.txt": "somebody's", "b.txt": "somebody's" });
    await expect(run(path, { "c.txt": "1", "b.txt": "1" })).rejects.toMatchObject({ code: "file_in_the_way" });
    expect(await seen(path)).toEqual({ "a.txt": "somebody's", "b.txt": "somebody's" });
    await run(path, { "a.txt": "1", "b.txt": "1" }, true);
    expect(await seen(path)).toEqual({ "a.txt": "1", "b.txt": "1" });
  });

  test("takes over what was changed and is in the next result", async () => {
    const path = await temporaryFolder();
    await run(path, { "a.txt": "1" });
    await lay(path, { "a.txt": "mine" });
    const folder = await OutFolder.open(path, false);
    folder.adopt("a.txt", await fileFingerprint(join(path, "a.txt")));
    expect(await folder.changed()).toEqual([]);
    await folder.close();
  });

  test("knows what a report of ours names, each of its plain names, and no other's", async () => {
    const path = await temporaryFolder();
    const files = [7, "../x", "a.txt", "clips/1.wav", "clips/../y", "..", "b.txt"];
    const report = (generator: string) => ({ [REPORT_FILE]: JSON.stringify({ generator, files }) });
    await lay(path, { ...report(REPORT_GENERATOR), "a.txt": "1", "b.txt": "1", "clips/1.wav": "1" });
    const ours = await OutFolder.open(path, false);
    await ours.checkNames(["a.txt", "b.txt", "clips/1.wav"]);
    await expect(ours.checkNames(["a.txt", "report.json"])).rejects.toMatchObject({ code: "file_in_the_way" });
    expect(await ours.toKeep([], true)).toEqual(["a.txt", "clips/1.wav", "b.txt"]);
    await ours.close();
    await lay(path, report("other"));
    const other = await OutFolder.open(path, false);
    await expect(other.checkNames(["b.txt"])).rejects.toMatchObject({ code: "file_in_the_way" });
    await other.close();
  });

  test("is one process's at a time, and is let go of for the next", async () => {
    const path = await temporaryFolder();
    const first = await OutFolder.open(path, false);
    await expect(OutFolder.open(path, false)).rejects.toMatchObject({ code: "folder_in_use" });
    await first.close();
    await (await OutFolder.open(path, false)).close();
  });

  test("goes again where nothing came of it, and stays where a run is not over", async () => {
    const parent = await temporaryFolder();
    const path = join(parent, "new");
    const folder = await OutFolder.open(path, false);
    await folder.runFolder("a");
    await folder.runFolder("b");
    await writeFile(folder.recordPath("b"), "{}");
    await folder.close();
    expect(existsSync(path)).toBe(true);
    // What has no record is discarded when the folder is opened, before anything else is done.
    const again = await OutFolder.open(path, false);
    await mkdir(join(path, ".aside", "c"));
    await again.close();
    const last = await OutFolder.open(path, false);
    expect((await readdir(join(path, ".aside"))).filter((name) => !name.startsWith("lock")).sort()).toEqual([
      "b",
      "run-b.json",
    ]);
    await last.close();
    const empty = await OutFolder.open(join(parent, "empty"), false);
    await empty.close();
    expect(existsSync(join(parent, "empty"))).toBe(false);
  });

  test("tells what is kept by name, up to three files, else by their number", () => {
    const notice = (...kept: string[]) => keptNotice({ path: "/x/out", keptIn: "earlier/1" }, kept)[0];
    expect(notice()).toBeUndefined();
    expect(notice("a")).toBe('"a" in "out" was worked on since: kept in "earlier/1".');
    expect(notice("a", "b", "c")).toBe('"a", "b", "c" in "out" were worked on since: kept in "earlier/1".');
    expect(notice("a", "b", "c", "d")).toBe(
      'The earlier result (4 files) in "out" were worked on since: kept in "earlier/1".',
    );
  });
});

describe("a delivery's folder", () => {
  async function deliver(path: string, files: Files, overwrites = false): Promise<void> {
    const folder = await DeliveryFolder.open(path, overwrites);
    await lay(folder.making, files);
    await folder.deliver(Object.keys(files));
    await folder.close();
    expect((await readdir(path)).filter((name) => name.startsWith("."))).toEqual([]);
  }
  const manifestOf = async (files: Files, folder: string) => {
    await lay(folder, files);
    const told = await Promise.all(
      Object.keys(files).map(async (name) => ({ name, sha256: await sha256Of(join(folder, name)) })),
    );
    return JSON.stringify({ generator: REPORT_GENERATOR, files: told });
  };

  test("has each file of the last delivery, and none of the one before that is as it was delivered", async () => {
    const path = join(await temporaryFolder(), "to");
    const first = { "a.wav": "1", "b.wav": "1", "c.wav": "1" };
    await deliver(path, { ...first, [MANIFEST_FILE]: await manifestOf(first, await temporaryFolder()) });
    expect(Object.keys(await seen(path))).toEqual(["a.wav", "b.wav", "c.wav", MANIFEST_FILE]);
    await deliver(path, { "b.wav": "2", "d.wav": "2" });
    expect(await seen(path)).toEqual({ "b.wav": "2", "d.wav": "2" });
  });

  test("is refused where one file of several is somebody else's, or was changed, unless it is forced", async () => {
    const path = await temporaryFolder();
    const first = { "a.wav": "1", "b.wav": "1" };
    await deliver(path, { ...first, [MANIFEST_FILE]: await manifestOf(first, await temporaryFolder()) });
    await lay(path, { "b.wav": "changed" });
    await expect(DeliveryFolder.open(path, false)).rejects.toThrow(/holds files already; --force writes into it/);
    await deliver(path, { "c.wav": "2" }, true);
    expect(await seen(path)).toEqual({ "b.wav": "changed", "c.wav": "2" });
  });

  test("loses what killed processes left, all of it, before anything else", async () => {
    const path = await temporaryFolder();
    await lay(path, { ".delivery-a/x.wav": "1", ".delivery-b/y.wav": "1" });
    const folder = await DeliveryFolder.open(path, false);
    expect(await readdir(path)).toEqual([folder.making.slice(path.length + 1)]);
    await folder.close();
    expect(existsSync(path)).toBe(false);
  });
});
