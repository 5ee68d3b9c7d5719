import { findMp4Box } from "../formats/mp4-boxes.ts";
import { readStatedHeader, WAVE_HEAD_BYTES, waveLength } from "../formats/wave/read-wave.ts";

/**
 * Files as the workflow needs them. Paths are the host's own (native paths, or a host's storage addresses) and are
 * passed through unread. A failing operation raises a `HostError`.
 */
export interface Files {
  /** Whole file as text in UTF-8. For small files: captions, scripts, records. */
  readText(path: string): Promise<string>;
  /** Writes text in UTF-8 under a temporary name, then renames: the file is either old or whole. */
  writeText(path: string, text: string): Promise<void>;
  /**
   * Takes note, at once, of a text that is written to a path as soon as the write under way there is over. Absent where nobody
   * can end the program before that.
   */
  expectText?(path: string, text: string): void;
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

/**
 * A native path without the long prefix of Windows, which Premiere puts before the paths of projects and may put before those of
 * media: `\\?\C:\a` is `C:\a`, `\\?\UNC\server\share` is `\\server\share`. Any other path as it is.
 */
export function plainPath(path: string): string {
  return path.replace(/^[\\/]{2}\?[\\/]UNC[\\/]/i, "\\\\").replace(/^[\\/]{2}\?[\\/]/, "");
}

/** Whether two native paths name the same file, in whichever Unicode form, with or without prefix; on Windows whatever the case. */
export function isSamePath(a: string, b: string): boolean {
  return foldedPath(a) === foldedPath(b);
}

/** The folder that a file lies in; `null` for a path that is not of this computer, and for none. */
export function folderOf(path: string): string | null {
  const plain = plainPath(path);
  return isWindowsPath(plain) || plain.startsWith("/") ? plain.replace(/[\\/][^\\/]*$/, "") : null;
}

function foldedPath(path: string): string {
  const plain = plainPath(path).normalize("NFC");
  return isWindowsPath(plain) ? plain.replaceAll("/", "\\").toLowerCase() : plain.replaceAll("\\", "/");
}

/** A path with a drive, or of a share. */
function isWindowsPath(path: string): boolean {
  return /^([A-Za-z]:[\\/]|\\\\)/.test(path);
}

/**
 * Length in seconds that an MP4 or MOV file states in its movie header, or a WAV file by its samples, `null` when it states
 * none. Reads a few headers, never the media.
 */
export async function mediaLength(files: Pick<Files, "size" | "readBytes">, path: string): Promise<number | null> {
  const size = await files.size(path);
  if (size === null) return null;
  const wave = readStatedHeader(await files.readBytes(path, 0, WAVE_HEAD_BYTES));
  if (wave.ok) return waveLength(wave.layout, size).seconds;
  const read = (offset: number, length: number) => files.readBytes(path, offset, length);
  const header = await findMp4Box(read, ["moov", "mvhd"], 0, size);
  return header === null ? null : lengthFromHeader(await read(header.start, 32));
}

/** Timescale and duration of a movie header, in its short (0) and long (1) form (ISO/IEC 14496-12, 8.2.2). */
function lengthFromHeader(bytes: Uint8Array): number | null {
  if (bytes.byteLength < 32) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isLong = view.getUint8(0) === 1;
  const timescale = view.getUint32(isLong ? 20 : 12);
  const duration = isLong ? Number(view.getBigUint64(24)) : view.getUint32(16);
  return timescale > 0 && duration > 0 ? duration / timescale : null;
}
