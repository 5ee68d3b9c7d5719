import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { UxpFiles } from "../../../src/host/uxp/uxp-files.ts";
import type { Disk } from "../../fakes/uxp/disk.ts";
import { type FsDouble, makeFs } from "../../fakes/uxp/fs.ts";
import { MemoryDisk } from "../../fakes/uxp/memory-disk.ts";
import { NodeDisk } from "../../fakes/uxp/node-disk.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function realFolder(): { disk: Disk; root: string } {
  const root = mkdtempSync(join(tmpdir(), "aside-uxp-"));
  folders.push(root);
  return { disk: new NodeDisk(), root };
}

function memory(): { disk: MemoryDisk; root: string } {
  const disk = new MemoryDisk();
  disk.folders.add("/data");
  return { disk, root: "/data" };
}

function open(disk: Disk, root: string, hasFullAccess = true): { fs: FsDouble; files: UxpFiles } {
  const fs = makeFs({ disk, schemes: { "plugin-data:": root }, hasFullAccess, random: Math.random });
  return { fs, files: new UxpFiles(fs.module) };
}

describe.each([
  ["a disk in memory", memory],
  ["a real folder", realFolder],
])("UxpFiles on %s", (_, make) => {
  let root: string;
  let fs: FsDouble;
  let files: UxpFiles;
  beforeEach(() => {
    const made = make();
    root = made.root;
    ({ fs, files } = open(made.disk, root));
  });
  afterEach(() => expect(fs.openDescriptors()).toBe(0));

  test("text survives, in place of an older one, without a byte order mark", async () => {
    const path = `${root}/settings.json`;
    await files.writeText(path, "first");
    await files.writeText(path, "\uFEFFGrüße, 世界 🎬");
    expect(await files.readText(path)).toBe("Grüße, 世界 🎬");
    expect(await files.list(root)).toEqual(["settings.json"]);
  });

  test("a file that is not there has no size, and can be removed", async () => {
    expect(await files.size(`${root}/none`)).toBeNull();
    await files.remove(`${root}/none`);
    await expect(files.readText(`${root}/none`)).rejects.toMatchObject({ code: "file_not_found" });
  });

  test("bytes come whole in spite of short reads, and fewer at the end", async () => {
    const path = `${root}/media`;
    const bytes = Uint8Array.from({ length: 5000 }, (_entry, i) => i % 251);
    const writer = await files.openWriter(path);
    await writer.write(0, bytes.slice(0, 2000).buffer);
    await writer.write(2000, bytes.slice(2000).buffer);
    await writer.close();
    expect(await files.size(path)).toBe(5000);
    expect(await files.readBytes(path, 100, 3000)).toEqual(bytes.slice(100, 3100));
    expect(await files.readBytes(path, 4990, 100)).toEqual(bytes.slice(4990));
    expect(await files.readBytes(path, 6000, 10)).toEqual(new Uint8Array(0));
  });

  test("a folder is made once", async () => {
    await files.makeFolder(`${root}/runs`);
    await files.makeFolder(`${root}/runs`);
    expect(await files.list(`${root}/runs`)).toEqual([]);
    expect(await files.list(`${root}/none`)).toEqual([]);
  });
});

describe("UxpFiles in trouble", () => {
  test("PANEL-07: a full disk is called that, and the old text stays", async () => {
    const { disk, root } = memory();
    const { files } = open(disk, root);
    await files.writeText(`${root}/a`, "old");
    disk.room = 2;
    await expect(files.writeText(`${root}/a`, "newer")).rejects.toMatchObject({ code: "disk_full" });
    expect(await files.readText(`${root}/a`)).toBe("old");
  });

  test("a path outside the fence is a permission that is missing", async () => {
    const { disk, root } = memory();
    const { files } = open(disk, root, false);
    await expect(files.readText("/etc/hosts")).rejects.toMatchObject({ name: "HostError", code: "permission_denied" });
  });
});

test("PANEL-36: a panel that is closed in the middle of a write has the old text or the new one when it opens again", async () => {
  const path = "/data/job.json";
  for (let steps = 0; ; steps++) {
    const { disk, root } = memory();
    await open(disk, root).files.writeText(path, "old");
    const closing = new ClosingDisk(disk, steps);
    const isWritten = await open(closing, root)
      .files.writeText(path, "new")
      .then(() => true)
      .catch(() => false);
    const { files } = open(disk, root);
    await files.mend(root);
    expect(["old", "new"]).toContain(await files.readText(path));
    expect((await files.list(root)).filter((name) => name.endsWith(".old"))).toEqual([]);
    if (isWritten) return;
  }
});

/** A disk that does a number of changes and then nothing more: the panel was closed. */
class ClosingDisk implements Disk {
  readonly #disk: Disk;
  #left: number;

  constructor(disk: Disk, changes: number) {
    this.#disk = disk;
    this.#left = changes;
  }

  stat = (path: string) => this.#disk.stat(path);
  read = (path: string, position: number, target: Uint8Array) => this.#disk.read(path, position, target);
  list = (path: string) => this.#disk.list(path);
  write = (path: string, position: number, bytes: Uint8Array) =>
    this.#change(() => this.#disk.write(path, position, bytes));
  create = (path: string) => this.#change(() => this.#disk.create(path));
  rename = (from: string, to: string) => this.#change(() => this.#disk.rename(from, to));
  remove = (path: string) => this.#change(() => this.#disk.remove(path));
  makeFolder = (path: string) => this.#change(() => this.#disk.makeFolder(path));

  async #change(work: () => Promise<void>): Promise<void> {
    this.#left -= 1;
    if (this.#left < 0) throw new Error("the panel was closed");
    await work();
  }
}
