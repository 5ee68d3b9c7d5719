import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { deserialize, serialize } from "node:v8";
import { constants, zstdCompress, zstdDecompress } from "node:zlib";

/** Where everything stands inside a data folder. */
export interface DataFolders {
  /** The embedded records. */
  readonly records: string;
  /** Stored media and artifacts. */
  readonly objects: string;
  /** Bytes on their way in. */
  readonly incoming: string;
  /** One folder per job in progress. */
  readonly work: string;
  /** One folder per media: what depends on the programme alone. */
  readonly programmes: string;
  /** One folder per team: spoken lines. */
  readonly narration: string;
}

/** The folders inside a data folder. */
export function dataFolders(root: string): DataFolders {
  return {
    records: join(root, "records"),
    objects: join(root, "objects"),
    incoming: join(root, "incoming"),
    work: join(root, "work"),
    programmes: join(root, "programmes"),
    narration: join(root, "narration"),
  };
}

/** A file or folder of a pack; folders come before what they hold. */
interface PackedEntry {
  /** Relative to the packed folder. */
  readonly path: string;
  /** Absent: a folder. */
  readonly bytes?: Uint8Array;
}

/** A third of the usual level's time for a tenth more bytes; the checksum tells a damaged pack from a whole one. */
const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 } };

/** Everything in a folder as one piece of bytes; nobody may write there meanwhile. */
export async function packFolder(folder: string): Promise<Buffer> {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true });
  const entries = found.map((entry): PackedEntry => {
    const path = join(entry.parentPath, entry.name);
    return { path: relative(folder, path), ...(entry.isDirectory() ? {} : { bytes: readFileSync(path) }) };
  });
  entries.sort((a, b) => a.path.length - b.path.length);
  return promisify(zstdCompress)(serialize(entries), COMPRESSION);
}

/**
 * Makes a folder, which must not be there yet, of what was packed.
 *
 * @throws Error when the pack is damaged or the files cannot be written; part of them may be there then.
 */
export async function unpackFolder(pack: Uint8Array, folder: string): Promise<void> {
  const entries: readonly PackedEntry[] = deserialize(await promisify(zstdDecompress)(pack));
  mkdirSync(folder);
  // Hundreds of small files: one call after another takes a fraction of the time that as many waits would.
  for (const { path, bytes } of entries) {
    if (bytes === undefined) mkdirSync(join(folder, path));
    else writeFileSync(join(folder, path), bytes);
  }
}
