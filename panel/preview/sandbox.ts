import { mkdir, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join, posix } from "node:path";

/** The folders of the pretended computer that the panel runs on. */
export const FOLDERS = {
  plugin: "/plugin",
  data: "/plugin-data",
  temporary: "/plugin-temp",
  project: "/projects",
  picked: "/picked",
  saved: "/saved",
  home: "/users/editor",
  application: "/applications/adobe premiere pro 2026/adobe premiere pro 2026.app",
} as const;

/**
 * The disk of a pretended computer, inside one real folder. Paths are absolute ones of the pretended computer; none of
 * them leads out of the folder.
 */
export class Sandbox {
  readonly #root: string;
  readonly #pluginFolder: string;

  /** @param pluginFolder Where the plugin's own folder is in truth. */
  constructor(root: string, pluginFolder: string) {
    this.#root = root;
    this.#pluginFolder = pluginFolder;
  }

  /** Makes the folders that are there from the start. */
  async prepare(): Promise<void> {
    await Promise.all(Object.values(FOLDERS).map((folder) => mkdir(join(this.#root, folder), { recursive: true })));
  }

  /** Where a path of the pretended computer is in truth. `..` cannot climb above its root. */
  realPath(path: string): string {
    const inside = posix.normalize(posix.join("/", path.replaceAll("\0", "")));
    const isPlugin = inside === FOLDERS.plugin || inside.startsWith(`${FOLDERS.plugin}/`);
    return isPlugin ? join(this.#pluginFolder, inside.slice(FOLDERS.plugin.length)) : join(this.#root, inside);
  }

  async stat(path: string): Promise<{ readonly size: number; readonly isFile: boolean } | null> {
    try {
      const found = await stat(this.realPath(path));
      return { size: found.size, isFile: found.isFile() };
    } catch (error) {
      if (codeOf(error) === "ENOENT") return null;
      throw error;
    }
  }

  /** Bytes from a position, fewer at the end. */
  async read(path: string, position: number, length: number): Promise<Uint8Array> {
    const file = await open(this.realPath(path), "r");
    try {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, position);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  }

  async write(path: string, position: number, bytes: Uint8Array): Promise<void> {
    const file = await open(this.realPath(path), "r+");
    try {
      await file.write(bytes, 0, bytes.byteLength, position);
    } finally {
      await file.close();
    }
  }

  /** Makes an empty file, whatever was there. */
  async create(path: string): Promise<void> {
    await writeFile(this.realPath(path), "");
  }

  /** Renames a file; as some systems do, it refuses to replace another one. */
  async rename(from: string, to: string): Promise<void> {
    if ((await this.stat(to)) !== null) throw Object.assign(new Error("exists"), { code: "EEXIST" });
    await rename(this.realPath(from), this.realPath(to));
  }

  async remove(path: string): Promise<void> {
    await rm(this.realPath(path));
  }

  async makeFolder(path: string): Promise<void> {
    await mkdir(this.realPath(path));
  }

  async list(path: string): Promise<readonly string[]> {
    return readdir(this.realPath(path));
  }
}

/** The code of a system error, `EIO` where it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "EIO";
}
