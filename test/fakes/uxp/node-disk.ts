import { mkdir, open, readdir, rename, stat, unlink, writeFile } from "node:fs/promises";
import type { Disk } from "./disk.ts";

/** A real disk. */
export class NodeDisk implements Disk {
  async stat(path: string): Promise<{ readonly size: number; readonly isFile: boolean } | null> {
    try {
      const found = await stat(path);
      return { size: found.size, isFile: found.isFile() };
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
      throw error;
    }
  }

  async read(path: string, position: number, target: Uint8Array): Promise<number> {
    const file = await open(path, "r");
    try {
      return (await file.read(target, 0, target.byteLength, position)).bytesRead;
    } finally {
      await file.close();
    }
  }

  async write(path: string, position: number, bytes: Uint8Array): Promise<void> {
    const file = await open(path, "r+");
    try {
      await file.write(bytes, 0, bytes.byteLength, position);
    } finally {
      await file.close();
    }
  }

  async create(path: string): Promise<void> {
    await writeFile(path, "");
  }

  async rename(from: string, to: string): Promise<void> {
    await rename(from, to);
  }

  async remove(path: string): Promise<void> {
    await unlink(path);
  }

  async makeFolder(path: string): Promise<void> {
    await mkdir(path);
  }

  async list(path: string): Promise<readonly string[]> {
    return readdir(path);
  }
}
