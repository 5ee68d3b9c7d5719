import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, symlink } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { Unzip, UnzipInflate } from "fflate";
import { extract, type Headers } from "tar-stream";
import unbzip2 from "unbzip2-stream";
import type { SourceArchive } from "./catalog-row.ts";
import { StoreError } from "./fetch-file.ts";

/** What is in a file: its bytes and SHA-256. */
export interface FileContent {
  readonly bytes: number;
  readonly sha256: string;
}

/** Files and links that an archive may hold. */
const MOST_ENTRIES = 20_000;

/** Blocks in which archives are read. */
const BLOCK_BYTES = 256 * 1024;

/**
 * Unpacks an archive into an empty folder. Nothing is written outside of it: paths that lead out, links that do, and
 * whatever is no file, folder or link are refused; links are made last, so that nothing is written through one.
 *
 * @param onBytes Told how many bytes of the archive were read.
 * @returns What was written, by its path below the folder, with slashes.
 * @throws StoreError `model_wrong` for an archive that is damaged, too large or not to be trusted; the system's error; the
 *   signal's reason.
 */
export async function unpackArchive(
  path: string,
  archive: SourceArchive,
  folder: string,
  { signal, onBytes }: { readonly signal: AbortSignal; readonly onBytes: (bytes: number) => void },
): Promise<Map<string, FileContent>> {
  const into = new UnpackedFolder(folder, archive);
  let read = 0;
  const counted = new Transform({
    transform(block: Buffer, _encoding, done) {
      read += block.length;
      onBytes(read);
      done(null, block);
    },
  });
  const file = createReadStream(path, { highWaterMark: BLOCK_BYTES });
  try {
    if (archive.kind === "zip") {
      // A file that cannot be read fails where its bytes are asked for: nobody else would hear of it.
      pipeline(file, counted, { signal }).catch(() => undefined);
      await unzip(counted, into, signal);
    } else {
      await untar(file, [counted, archive.kind === "tar.gz" ? createGunzip() : unbzip2()], into, signal);
    }
    await into.makeLinks();
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof StoreError || isOfSystem(error)) throw error;
    throw new StoreError("model_wrong", "The archive is damaged and cannot be unpacked. Order it again.", {
      cause: error,
    });
  }
  return into.files;
}

function isOfSystem(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return /^E[A-Z]+$/.test(code);
}

async function untar(
  file: NodeJS.ReadableStream,
  [counted, opened]: readonly [NodeJS.ReadWriteStream, NodeJS.ReadWriteStream],
  into: UnpackedFolder,
  signal: AbortSignal,
): Promise<void> {
  const tar = extract();
  const fed = pipeline(file, counted, opened, tar, { signal });
  // It is waited for below, where the entries raise nothing.
  fed.catch(() => undefined);
  for await (const entry of tar) {
    // Its type says nothing of what it yields.
    await into.take(entry.header, entry as AsyncIterable<Uint8Array>);
    entry.resume();
  }
  await fed;
}

/** Reads a zip in one pass, as it is written: a file at a time. */
async function unzip(source: AsyncIterable<Buffer>, into: UnpackedFolder, signal: AbortSignal): Promise<void> {
  const opened: PushedBlocks[] = [];
  let writing: Promise<unknown> = Promise.resolve();
  const reader = new Unzip((file) => {
    const blocks = new PushedBlocks();
    opened.push(blocks);
    file.ondata = (error, block, isLast) => (error === null ? blocks.add(block, isLast) : blocks.fail(error));
    writing = writing.then(() => into.addFile({ path: file.name, isProgram: false }, blocks));
    // What fails is told where it is waited for.
    writing.catch(() => undefined);
    file.start();
  });
  reader.register(UnzipInflate);
  try {
    let isZip = false;
    for await (const block of source) {
      signal.throwIfAborted();
      isZip ||= block.subarray(0, 4).equals(Buffer.from("PK\u0003\u0004"));
      if (!isZip) throw new Error("no zip");
      reader.push(block);
      await Promise.race([writing, new Promise(setImmediate)]);
    }
    reader.push(new Uint8Array(0), true);
    await writing;
  } catch (error) {
    // No file stays open: Windows would not let it be removed.
    for (const blocks of opened) blocks.fail(error);
    await writing.catch(() => undefined);
    throw error;
  }
}

/** Blocks that are pushed, for somebody who asks for them. */
class PushedBlocks implements AsyncIterable<Uint8Array> {
  readonly #blocks: Uint8Array[] = [];
  #end: { readonly fault: unknown } | null = null;
  #woken: () => void = () => undefined;

  add(block: Uint8Array, isLast: boolean): void {
    if (block.length > 0) this.#blocks.push(block);
    if (isLast) this.#end ??= { fault: null };
    this.#woken();
  }

  fail(fault: unknown): void {
    this.#end ??= { fault };
    this.#woken();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (;;) {
      const block = this.#blocks.shift();
      if (block !== undefined) yield block;
      else if (this.#end === null) {
        await new Promise<void>((resolve) => {
          this.#woken = resolve;
        });
      } else if (this.#end.fault === null) return;
      else throw this.#end.fault;
    }
  }
}

/** Where an archive's content goes. */
class UnpackedFolder {
  readonly files = new Map<string, FileContent>();
  readonly #folder: string;
  readonly #archive: SourceArchive;
  readonly #links: { readonly path: string; readonly target: string }[] = [];
  /** Paths in small letters: two that differ in them alone are one file on some systems. */
  readonly #names = new Set<string>();
  #bytes = 0;
  #entries = 0;

  constructor(folder: string, archive: SourceArchive) {
    [this.#folder, this.#archive] = [folder, archive];
  }

  async take({ name, type, mode = 0, linkname }: Headers, content: AsyncIterable<Uint8Array>): Promise<void> {
    switch (type) {
      case "file":
      case "contiguous-file":
        return this.addFile({ path: name, isProgram: (mode & 0o111) !== 0 }, content);
      case "symlink": {
        const path = this.#pathOf(name);
        if (path !== null) this.#links.push({ path, target: this.#targetOf(path, linkname ?? "") });
        return;
      }
      case "directory":
        return;
      default:
        throw refused(`${name} is neither a file nor a folder`);
    }
  }

  async addFile(
    { path: named, isProgram }: { readonly path: string; readonly isProgram: boolean },
    content: AsyncIterable<Uint8Array>,
  ): Promise<void> {
    const path = named.endsWith("/") ? null : this.#pathOf(named);
    if (path === null) {
      for await (const block of content) this.#count(block.length);
      return;
    }
    const whole = join(this.#folder, path);
    await mkdir(dirname(whole), { recursive: true });
    const hash = createHash("sha256");
    let bytes = 0;
    const count = (length: number) => this.#count(length);
    await pipeline(
      content,
      async function* (blocks: AsyncIterable<Uint8Array>) {
        for await (const block of blocks) {
          count(block.length);
          bytes += block.length;
          hash.update(block);
          yield block;
        }
      },
      createWriteStream(whole, { flags: "wx", mode: isProgram ? 0o755 : 0o644 }),
    );
    this.files.set(path, { bytes, sha256: hash.digest("hex") });
  }

  /** Makes the links, those that lead to a file of the archive alone. */
  async makeLinks(): Promise<void> {
    for (const { path, target } of this.#links) {
      const whole = join(this.#folder, path);
      await mkdir(dirname(whole), { recursive: true });
      await symlink(target, whole);
    }
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#archive.mostBytes) throw refused("it holds more than it should");
  }

  /** Where something goes below the folder; `null` where it is left out. @throws StoreError for a path that leads out. */
  #pathOf(named: string): string | null {
    if (++this.#entries > MOST_ENTRIES) throw refused("it holds too many files");
    const isSafe = named !== "" && !/^[/\\]|[\\:\0]/.test(named) && !named.split("/").includes("..");
    if (!isSafe) throw refused(`${JSON.stringify(named)} leads out of its folder`);
    const parts = posix
      .normalize(named)
      .split("/")
      .filter((part) => part !== "." && part !== "");
    const path = parts.slice(this.#archive.strip).join("/");
    if (path === "" || this.#archive.keep?.test(path) === false) return null;
    const key = path.toLowerCase();
    if (this.#names.has(key)) throw refused(`${path} is there twice`);
    this.#names.add(key);
    return path;
  }

  #targetOf(path: string, target: string): string {
    const led = posix.normalize(posix.join(posix.dirname(path), target));
    if (target === "" || /^[/\\]|[\\:\0]/.test(target) || led === ".." || led.startsWith("../"))
      throw refused(`the link ${path} leads out of its folder`);
    return target;
  }
}

function refused(reason: string): StoreError {
  return new StoreError("model_wrong", `The archive is not to be trusted: ${reason}. Nothing of it is used.`);
}
