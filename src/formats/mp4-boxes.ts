/** Reads bytes of a file from an offset; fewer where the file ends. */
export type ReadBytes = (offset: number, length: number) => Promise<Uint8Array>;

/** A box of an MP4 or MOV file. Offsets are in bytes of the file. */
export interface Mp4Box {
  readonly type: string;
  /** Where its content starts. */
  readonly start: number;
  /** Where it says that it ends: behind the end of a file that is cut off. */
  readonly end: number;
}

/** Boxes looked at before giving up: a fragmented file has thousands, a damaged one may claim millions. */
export const MOST_BOXES = 10_000;

/**
 * The boxes between two offsets, one after the other (ISO/IEC 14496-12, 4.2), up to {@link MOST_BOXES}. Ends before one
 * whose size cannot be. Reads their headers, never their content.
 */
export async function* mp4Boxes(read: ReadBytes, from: number, to: number): AsyncGenerator<Mp4Box, void> {
  for (let at = from, count = 0; at + 8 <= to && count < MOST_BOXES; count++) {
    const header = await read(at, 16);
    if (header.byteLength < 8) return;
    const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
    const short = view.getUint32(0);
    const isLong = short === 1 && header.byteLength === 16;
    const start = at + (isLong ? 16 : 8);
    const end = short === 0 ? to : at + (isLong ? Number(view.getBigUint64(8)) : short);
    if (end < start) return;
    yield { type: String.fromCharCode(...header.subarray(4, 8)), start, end };
    at = end;
  }
}

/** The first box at a path of types, such as `moov`, `mvhd`, between two offsets; `null` where there is none. */
export async function findMp4Box(
  read: ReadBytes,
  [type, ...inner]: readonly string[],
  from: number,
  to: number,
): Promise<Mp4Box | null> {
  for await (const box of mp4Boxes(read, from, to)) {
    if (box.type === type) return inner.length === 0 ? box : findMp4Box(read, inner, box.start, box.end);
  }
  return null;
}
