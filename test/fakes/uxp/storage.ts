import type { UxpEntry, UxpFolder, UxpSecureStorage, UxpStorage } from "../../../src/host/uxp/runtime.ts";
import { strictObject } from "../premiere/strict-object.ts";
import { type Disk, diskError } from "./disk.ts";

/** What the double of `uxp.storage` and `uxp.secureStorage` needs. */
export interface StorageOptions {
  readonly disk: Disk;
  readonly dataPath: string;
  readonly temporaryPath: string;
  readonly pluginPath: string;
  /** What the user picks in the next file dialogue; `null` cancels. */
  readonly pick: (
    kind: "open" | "save" | "folder",
    suggestion: string,
    types: readonly string[],
  ) => Promise<string | null>;
}

/** Makes `uxp.storage.localFileSystem`. */
export function makeStorage(options: StorageOptions): UxpStorage {
  const entry = (nativePath: string): UxpEntry =>
    strictObject("Entry", { name: nativePath.split(/[\\/]/).at(-1) ?? "", nativePath });
  const folder = (nativePath: string): UxpFolder =>
    strictObject("Folder", {
      name: nativePath.split(/[\\/]/).at(-1) ?? "",
      nativePath,
      getEntry: async (relativePath: string) => {
        const separator = nativePath.includes("\\") ? "\\" : "/";
        const path = [nativePath, ...relativePath.split("/")].join(separator);
        if ((await options.disk.stat(path)) === null) throw diskError("ENOENT", path);
        return entry(path);
      },
    });
  const picked = async (path: Promise<string | null>) => {
    const nativePath = await path;
    return nativePath === null ? null : entry(nativePath);
  };
  return strictObject("localFileSystem", {
    getDataFolder: async () => folder(options.dataPath),
    getTemporaryFolder: async () => folder(options.temporaryPath),
    getPluginFolder: async () => folder(options.pluginPath),
    getFileForOpening: async ({
      types,
      allowMultiple = false,
    }: {
      readonly types: readonly string[];
      readonly allowMultiple?: boolean;
    }) => {
      const one = await picked(options.pick("open", "", types));
      return allowMultiple ? [one].flatMap((entry) => entry ?? []) : one;
    },
    getFolder: () => picked(options.pick("folder", "", [])),
    getFileForSaving: (name: string, { types }: { readonly types: readonly string[] }) =>
      picked(options.pick("save", name, types)),
  });
}

/** Secure storage with a switch: everything in it can vanish between two sessions. */
export interface SecureStorageDouble {
  readonly module: UxpSecureStorage;
  readonly contents: Map<string, Uint8Array>;
}

/** Makes `uxp.secureStorage`: bytes come back, empty values and the removal of what is not there are refused. */
export function makeSecureStorage(contents = new Map<string, Uint8Array>()): SecureStorageDouble {
  const encoder = new TextEncoder();
  const module: UxpSecureStorage = strictObject("secureStorage", {
    getItem: async (key: string) => contents.get(key) ?? null,
    setItem: async (key: string, value: string) => {
      if (value === "") throw new Error("secureStorage refuses an empty value");
      contents.set(key, encoder.encode(value));
    },
    removeItem: async (key: string) => {
      if (!contents.delete(key)) throw new Error("secureStorage has no such item");
    },
  });
  return { module, contents };
}
