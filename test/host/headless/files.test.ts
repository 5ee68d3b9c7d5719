import { chmod, mkdir, readdir, readFile, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { nodeFiles } from "../../../src/host/headless/files.ts";
import { hostErrorFrom, isFileSystemError } from "../../../src/host/headless/system-error.ts";
import { HostError } from "../../../src/host/host-error.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder();
});

describe("writing text", () => {
  test("leaves nothing behind where it fails, and says what stands in the way", async () => {
    await mkdir(join(folder, "a.txt"));
    await expect(nodeFiles.writeText(join(folder, "a.txt"), "x")).rejects.toMatchObject({ code: "file_in_the_way" });
    expect(await readdir(folder)).toEqual(["a.txt"]);
    await writeFile(join(folder, "file"), "");
    await expect(nodeFiles.writeText(join(folder, "file", "b"), "x")).rejects.toMatchObject({
      code: "file_in_the_way",
    });
    await expect(nodeFiles.writeText(join(folder, "no", "b"), "x")).rejects.toMatchObject({ code: "file_not_found" });
  });

  test("of many at once to one name ends in one of them, whole", async () => {
    const path = join(folder, "a.txt");
    const texts = Array.from({ length: 20 }, (_, index) => String(index).repeat(10_000));
    await Promise.all(texts.map((text) => nodeFiles.writeText(path, text)));
    expect(texts).toContain(await readFile(path, "utf8"));
    expect(await readdir(folder)).toEqual(["a.txt"]);
  });
});

describe("reading", () => {
  test("takes a text of 64 MB, and no longer one", async () => {
    const path = join(folder, "long.txt");
    await writeFile(path, "");
    await truncate(path, 64 * 1024 * 1024);
    expect(await nodeFiles.readText(path)).toHaveLength(64 * 1024 * 1024);
    await truncate(path, 64 * 1024 * 1024 + 1);
    await expect(nodeFiles.readText(path)).rejects.toMatchObject({ code: "file_unreadable" });
  });

  test("gives text in UTF-8, and refuses what is none", async () => {
    const path = join(folder, "a.txt");
    await writeFile(path, "é\n");
    expect(await nodeFiles.readText(path)).toBe("é\n");
    await writeFile(path, Buffer.from([0xff, 0xfe, 0x41, 0x00]));
    await expect(nodeFiles.readText(path)).rejects.toMatchObject({ code: "file_unreadable" });
    await expect(nodeFiles.readText(join(folder, "no"))).rejects.toMatchObject({ code: "file_not_found" });
    await expect(nodeFiles.readText(folder)).rejects.toBeInstanceOf(HostError);
  });

  test("reads a text of a megabyte, and none above 64", async () => {
    const path = join(folder, "a.txt");
    await writeFile(path, "x".repeat(1024 * 1024));
    expect(await nodeFiles.readText(path)).toHaveLength(1024 * 1024);
    await truncate(path, 64 * 1024 * 1024 + 1);
    await expect(nodeFiles.readText(path)).rejects.toMatchObject({
      code: "file_unreadable",
      message: expect.stringContaining("is too long for a text (67108865 bytes)"),
    });
  });

  test("gives the size of a file, and null where there is none", async () => {
    await writeFile(join(folder, "a"), "123");
    expect(await nodeFiles.size(join(folder, "a"))).toBe(3);
    expect(await nodeFiles.size(join(folder, "no"))).toBeNull();
    expect(await nodeFiles.size(folder)).toBeNull();
    expect(await nodeFiles.size(join(folder, "a", "b"))).toBeNull();
  });
});

test("a loop of links is an error of the host, never a crash", async () => {
  await symlink(join(folder, "x"), join(folder, "y"));
  await symlink(join(folder, "y"), join(folder, "x"));
  await expect(nodeFiles.readText(join(folder, "x"))).rejects.toBeInstanceOf(HostError);
});

test("a folder that may not be written to says so", async () => {
  const locked = join(folder, "locked");
  await mkdir(locked);
  await chmod(locked, 0o500);
  // The super-user may write anywhere: there the write succeeds and nothing is proved.
  const error = await nodeFiles.writeText(join(locked, "a"), "x").catch((reason: unknown) => reason);
  if (process.getuid?.() === 0) expect(error).toBeUndefined();
  else expect(error).toMatchObject({ code: "permission_denied" });
});

test.each([
  ["ENOSPC", "disk_full"],
  ["EDQUOT", "disk_full"],
  ["EFBIG", "disk_full"],
  ["EACCES", "permission_denied"],
  ["EPERM", "permission_denied"],
  ["EROFS", "permission_denied"],
  ["ENOENT", "file_not_found"],
  ["EEXIST", "file_in_the_way"],
  ["EWHATEVER", "host_failed"],
])("the system's %s is %s, with the file's name and not its folder", (system, code) => {
  const cause = Object.assign(new Error(`${system}: at /home/me/secret/a.wav`), { code: system });
  const error = hostErrorFrom(cause, "/home/me/secret/a.wav", "write a file", "nothing was changed");
  expect(error).toMatchObject({ code, operation: "write a file", state: "nothing was changed" });
  expect(error.message).toContain('"a.wav"');
  expect(error.message).not.toContain("/home");
});

test("errors of the file system are told from those of a line, by the words of the system", () => {
  const error = (code: unknown) => Object.assign(new Error("x"), { code });
  for (const code of ["ENOENT", "ENOSPC", "EIO", "EROFS"])
    expect([code, isFileSystemError(error(code))]).toEqual([code, true]);
  for (const code of ["ECONNRESET", "ETIMEDOUT", "", 5])
    expect([code, isFileSystemError(error(code))]).toEqual([code, false]);
  for (const none of [new Error("x"), { code: "ENOENT" }, "ENOENT", null]) expect(isFileSystemError(none)).toBe(false);
});

test("a writer closes its file, and what is removed may be gone already", async () => {
  const path = join(folder, "a.wav");
  const writer = await nodeFiles.openWriter(path);
  await writer.write(0, Uint8Array.of(1, 2).buffer);
  await writer.close();
  // A file that is closed takes nothing more.
  await expect(writer.write(0, Uint8Array.of(3).buffer)).rejects.toMatchObject({ operation: "write a file" });
  await nodeFiles.remove(path);
  await nodeFiles.remove(path);
  await nodeFiles.remove(join(folder, "no", "folder", "a"));
  expect(await readdir(folder)).toEqual([]);
  await mkdir(path);
  await expect(nodeFiles.remove(path)).rejects.toMatchObject({ operation: "remove a file" });
});
