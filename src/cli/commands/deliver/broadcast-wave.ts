import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { open } from "node:fs/promises";
import { basename } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { broadcastCopy } from "../../../formats/wave/broadcast-copy.ts";
import { WAVE_HEAD_BYTES } from "../../../formats/wave/read-wave.ts";
import type { BroadcastExtension } from "../../../formats/wave/wave-format.ts";
import { HostError } from "../../../host/host-error.ts";

/**
 * Copies a WAV file as Broadcast Wave: the same samples, bit by bit, with a time reference, so that any editor lays it
 * where it belongs. Streams: a file of any length.
 *
 * @param startSeconds Timecode of the first sample, in seconds from midnight.
 * @throws HostError `file_unreadable` when it is no WAV file.
 */
export async function copyAsBroadcastWave(
  from: string,
  to: string,
  startSeconds: number,
  broadcast: Omit<BroadcastExtension, "timeReferenceSamples">,
): Promise<void> {
  const file = await open(from);
  try {
    const { size } = await file.stat();
    const bytes = new Uint8Array(Math.min(size, WAVE_HEAD_BYTES));
    await file.read(bytes, 0, bytes.length, 0);
    const copy = broadcastCopy(bytes, size, startSeconds, broadcast);
    if (copy === null) {
      const context = { operation: "deliver a sound", state: "nothing was changed" };
      throw new HostError("file_unreadable", `"${basename(from)}" is not a WAV file`, context);
    }
    const target = createWriteStream(to);
    await pipeline(Readable.from([copy.head]), target, { end: false });
    if (copy.to > copy.from) {
      await pipeline(createReadStream(from, { start: copy.from, end: copy.to - 1 }), target, { end: false });
    }
    await pipeline(Readable.from([copy.tail]), target);
  } finally {
    await file.close();
  }
}

/** SHA-256 of a file, in hex. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}
