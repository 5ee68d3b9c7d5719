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
  getFileForOpening(options: { readonly types: readonly string[] }): Promise<UxpEntry | null>;
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
