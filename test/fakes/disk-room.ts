import fs from "node:fs";
import { onTestFinished } from "vitest";
import { replaceCalls } from "./replaced-calls.ts";

/** Bytes of a block, as disks have them. */
const BLOCK_BYTES = 4096;

/** A disk whose free room a test decides, for as long as that test runs. */
export interface SmallDisk {
  /** Room that is free for everybody, in bytes; in whole blocks. Root alone has as much again. */
  free: number;
  /** Folders whose disk was asked about, in order. */
  readonly asked: string[];
}

/** Puts every folder on a disk with so much free room. What is written takes none of it. */
export function smallDisk(free: number): SmallDisk {
  const disk: SmallDisk = { free, asked: [] };
  const facts = (folder: fs.PathLike) => {
    disk.asked.push(String(folder));
    const blocks = Math.floor(disk.free / BLOCK_BYTES);
    return { type: 0, bsize: BLOCK_BYTES, blocks: blocks * 9, bfree: blocks * 2, bavail: blocks, files: 0, ffree: 0 };
  };
  onTestFinished(replaceCalls(fs, { statfsSync: ((folder) => facts(folder)) as typeof fs.statfsSync }));
  onTestFinished(replaceCalls(fs.promises, { statfs: (async (folder) => facts(folder)) as typeof fs.promises.statfs }));
  return disk;
}
