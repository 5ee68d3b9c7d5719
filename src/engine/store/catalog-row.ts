import type { InstalledModel } from "./installed.ts";

/** What decides which file of an engine a computer takes. */
export interface System {
  /** Node's name of the system, such as `win32`. */
  readonly platform: string;
  /** Node's name of the processor's kind, such as `arm64`. */
  readonly architecture: string;
  /** Whether a graphics card can be expected to help: Apple's own, or one with Vulkan. */
  readonly hasGraphics: boolean;
}

/** An archive that a source is, and how it is laid out below the model's folder. */
export interface SourceArchive {
  readonly kind: "tar.gz" | "tar.bz2" | "zip";
  /** Folders at the front of each path that are dropped. */
  readonly strip: number;
  /** Bytes that its content takes at the most: one that holds more is refused. */
  readonly mostBytes: number;
  /** What of it is kept, by its path after {@link strip}. Default: everything. */
  readonly keep?: RegExp;
}

/** One file that is fetched. */
export interface Source {
  /** Always https. */
  readonly url: string;
  /** Bytes it has; about, where {@link sha256} is `null`. */
  readonly bytes: number;
  /** SHA-256 in hexadecimal digits. `null`: nobody published it where this list could be checked, and {@link checksums} says it. */
  readonly sha256: string | null;
  /** Address of the release's own list of SHA-256 sums, read before the file where none is pinned. */
  readonly checksums?: string;
  /** Path of the file below the model's folder; of an archive, the folder that its content goes into, "" for the model's own. */
  readonly into: string;
  readonly archive?: SourceArchive;
}

/** Something that can be ordered onto this computer. */
export interface CatalogModel extends Pick<InstalledModel, "id" | "title" | "kind" | "form" | "languages"> {
  /** Voices that it has; 0 where it does not speak. */
  readonly voices: number;
  readonly licence: { readonly name: string; readonly url: string; readonly has_terms: boolean };
  /** Address of a page of its makers on which it can be heard, where it speaks. */
  readonly samples?: string;
  /** Memory that it takes while it works, in bytes, about. */
  readonly memoryBytes: number;
  /** Bytes that it takes of the disk once it is installed, about. */
  readonly installedBytes: number;
  readonly sources: readonly Source[];
  /** Path of each part below the model's folder, or what it looks like. */
  readonly files: Readonly<Record<string, string | RegExp>>;
  /** What helps to choose it among those of its kind, as sentences for people; empty where its size and languages say all. */
  readonly remark: string;
}
