import type { Disk } from "./disk.ts";

/**
 * Another disk as Windows shows it: paths with a drive letter and backslashes, with or without the long prefix, upper and lower
 * case alike. What it does not name by drive is passed through.
 */
export class WindowsDisk implements Disk {
  readonly #disk: Disk;

  constructor(disk: Disk) {
    this.#disk = disk;
  }

  stat(path: string): ReturnType<Disk["stat"]> {
    return this.#disk.stat(posixPath(path));
  }

  read(path: string, position: number, target: Uint8Array): Promise<number> {
    return this.#disk.read(posixPath(path), position, target);
  }

  write(path: string, position: number, bytes: Uint8Array): Promise<void> {
    return this.#disk.write(posixPath(path), position, bytes);
  }

  create(path: string): Promise<void> {
    return this.#disk.create(posixPath(path));
  }

  rename(from: string, to: string): Promise<void> {
    return this.#disk.rename(posixPath(from), posixPath(to));
  }

  remove(path: string): Promise<void> {
    return this.#disk.remove(posixPath(path));
  }

  makeFolder(path: string): Promise<void> {
    return this.#disk.makeFolder(posixPath(path));
  }

  list(path: string): Promise<readonly string[]> {
    return this.#disk.list(posixPath(path));
  }
}

/** Where a path of Windows lies on the disk below: `C:\Data\a.wav` is `/data/a.wav`. Names are of small letters there. */
export function posixPath(path: string): string {
  const plain = path.replace(/^\\\\\?\\/, "");
  return /^[A-Za-z]:/.test(plain) ? plain.slice(2).replaceAll("\\", "/").toLowerCase() : path;
}

/** A path of the disk below as Windows says it. */
export function windowsPath(path: string): string {
  return `C:${path.replaceAll("/", "\\")}`;
}
