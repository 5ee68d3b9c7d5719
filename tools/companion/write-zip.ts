import { createReadStream, createWriteStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { Writable } from "node:stream";
import { Zip, ZipDeflate, ZipPassThrough } from "fflate";

/** Unix, in the upper byte of what made an entry: attributes are permissions then. */
const UNIX = 3;

/** Files that deflating makes no smaller. */
const PACKED = /\.(?:gz|ccx|mp4|zst|png)$/;

/** Bytes that are deflated at once. */
const CHUNK_BYTES = 1 << 20;

/**
 * Writes a folder as a ZIP archive, with itself as its only top entry, its folders as entries of their own, and the
 * permissions of its files. One chunk is held at a time.
 */
export async function writeZip(folder: string, path: string): Promise<void> {
  const file = createWriteStream(path);
  const out = Writable.toWeb(file).getWriter();
  let written: Promise<unknown> = Promise.resolve();
  let failure: Error | null = null;
  const zip = new Zip((error, chunk) => {
    failure ??= error;
    if (error === null) written = written.then(() => out.write(chunk));
  });
  const around = dirname(folder);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const places = entries.map((entry) => ({ entry, path: join(entry.parentPath, entry.name) }));
  addFolder(zip, `${basename(folder)}/`);
  for (const { entry, path: place } of places.sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const name = relative(around, place).replaceAll("\\", "/");
    if (entry.isDirectory()) {
      addFolder(zip, `${name}/`);
      continue;
    }
    const { mode } = await stat(place);
    const packed = PACKED.test(name) ? new ZipPassThrough(name) : new ZipDeflate(name, { level: 6 });
    Object.assign(packed, { os: UNIX, attrs: ((0o100_000 | (mode & 0o111 ? 0o755 : 0o644)) << 16) >>> 0 });
    zip.add(packed);
    for await (const part of createReadStream(place, { highWaterMark: CHUNK_BYTES })) {
      packed.push(part);
      await written;
    }
    packed.push(new Uint8Array(0), true);
    await written;
  }
  zip.end();
  await written;
  await out.close();
  if (failure !== null) throw failure;
}

function addFolder(zip: Zip, name: string): void {
  const entry = new ZipPassThrough(name);
  Object.assign(entry, { os: UNIX, attrs: ((0o040_755 << 16) | 0x10) >>> 0 });
  zip.add(entry);
  entry.push(new Uint8Array(0), true);
}
