import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type BroadcastCopy, type BroadcastOrder, broadcastCopy } from "../../../formats/wave/broadcast-copy.ts";
import { readWaveHeader, WAVE_HEAD_BYTES, type WaveLayout } from "../../../formats/wave/read-wave.ts";
import { nodeFiles } from "../../../host/headless/files.ts";
import { HostError } from "../../../host/host-error.ts";

/** Bytes of a sound that are copied at a time. */
const PIECE_BYTES = 1 << 20;

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
  await pipeline(Readable.from(bytesOf(from, copy)), createWriteStream(to));
}

async function* bytesOf(path: string, { head, leader, from, to, tail }: BroadcastCopy): AsyncGenerator<Uint8Array> {
  yield head;
  yield* leader;
  if (to > from) yield* createReadStream(path, { start: from, end: to - 1, highWaterMark: PIECE_BYTES });
  yield tail;
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
