import { beforeEach, describe, expect, test } from "vitest";
import type { Files } from "../../src/host/files.ts";
import { HostError } from "../../src/host/host-error.ts";
import { EVERY_FILES } from "./every-files.ts";

describe.each(EVERY_FILES)("the port for files, by %s", (_, make) => {
  let files: Files;
  let path: string;
  let root: string;
  beforeEach(async () => {
    ({ files, root } = await make());
    path = `${root}/a`;
  });

  test("text survives, in place of an older one, and nothing stays beside it", async () => {
    await files.writeText(path, "first");
    await files.writeText(path, "Grüße, 世界 🎬\n");
    expect(await files.readText(path)).toBe("Grüße, 世界 🎬\n");
    expect(await files.list(root)).toEqual(["a"]);
  });

  test("what is not there has no size, can be removed, and cannot be read or renamed", async () => {
    expect(await files.size(path)).toBeNull();
    await files.remove(path);
    const missing = { name: "HostError", code: "file_not_found" };
    await expect(files.readText(path)).rejects.toMatchObject(missing);
    await expect(files.readBytes(path, 0, 1)).rejects.toMatchObject(missing);
    await expect(files.rename(path, `${root}/b`)).rejects.toMatchObject(missing);
    await expect(files.writeText(`${root}/no/b`, "x")).rejects.toBeInstanceOf(HostError);
    await expect(files.openWriter(`${root}/no/b`)).rejects.toBeInstanceOf(HostError);
  });

  test("bytes come from anywhere, fewer at the end, none beyond", async () => {
    const bytes = Uint8Array.from({ length: 5000 }, (_entry, index) => index % 251);
    const writer = await files.openWriter(path);
    await writer.write(0, bytes.slice(0, 2000).buffer);
    await writer.write(2000, bytes.slice(2000).buffer);
    await writer.close();
    expect(await files.size(path)).toBe(5000);
    expect(await files.readBytes(path, 100, 3000)).toEqual(bytes.slice(100, 3100));
    expect([...(await files.readBytes(path, 4990, 100))]).toEqual([...bytes.slice(4990)]);
    expect([...(await files.readBytes(path, 6000, 10))]).toEqual([]);
  });

  test("a writer begins with an empty file, and writes over what it wrote", async () => {
    await files.writeText(path, "a longer text than what comes");
    const writer = await files.openWriter(path);
    await writer.write(0, Uint8Array.of(1, 2, 3, 4).buffer);
    await writer.write(1, Uint8Array.of(9).buffer);
    await writer.close();
    expect([...(await files.readBytes(path, 0, 100))]).toEqual([1, 9, 3, 4]);
  });

  test("a rename takes the place of what is there", async () => {
    await files.writeText(path, "new");
    await files.writeText(`${root}/b`, "old");
    await files.rename(path, `${root}/b`);
    expect(await files.readText(`${root}/b`)).toBe("new");
    expect(await files.list(root)).toEqual(["b"]);
  });

  test("a folder is made once, has no size, and no file is taken for one", async () => {
    await files.makeFolder(path);
    await files.makeFolder(path);
    expect(await files.list(path)).toEqual([]);
    expect(await files.list(`${root}/none`)).toEqual([]);
    expect(await files.size(path)).toBeNull();
    await files.writeText(`${root}/file`, "x");
    await expect(files.makeFolder(`${root}/file`)).rejects.toBeInstanceOf(HostError);
  });

  test("a text that cannot be written leaves nothing", async () => {
    await files.makeFolder(path);
    await expect(files.writeText(path, "x")).rejects.toBeInstanceOf(HostError);
    expect(await files.list(root)).toEqual(["a"]);
  });
});
