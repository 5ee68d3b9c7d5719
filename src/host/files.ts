/**
 * Files as the workflow needs them. Paths are the host's own (native paths, or a host's storage addresses) and are
 * passed through unread. A failing operation raises a `HostError`.
 */
export interface Files {
  /** Whole file as text in UTF-8. For small files: captions, scripts, records. */
  readText(path: string): Promise<string>;
  /** Writes text in UTF-8 under a temporary name, then renames: the file is either old or whole. */
  writeText(path: string, text: string): Promise<void>;
  /** Size in bytes; `null` when the file does not exist. */
  size(path: string): Promise<number | null>;
  /** `length` bytes from `position`; fewer at the end. */
  readBytes(path: string, position: number, length: number): Promise<Uint8Array>;
  /** Removes a file; nothing happens when it does not exist. */
  remove(path: string): Promise<void>;
  /** Renames within one folder, replacing the target. */
  rename(from: string, to: string): Promise<void>;
  /** Makes a folder in one that is there; nothing happens when it is there itself. */
  makeFolder(path: string): Promise<void>;
  /** Names of what a folder holds, in no order; none when it does not exist. */
  list(path: string): Promise<readonly string[]>;
  /** Opens a file for writing, empty, whatever was there. */
  openWriter(path: string): Promise<FileWriter>;
}

/** Writes pieces of an open file. */
export interface FileWriter {
  /** Writes all of the bytes from a position on; what lies between the end and a later position is zeros. */
  write(position: number, bytes: ArrayBuffer): Promise<void>;
  close(): Promise<void>;
}
