import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type BroadcastOrder, broadcastCopy } from "../../../formats/wave/broadcast-copy.ts";
import { readWaveHeader, WAVE_HEAD_BYTES, type WaveLayout } from "../../../formats/wave/read-wave.ts";
import { nodeFiles } from "../../../host/headless/files.ts";
import { HostError } from "../../../host/host-error.ts";

/**
 * Copies a WAV file as Broadcast Wave: the same samples, bit by bit, with a time reference, so that any editor lays it
 * where it belongs. Streams: a file of any length.
 *
 * @param layout The head of the file that is copied.
 */
export async function copyAsBroadcastWave(
  from: string,
  to: string,
  layout: WaveLayout,
  order: BroadcastOrder,
): Promise<void> {
  const copy = broadcastCopy(layout, (await stat(from)).size, order);
  const target = createWriteStream(to);
  await pipeline(Readable.from([copy.head]), target, { end: false });
  await pipeline(Readable.from(copy.leader), target, { end: false });
  if (copy.to > copy.from) {
    await pipeline(createReadStream(from, { start: copy.from, end: copy.to - 1 }), target, { end: false });
  }
  await pipeline(Readable.from([copy.tail]), target);
}

/**
 * Reads the head of a WAV file.
 *
 * @throws HostError `file_unreadable` when it is no WAV file.
 */
export async function waveLayoutOf(path: string): Promise<WaveLayout> {
  const reading = readWaveHeader(await nodeFiles.readBytes(path, 0, WAVE_HEAD_BYTES));
  if (reading.ok) return reading.layout;
  const context = { operation: "deliver a sound", state: "nothing was changed" };
  throw new HostError("file_unreadable", `"${basename(path)}" is not a WAV file`, context);
}

/** SHA-256 of a file, in hex. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}
