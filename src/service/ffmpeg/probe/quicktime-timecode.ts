import { type FileHandle, open } from "node:fs/promises";
import { frameRate } from "../../../core/frame-rate.ts";
import { canDropFrames, formatTimecode } from "../../../core/timecode.ts";
import { standardRate } from "./picture-rate.ts";

/** Size up to which a `moov` box is read whole; one without picture and sound is far smaller. */
const MOOV_LIMIT = 1024 * 1024;

/** What {@link readTimecodeTrack} found. */
export interface TimecodeTrack {
  readonly durationSeconds: number;
  /** Start timecode, `;` before the frames when drop-frame. */
  readonly startTimecode: string;
}

/**
 * Reads a QuickTime file whose only tracks are timecode, which FFmpeg 8.1 refuses when such a track names itself as its
 * own timecode (`tref`).
 *
 * @returns `null` for any other file.
 */
export async function readTimecodeTrack(path: string): Promise<TimecodeTrack | null> {
  const file = await open(path);
  try {
    const moov = await readMoov(file);
    const tracks = moov === null ? [] : boxes(moov).filter((box) => box.type === "trak");
    const media = tracks.map((track) => find(track.body, "mdia"));
    const [first] = media;
    if (first === undefined || media.some((body) => handlerOf(body) !== "tmcd")) return null;
    return first === null ? null : await describeTrack(file, first);
  } finally {
    await file.close();
  }
}

async function describeTrack(file: FileHandle, media: Buffer): Promise<TimecodeTrack | null> {
  const header = find(media, "mdhd");
  const table = find(find(media, "minf"), "stbl");
  const description = find(table, "stsd");
  const offsets = find(table, "stco");
  if (header === null || description === null || offsets === null) return null;
  if (header.length < 20 || description.length < 42 || offsets.length < 12) return null;
  // Timecode sample description, QuickTime File Format: flags, time scale, frame duration, after 16 bytes of entry header.
  const isDropFrame = (description.readUInt32BE(28) & 1) === 1;
  const [scale, duration] = [description.readUInt32BE(32), description.readUInt32BE(36)];
  const mediaScale = header.readUInt32BE(12);
  const sample = Buffer.alloc(4);
  const { bytesRead } = await file.read(sample, 0, 4, offsets.readUInt32BE(8));
  if (bytesRead < 4 || scale === 0 || duration === 0 || mediaScale === 0) return null;
  const rate = standardRate(frameRate(scale, duration));
  if (isDropFrame && !canDropFrames(rate)) return null;
  return {
    durationSeconds: header.readUInt32BE(16) / mediaScale,
    startTimecode: formatTimecode(sample.readUInt32BE(0), { rate, isDropFrame }),
  };
}

async function readMoov(file: FileHandle): Promise<Buffer | null> {
  const { size: end } = await file.stat();
  const header = Buffer.alloc(8);
  for (let at = 0; at + 8 <= end; ) {
    await file.read(header, 0, 8, at);
    const size = header.readUInt32BE(0);
    if (size < 8 || at + size > end) return null;
    if (header.toString("latin1", 4) === "moov") {
      if (size > MOOV_LIMIT) return null;
      const body = Buffer.alloc(size - 8);
      await file.read(body, 0, body.length, at + 8);
      return body;
    }
    at += size;
  }
  return null;
}

function boxes(body: Buffer): { readonly type: string; readonly body: Buffer }[] {
  const found = [];
  for (let at = 0; at + 8 <= body.length; ) {
    const size = body.readUInt32BE(at);
    if (size < 8 || at + size > body.length) break;
    found.push({ type: body.toString("latin1", at + 4, at + 8), body: body.subarray(at + 8, at + size) });
    at += size;
  }
  return found;
}

function find(body: Buffer | null, type: string): Buffer | null {
  return body === null ? null : (boxes(body).find((box) => box.type === type)?.body ?? null);
}

function handlerOf(media: Buffer | null): string | null {
  const handler = find(media, "hdlr");
  return handler === null || handler.length < 12 ? null : handler.toString("latin1", 8, 12);
}
