import { createHash, randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, open, readdir, readFile, rm, stat } from "node:fs/promises";
import { basename, join, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import type { CatalogModel, Source, SourceArchive } from "./catalog-row.ts";
import { placeOf, removePart, StoreError, sumIn } from "./fetch-file.ts";
import { unpackArchive } from "./unpack.ts";

/** What folders begin with in which a given archive is unpacked for the time being. */
export const GIVEN_PREFIX = ".given.";

/** Files of a given folder that are looked at. */
const MOST_FILES = 50_000;

/** What a given archive may hold, in bytes: more than any model. */
const MOST_BYTES = 40_000_000_000;

/** Name of the list of sums that is to lie beside archives without a pinned one. */
const LIST = "checksum.txt";

/** A file that a person brought, under the name that it has there. */
export interface GivenFile {
  /** Its name, or its path with it. */
  readonly name: string;
  /** Where it can be read. */
  readonly path: string;
}

/**
 * What a person brought to a computer without internet: the files of a model by their names, in a folder, or in an archive;
 * or the archives that the model is.
 */
export class GivenFiles {
  readonly #whole: string;
  readonly #signal: AbortSignal;
  readonly #files: readonly GivenFile[];
  /** Where archives are unpacked meanwhile; `null` where none is looked into. */
  readonly #unpacked: string | null;

  private constructor(whole: string, signal: AbortSignal, files: readonly GivenFile[], unpacked: string | null) {
    [this.#whole, this.#signal, this.#files, this.#unpacked] = [whole, signal, files, unpacked];
  }

  /**
   * Looks what is given.
   *
   * @param from A folder, an archive, or several files.
   * @param store Folder of the store, where an archive of several files is unpacked meanwhile.
   * @throws StoreError `model_unknown` where nothing is there, `model_wrong` for an archive that cannot be unpacked.
   */
  static async open(from: string | readonly GivenFile[], store: string, signal: AbortSignal): Promise<GivenFiles> {
    const unpacked = join(store, `${GIVEN_PREFIX}${randomUUID()}`);
    if (typeof from !== "string") {
      const names = from.map(({ name }) => name).join(", ");
      return new GivenFiles(from.length === 1 ? names : `What was brought (${names})`, signal, from, unpacked);
    }
    const found = await stat(from).catch(() => null);
    if (found === null) throw new StoreError("model_unknown", `There is no folder or archive ${from}.`);
    if (found.isDirectory()) return new GivenFiles(from, signal, await filesBelow(from), null);
    return new GivenFiles(from, signal, [{ name: from, path: from }], unpacked);
  }

  /**
   * Makes sure that all files are there, before the first is copied. Archives that are none of them are unpacked.
   *
   * @throws StoreError naming what is missing.
   */
  async require(models: readonly CatalogModel[]): Promise<GivenFiles> {
    const sources = models.flatMap((model) => model.sources);
    const missing = (given: GivenFiles) => sources.filter((source) => given.#find(source) === undefined);
    let given: GivenFiles = this;
    if (this.#unpacked !== null && missing(this).length > 0) given = await this.#unpack(this.#unpacked, sources);
    const gone = missing(given);
    if (gone.length === 0) return given;
    const names = gone.map(({ url }) => `  ${url}`).join("\n");
    await given.close();
    throw new StoreError(
      "model_unknown",
      `${this.#whole} does not have ${gone.length === 1 ? "this file" : "these files"}. Bring them there by their names, and try again:\n${names}`,
    );
  }

  async #unpack(into: string, sources: readonly Source[]): Promise<GivenFiles> {
    const own = new Set(sources.map((source) => this.#find(source)));
    try {
      for (const [index, { path }] of this.#files.filter((file) => !own.has(file.path)).entries()) {
        const kind = await kindOf(path);
        if (kind === null) continue;
        const below = join(into, String(index));
        await mkdir(below, { recursive: true });
        const archive: SourceArchive = { kind, strip: 0, mostBytes: MOST_BYTES };
        await unpackArchive(path, archive, below, { signal: this.#signal, onBytes: () => undefined });
      }
      const inside = await filesBelow(into).catch(() => []);
      return new GivenFiles(this.#whole, this.#signal, [...this.#files, ...inside], into);
    } catch (error) {
      await rm(into, { recursive: true, force: true });
      throw error;
    }
  }

  /** The file of a source: laid out by host and path, as in a mirror, or by its name alone. */
  #find({ url }: Pick<Source, "url">): string | undefined {
    const { host, pathname } = new URL(url);
    const whole = `${sep}${host}${pathname.replaceAll("/", sep)}`;
    const [, name] = placeOf(url);
    const found =
      this.#files.find((file) => file.name.endsWith(whole)) ?? this.#files.find((file) => basename(file.name) === name);
    return found?.path;
  }

  /** The SHA-256 of a source by the list that lies beside it. @throws StoreError where there is none. */
  async listedSum(source: Source): Promise<string> {
    const [, name] = placeOf(source.url);
    const list = this.#find({ url: source.checksums ?? "" });
    if (list === undefined) {
      throw new StoreError("model_unknown", `Bring ${source.checksums} too: it says the SHA-256 sum of ${name}.`);
    }
    return sumIn(await readFile(list, "utf8"), source, LIST);
  }

  /** Copies a file to where it is put together. @returns Its SHA-256. @throws the system's error, the signal's reason. */
  async copy(source: Source, to: string, onBytes: (bytes: number) => void): Promise<string> {
    const path = this.#find(source) ?? "";
    const hash = createHash("sha256");
    let bytes = 0;
    await removePart(to);
    await pipeline(
      createReadStream(path, { highWaterMark: 1 << 20 }),
      async function* (blocks: AsyncIterable<Buffer>) {
        for await (const block of blocks) {
          hash.update(block);
          bytes += block.length;
          onBytes(bytes);
          yield block;
        }
      },
      createWriteStream(to),
      { signal: this.#signal },
    );
    return hash.digest("hex");
  }

  /** Removes what was unpacked for the time being. */
  async close(): Promise<void> {
    if (this.#unpacked !== null) await rm(this.#unpacked, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function filesBelow(folder: string): Promise<GivenFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  // What lies nearer to the top is meant.
  const depth = (path: string) => path.split(sep).length;
  const nearest = files.slice(0, MOST_FILES).sort((a, b) => depth(a) - depth(b));
  return nearest.map((path) => ({ name: path, path }));
}

/** What kind of archive a file is, by its first bytes; `null` for none. */
async function kindOf(path: string): Promise<SourceArchive["kind"] | null> {
  const file = await open(path, "r");
  try {
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
    const start = buffer.toString("latin1");
    if (start.startsWith("\u001f\u008b")) return "tar.gz";
    if (start.startsWith("BZh")) return "tar.bz2";
    return start.startsWith("PK\u0003\u0004") ? "zip" : null;
  } finally {
    await file.close();
  }
}
