import { type Disk, diskError } from "./disk.ts";

/** A disk in memory, with a switch for how much room is left. */
export class MemoryDisk implements Disk {
  readonly files = new Map<string, Uint8Array>();
  readonly folders = new Set<string>(["/"]);
  /** How much is in use of a buffer that may have room to spare: a file that comes in pieces is not copied for each. */
  readonly #used = new WeakMap<ArrayBufferLike, number>();
  /** Bytes that may still be written. */
  room = Number.POSITIVE_INFINITY;

  async stat(path: string): Promise<{ readonly size: number; readonly isFile: boolean } | null> {
    const file = this.files.get(path);
    if (file !== undefined) return { size: file.byteLength, isFile: true };
    return this.folders.has(path) ? { size: 0, isFile: false } : null;
  }

  async read(path: string, position: number, target: Uint8Array): Promise<number> {
    const found = this.#file(path).subarray(position, position + target.byteLength);
    target.set(found);
    return found.byteLength;
  }

  async write(path: string, position: number, bytes: Uint8Array): Promise<void> {
    const old = this.#file(path);
    if (bytes.byteLength > this.room) throw diskError("ENOSPC", path);
    this.room -= bytes.byteLength;
    const grown = this.#grown(old, position, position + bytes.byteLength);
    grown.set(bytes, position);
    this.#used.set(grown.buffer, grown.byteLength);
    this.files.set(path, grown);
  }

  /** A file's bytes with room for more; those that were there are as they were, for whoever still looks at them. */
  #grown(old: Uint8Array, position: number, end: number): Uint8Array {
    const isAppended = position >= old.byteLength;
    if (isAppended && this.#used.get(old.buffer) === old.byteLength && end <= old.buffer.byteLength) {
      return new Uint8Array(old.buffer, 0, end);
    }
    const size = Math.max(old.byteLength, end);
    const grown = new Uint8Array(new ArrayBuffer(isAppended && old.byteLength > 0 ? 2 * size : size), 0, size);
    grown.set(old);
    return grown;
  }

  async create(path: string): Promise<void> {
    if (this.folders.has(path)) throw diskError("EISDIR", path);
    this.#requireParent(path);
    this.files.set(path, new Uint8Array(0));
  }

  async rename(from: string, to: string): Promise<void> {
    const file = this.#file(from);
    if (this.files.has(to) || this.folders.has(to)) throw diskError("EEXIST", to);
    this.#requireParent(to);
    this.files.delete(from);
    this.files.set(to, file);
  }

  async remove(path: string): Promise<void> {
    this.#file(path);
    this.files.delete(path);
  }

  async makeFolder(path: string): Promise<void> {
    if (this.folders.has(path) || this.files.has(path)) throw diskError("EEXIST", path);
    this.#requireParent(path);
    this.folders.add(path);
  }

  async list(path: string): Promise<readonly string[]> {
    if (!this.folders.has(path)) throw diskError("ENOENT", path);
    const inside = [...this.files.keys(), ...this.folders].filter((one) => one.startsWith(`${path}/`));
    return [...new Set(inside.map((one) => one.slice(path.length + 1).split("/")[0] ?? ""))];
  }

  /** A file or folder stands in a folder that is there, as on a real disk. */
  #requireParent(path: string): void {
    const parent = path.slice(0, path.lastIndexOf("/")) || "/";
    if (!this.folders.has(parent)) throw diskError("ENOENT", path);
  }

  #file(path: string): Uint8Array {
    const file = this.files.get(path);
    if (file === undefined) throw diskError("ENOENT", path);
    return file;
  }
}
