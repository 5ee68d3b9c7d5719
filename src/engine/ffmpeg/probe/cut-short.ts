import { open } from "node:fs/promises";
import { mp4Boxes, type ReadBytes } from "../../../formats/mp4-boxes.ts";

/** The first bytes of a Matroska file: the identifier of its EBML header, and of the segment behind it (RFC 9559). */
const EBML = 0x1a45dfa3;
const SEGMENT = 0x18538067;

/**
 * Whether a media file is known to lack bytes at its end: its own boxes, segment or chunk reach past it. Reads headers alone.
 * `false` also where a format does not say how long it is, or this file left that open.
 */
export async function isCutShort(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const read: ReadBytes = async (offset, length) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset);
      return buffer.subarray(0, bytesRead);
    };
    return ((await statedEnd(read, size)) ?? 0) > size;
  } finally {
    await file.close();
  }
}

/** The byte at which a file says that it ends; `null` where it does not say. */
async function statedEnd(read: ReadBytes, size: number): Promise<number | null> {
  const head = await read(0, 64);
  if (head.byteLength < 16) return null;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  if (view.getUint32(0) === EBML) return segmentEnd(view);
  const type = String.fromCharCode(...head.subarray(0, 4));
  // A writer that could not go back leaves 0, or all ones.
  if (type === "RIFF") return bounded(view.getUint32(4, true), 8);
  if (["ftyp", "moov", "mdat", "wide", "free", "skip"].includes(String.fromCharCode(...head.subarray(4, 8)))) {
    let last = 0;
    for await (const { end } of mp4Boxes(read, 0, size)) last = end;
    return last;
  }
  return null;
}

function bounded(length: number, headerBytes: number): number | null {
  return length === 0 || length === 0xffffffff ? null : length + headerBytes;
}

/** The end of a Matroska segment, which holds all of a programme; `null` where its length was left open, as in a live recording. */
function segmentEnd(view: DataView): number | null {
  const header = variableLength(view, 4);
  if (header === null) return null;
  const at = 4 + header.bytes + header.value;
  if (at + 12 > view.byteLength || view.getUint32(at) !== SEGMENT) return null;
  const length = variableLength(view, at + 4);
  return length === null || length.isOpen ? null : at + 4 + length.bytes + length.value;
}

/** An EBML length: the leading zeros of its first byte tell how many bytes it has, all ones that it was left open. */
function variableLength(view: DataView, at: number): { bytes: number; value: number; isOpen: boolean } | null {
  const first = view.getUint8(at);
  const bytes = Math.clz32(first) - 23;
  if (bytes > 8 || at + bytes > view.byteLength) return null;
  let value = first & (0xff >> bytes);
  let isOpen = value === 0xff >> bytes;
  for (let index = 1; index < bytes; index++) {
    const byte = view.getUint8(at + index);
    isOpen &&= byte === 0xff;
    value = value * 256 + byte;
  }
  return { bytes, value, isOpen };
}
