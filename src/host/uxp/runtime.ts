import { AudioDescriptionError } from "../../core/error.ts";
import { HostError, type HostErrorCode } from "../host-error.ts";

/**
 * What this project uses of UXP, in types of its own: Adobe's declarations leave most of it open (`any`) and collide with
 * Node's when both are loaded. `modules.ts` holds them against the vendor's, name by name.
 */
export interface UxpRuntime {
  readonly fs: UxpFs;
  readonly storage: UxpStorage;
  readonly secureStorage: UxpSecureStorage;
  readonly XMLHttpRequest: UxpRequestConstructor;
  /** `darwin`, `win32`, `win10`, ...: asked by `operatingSystem` alone. */
  readonly platform: string;
  /** The user's home folder as a native path; `""` where it is not told. */
  readonly homeFolder: string;
  readonly shell: UxpShell;
  /** Where the application lies; told since 26.5. */
  readonly applicationPath?: string;
  readonly versions: { readonly uxp: string; readonly plugin: string; readonly host: string };
}

/** `uxp.host`: whatever of it is told. */
export interface UxpHost {
  readonly version: unknown;
  /** Since 26.5; the vendor's declarations lack it. */
  readonly applicationPath: unknown;
}

/** Module `fs`. Raw buffers only, never views; short reads are normal; a position of 0 or more is absolute. */
export interface UxpFs {
  open(path: string, flag: string): Promise<number>;
  close(descriptor: number): unknown;
  read(
    descriptor: number,
    buffer: ArrayBuffer,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesRead: number }>;
  write(
    descriptor: number,
    buffer: ArrayBuffer,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesWritten: number }>;
  lstat(path: string): Promise<{ readonly size: number; isFile(): boolean }>;
  /** An `ArrayBuffer` without an encoding. */
  readFile(path: string, options?: { readonly encoding: "utf-8" }): Promise<string | ArrayBuffer>;
  writeFile(path: string, data: string | ArrayBuffer, options?: { readonly encoding: "utf-8" }): Promise<unknown>;
  rename(from: string, to: string): Promise<unknown>;
  unlink(path: string): Promise<unknown>;
  mkdir(path: string): Promise<unknown>;
  readdir(path: string): Promise<readonly string[]>;
}

/** A file or folder that UXP knows by itself. */
export interface UxpEntry {
  readonly name: string;
  readonly nativePath: string;
}

/** A folder. */
export interface UxpFolder extends UxpEntry {
  getEntry(relativePath: string): Promise<UxpEntry>;
}

/** `uxp.storage.localFileSystem`. Pickers give `null` when the user cancels. */
export interface UxpStorage {
  getDataFolder(): Promise<UxpFolder>;
  getTemporaryFolder(): Promise<UxpFolder>;
  getPluginFolder(): Promise<UxpFolder>;
  /** Where several are asked for, a list, empty when the user cancels. */
  getFileForOpening(options: {
    readonly types: readonly string[];
    readonly allowMultiple?: boolean;
  }): Promise<UxpEntry | UxpEntry[] | null>;
  getFolder(): Promise<UxpEntry | null>;
  getFileForSaving(suggestedName: string, options: { readonly types: readonly string[] }): Promise<UxpEntry | null>;
}

/** `uxp.shell`: opens things outside, after asking the user. */
export interface UxpShell {
  /** Gives an empty text, or what went wrong. */
  openPath(path: string, reason?: string): Promise<string>;
  /** Opens an address of a scheme that the manifest names. Gives an empty text, or what went wrong. */
  openExternal(address: string, reason?: string): Promise<string>;
}

/** `uxp.secureStorage`: gives bytes, refuses empty values, and may lose everything between two sessions. */
export interface UxpSecureStorage {
  getItem(key: string): Promise<Uint8Array | null | undefined>;
  setItem(key: string, value: string): Promise<unknown>;
  removeItem(key: string): Promise<unknown>;
}

/** `XMLHttpRequest`: a binary body must be an `ArrayBuffer`; forbidden headers cannot be set. */
export interface UxpRequest {
  readonly status: number;
  readonly response: unknown;
  responseType: string;
  readonly upload: { onprogress: ((event: { readonly loaded: number }) => void) | null };
  onload: (() => void) | null;
  onerror: (() => void) | null;
  onabort: (() => void) | null;
  ontimeout: (() => void) | null;
  onprogress: ((event: { readonly loaded: number }) => void) | null;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getResponseHeader(name: string): string | null;
  send(body?: string | ArrayBuffer): void;
  abort(): void;
}

/** Makes requests. */
export interface UxpRequestConstructor {
  new (): UxpRequest;
}

/** What a system says when a file or folder does not exist; UXP documents neither codes nor words. */
export function isMissing(error: unknown): boolean {
  return /ENOENT|no such|not found|does not exist|could not find/i.test(saidBy(error));
}

/** What a system says of a file that another program has open, as Windows does when it is to be removed. */
export function isHeld(error: unknown): boolean {
  return /EBUSY|busy|locked|in use|being used|sharing violation/i.test(saidBy(error));
}

/** Wraps what UXP's file system threw. `what` names the file for people: "the export", "the settings". */
export function fileFault(error: unknown, operation: string, what: string): unknown {
  if (error instanceof AudioDescriptionError) return error;
  const [code, sentence] = verdict(error, what);
  return new HostError(code, sentence, { operation, state: "the file was left as it was", cause: error });
}

function verdict(error: unknown, what: string): [HostErrorCode, string] {
  const said = saidBy(error);
  if (isMissing(error)) return ["file_not_found", `There is no file for ${what}.`];
  if (/ENOSPC|space|disk full|quota/i.test(said))
    return ["disk_full", `There is no room left on the disk for ${what}.`];
  if (isHeld(error)) return ["file_in_use", `The file of ${what} is open in another program.`];
  if (/EACCES|EPERM|EROFS|permission|denied|not allowed/i.test(said)) {
    return ["permission_denied", `The system does not allow access to ${what}.`];
  }
  return ["file_unreadable", `The file of ${what} cannot be used: ${said}.`];
}

function saidBy(error: unknown): string {
  if (error instanceof Error) return "code" in error ? `${String(error.code)} ${error.message}` : error.message;
  return String(error);
}
