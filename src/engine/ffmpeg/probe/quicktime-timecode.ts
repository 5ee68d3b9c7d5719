import { type FileHandle, open } from "node:fs/promises";
import { frameRate } from "../../../core/frame-rate.ts";
import { canDropFrames, formatTimecode } from "../../../core/timecode.ts";
import { findMp4Box, type Mp4Box, mp4Boxes } from "../../../formats/mp4-boxes.ts";
import { standardRate } from "./picture-rate.ts";

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
    const { size } = await file.stat();
    const boxes = new Boxes(file);
    const movie = await boxes.find(["moov"], { start: 0, end: size });
    if (movie === null || movie.end > size) return null;
    const media: Range[] = [];
    for await (const track of mp4Boxes(boxes.read, movie.start, movie.end)) {
      if (track.type !== "trak") continue;
      const found = await boxes.find(["mdia"], track);
      const handler = found && (await boxes.content(["hdlr"], found, 12));
      if (found === null || handler?.toString("latin1", 8, 12) !== "tmcd") return null;
      media.push(found);
    }
    const [first] = media;
    return first === undefined ? null : await describeTrack(boxes, first);
  } finally {
    await file.close();
  }
}

type Range = Pick<Mp4Box, "start" | "end">;

/** The boxes of an open file. */
class Boxes {
  readonly #file: FileHandle;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  readonly read = async (offset: number, length: number): Promise<Buffer> => {
    const { buffer, bytesRead } = await this.#file.read(Buffer.alloc(length), 0, length, offset);
    return buffer.subarray(0, bytesRead);
  };

  find(path: readonly string[], { start, end }: Range): Promise<Mp4Box | null> {
    return findMp4Box(this.read, path, start, end);
  }

  /** The first bytes of what the box at a path holds; `null` where it holds fewer. */
  async content(path: readonly string[], within: Range, length: number): Promise<Buffer | null> {
    const box = await this.find(path, within);
    if (box === null || box.end - box.start < length) return null;
    const bytes = await this.read(box.start, length);
    return bytes.length < length ? null : bytes;
  }
}

async function describeTrack(boxes: Boxes, media: Range): Promise<TimecodeTrack | null> {
  const header = await boxes.content(["mdhd"], media, 20);
  const description = await boxes.content(["minf", "stbl", "stsd"], media, 42);
  const offsets = await boxes.content(["minf", "stbl", "stco"], media, 12);
  if (header === null || description === null || offsets === null) return null;
  // Timecode sample description, QuickTime File Format: flags, time scale, frame duration, after 16 bytes of entry header.
  const isDropFrame = (description.readUInt32BE(28) & 1) === 1;
  const [scale, duration] = [description.readUInt32BE(32), description.readUInt32BE(36)];
  const mediaScale = header.readUInt32BE(12);
  const sample = await boxes.read(offsets.readUInt32BE(8), 4);
  if (sample.length < 4 || scale === 0 || duration === 0 || mediaScale === 0) return null;
  const rate = standardRate(frameRate(scale, duration));
  if (isDropFrame && !canDropFrames(rate)) return null;
  return {
    durationSeconds: header.readUInt32BE(16) / mediaScale,
    startTimecode: formatTimecode(sample.readUInt32BE(0), { rate, isDropFrame }),
  };
}
