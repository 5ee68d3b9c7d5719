import { fileNameOf } from "../../core/local-file.ts";
import { decodeUtf8 } from "../../formats/decode-text.ts";
import type { Files, FileWriter } from "../files.ts";
import { fileFault, isHeld, isMissing, type UxpFs, type UxpStorage } from "./runtime.ts";

/** Ending of a file that another is about to take the place of. */
const ASIDE = ".old";

/** Bytes that are copied at once. */
const COPIED_AT_ONCE = 4 * 1024 * 1024;

/** Files by UXP's `fs`, with native paths. */
export class UxpFiles implements Files {
  readonly #fs: UxpFs;
  /** Files that another program held when they were to go. */
  readonly #held = new Set<string>();

  constructor(fs: UxpFs) {
    this.#fs = fs;
  }

  async readText(path: string): Promise<string> {
    return this.#do("read a file", path, async () => {
      const read = await this.#fs.readFile(path, { encoding: "utf-8" });
      // Whatever the host makes of the encoding; its buffers may only stand for one.
      const text = typeof read === "string" ? read : decodeUtf8(new Uint8Array(read.slice(0))).text;
      return text.replace(/^\uFEFF/, "");
    });
  }

  async writeText(path: string, text: string): Promise<void> {
    const part = `${path}.part`;
    try {
      await this.#do("write a file", path, () => this.#fs.writeFile(part, text, { encoding: "utf-8" }));
      await this.rename(part, path);
    } catch (error) {
      // That this may fail too changes nothing: the first failure is the one to tell.
      await this.remove(part).catch(() => undefined);
      throw error;
    }
  }

  async size(path: string): Promise<number | null> {
    return this.#do("look at a file", path, async () => {
      try {
        const stats = await this.#fs.lstat(path);
        return stats.isFile() ? stats.size : null;
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    });
  }

  async readBytes(path: string, position: number, length: number): Promise<Uint8Array> {
    const reader = await this.openReader(path);
    try {
      const buffer = new ArrayBuffer(length);
      return new Uint8Array(buffer, 0, await reader.read(buffer, position, length));
    } finally {
      await reader.close();
    }
  }

  /** Removes a file; one that another program holds open goes when something is removed later. */
  async remove(path: string): Promise<void> {
    for (const held of [...this.#held, path]) await this.#do("remove a file", held, () => this.#unlink(held));
  }

  async #unlink(path: string): Promise<void> {
    this.#held.delete(path);
    try {
      await this.#fs.unlink(path);
    } catch (error) {
      if (isHeld(error)) this.#held.add(path);
      else if (!isMissing(error)) throw error;
    }
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#do("rename a file", to, async () => {
      try {
        await this.#fs.rename(from, to);
      } catch (error) {
        // Whether UXP's rename replaces its target is not documented: where it does not, the target steps aside first. It
        // is not removed before the new file stands: the panel may be closed at any point.
        if (isMissing(error) || (await this.size(to)) === null) throw error;
        const aside = to + ASIDE;
        await this.remove(aside);
        await this.#fs.rename(to, aside);
        await this.#fs.rename(from, to);
        await this.#fs.unlink(aside);
      }
    });
  }

  async makeFolder(path: string): Promise<void> {
    await this.#do("make a folder", path, async () => {
      try {
        await this.#fs.mkdir(path);
      } catch (error) {
        await this.#fs.readdir(path).catch(() => {
          throw error;
        });
      }
    });
  }

  /**
   * Copies a file into a folder, below the name of the folder that it lies in. One that is there with the same size is not copied
   * again: what is copied never changes under its name.
   *
   * @returns Path of the copy.
   */
  async copyInto(path: string, folder: string): Promise<string> {
    const [, parent = "files", name = path] = /([^\\/]+)[\\/]([^\\/]+)$/.exec(path) ?? [];
    await this.makeFolder(folder);
    const inside = pathIn(folder, parent.replace(/[:.]/g, "_"));
    await this.makeFolder(inside);
    const copy = pathIn(inside, name);
    const size = (await this.size(path)) ?? 0;
    if ((await this.size(copy)) === size) return copy;
    const part = `${copy}.part`;
    const reader = await this.openReader(path);
    const writer = await this.openWriter(part);
    try {
      for (let at = 0; at < size; at += COPIED_AT_ONCE) {
        const bytes = new ArrayBuffer(Math.min(COPIED_AT_ONCE, size - at));
        await writer.write(at, bytes.slice(0, await reader.read(bytes, at, bytes.byteLength)));
      }
    } finally {
      await Promise.all([reader.close(), writer.close()]);
    }
    await this.rename(part, copy);
    return copy;
  }

  /** Puts files of a folder back that stepped aside for others which never came, and removes those whose others did. */
  async mend(folder: string): Promise<void> {
    const names = await this.list(folder);
    for (const name of names) {
      if (!name.endsWith(ASIDE)) continue;
      const original = name.slice(0, -ASIDE.length);
      if (names.includes(original)) await this.remove(pathIn(folder, name));
      else await this.rename(pathIn(folder, name), pathIn(folder, original));
    }
  }

  async list(path: string): Promise<readonly string[]> {
    return this.#do("list a folder", path, async () => {
      try {
        return await this.#fs.readdir(path);
      } catch (error) {
        if (isMissing(error)) return [];
        throw error;
      }
    });
  }

  /** Opens a file for reading pieces of it. */
  async openReader(path: string): Promise<FileReader> {
    const descriptor = await this.#do("read a file", path, () => this.#fs.open(path, "r"));
    return {
      read: (into, position, length) =>
        this.#do("read a file", path, () => this.#fill(descriptor, into, position, length)),
      close: async () => void (await this.#fs.close(descriptor)),
    };
  }

  async openWriter(path: string): Promise<FileWriter> {
    const descriptor = await this.#do("write a file", path, () => this.#fs.open(path, "w"));
    return {
      write: (position, bytes) => this.#do("write a file", path, () => this.#writePiece(descriptor, position, bytes)),
      close: async () => void (await this.#fs.close(descriptor)),
    };
  }

  /** Reads until the buffer holds `length` bytes or the file ends: UXP reads short whenever it likes. */
  async #fill(descriptor: number, into: ArrayBuffer, position: number, length: number): Promise<number> {
    let filled = 0;
    while (filled < length) {
      const { bytesRead } = await this.#fs.read(descriptor, into, filled, length - filled, position + filled);
      if (bytesRead <= 0) break;
      filled += bytesRead;
    }
    return filled;
  }

  async #writePiece(descriptor: number, position: number, bytes: ArrayBuffer): Promise<void> {
    let written = 0;
    while (written < bytes.byteLength) {
      const left = bytes.byteLength - written;
      const { bytesWritten } = await this.#fs.write(descriptor, bytes, written, left, position + written);
      if (bytesWritten <= 0) throw new Error("nothing could be written");
      written += bytesWritten;
    }
  }

  async #do<Result>(operation: string, path: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw fileFault(error, operation, `"${fileNameOf(path)}"`);
    }
  }
}

/** Reads pieces of an open file. */
export interface FileReader {
  /** Puts `length` bytes from `position` at the start of a buffer; returns how many, fewer at the end. */
  read(into: ArrayBuffer, position: number, length: number): Promise<number>;
  close(): Promise<void>;
}

/** A path inside a folder, with the separator that the folder's own path uses. */
export function pathIn(folder: string, name: string): string {
  const separator = folder.includes("\\") ? "\\" : "/";
  return folder.endsWith(separator) ? folder + name : folder + separator + name;
}

/** Where the panel keeps things on this computer, as native paths. All of it survives a restart. */
export interface WorkFolder {
  /** The plugin's data folder: settings, history, records. */
  readonly path: string;
  /** Exports on their way to a service; each is removed once it is there. */
  readonly exportsPath: string;
  /** Results: raw text, records of sequences, and sound where the project has no folder of its own. */
  readonly resultsPath: string;
  /** Records of runs that have not ended. */
  readonly runsPath: string;
}

/** Opens the work folder, making what is missing of it. */
export async function openWorkFolder(storage: UxpStorage, files: UxpFiles): Promise<WorkFolder> {
  const { nativePath } = await storage.getDataFolder();
  const folder: WorkFolder = {
    path: nativePath,
    exportsPath: pathIn(nativePath, "exports"),
    resultsPath: pathIn(nativePath, "results"),
    runsPath: pathIn(nativePath, "runs"),
  };
  for (const path of [folder.exportsPath, folder.resultsPath, folder.runsPath]) await files.makeFolder(path);
  for (const path of [folder.path, folder.resultsPath, folder.runsPath]) await files.mend(path);
  return folder;
}
