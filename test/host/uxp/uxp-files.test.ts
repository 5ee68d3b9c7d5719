import { describe, expect, test } from "vitest";
import { pathIn, UxpFiles } from "../../../src/host/uxp/work-folder.ts";
import type { Disk } from "../../fakes/uxp/disk.ts";
import { type FsDouble, makeFs } from "../../fakes/uxp/fs.ts";
import { MemoryDisk } from "../../fakes/uxp/memory-disk.ts";

function memory(): { disk: MemoryDisk; root: string } {
  const disk = new MemoryDisk();
  disk.folders.add("/data");
  return { disk, root: "/data" };
}

function open(disk: Disk, root: string, hasFullAccess = true): { fs: FsDouble; files: UxpFiles } {
  const fs = makeFs({ disk, schemes: { "plugin-data:": root }, hasFullAccess, random: Math.random });
  return { fs, files: new UxpFiles(fs.module) };
}

test("text comes without a byte order mark", async () => {
  const { disk, root } = memory();
  const { files } = open(disk, root);
  await files.writeText(`${root}/a`, "\uFEFFGrüße");
  expect(await files.readText(`${root}/a`)).toBe("Grüße");
});

test("a byte order mark in the middle of a text stays, whatever reads it", async () => {
  const { disk, root } = memory();
  const { fs } = open(disk, root);
  const text = async (_path: string) => "\uFEFFone\uFEFFtwo";
  const files = new UxpFiles({ ...spread(fs), readFile: text });
  expect(await files.readText(`${root}/a`)).toBe("one\uFEFFtwo");
  const plain = new UxpFiles({ ...spread(fs), readFile: async () => "one" });
  expect(await plain.readText(`${root}/a`)).toBe("one");
});

test.each([
  ["/data", "a", "/data/a"],
  ["/", "a", "/a"],
  ["C:\\data", "a", "C:\\data\\a"],
  ["C:\\", "a", "C:\\a"],
])("a path inside %s has one separator, the folder's own", (folder, name, path) => {
  expect(pathIn(folder, name)).toBe(path);
});

test("text is read though the host hands out a buffer, of which views see nothing", async () => {
  const { disk, root } = memory();
  const { fs } = open(disk, root);
  const files = new UxpFiles({ ...spread(fs), readFile: (path) => fs.module.readFile(path) });
  disk.files.set(`${root}/a`, new TextEncoder().encode("Grüße"));
  expect(await files.readText(`${root}/a`)).toBe("Grüße");
});

test("a file is written whole, whatever part of it one call takes", async () => {
  const { disk, root } = memory();
  const { files } = open(disk, root);
  const content = Uint8Array.from({ length: 5000 }, (_, i) => i % 251);
  const writer = await files.openWriter(`${root}/a`);
  await writer.write(0, content.buffer);
  await writer.close();
  expect(disk.files.get(`${root}/a`)).toEqual(content);
});

test("a copy lies in a folder named after the one it is from, and is made once", async () => {
  const { disk, root } = memory();
  const { files } = open(disk, root);
  disk.files.set(
    `${root}/a.b/one.wav`,
    Uint8Array.from({ length: 3_000_000 }, (_, i) => i % 251),
  );
  const copy = await files.copyInto(`${root}/a.b/one.wav`, `${root}/copies`);
  expect(copy).toBe(`${root}/copies/a_b/one.wav`);
  expect(disk.files.get(copy)).toEqual(disk.files.get(`${root}/a.b/one.wav`));
  const kept = disk.files.get(copy);
  expect(await files.copyInto(`${root}/a.b/one.wav`, `${root}/copies`)).toBe(copy);
  expect(disk.files.get(copy)).toBe(kept);
  disk.files.set(copy, new Uint8Array(1));
  await files.copyInto(`${root}/a.b/one.wav`, `${root}/copies`);
  expect(disk.files.get(copy)).toEqual(kept);
});

test("a file that another program holds is no error, and goes with the next one", async () => {
  const { disk, root } = memory();
  const held = new Set([`${root}/a`]);
  const isHeld = (path: string) => held.has(path);
  const files = new UxpFiles(makeFs({ disk, schemes: {}, hasFullAccess: true, random: Math.random, isHeld }).module);
  for (const name of ["a", "b", "c"]) disk.files.set(`${root}/${name}`, new Uint8Array(1));
  await files.remove(`${root}/a`);
  await files.remove(`${root}/b`);
  expect([...disk.files.keys()]).toEqual([`${root}/a`, `${root}/c`]);
  held.clear();
  await files.remove(`${root}/c`);
  expect([...disk.files.keys()]).toEqual([]);
});

test("what cannot be removed for another reason is told, and is not tried again with the next one", async () => {
  const { disk, root } = memory();
  const { fs } = open(disk, root);
  const asked: string[] = [];
  const unlink = (path: string) => {
    asked.push(path);
    return path.endsWith("a") ? Promise.reject(new Error("EPERM: not permitted")) : fs.module.unlink(path);
  };
  const files = new UxpFiles({ ...spread(fs), unlink });
  await expect(files.remove(`${root}/a`)).rejects.toMatchObject({ code: "permission_denied" });
  await files.remove(`${root}/b`);
  expect(asked).toEqual([`${root}/a`, `${root}/b`]);
});

test("a disk that takes no byte more is told, and no write goes on for ever", async () => {
  const { disk, root } = memory();
  const { fs } = open(disk, root);
  const files = new UxpFiles({ ...spread(fs), write: async () => ({ bytesWritten: 0 }) });
  const writer = await files.openWriter(`${root}/a`);
  await expect(writer.write(0, new ArrayBuffer(5))).rejects.toMatchObject({
    ...{ code: "file_unreadable", operation: "write a file", state: "the file was left as it was" },
    cause: expect.objectContaining({ message: "nothing could be written" }),
  });
  await writer.close();
});

test("a file that may not be looked at is no file that is missing", async () => {
  const { disk, root } = memory();
  const { fs } = open(disk, root);
  const lstat = () => Promise.reject(new Error("EACCES: permission denied"));
  const files = new UxpFiles({ ...spread(fs), lstat });
  await expect(files.size(`${root}/a`)).rejects.toMatchObject({
    code: "permission_denied",
    operation: "look at a file",
  });
  const gone = new UxpFiles({ ...spread(fs), lstat: () => Promise.reject(new Error("ENOENT: no such file")) });
  expect(await gone.size(`${root}/a`)).toBeNull();
});

test("a large file is copied in pieces that fit it, to a name of its own until it is whole", async () => {
  const { disk, root } = memory();
  const { fs } = open(disk, root);
  const opened: string[] = [];
  const sizes: number[] = [];
  const module = {
    ...spread(fs),
    open: (path: string, flag: string) => {
      if (flag.startsWith("w")) opened.push(path);
      return fs.module.open(path, flag);
    },
    read: (...given: Parameters<typeof fs.module.read>) => {
      sizes.push(given[1].byteLength);
      return fs.module.read(...given);
    },
  };
  const files = new UxpFiles(module);
  const piece = 4 * 1024 * 1024;
  for (const [size, pieces] of [
    [2 * piece, [piece]],
    [piece + 5, [piece, 5]],
  ] as const) {
    const name = `${root}/in/${size}.wav`;
    disk.files.set(
      name,
      Uint8Array.from({ length: size }, (_, i) => i % 251),
    );
    const copy = await files.copyInto(name, `${root}/copies`);
    expect(opened.splice(0)).toEqual([`${copy}.part`]);
    expect(new Set(sizes.splice(0))).toEqual(new Set(pieces));
    expect(disk.files.get(copy)).toEqual(disk.files.get(name));
  }
});

/** The calls of the double: it may not be listed. */
function spread({ module }: FsDouble): FsDouble["module"] {
  const { open, close, read, write, lstat, readFile, writeFile, rename, unlink, mkdir, readdir } = module;
  return { open, close, read, write, lstat, readFile, writeFile, rename, unlink, mkdir, readdir };
}

test("no file stays open, read or written, whole or not", async () => {
  const { disk, root } = memory();
  const { fs, files } = open(disk, root);
  await files.writeText(`${root}/a`, "text");
  await files.readBytes(`${root}/a`, 0, 2);
  await files.readBytes(`${root}/none`, 0, 2).catch(() => undefined);
  expect(fs.openDescriptors()).toBe(0);
  disk.files.set(`${root}/b`, new Uint8Array(100));
  await files.copyInto(`${root}/b`, `${root}/copies`);
  expect(fs.openDescriptors()).toBe(0);
  disk.files.set(`${root}/c`, new Uint8Array(100));
  disk.room = 10;
  await expect(files.copyInto(`${root}/c`, `${root}/copies`)).rejects.toMatchObject({ code: "disk_full" });
  expect(fs.openDescriptors()).toBe(0);
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
