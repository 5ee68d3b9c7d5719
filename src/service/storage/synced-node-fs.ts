import { fsyncSync } from "node:fs";
import type { PGlite } from "@electric-sql/pglite";
import { NodeFS } from "@electric-sql/pglite/nodefs";
import { isNotForFolders } from "./synced-folder.ts";

/** What is used of PGlite's own file system inside its WebAssembly module. */
interface MountedNodeFs {
  readonly NODEFS: { readonly stream_ops: { fsync?: (stream: { readonly nfd: number }) => number } };
}

/** WASI's "input or output error": Postgres then gives the transaction up. */
const IO_ERROR = 29;

/**
 * The files of an embedded Postgres, on a disk that is really synced when Postgres says so. PGlite passes `fsync` to a
 * hook that its own file system leaves empty, and drops `fdatasync` (0.5): so Postgres must sync by `fsync`.
 */
export class SyncedNodeFs extends NodeFS {
  override async init(pglite: PGlite, options: Parameters<NodeFS["init"]>[1]): ReturnType<NodeFS["init"]> {
    const { emscriptenOpts } = await super.init(pglite, options);
    const sync = (module: unknown) => {
      // The module's own members, which its types leave out.
      (module as MountedNodeFs).NODEFS.stream_ops.fsync = ({ nfd }) => syncDescriptor(nfd);
    };
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [emscriptenOpts.preRun ?? [], sync].flat() } };
  }
}

function syncDescriptor(descriptor: number): number {
  try {
    fsyncSync(descriptor);
    return 0;
  } catch (error) {
    return isNotForFolders(error) ? 0 : IO_ERROR;
  }
}
