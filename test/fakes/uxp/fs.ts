import type { UxpFs } from "../../../src/host/uxp/runtime.ts";
import { strictObject } from "../premiere/strict-object.ts";
import { type Disk, diskError } from "./disk.ts";

/** What the double of `fs` needs. */
export interface FsOptions {
  readonly disk: Disk;
  /** Folder that each scheme of UXP stands for: `plugin:`, `plugin-data:`, `plugin-temp:`. */
  readonly schemes: Readonly<Record<string, string>>;
  /** Whether native paths outside the plugin's own folders are allowed: the manifest's `fullAccess`. */
  readonly hasFullAccess: boolean;
  /** Numbers from 0 up to 1, for short reads and writes. */
  readonly random: () => number;
  /** Whether another program holds a file open: on Windows it cannot be removed then. Default: never. */
  readonly isHeld?: (path: string) => boolean;
}

/** The double of `fs`, and how many descriptors are open: a test asserts that none is left. */
export interface FsDouble {
  readonly module: UxpFs;
  openDescriptors(): number;
}

/** Makes the module `fs`: raw buffers only, short reads, no encodings but UTF-8 and UTF-16, a fence round the disk. */
export function makeFs(options: FsOptions): FsDouble {
  const { disk } = options;
  const descriptors = new Map<number, { readonly path: string; readonly canWrite: boolean; position: number }>();
  let next = 3;
  const inside = (path: string) => nativePath(options, path);
  const opened = (descriptor: number) => {
    const file = descriptors.get(descriptor);
    if (file === undefined) throw diskError("EBADF", String(descriptor));
    return file;
  };
  const module: UxpFs = {
    async open(path, flag) {
      const native = inside(path);
      if (!["r", "r+", "w", "w+", "a"].includes(flag)) throw new Error(`unknown flag ${flag}`);
      if (flag.startsWith("w")) await disk.create(native);
      const found = await disk.stat(native);
      if (found === null || !found.isFile) throw diskError("ENOENT", path);
      const descriptor = next;
      next += 1;
      descriptors.set(descriptor, { path: native, canWrite: flag !== "r", position: flag === "a" ? found.size : 0 });
      return descriptor;
    },
    close(descriptor) {
      opened(descriptor);
      descriptors.delete(descriptor);
      return 0;
    },
    async read(descriptor, buffer, offset, length, position) {
      const file = opened(descriptor);
      requireBuffer(buffer, "fs.read");
      if (offset + length > buffer.byteLength) throw new RangeError("fs.read beyond the buffer");
      // Never zero before the end: a short read still advances.
      const wanted = length === 0 ? 0 : Math.max(1, Math.ceil(length * options.random()));
      const target = new Uint8Array(buffer, offset, wanted);
      const bytesRead = await disk.read(file.path, position < 0 ? file.position : position, target);
      if (position < 0) file.position += bytesRead;
      return { bytesRead };
    },
    async write(descriptor, buffer, offset, length, position) {
      const file = opened(descriptor);
      requireBuffer(buffer, "fs.write");
      if (!file.canWrite) throw diskError("EACCES", file.path);
      // Less than was asked for may be written, too.
      const bytesWritten = length === 0 ? 0 : Math.max(1, Math.ceil(length * options.random()));
      const bytes = new Uint8Array(buffer, offset, bytesWritten);
      await disk.write(file.path, position < 0 ? file.position : position, bytes);
      if (position < 0) file.position += bytesWritten;
      return { bytesWritten };
    },
    async lstat(path) {
      const found = await disk.stat(inside(path));
      if (found === null) throw diskError("ENOENT", path);
      return { size: found.size, isFile: () => found.isFile };
    },
    async readFile(path, settings) {
      const native = inside(path);
      const found = await disk.stat(native);
      if (found === null) throw diskError("ENOENT", path);
      const bytes = new Uint8Array(found.size);
      await disk.read(native, 0, bytes);
      if (settings === undefined) return handedOut(bytes.buffer);
      requireEncoding(settings.encoding);
      return decode(bytes);
    },
    async writeFile(path, data, settings) {
      const native = inside(path);
      if (settings !== undefined) requireEncoding(settings.encoding);
      if (typeof data !== "string") requireBuffer(data, "fs.writeFile");
      await disk.create(native);
      await disk.write(native, 0, typeof data === "string" ? encode(data) : new Uint8Array(data));
      return 0;
    },
    rename: async (from, to) => disk.rename(inside(from), inside(to)),
    unlink: async (path) => {
      const native = inside(path);
      if (options.isHeld?.(native) === true) throw diskError("EBUSY", path);
      await disk.remove(native);
    },
    mkdir: async (path) => disk.makeFolder(inside(path)),
    readdir: async (path) => disk.list(inside(path)),
  };
  return { module: strictObject("fs", module), openDescriptors: () => descriptors.size };
}

// The double's own reach to UTF-8: in a test of missing globals the plugin must not find them, the double still may.
const encoder = new TextEncoder();
const decoder = new TextDecoder();
const encode = (text: string) => encoder.encode(text);
const decode = (bytes: Uint8Array) => decoder.decode(bytes);

/** A buffer as the host hands it out: it answers for itself, and no view can be laid over it. `slice` gives a real one. */
function handedOut(buffer: ArrayBuffer): ArrayBuffer {
  return new Proxy(buffer, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

function nativePath(options: FsOptions, path: string): string {
  for (const [scheme, folder] of Object.entries(options.schemes)) {
    if (path.startsWith(`${scheme}/`)) return `${folder}/${path.slice(scheme.length + 1)}`;
  }
  const isOwn = Object.values(options.schemes).some((folder) => path === folder || path.startsWith(`${folder}/`));
  if (isOwn || options.hasFullAccess) return path;
  throw diskError("EACCES", path);
}

function requireBuffer(value: unknown, member: string): void {
  if (Object.prototype.toString.call(value) === "[object ArrayBuffer]") return;
  throw new TypeError(`${member} takes an ArrayBuffer, not a view`);
}

function requireEncoding(encoding: string): void {
  if (!["utf-8", "utf-16be", "utf-16le"].includes(encoding)) throw new Error(`unknown encoding ${encoding}`);
}
