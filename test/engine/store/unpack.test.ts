import fs from "node:fs";
import { readdir, readFile, readlink, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import type { SourceArchive } from "../../../src/engine/store/catalog-row.ts";
import { unpackArchive } from "../../../src/engine/store/unpack.ts";
import { replaceCalls } from "../../fakes/replaced-calls.ts";
import { turns } from "../../fakes/set-clock.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { sha256, TAR_BZ2, type TarEntry, tarGz, zip } from "./archives.ts";

const { signal } = new AbortController();

/** Unpacks bytes into a folder of their own. */
async function unpacked(bytes: Buffer, archive: Partial<SourceArchive> = {}) {
  const place = await temporaryFolder();
  const [path, folder] = [join(place, "archive"), await temporaryFolder()];
  await writeFile(path, bytes);
  const whole: SourceArchive = { kind: "tar.gz", strip: 0, mostBytes: 1_000_000, ...archive };
  const files = await unpackArchive(path, whole, folder, { signal, onBytes: () => undefined });
  return { folder, files };
}

test("each kind of archive is unpacked, with what is in each file", async () => {
  const files = { "a/model.onnx": "weights", "a/data/phontab": "p" };
  for (const [kind, bytes] of [
    ["tar.gz", await tarGz(files)],
    ["zip", zip(files)],
  ] as const) {
    const done = await unpacked(bytes, { kind, strip: 1 });
    expect([...done.files.keys()]).toEqual(["model.onnx", "data/phontab"]);
    expect(done.files.get("model.onnx")).toEqual({ bytes: 7, sha256: sha256("weights") });
    expect(await readFile(join(done.folder, "data", "phontab"), "utf8")).toBe("p");
  }
  const { folder } = await unpacked(TAR_BZ2, { kind: "tar.bz2", strip: 1 });
  expect((await readdir(folder)).sort()).toEqual(["data", "model.onnx", "tokens.txt"]);
});

test("a file of many blocks is there to its last byte", async () => {
  // Packed it has several blocks as well.
  const text = Array.from({ length: 12_000 }, (_, index) => sha256(String(index))).join("");
  for (const [kind, bytes] of [
    ["tar.gz", await tarGz({ model: text })],
    ["zip", zip({ model: text })],
  ] as const) {
    const { folder, files } = await unpacked(bytes, { kind });
    expect(files.get("model")).toEqual({ bytes: text.length, sha256: sha256(text) });
    expect(await readFile(join(folder, "model"), "utf8")).toBe(text);
  }
});

test("an archive that cannot be read fails, of whatever kind, and nothing else does", async () => {
  const place = await temporaryFolder();
  for (const kind of ["tar.gz", "tar.bz2", "zip"] as const) {
    for (const [path, code] of [
      [join(place, "gone"), "ENOENT"],
      [place, "EISDIR"],
    ] as const) {
      const archive: SourceArchive = { kind, strip: 0, mostBytes: 1_000_000 };
      const unpacking = unpackArchive(path, archive, await temporaryFolder(), { signal, onBytes: () => undefined });
      await expect(unpacking).rejects.toMatchObject({ code });
    }
  }
});

test("what is not kept is left out, and programs can be run", async () => {
  const bytes = await tarGz({
    "a/test.wav": "sound",
    "a/model": "m",
    "a/server": { type: "file", mode: 0o755, size: 0 },
  });
  const { folder, files } = await unpacked(bytes, { strip: 1, keep: /^(?:model|server)$/ });
  expect([...files.keys()]).toEqual(["model", "server"]);
  expect((await stat(join(folder, "server"))).mode & 0o111).toBe(0o111);
  expect((await stat(join(folder, "model"))).mode & 0o111).toBe(0);
});

test.each([
  [0o711, true],
  [0o601, true],
  [0o610, true],
  [0o700, true],
  [0o666, false],
  [0o444, false],
])("a file of mode %o is a program: %s", async (mode, isProgram) => {
  const { folder } = await unpacked(await tarGz({ file: { type: "file", mode, size: 0 } }));
  expect(((await stat(join(folder, "file"))).mode & 0o100) !== 0).toBe(isProgram);
});

test("a link inside of the archive is kept as one", async () => {
  const link = { type: "symlink", linkname: "lib.so.1" } as const;
  const other = { type: "symlink", linkname: "lib.so.1" } as const;
  const { folder } = await unpacked(await tarGz({ "b/lib.so": link, "b/lib.so.1": "library", "b/lib.so.0": other }));
  expect(await readlink(join(folder, "b", "lib.so"))).toBe("lib.so.1");
  expect(await readlink(join(folder, "b", "lib.so.0"))).toBe("lib.so.1");
  expect(await readFile(join(folder, "b", "lib.so"), "utf8")).toBe("library");
});

test.each<[string, Readonly<Record<string, TarEntry>>, RegExp]>([
  ["a path that leads out", { "../evil": "x" }, /leads out of its folder/],
  ["a path that leads out by a detour", { "a/../../evil": "x" }, /leads out/],
  ["a whole path", { "/etc/evil": "x" }, /leads out/],
  ["a path of Windows", { "a\\..\\evil": "x" }, /leads out/],
  ["a drive", { "C:evil": "x" }, /leads out/],
  ["a link that leads out", { "a/l": { type: "symlink", linkname: "../../etc" } }, /the link a\/l leads out/],
  ["a link to a whole path", { l: { type: "symlink", linkname: "/etc/passwd" } }, /the link l leads out/],
  ["a hard link", { a: "x", b: { type: "link", linkname: "a" } }, /neither a file nor a folder/],
  ["a device", { d: { type: "character-device" } }, /neither a file nor a folder/],
  ["two files of one name", { Model: "x", model: "y" }, /is there twice/],
  [
    "a file below a link, which would be written through it",
    { l: { type: "symlink", linkname: "elsewhere" }, "l/evil": "x" },
    /damaged|not to be trusted|EEXIST|is a link/,
  ],
])("%s is refused", async (_what, entries, reason) => {
  await expect(unpacked(await tarGz(entries))).rejects.toThrow(reason);
});

test("a zip whose paths lead out is refused", async () => {
  await expect(unpacked(zip({ "../evil": "x" }), { kind: "zip" })).rejects.toThrow("leads out of its folder");
});

test("an archive that holds more than it should is stopped, however small it is itself", async () => {
  const files = { a: "0".repeat(900_000), b: "0".repeat(900_000) };
  await expect(unpacked(await tarGz(files))).rejects.toThrow("holds more than it should");
  await expect(unpacked(zip(files), { kind: "zip" })).rejects.toThrow("holds more than it should");
  // What is left out of it counts as well, to its last block.
  const leftOut = async (bytes: number) => unpacked(await tarGz({ a: "0".repeat(bytes) }), { keep: /^none$/ });
  await expect(leftOut(1_000_001)).rejects.toThrow("holds more than it should");
  expect((await leftOut(1_000_000)).files.size).toBe(0);
});

test("an archive of more than 20,000 files is refused, what is left out of it counted as well", async () => {
  const entry = gunzipSync(await tarGz({ link: { type: "symlink", linkname: "elsewhere" } }));
  const links = (count: number) =>
    gzipSync(Buffer.concat([Buffer.alloc(512 * count, entry.subarray(0, 512)), Buffer.alloc(1_024)]), { level: 1 });
  expect((await unpacked(links(20_000), { keep: /^none$/ })).files.size).toBe(0);
  await expect(unpacked(links(20_001), { keep: /^none$/ })).rejects.toThrow("it holds too many files");
});

test("an archive that is cut, or is none, is told as damaged", async () => {
  const whole = await tarGz({ a: "content of a file", b: "more" });
  await expect(unpacked(whole.subarray(0, whole.length - 12))).rejects.toThrow("The archive is damaged");
  await expect(unpacked(TAR_BZ2.subarray(0, 150), { kind: "tar.bz2" })).rejects.toThrow("The archive is damaged");
  const zipped = zip({ a: "content of a file ".repeat(100) });
  await expect(unpacked(zipped.subarray(0, 40), { kind: "zip" })).rejects.toThrow("The archive is damaged");
  // Cut in a file behind whole ones, which are on their way still.
  const texts = Array.from({ length: 4 }, (_, index) => `${index} ${"text ".repeat(9_000)}`);
  const several = zip(Object.fromEntries(texts.map((text, index) => [`file-${index}`, text])));
  const last = several.lastIndexOf(Buffer.from("PK\u0003\u0004"));
  await expect(unpacked(several.subarray(0, last + 50), { kind: "zip" })).rejects.toThrow("The archive is damaged");
  for (const kind of ["tar.gz", "tar.bz2", "zip"] as const)
    await expect(unpacked(Buffer.from("<html>404</html>"), { kind })).rejects.toThrow("The archive is damaged");
});

test("a cancelled archive ends with the reason", async () => {
  const stop = new AbortController();
  const place = join(await temporaryFolder(), "archive");
  await writeFile(place, await tarGz({ a: "x".repeat(500_000) }));
  const archive: SourceArchive = { kind: "tar.gz", strip: 0, mostBytes: 1_000_000 };
  const onBytes = () => stop.abort(new Error("cancelled by the user"));
  const begun = unpackArchive(place, archive, await temporaryFolder(), { signal: stop.signal, onBytes });
  await expect(begun).rejects.toThrow("cancelled by the user");
});

test("nothing is written any more once an archive has failed", async () => {
  const texts = Array.from({ length: 60 }, (_, index) => [`folder-${index}/file`, `${index} of many`] as const);
  const whole = zip(Object.fromEntries([...texts, ["last", "text ".repeat(9_000)]]));
  const path = join(await temporaryFolder(), "archive");
  await writeFile(path, whole.subarray(0, whole.lastIndexOf(Buffer.from("PK\u0003\u0004")) + 50));
  const folder = await temporaryFolder();
  const archive: SourceArchive = { kind: "zip", strip: 0, mostBytes: 1_000_000 };
  const failed = unpackArchive(path, archive, folder, { signal, onBytes: () => undefined });
  await expect(failed).rejects.toThrow("The archive is damaged");
  const names = await readdir(folder);
  await turns(40);
  expect(await readdir(folder)).toEqual(names);
});

test("no file stays open, whatever becomes of an archive", async () => {
  const streams: (fs.ReadStream | fs.WriteStream)[] = [];
  const { createReadStream, createWriteStream } = fs;
  const noted = <Stream extends fs.ReadStream | fs.WriteStream>(stream: Stream) => {
    streams.push(stream);
    return stream;
  };
  onTestFinished(
    replaceCalls(fs, {
      createReadStream: ((...given: Parameters<typeof createReadStream>) =>
        noted(createReadStream(...given))) as typeof createReadStream,
      createWriteStream: ((...given: Parameters<typeof createWriteStream>) =>
        noted(createWriteStream(...given))) as typeof createWriteStream,
    }),
  );
  const text = "content of a file ".repeat(60_000);
  const files = { a: text, b: text };
  for (const [bytes, kind] of [
    [await tarGz(files), "tar.gz"],
    [zip(files), "zip"],
  ] as const) {
    const whole = { kind, mostBytes: 10_000_000 };
    await unpacked(bytes, whole);
    await unpacked(bytes, { kind, mostBytes: 1_200_000 }).catch(() => undefined);
    await unpacked(bytes.subarray(0, bytes.length / 2), whole).catch(() => undefined);
    await unpacked(Buffer.concat([Buffer.from("none"), bytes]), { kind }).catch(() => undefined);
  }
  expect(streams.length).toBeGreaterThan(8);
  await expect.poll(() => streams.filter(({ closed }) => !closed)).toEqual([]);
});
