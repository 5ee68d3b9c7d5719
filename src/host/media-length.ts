import { findMp4Box } from "../formats/mp4-boxes.ts";
import { readStatedHeader, WAVE_HEAD_BYTES, waveLength } from "../formats/wave/read-wave.ts";
import type { Files } from "./files.ts";

/**
 * Length in seconds that an MP4 or MOV file states in its movie header, or a WAV file by its samples, `null` when it states
 * none. Reads a few headers, never the media.
 */
export async function mediaLength(files: Pick<Files, "size" | "readBytes">, path: string): Promise<number | null> {
  const size = await files.size(path);
  if (size === null) return null;
  const wave = readStatedHeader(await files.readBytes(path, 0, WAVE_HEAD_BYTES));
  if (wave.ok) return waveLength(wave.layout, size).seconds;
  const read = (offset: number, length: number) => files.readBytes(path, offset, length);
  const header = await findMp4Box(read, ["moov", "mvhd"], 0, size);
  return header === null ? null : lengthFromHeader(await read(header.start, 32));
}

/** Timescale and duration of a movie header, in its short (0) and long (1) form (ISO/IEC 14496-12, 8.2.2). */
function lengthFromHeader(bytes: Uint8Array): number | null {
  if (bytes.byteLength < 32) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isLong = view.getUint8(0) === 1;
  const timescale = view.getUint32(isLong ? 20 : 12);
  const duration = isLong ? Number(view.getBigUint64(24)) : view.getUint32(16);
  return timescale > 0 && duration > 0 ? duration / timescale : null;
}
