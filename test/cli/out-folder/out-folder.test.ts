import { execFileSync } from "node:child_process";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, type onTestFinished, test } from "vitest";
import { DeliveryFolder } from "../../../src/cli/commands/deliver/delivery-folder.ts";
import { folderRecovery } from "../../../src/cli/out-folder/folder-record.ts";
import { OutFolder } from "../../../src/cli/out-folder/out-folder.ts";
import { HostError } from "../../../src/host/host-error.ts";
import { RECORD_VERSION } from "../../../src/workflow/describe/recovery.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

/** Delivers files with the given content, as a run does. */
async function deliver(path: string, files: Record<string, string>, overwrites = false): Promise<void> {
  const folder = await OutFolder.open(path, overwrites);
  try {
    const run = await folder.runFolder("run");
    for (const [name, text] of Object.entries(files)) await writeFile(join(run, name), text);
    await folder.deliver(run, Object.keys(files));
    await folder.discard("run");
  } finally {
    await folder.close();
  }
}

const visible = async (path: string) => (await readdir(path)).filter((name) => !name.startsWith(".")).sort();

describe("delivering", () => {
  test("puts files in place, and again over its own", async () => {
    const path = join(await temporaryFolder(), "a", "b");
    await deliver(path, { "a.txt": "1", "b.txt": "1" });
    await deliver(path, { "a.txt": "2", "c.txt": "2" });
    expect(await visible(path)).toEqual(["a.txt", "c.txt"]);
    expect(await readFile(join(path, "a.txt"), "utf8")).toBe("2");
  });

  test("an outdated file that somebody has changed stays", async () => {
    const path = await temporaryFolder();
    await deliver(path, { "a.txt": "1", "b.txt": "1" });
    await writeFile(join(path, "b.txt"), "mine now");
    await deliver(path, { "a.txt": "2" });
    expect(await visible(path)).toEqual(["a.txt", "b.txt"]);
  });

  test("a file of ours that somebody has changed is kept in a dated folder before another takes its place", async () => {
    const path = await temporaryFolder();
    await deliver(path, { "a.txt": "1", "b.txt": "1" });
    await writeFile(join(path, "a.txt"), "mine now");
    await deliver(path, { "a.txt": "2", "b.txt": "2" });
    const [kept = ""] = await readdir(join(path, "earlier"));
    expect(kept).toMatch(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d$/);
    expect(await readdir(join(path, "earlier", kept))).toEqual(["a.txt"]);
    expect(await readFile(join(path, "earlier", kept, "a.txt"), "utf8")).toBe("mine now");
    expect(await readFile(join(path, "a.txt"), "utf8")).toBe("2");
  });

  test("checks every name before the first file moves", async () => {
    const path = await temporaryFolder();
    await writeFile(join(path, "z.txt"), "somebody's");
    await expect(deliver(path, { "a.txt": "1", "z.txt": "1" })).rejects.toMatchObject({ code: "file_in_the_way" });
    expect(await visible(path)).toEqual(["z.txt"]);
    await deliver(path, { "a.txt": "1", "z.txt": "1" }, true);
    expect(await readFile(join(path, "z.txt"), "utf8")).toBe("1");
  });

  test("a delivery cut off in the middle leaves files that are ours, old and new", async () => {
    const path = await temporaryFolder();
    await deliver(path, { "a.txt": "1", "b.txt": "1" });
    const folder = await OutFolder.open(path, false);
    const run = await folder.runFolder("run");
    await writeFile(join(run, "a.txt"), "2");
    await mkdir(join(run, "b.txt")); // What cannot be moved over a file stands for the end of the process.
    await expect(folder.deliver(run, ["a.txt", "b.txt"])).rejects.toBeInstanceOf(HostError);
    await folder.close();
    await deliver(path, { "a.txt": "3", "b.txt": "3" });
    expect(await readFile(join(path, "b.txt"), "utf8")).toBe("3");
  });
});

describe.concurrent("a file that another program holds", () => {
  /** Holds a file as the system itself does: what is mounted somewhere cannot be moved. `false` where nobody may mount. */
  function hold(path: string, finished: typeof onTestFinished): boolean {
    try {
      execFileSync("/bin/mount", ["--bind", path, path], { stdio: "ignore" });
    } catch {
      return false;
    }
    finished(() => letGo(path));
    return true;
  }

  function letGo(path: string): void {
    try {
      execFileSync("/bin/umount", [path], { stdio: "ignore" });
    } catch {
      // Let go already.
    }
  }

  test("keeps all of a result as it was, is named, and is no matter once it is closed", async ({
    expect,
    skip,
    onTestFinished: finished,
  }) => {
    const path = await temporaryFolder();
    await deliver(path, { "cues.srt": "1", "cues.vtt": "1", "report.json": "1" });
    const held = join(path, "cues.vtt");
    if (!hold(held, finished)) return skip();
    const again = deliver(path, { "cues.srt": "2", "cues.vtt": "2", "new.txt": "2" });
    await expect(again).rejects.toMatchObject({
      code: "file_in_use",
      message: '"cues.vtt" is open in another program',
    });
    expect(await visible(path)).toEqual(["cues.srt", "cues.vtt", "report.json"]);
    expect(await readFile(join(path, "cues.srt"), "utf8")).toBe("1");
    letGo(held);
    await deliver(path, { "cues.srt": "3", "cues.vtt": "3" });
    expect(await visible(path)).toEqual(["cues.srt", "cues.vtt"]);
    expect(await readFile(held, "utf8")).toBe("3");
  });

  test("keeps all of a delivery as it was", async ({ expect, skip, onTestFinished: finished }) => {
    const path = await temporaryFolder();
    const delivered = async (files: Record<string, string>) => {
      const folder = await DeliveryFolder.open(path, true);
      try {
        for (const [name, text] of Object.entries(files)) await writeFile(join(folder.making, name), text);
        await folder.deliver(Object.keys(files));
      } finally {
        await folder.close();
      }
    };
    await delivered({ "a.wav": "1", "manifest.json": "1" });
    const held = join(path, "manifest.json");
    if (!hold(held, finished)) return skip();
    await expect(delivered({ "a.wav": "2", "b.wav": "2", "manifest.json": "2" })).rejects.toMatchObject({
      code: "file_in_use",
    });
    expect(await readdir(path)).toEqual(["a.wav", "manifest.json"]);
    expect(await readFile(join(path, "a.wav"), "utf8")).toBe("1");
    letGo(held);
    await delivered({ "a.wav": "3", "manifest.json": "3" });
    expect(await readFile(join(path, "a.wav"), "utf8")).toBe("3");
  }, 30_000);
});

describe("whose a file is", () => {
  test("is told by the report where the hidden folder is gone", async () => {
    const path = await temporaryFolder();
    const report = JSON.stringify({ generator: "aside", files: ["a.txt", "report.json"] });
    await deliver(path, { "a.txt": "1", "report.json": report });
    await rm(join(path, ".aside"), { recursive: true });
    await deliver(path, { "a.txt": "2", "report.json": report });
    expect(await readFile(join(path, "a.txt"), "utf8")).toBe("2");
  });

  test.each([
    ["another program's report", JSON.stringify({ generator: "other", files: ["a.txt"] })],
    ["a report that is no JSON", "{"],
    ["a report with an odd list", JSON.stringify({ generator: "aside", files: "a.txt" })],
  ])("is not told by %s", async (_name, report) => {
    const path = await temporaryFolder();
    await writeFile(join(path, "report.json"), report);
    await writeFile(join(path, "a.txt"), "somebody's");
    await expect(deliver(path, { "a.txt": "2" })).rejects.toMatchObject({ code: "file_in_the_way" });
  });

  test("a list cannot name files outside the folder", async () => {
    const parent = await temporaryFolder();
    const path = join(parent, "out");
    await deliver(path, { "a.txt": "1" });
    await writeFile(join(parent, "precious.txt"), "somebody's");
    const list = { files: { "../precious.txt": [], "..": [], "a/b": [] } };
    await writeFile(join(path, ".aside", "files.json"), JSON.stringify(list));
    await deliver(path, { "b.txt": "1" });
    expect(await readFile(join(parent, "precious.txt"), "utf8")).toBe("somebody's");
  });
});

describe("the folder itself", () => {
  test("made for a run that leaves nothing, it goes; one that was there stays", async () => {
    const parent = await temporaryFolder();
    await (await OutFolder.open(join(parent, "new"), false)).close();
    await mkdir(join(parent, "there"));
    await (await OutFolder.open(join(parent, "there"), false)).close();
    expect(await readdir(parent)).toEqual(["there"]);
    expect(await readdir(join(parent, "there"))).toEqual([]);
  });

  test("is for one run at a time, and free again when that ends", async () => {
    const path = await temporaryFolder();
    const first = await OutFolder.open(path, false);
    await expect(OutFolder.open(path, false)).rejects.toMatchObject({ code: "folder_in_use" });
    await first.close();
    await (await OutFolder.open(path, false)).close();
  });

  test("what a killed run left without a record goes, what has one stays", async () => {
    const path = await temporaryFolder();
    const first = await OutFolder.open(path, false);
    await first.runFolder("orphan");
    await first.runFolder("kept");
    const record = { version: RECORD_VERSION, runId: "kept", startedAt: "2026-01-01T00:00:00Z", name: "a" } as const;
    await folderRecovery(first).save(record);
    await first.close();
    const second = await OutFolder.open(path, false);
    expect((await readdir(join(path, ".aside"))).sort()).toEqual(["kept", "lock", "run-kept.json"]);
    expect(await folderRecovery(second).load("kept")).toEqual(record);
    await second.close();
  });
});

describe("records of runs", () => {
  test("a damaged record, or one of another version, counts as none", async () => {
    const path = await temporaryFolder();
    const folder = await OutFolder.open(path, false);
    const recovery = folderRecovery(folder);
    expect(await recovery.load("x")).toBeNull();
    for (const text of ["", "{", "null", "[]", '{"version":99,"runId":"x"}', '{"version":1}', "\u0000\ufffd"]) {
      await writeFile(folder.recordPath("x"), text);
      expect(await recovery.load("x")).toBeNull();
    }
    await recovery.remove("x");
    await recovery.remove("x");
    await folder.close();
  });
});

test("results have the rights that everything new has, and what is hidden beside them is the editor's alone", async () => {
  const path = join(await temporaryFolder(), "out");
  const folder = await OutFolder.open(path, false);
  const run = await folder.runFolder("run");
  await writeFile(join(run, "cues.vtt"), "WEBVTT\n");
  await writeFile(folder.recordPath("run"), "{}");
  await folder.deliver(run, ["cues.vtt"]);
  const open = 0o777 & ~process.umask();
  expect((await stat(path)).mode & 0o777).toBe(open);
  expect((await stat(join(path, "cues.vtt"))).mode & 0o777).toBe(open & 0o666);
  expect((await stat(join(path, ".aside"))).mode & 0o077).toBe(0);
  await folder.close();
});
