/** A disk under the double of UXP: memory, a real folder, or one behind a loopback server. Paths are absolute. */
export interface Disk {
  /** What is at a path; `null` when nothing is. */
  stat(path: string): Promise<{ readonly size: number; readonly isFile: boolean } | null>;
  /** Fills the target with bytes from `position`; returns how many there were, fewer at the end. */
  read(path: string, position: number, target: Uint8Array): Promise<number>;
  /** Writes at a position of a file that exists. Raises an error with the code `ENOSPC` when the disk is full. */
  write(path: string, position: number, bytes: Uint8Array): Promise<void>;
  /** Makes an empty file, whatever was there. */
  create(path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  makeFolder(path: string): Promise<void>;
  list(path: string): Promise<readonly string[]>;
}

/** An error with a code, as file systems raise. */
export function diskError(code: string, path: string): Error {
  const words: Record<string, string> = {
    ENOENT: "no such file or directory",
    EEXIST: "file already exists",
    ENOSPC: "no space left on device",
    EISDIR: "illegal operation on a directory",
    EACCES: "permission denied",
    EBUSY: "resource busy or locked",
  };
  return Object.assign(new Error(`${code}: ${words[code] ?? "failed"}, '${path}'`), { code });
}
