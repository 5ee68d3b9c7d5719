import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { open } from "node:fs/promises";
import { basename } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { readWaveHeader, waveLength } from "../formats/wave/read-wave.ts";
import type { BroadcastExtension } from "../formats/wave/wave-format.ts";
import { frameBytes } from "../formats/wave/wave-format.ts";
import { waveHeader } from "../formats/wave/write-wave.ts";
import { HostError } from "../host/host-error.ts";

/** Bytes of a WAV file in which its samples begin. */
const HEADER_BYTES = 1 << 16;

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
    const bytes = new Uint8Array(Math.min(size, HEADER_BYTES));
    await file.read(bytes, 0, bytes.length, 0);
    const reading = readWaveHeader(bytes);
    if (!reading.ok) {
      const context = { operation: "deliver a sound", state: "nothing was changed" };
      throw new HostError("file_unreadable", `"${basename(from)}" is not a WAV file`, context);
    }
    const { format, dataOffset } = reading.layout;
    const sampleCount = waveLength(reading.layout, size).samples;
    const timeReferenceSamples = Math.round(startSeconds * format.sampleRate);
    const header = waveHeader({ format, sampleCount, broadcast: { ...broadcast, timeReferenceSamples } });
    const target = createWriteStream(to);
    await pipeline(Readable.from([header]), target, { end: false });
    const end = dataOffset + sampleCount * frameBytes(format) - 1;
    if (end < dataOffset) target.end();
    else await pipeline(createReadStream(from, { start: dataOffset, end }), target);
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
