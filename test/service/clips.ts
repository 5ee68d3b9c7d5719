import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type MadeStream, makeMedia } from "../made-media.ts";

const PICTURE: MadeStream = {
  graph: "testsrc2=size=160x90:rate=30000/1001:duration=2",
  codec: "libx264",
  options: { preset: "ultrafast" },
};
const SOUND: MadeStream = { graph: "sine=frequency=440:sample_rate=48000:duration=2", codec: "aac" };

let base: Promise<Buffer> | undefined;
let made = 0;

/** A two second clip at 29.97 with picture and sound, its content like no other's of this run. */
export async function uniqueClip(): Promise<Uint8Array<ArrayBuffer>> {
  base ??= makeClip("mp4", [PICTURE, SOUND]);
  // A box of type "free" at the end of the file: nobody reads it, and it makes the bytes differ.
  const tail = Buffer.alloc(24);
  tail.writeUInt32BE(tail.length, 0);
  tail.write("free", 4, "latin1");
  tail.write(`${process.pid}-${made++}`, 8, "latin1");
  return new Uint8Array(Buffer.concat([await base, tail]));
}

/** A clip with sound and no picture. */
export async function soundOnlyClip(): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await makeClip("mp4", [SOUND]));
}

async function makeClip(ending: string, streams: readonly MadeStream[]): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), "aside-clip-"));
  try {
    const path = join(folder, `clip.${ending}`);
    makeMedia(path, streams);
    return await readFile(path);
  } finally {
    await rm(folder, { recursive: true });
  }
}
