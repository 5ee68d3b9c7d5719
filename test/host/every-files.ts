import type { Files } from "../../src/host/files.ts";
import { nodeFiles } from "../../src/host/headless/files.ts";
import { UxpFiles } from "../../src/host/uxp/work-folder.ts";
import type { Disk } from "../fakes/uxp/disk.ts";
import { makeFs } from "../fakes/uxp/fs.ts";
import { MemoryDisk } from "../fakes/uxp/memory-disk.ts";
import { NodeDisk } from "../fakes/uxp/node-disk.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** Files of a host, and a folder of them that is empty. */
export interface FilesUnderTest {
  readonly files: Files;
  readonly root: string;
}

/** Every adapter of the port for files, by a name for tests. */
export const EVERY_FILES: readonly (readonly [string, () => Promise<FilesUnderTest>])[] = [
  ["Node", async () => ({ files: nodeFiles, root: await temporaryFolder() })],
  ["UXP on a real folder", async () => uxp(new NodeDisk(), await temporaryFolder())],
  ["UXP on a disk in memory", async () => uxp(memoryDisk(), "/data")],
];

function uxp(disk: Disk, root: string): FilesUnderTest {
  const fs = makeFs({ disk, schemes: { "plugin-data:": root }, hasFullAccess: true, random: Math.random });
  return { files: new UxpFiles(fs.module), root };
}

function memoryDisk(): MemoryDisk {
  const disk = new MemoryDisk();
  disk.folders.add("/data");
  return disk;
}
