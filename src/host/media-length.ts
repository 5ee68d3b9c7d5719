import { readWaveHead, WAVE_HEAD_BYTES, waveSeconds } from "../formats/wave/read-wave.ts";
import type { Files } from "./files.ts";

/** Length of a box header of ISO base media (MP4, MOV), with the long form of its size (ISO/IEC 14496-12, 4.2). */
const LONG_HEADER_BYTES = 16;

/** Boxes looked at before giving up: a file has a handful, a damaged one may claim millions. */
const MOST_BOXES = 1000;

/**
 * Length in seconds that an MP4 or MOV file states in its movie header, or a WAV file by its samples, `null` when it states
 * none. Reads a few headers, never the media.
 */
export async function mediaLength(files: Pick<Files, "size" | "readBytes">, path: string): Promise<number | null> {
  const size = await files.size(path);
  if (size === null) return null;
  const wav = readWaveHead(await files.readBytes(path, 0, WAVE_HEAD_BYTES));
  if (wav !== null) return waveSeconds(wav, size);
  const movie = await findBox(files, path, "moov", 0, size);
  if (movie === null) return null;
  const header = await findBox(files, path, "mvhd", movie.start, movie.end);
  if (header === null) return null;
  return lengthFromHeader(await files.readBytes(path, header.start, 32));
}

interface Box {
  /** Where its content starts and ends in the file. */
  readonly start: number;
  readonly end: number;
}

async function findBox(
  files: Pick<Files, "readBytes">,
  path: string,
  type: string,
  from: number,
  to: number,
): Promise<Box | null> {
  let position = from;
  for (let count = 0; count < MOST_BOXES && position + 8 <= to; count++) {
    const header = await files.readBytes(path, position, LONG_HEADER_BYTES);
    if (header.byteLength < 8) return null;
    const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
    const short = view.getUint32(0);
    const isLong = short === 1 && header.byteLength >= LONG_HEADER_BYTES;
    const length = isLong ? Number(view.getBigUint64(8)) : short === 0 ? to - position : short;
    const headerBytes = isLong ? LONG_HEADER_BYTES : 8;
    if (length < headerBytes) return null;
    if (typeAt(view) === type) return { start: position + headerBytes, end: position + length };
    position += length;
  }
  return null;
}

function typeAt(view: DataView): string {
  return String.fromCharCode(...[4, 5, 6, 7].map((offset) => view.getUint8(offset)));
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
